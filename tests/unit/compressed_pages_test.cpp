// Compressed columns: what headers, chunks and row groups say of both sizes, in every layout, through cuts,
// boots and a card that is lost.
#include <cstring>

#include "cut_file.h"
#include "lost_card.h"
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

// Equal bytes as their number and one of them: may become twice as large.
class Pairs final : public Compressor {
 public:
  constexpr Pairs() : Compressor(CodecId::kSnappy, Growth{0, 1}) {}
  std::uint32_t compress_page(Span<const std::byte> in, Span<std::byte> out, Span<std::byte>) const override {
    std::uint32_t size = 0;
    for (std::size_t i = 0; i < in.size();) {
      std::size_t run = 1;
      while (run < 255 && i + run < in.size() && in[i + run] == in[i]) ++run;
      out[size++] = static_cast<std::byte>(run);
      out[size++] = in[i];
      i += run;
    }
    return size;
  }
};

class PairsBack final : public Decompressor {
 public:
  constexpr PairsBack() : Decompressor(CodecId::kSnappy) {}
  Status decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte>) const override {
    std::size_t done = 0;
    for (std::size_t i = 0; i + 1 < in.size(); i += 2) {
      for (auto left = std::to_integer<unsigned>(in[i]); left != 0; --left) {
        if (done == out.size()) return Status::kCorrupt;
        out[done++] = in[i + 1];
      }
    }
    return done == out.size() ? Status::kOk : Status::kCorrupt;
  }
};

// Copies the bytes as they are, after one more byte, through the scratch memory.
constexpr std::uint32_t kScratch = 700;
class Marked final : public Compressor {
 public:
  constexpr Marked() : Compressor(CodecId::kZstd, Growth{1, 0}, kScratch) {}
  std::uint32_t compress_page(Span<const std::byte> in, Span<std::byte> out,
                              Span<std::byte> scratch) const override {
    CHECK_EQ(scratch.size(), kScratch);
    CHECK_EQ(out.size(), in.size() + 1);
    std::memset(scratch.data(), 0x5A, scratch.size());
    out[0] = scratch[kScratch - 1];
    std::memcpy(out.data() + 1, in.data(), in.size());
    return static_cast<std::uint32_t>(in.size()) + 1;
  }
};

class MarkedBack final : public Decompressor {
 public:
  constexpr MarkedBack() : Decompressor(CodecId::kZstd) {}
  Status decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte>) const override {
    if (in.size() != out.size() + 1 || in[0] != std::byte{0x5A}) return Status::kCorrupt;
    std::memcpy(out.data(), in.data() + 1, out.size());
    return Status::kOk;
  }
};

constexpr Pairs kPairs;
constexpr Marked kMarked;
constexpr PairsBack kPairsBack;
constexpr MarkedBack kMarkedBack;
constexpr const Decompressor* kDecompressors[] = {&kPairsBack, &kMarkedBack};

constexpr Field kFields[] = {microparquet::int64_field("n").with_compressor(kPairs),
                             microparquet::float_field("x").as_optional().with_compressor(kMarked),
                             microparquet::string_field("s").with_compressor(kPairs),
                             microparquet::int32_field("plain")};

std::string_view text_of(std::int64_t n) {
  return written::part("aaaaaaaaaaaaaaaaaaaaaaaaaaaa or not", 0, static_cast<std::size_t>(n * 7 % 36));
}

Status append(Writer& writer, std::int64_t n) {
  const Value row[] = {Value::of(n), n % 3 == 0 ? Value() : Value::of(static_cast<float>(n)),
                       Value::of_bytes(text_of(n)), Value::of(static_cast<std::int32_t>(n))};
  return writer.append(row);
}

