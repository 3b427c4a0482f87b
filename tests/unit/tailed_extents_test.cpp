// Compressed pages without padding fill their extents: the last page of one may be short, and stays inside its
// buffer and its extent whatever its compressor makes of it.
#include <cstring>

#include "cut_file.h"
#include "microparquet/codecs.h"
#include "microparquet/compressor.h"
#include "microparquet/decompressor.h"
#include "support/check.h"
#include "support/names.h"

using cut::CutFile;
using cut::with_blocks;
using microparquet::CodecId;
using microparquet::Compressor;
using microparquet::Decompressor;
using microparquet::Growth;
using microparquet::MemoryFile;

namespace {

// Grows pages by the most that pages without padding may grow.
constexpr Growth kMostGrowth = {64, 8};
class Grown final : public Compressor {
 public:
  constexpr Grown() : Compressor(CodecId::kSnappy, kMostGrowth) {}
  std::uint32_t compress_page(Span<const std::byte> in, Span<std::byte> out, Span<std::byte>) const override {
    CHECK_EQ(out.size(), kMostGrowth.most_bytes(static_cast<std::uint32_t>(in.size())));
    std::memset(out.data(), 0x5A, out.size());
    std::memcpy(out.data(), in.data(), in.size());
    return static_cast<std::uint32_t>(out.size());
  }
};

class GrownBack final : public Decompressor {
 public:
  constexpr GrownBack() : Decompressor(CodecId::kSnappy) {}
  Status decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte>) const override {
    if (in.size() != kMostGrowth.most_bytes(static_cast<std::uint32_t>(out.size()))) return Status::kCorrupt;
    std::memcpy(out.data(), in.data(), out.size());
    return Status::kOk;
  }
};

constexpr Grown kGrown;
constexpr GrownBack kGrownBack;
constexpr const Decompressor* kDecompressors[] = {&kGrownBack, &microparquet::kLz4RawDecompressor};

// Noise that grows from row to row, and ends row groups because a column has no space left.
std::int64_t noise(std::uint32_t column, std::int64_t n) {
  constexpr unsigned kMost = 62;
  const auto row = static_cast<std::uint32_t>(n);
  const unsigned bits = 8 + row / 100 < kMost ? 8 + row / 100 : kMost;
  const std::uint64_t random = std::uint64_t{written::mix(row, column)} << 32 | written::mix(row, column + 2);
  return static_cast<std::int64_t>(random >> (64 - bits));
}

char* text_of(std::int64_t n, char (&text)[64]) {
  std::memset(text, 'a', sizeof text);
  std::memcpy(text, &n, sizeof n);
  return text;
}
std::size_t text_bytes(std::int64_t n) { return static_cast<std::size_t>(n * 7 % 60); }

void write(CutFile& file, std::int64_t rows, Schema schema, const Options& options, bool checkpoints) {
  Writer writer;
  REQUIRE_EQ(writer.open(file, schema, options, written::arena_memory()), Status::kOk);
  for (std::int64_t n = 0; n < rows; ++n) {
    char text[64];
    const Value row[] = {Value::of(noise(0, n)), n % 3 == 0 ? Value() : Value::of(noise(1, n)),
                         Value::of_bytes({text_of(n, text), text_bytes(n)})};
    REQUIRE_EQ(writer.append({row, schema.size()}), Status::kOk);
    if (checkpoints && n % 1450 == 77) REQUIRE_EQ(writer.checkpoint(), Status::kOk);
  }
  REQUIRE_EQ(writer.close(), Status::kOk);
  CHECK_EQ(file.violations, 0);
}

void check_values(const CutFile& file, std::int64_t rows, std::uint32_t columns) {
  alignas(8) static std::byte arena[60'000];
  ReaderOptions options;
  options.buffer_bytes = 16 << 10;
  options.decompressors = kDecompressors;
  const Span<const std::byte> contents = file.view().bytes();
  MemoryFile read({const_cast<std::byte*>(contents.data()), contents.size()}, contents.size());
  Reader reader;
  REQUIRE_EQ(reader.open(read, options, arena), Status::kOk);
  REQUIRE_EQ(reader.choose_all(), Status::kOk);
  std::int64_t n = 0;
  for (; reader.next_row() == Status::kOk; ++n) {
    char text[64];
    REQUIRE_EQ(reader.cell(0).as<std::int64_t>(), noise(0, n));
    REQUIRE_EQ(reader.cell(1).null(), n % 3 == 0);
    if (n % 3 != 0) REQUIRE_EQ(reader.cell(1).as<std::int64_t>(), noise(1, n));
    if (columns > 2) REQUIRE(reader.cell(2).text() == std::string_view(text_of(n, text), text_bytes(n)));
  }
  CHECK_EQ(n, rows);
}

// The most bytes that a row group but the first and the last one has left before its last column.
std::int64_t most_left(const view::File& file) {
  std::int64_t most = 0;
  for (std::uint32_t group = 1; group + 1 < file.row_groups(); ++group) {
    const view::Struct a = file.column(group, 0);
    const view::Struct b = file.column(group, 1);
    const std::int64_t begin_a = a.integer(view::id::kDataPageOffset);
    const std::int64_t begin_b = b.integer(view::id::kDataPageOffset);
    const std::int64_t end_a = begin_a + a.integer(view::id::kStoredSize);
    const std::int64_t end_b = begin_b + b.integer(view::id::kStoredSize);
    const std::int64_t left = begin_a < begin_b ? begin_b - end_a : begin_a - end_b;
    if (left > most) most = left;
  }
  return most;
}

}  // namespace

TEST("tailed pages: extents are full but for a short page") {
  constexpr Field kFields[] = {
      microparquet::int64_field("a").with_compressor(microparquet::kLz4RawCompressor),
      microparquet::int64_field("b").as_optional().with_compressor(microparquet::kLz4RawCompressor)};
  Options options = written::in_place(8192);
  options.row_group_bytes = 30 << 10;
  CutFile file;
  write(file, 30'000, kFields, options, false);
  check_values(file, 30'000, 2);
  CHECK(file.view().row_groups() > 5);
  CHECK(most_left(file.view()) < 1200);
}

TEST("tailed pages: those that grow as much as they may stay inside their buffers") {
  constexpr Field kFields[] = {microparquet::int64_field("a").with_compressor(kGrown),
                               microparquet::int64_field("b").as_optional().with_compressor(kGrown),
                               microparquet::string_field("s").with_compressor(kGrown)};
  for (const std::uint32_t page_bytes : {1024U, 1536U, 4096U, 8192U}) {
    for (const bool checkpoints : {false, true}) {
      Options options = with_blocks(page_bytes, page_bytes == 4096 ? 4096 : 512);
      options.row_group_bytes = 40 << 10;
      CutFile file;
      write(file, 6000, kFields, options, checkpoints);
      check_values(file, 6000, 3);
    }
  }
}
