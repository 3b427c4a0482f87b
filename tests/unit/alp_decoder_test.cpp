// ALP: the format's own example, integers of every width, exceptions, and pages that contradict themselves.
#include "microparquet/decoders.h"

#include <cstring>
#include <limits>

#include "made_file.h"
#include "microparquet/reader.h"
#include "support/check.h"

using made::Bytes;
using microparquet::MemoryFile;
using microparquet::Reader;
using microparquet::ReaderOptions;
using microparquet::Status;

namespace {

alignas(8) std::byte arena[4096];
constexpr std::int32_t kAlp = 10;
constexpr unsigned kVectorBits = 3;
constexpr std::size_t kVectorValues = 1 << kVectorBits;
constexpr std::size_t kMostValues = 40;

template <typename T>
std::uint64_t bits_of(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

// The header of a vector.
struct Vector {
  unsigned exponent = 0;
  unsigned factor = 0;
  std::uint64_t least = 0;
  unsigned width = 0;
};

struct Exception {
  unsigned place;
  std::uint64_t bits;
};

// Integers less the least one, lowest bits first.
void pack(Bytes& out, const std::uint64_t* integers, std::size_t count, const Vector& vector) {
  unsigned byte = 0;
  unsigned filled = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t number = integers[i] - vector.least;
    for (unsigned bit = 0; bit < vector.width && bit < 64; ++bit) {
      byte |= static_cast<unsigned>(number >> bit & 1) << filled;
      if (++filled < 8) continue;
      out.byte(byte);
      byte = filled = 0;
    }
  }
  if (filled != 0) out.byte(byte);
}

// `width`: bytes of a value.
void add_vector(Bytes& out, unsigned width, const Vector& vector, const std::uint64_t* integers,
                std::size_t count, const Exception* exceptions = nullptr, std::size_t exception_count = 0) {
  out.byte(vector.exponent).byte(vector.factor).little(exception_count, 2);
  out.little(vector.least, width).byte(vector.width);
  pack(out, integers, count, vector);
  for (std::size_t i = 0; i < exception_count; ++i) out.little(exceptions[i].place, 2);
  for (std::size_t i = 0; i < exception_count; ++i) out.little(exceptions[i].bits, width);
}

Bytes& head(Bytes& out, std::size_t values, unsigned vector_bits = kVectorBits) {
  out.clear();
  return out.byte(0).byte(0).byte(vector_bits).little(values, 4);
}

struct AlpColumn {
  std::int32_t type = made::kDouble;
  std::size_t values = 4;
};

MemoryFile file_of(const AlpColumn& alp, const Bytes& body) {
  made::File made;
  made::Column column;
  column.type = alp.type;
  column.values = static_cast<std::int64_t>(alp.values);
  made.begin_column(column);
  made::Page page;
  page.values = column.values;
  page.encoding = kAlp;
  made.page(page, body.view());
  made.end_column(column);
  made.footer({&column, 1}, column.values);
  return made.open();
}

constexpr const microparquet::Decoder* kDecoders[] = {&microparquet::kAlpDecoder};

ReaderOptions with_alp() {
  ReaderOptions options;
  options.decoders = kDecoders;
  options.buffer_bytes = 1024;
  return options;
}

// The result of reading; the bits of the values in `out`. By rows, of which each `stride`-th is read and the others passed.
Status read_rows(const AlpColumn& alp, const Bytes& body, std::uint64_t* out, std::size_t stride = 1) {
  MemoryFile file = file_of(alp, body);
  const ReaderOptions options = with_alp();
  Reader reader;
  Status status = reader.open(file, options, arena);
  if (status == Status::kOk) status = reader.choose_all();
  for (std::size_t row = 0; status == Status::kOk; ++row) {
    status = row % stride == 0 ? reader.next_row() : reader.skip_row();
    if (status != Status::kOk || row % stride != 0) continue;
    out[row] = 0;
    std::memcpy(out + row, reader.cell(0).text().data(), reader.cell(0).text().size());
  }
  return status;
}

template <typename T>
Status read_batches(const AlpColumn& alp, const Bytes& body, std::size_t places, std::uint64_t* out) {
  MemoryFile file = file_of(alp, body);
  const ReaderOptions options = with_alp();
  Reader reader;
  Status status = reader.open(file, options, arena);
  if (status == Status::kOk) status = reader.choose_all();
  if (status == Status::kOk) status = reader.next_row_group();
  T values[kMostValues];
  microparquet::Batch<T> batch({values, places});
  while (status == Status::kOk) {
    status = reader.next_batch(0, batch);
    if (status != Status::kOk) break;
    for (const T value : batch.read()) *out++ = bits_of(value);
  }
  return status;
}

// Every way of reading gives these bits.
void expect_bits(const AlpColumn& alp, const Bytes& body, const std::uint64_t* expected) {
  std::uint64_t found[kMostValues] = {};
  const auto are_right = [&] { return std::memcmp(found, expected, alp.values * sizeof *expected) == 0; };
  CHECK_EQ(read_rows(alp, body, found), Status::kEnd);
  CHECK(are_right());
  for (const std::size_t places : {std::size_t{1}, std::size_t{3}, std::size_t{8}, kMostValues}) {
    std::memset(found, 0, sizeof found);
    const Status status = alp.type == made::kFloat ? read_batches<float>(alp, body, places, found)
                                                   : read_batches<double>(alp, body, places, found);
    CHECK_EQ(status, Status::kEnd);
    CHECK(are_right());
  }
  for (const std::size_t stride : {std::size_t{2}, std::size_t{5}, std::size_t{11}}) {
    CHECK_EQ(read_rows(alp, body, found, stride), Status::kEnd);
    for (std::size_t i = 0; i < alp.values; i += stride) CHECK_EQ(found[i], expected[i]);
  }
}

Status status_of(const AlpColumn& alp, const Bytes& body) {
  std::uint64_t values[kMostValues];
  return read_rows(alp, body, values);
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Four values, of which one is an exception.
Bytes& example(Bytes& out, const Exception& exception = {1, bits_of(kNan)},
               const Vector& vector = {4, 3, 3335, 15}) {
  constexpr std::uint64_t kIntegers[] = {15'000, 15'000, 25'000, 3335};
  add_vector(head(out, 4).little(4, 4), 8, vector, kIntegers, 4, &exception, 1);
  return out;
}

}  // namespace

TEST("ALP: the example of the format") {
  Bytes body;
  example(body);
  CHECK_EQ(body.size(), 7U + 4 + 31);
  const std::uint64_t expected[] = {bits_of(1500.0), bits_of(kNan), bits_of(2500.0), bits_of(333.5)};
  expect_bits({}, body, expected);
}

TEST("ALP: integers of every width, in several vectors, the last one short") {
  static std::uint64_t integers[kMostValues];
  static std::uint64_t expected[kMostValues];
  Bytes body;
  for (unsigned width = 0; width <= 64; ++width) {
    const std::size_t count = 2 * kVectorValues + 3;
    const std::uint64_t least = 0 - (std::uint64_t{1} << (width == 0 ? 0 : width - 1));
    const std::uint64_t mask = width == 0 ? 0 : ~std::uint64_t{0} >> (64 - width);
    for (std::size_t i = 0; i < count; ++i) {
      integers[i] = least + ((0x9E3779B97F4A7C15 * (i + width)) & mask);
      expected[i] = bits_of(static_cast<double>(static_cast<std::int64_t>(integers[i])) * 1e2 * 1e-7);
    }
    const Exception exceptions[] = {{0, bits_of(-0.0)}, {6, 0xFFF8000000000123}, {7, 1}};
    for (const Exception& exception : exceptions) expected[kVectorValues + exception.place] = exception.bits;
    head(body, count);
    const std::size_t full = 13 + width;
    body.little(12, 4).little(12 + full, 4).little(12 + 2 * full + 30, 4);
    const Vector vector{7, 2, least, width};
    add_vector(body, 8, vector, integers, kVectorValues);
    add_vector(body, 8, vector, integers + kVectorValues, kVectorValues, exceptions, 3);
    add_vector(body, 8, vector, integers + 2 * kVectorValues, 3);
    expect_bits({made::kDouble, count}, body, expected);
  }
}

TEST("ALP: floats are computed in their own precision") {
  static std::uint64_t integers[kMostValues];
  static std::uint64_t expected[kMostValues];
  Bytes body;
  for (unsigned exponent = 0; exponent <= 10; ++exponent) {
    constexpr float kTens[] = {1e0F, 1e1F, 1e2F, 1e3F, 1e4F, 1e5F};
    constexpr float kTenths[] = {1e-0F, 1e-1F, 1e-2F, 1e-3F, 1e-4F, 1e-5F,
                                 1e-6F, 1e-7F, 1e-8F, 1e-9F, 1e-10F};
    const unsigned factor = exponent / 2;
    for (std::uint32_t i = 0; i < 5; ++i) {
      const std::uint32_t integer = 0x80000000U + i * 0x33333333U;
      integers[i] = integer;
      const float scaled = static_cast<float>(static_cast<std::int32_t>(integer)) * kTens[factor];
      expected[i] = bits_of(scaled * kTenths[exponent]);
    }
    add_vector(head(body, 5).little(4, 4), 4, {exponent, factor, 0x80000000U, 32}, integers, 5);
    expect_bits({made::kFloat, 5}, body, expected);
  }
}

TEST("ALP: pages that contradict themselves are corrupt") {
  Bytes body;
  CHECK_EQ(status_of({}, example(body)), Status::kEnd);
  CHECK_EQ(status_of({made::kDouble, 3}, example(body)), Status::kCorrupt);
  CHECK_EQ(status_of({made::kDouble, 5}, example(body)), Status::kCorrupt);
  CHECK_EQ(status_of({made::kFloat, 4}, example(body)), Status::kCorrupt);
  CHECK_EQ(status_of({}, example(body).byte(0)), Status::kCorrupt);
  for (const Vector& vector :
       {Vector{19, 3, 3335, 15}, Vector{4, 5, 3335, 15}, Vector{4, 3, 3335, 65}, Vector{4, 3, 0, 16}}) {
    CHECK_EQ(status_of({}, example(body, {1, 0}, vector)),
             vector.width == 16 ? Status::kEnd : Status::kCorrupt);
  }
  CHECK_EQ(status_of({}, example(body, {4, 0})), Status::kCorrupt);  // beyond the vector
  Bytes cut;
  example(body);
  for (std::size_t bytes = 0; bytes < body.size(); ++bytes) {
    cut.clear();
    cut.text(body.view().substr(0, bytes));
    CHECK_EQ(status_of({}, cut), Status::kCorrupt);
  }
}

TEST("ALP: heads and places that are wrong") {
  Bytes body;
  const auto with_byte = [&](std::size_t at, unsigned value) {
    example(body);
    body.data()[at] = static_cast<std::byte>(value);
    return status_of({}, body);
  };
  CHECK_EQ(with_byte(0, 1), Status::kUnsupported);  // a mode to come
  CHECK_EQ(with_byte(1, 1), Status::kUnsupported);
  for (const unsigned vector_bits : {0U, 2U, 16U, 255U})
    CHECK_EQ(with_byte(2, vector_bits), Status::kCorrupt);
  for (const unsigned vector_bits : {4U, 10U, 15U}) CHECK_EQ(with_byte(2, vector_bits), Status::kEnd);
  CHECK_EQ(with_byte(6, 0x80), Status::kCorrupt);
  CHECK_EQ(with_byte(7, 5), Status::kCorrupt);
  CHECK_EQ(with_byte(10, 1), Status::kCorrupt);
  CHECK_EQ(with_byte(13, 5), Status::kCorrupt);  // more exceptions than values
  CHECK_EQ(with_byte(14, 1), Status::kCorrupt);
}

TEST("ALP: exceptions have to stand in the order of their places") {
  Bytes body;
  const auto with_second_at = [&](unsigned place) {
    constexpr std::uint64_t kIntegers[4] = {};
    const Exception exceptions[] = {{2, 7}, {place, 8}};
    add_vector(head(body, 4).little(4, 4), 8, {}, kIntegers, 4, exceptions, 2);
    return status_of({}, body);
  };
  CHECK_EQ(with_second_at(1), Status::kUnsupported);
  CHECK_EQ(with_second_at(2), Status::kUnsupported);
  CHECK_EQ(with_second_at(3), Status::kEnd);
}