// Whether a file has the rows 0, 1, 2, ...
bool holds(Span<const std::byte> contents, std::int64_t rows) {
  alignas(8) static std::byte arena[24'000];
  ReaderOptions options;
  options.buffer_bytes = 4096;
  options.decompressors = kDecompressors;
  MemoryFile file({const_cast<std::byte*>(contents.data()), contents.size()}, contents.size());
  Reader reader;
  if (reader.open(file, options, arena) != Status::kOk || reader.choose_all() != Status::kOk) return false;
  std::int64_t n = 0;
  Status status = Status::kOk;
  for (; (status = reader.next_row()) == Status::kOk; ++n) {
    const microparquet::Cell x = reader.cell(1);
    if (reader.cell(0).as<std::int64_t>() != n || reader.cell(2).text() != text_of(n)) return false;
    if (x.null() != (n % 3 == 0) || (!x.null() && x.as<float>() != static_cast<float>(n))) return false;
    if (reader.cell(3).as<std::int32_t>() != n) return false;
  }
  return status == Status::kEnd && n == rows;
}

// Bytes of a chunk before compression, by the headers of its pages; how many pages there are.
std::int64_t page_bytes(const view::File& file, std::uint32_t row_group, std::uint32_t column, int& pages) {
  const view::Struct meta = file.column(row_group, column);
  const std::byte* at = file.bytes().data() + meta.integer(view::id::kDataPageOffset);
  const std::byte* const end = at + meta.integer(view::id::kStoredSize);
  std::int64_t bytes = 0;
  for (pages = 0; at < end; ++pages) {
    const view::Struct header(at);
    const std::byte* const body = header.end();
    const auto stored = static_cast<std::size_t>(header.integer(3));
    const std::uint32_t crc = view::plain_crc32(body, stored);
    CHECK_EQ(static_cast<std::uint32_t>(header.integer(4)), crc);
    bytes += (body - at) + header.integer(2);
    at = body + stored;
  }
  CHECK(at == end);
  return bytes;
}

constexpr int kCodec = 4;  // ColumnMetaData.codec

void expect_sizes(const view::File& file) {
  constexpr std::int64_t kCodecs[] = {1, 6, 1, 0};
  for (std::uint32_t group = 0; group < file.row_groups(); ++group) {
    std::int64_t sum = 0;
    for (std::uint32_t column = 0; column < 4; ++column) {
      const view::Struct meta = file.column(group, column);
      int pages = 0;
      const std::int64_t bytes = page_bytes(file, group, column, pages);
      CHECK_EQ(meta.integer(view::id::kRawSize), bytes);
      CHECK_EQ(meta.integer(kCodec), kCodecs[column]);
      const std::int64_t saved = bytes - meta.integer(view::id::kStoredSize);
      CHECK(column == 1 ? saved == -pages : column == 3 ? saved == 0 : saved > 0);
      sum += bytes;
    }
    CHECK_EQ(file.row_group(group).integer(view::id::kTotalByteSize), sum);
  }
}

}  // namespace

TEST("compressed pages: both sizes in page headers, chunks and row groups, in every layout") {
  const Options kinds[] = {written::in_place(512),      written::in_place(256),  written::in_place(1024, 100),
                           written::forward(512, 8192), with_blocks(1024, 4096), with_blocks(512, 2048)};
  for (const Options& options : kinds) {
    CutFile file;
    Writer writer;
    REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
    for (int n = 0; n < 700; ++n) {
      REQUIRE_EQ(append(writer, n), Status::kOk);
      if (n % 150 == 77) REQUIRE_EQ(writer.checkpoint(), Status::kOk);
      if (n % 150 == 77) CHECK(holds(file.view().bytes(), n + 1));
    }
    REQUIRE_EQ(writer.close(), Status::kOk);
    CHECK(holds(file.view().bytes(), 700));
    expect_sizes(file.view());
    CHECK_EQ(file.violations, 0);
  }
}

// Pages of compressed columns reserve more for growth than the sectors of the last pages of extents would
// take.
TEST("compressed pages: those that may grow much stay inside their buffers") {
  const Field fields[] = {microparquet::int64_field("n").with_compressor(kPairs),
                          microparquet::int64_field("m").with_compressor(kPairs)};
  for (const Options& options :
       {written::in_place(1024), written::in_place(2048), with_blocks(1024, 2048), with_blocks(2048, 4096)}) {
    CutFile file;
    Writer writer;
    REQUIRE_EQ(writer.open(file, fields, options, written::arena_memory()), Status::kOk);
    constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15;
    const auto noise = [](std::uint64_t n) { return static_cast<std::int64_t>((n + 1) * kMix); };
    for (std::uint64_t n = 0; n < 2000; ++n) {
      const Value row[] = {Value::of(noise(n)), Value::of(noise(~n))};
      REQUIRE_EQ(writer.append(row), Status::kOk);
      if (n % 450 == 77) REQUIRE_EQ(writer.checkpoint(), Status::kOk);
    }
    REQUIRE_EQ(writer.close(), Status::kOk);
    alignas(8) static std::byte arena[24'000];
    ReaderOptions reading;
    reading.buffer_bytes = 4096;
    reading.decompressors = kDecompressors;
    const Span<const std::byte> contents = file.view().bytes();
    MemoryFile read({const_cast<std::byte*>(contents.data()), contents.size()}, contents.size());
    Reader reader;
    REQUIRE_EQ(reader.open(read, reading, arena), Status::kOk);
    REQUIRE_EQ(reader.choose_all(), Status::kOk);
    std::uint64_t n = 0;
    for (; reader.next_row() == Status::kOk; ++n) {
      CHECK_EQ(reader.cell(0).as<std::int64_t>(), noise(n));
      CHECK_EQ(reader.cell(1).as<std::int64_t>(), noise(~n));
    }
    CHECK_EQ(n, 2000U);
  }
}

TEST("compressed pages: boots continue where the last footer ends") {
  for (const Options& options : {with_blocks(512, 512), with_blocks(256, 512), with_blocks(1024, 4096)}) {
    CutFile file;
    std::int64_t rows = 0;
    for (int boot = 0; boot < 6; ++boot) {
      Writer writer;
      REQUIRE_EQ(writer.resume(file, kFields, options, written::arena_memory()), Status::kOk);
      REQUIRE_EQ(writer.rows(), static_cast<std::uint64_t>(rows));
      for (int i = 0; i < 60 + 40 * boot; ++i) REQUIRE_EQ(append(writer, rows++), Status::kOk);
      REQUIRE_EQ(writer.checkpoint(), Status::kOk);
      for (int i = 0; i < 90; ++i) REQUIRE_EQ(append(writer, 1'000'000), Status::kOk);
      file.cut();
      CHECK(holds(file.view().bytes(), rows));
      expect_sizes(file.view());
    }
  }
}

TEST("compressed pages: a call that fails is repeated, and the page stored is the one that was sealed") {
  const Options options = with_blocks(512, 512);
  for (const bool takes_effect : {false, true}) {
    CutFile file;
    cut::write_where_calls_fail(file, takes_effect, {kFields, options, 500, 90}, append);
    CHECK(holds(file.view().bytes(), 500));
    expect_sizes(file.view());
  }
}

TEST("compressed pages: a card that is lost in any call") {
  const Options options = with_blocks(512, 512);
  for (int call = 8; call < 60; call += 3) {
    lost::Card card;
    lost::write_through_loss(card, call, {kFields, options, 400, 90}, append);
    CHECK(holds(card.contents(), 400));
  }
}

TEST("compressed pages: a page that could grow beyond its buffer is refused") {
  class Large final : public Compressor {
   public:
    explicit constexpr Large(std::uint32_t growth) : Compressor(CodecId::kGzip, Growth{growth, 0}) {}
    std::uint32_t compress_page(Span<const std::byte>, Span<std::byte>, Span<std::byte>) const override {
      return 0;
    }
  };
  static constexpr Large kFits(400);
  static constexpr Large kDoesNot(480);
  const Options options = written::in_place(512);
  CutFile file;
  Writer writer;
  const Field refused[] = {microparquet::int64_field("n").with_compressor(kDoesNot)};
  CHECK_EQ(writer.open(file, refused, options, written::arena_memory()), Status::kInvalidArgument);
  const Field taken[] = {microparquet::int64_field("n").with_compressor(kFits)};
  CHECK_EQ(writer.open(file, taken, options, written::arena_memory()), Status::kOk);
}
