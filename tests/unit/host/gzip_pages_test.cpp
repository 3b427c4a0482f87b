// Pages of GZIP that could not be made smaller: a member that stores its input, and then has its CRC, has itself the same CRC
// whatever it holds, unless its header says more of it. By their checksums reconnect() tells pages that were lost from older ones.
#include <cstring>

#include "cut_file.h"
#include "host/left_out_codec.h"
#include "lost_card.h"
#include "microparquet/desktop/codecs.h"
#include "microparquet/encoders.h"
#include "support/check.h"

using cut::with_blocks;
using microparquet::CodecId;
using microparquet::kDictionaryOf;
using microparquet::desktop::find_codec;
using microparquet::desktop::NamedCodec;

namespace {

constexpr std::uint32_t kRows = 700;
constexpr std::size_t kMostPage = 4096;

const NamedCodec& gzip() { return *find_codec(CodecId::kGzip); }
Field with_gzip(Field field) { return field.with_compressor(*gzip().compressor); }

// A column of `width` values again and again, which another `seed` makes others.
struct Noise {
  std::uint32_t seed;
  std::uint32_t width;

  Status append(Writer& writer, std::uint32_t row) const {
    const std::uint32_t at = row % width;
    const Value values[] = {Value::of(
        static_cast<std::int64_t>(std::uint64_t{written::mix(at, seed)} << 32 | written::mix(at, seed + 1)))};
    return writer.append(values);
  }
  void append_all(Writer& writer, std::uint32_t durable) const {
    for (std::uint32_t row = 0; row < kRows; ++row) {
      REQUIRE_EQ(append(writer, row), Status::kOk);
      if (row + 1 == durable) REQUIRE_EQ(writer.checkpoint(), Status::kOk);
    }
  }
};

// A page that no footer describes.
struct Page {
  std::byte* at;
  std::size_t bytes;
  std::int64_t crc;
};

Page page_at(std::byte* at) {
  const view::Struct header(at);
  return {at, static_cast<std::size_t>(header.end() - at + header.integer(3)), header.integer(4)};
}

// The first data page after the checkpoint: the chunk continues where the durable one ends.
Page page_after_checkpoint(const lost::Card& card) {
  const view::Struct durable = view::File(card.contents()).column(0, 0);
  return page_at(written::file_memory(0).data() + durable.integer(view::id::kDataPageOffset) +
                 durable.integer(view::id::kStoredSize));
}

// The page of the dictionary, which ends where the data pages begin.
Page dictionary_page(const lost::Card&) {
  constexpr std::byte kHead[] = {std::byte{0x15}, std::byte{4},
                                 std::byte{0x15}};  // the type: DICTIONARY_PAGE
  const Span<std::byte> memory = written::file_memory(0);
  std::size_t at = 0;
  while (at < memory.size() - kMostPage && std::memcmp(memory.data() + at, kHead, sizeof kHead) != 0) ++at;
  return page_at(memory.data() + at);
}

using FindPage = Page (*)(const lost::Card& card);

// Writes the same log twice, with other values, and puts a page of the first into its place in the second, which then
// `reconnect()` has to prove.
void swap_page(const Field& field, const Options& options, std::uint32_t width, FindPage find,
               std::uint32_t durable) {
  static std::byte older[kMostPage];
  Page before = {};
  {
    lost::Card card;
    lost::CardFile file(card);
    Writer writer;
    REQUIRE_EQ(writer.open(file, {&field, 1}, options, written::arena_memory()), Status::kOk);
    Noise{1, width}.append_all(writer, durable);
    before = find(card);
    REQUIRE(before.bytes <= kMostPage);
    std::memcpy(older, before.at, before.bytes);
  }
  lost::Card card;
  lost::CardFile file(card);
  Writer writer;
  REQUIRE_EQ(writer.open(file, {&field, 1}, options, written::arena_memory()), Status::kOk);
  Noise{3, width}.append_all(writer, durable);
  const Page page = find(card);
  REQUIRE_EQ(page.bytes, before.bytes);
  CHECK(page.crc != before.crc);
  std::memcpy(page.at, older, page.bytes);

  REQUIRE_EQ(writer.reconnect(file), Status::kOk);
  CHECK_EQ(writer.lost_rows(), kRows - durable);
  CHECK_EQ(writer.rows(), durable);
}

}  // namespace

TEST("gzip pages: an older page is not taken for one that was lost") {
  if (is_left_out(gzip())) return;
  constexpr std::uint32_t kDurable = 200;
  swap_page(with_gzip(microparquet::int64_field("noise")), with_blocks(512, 512), kRows,
            page_after_checkpoint, kDurable);
}

TEST("gzip pages: nor is an older dictionary") {
  if (is_left_out(gzip())) return;
  constexpr std::uint32_t kEntries = 30;
  Options options = with_blocks(512, 512);
  options.row_group_rows = kRows / 2;
  swap_page(with_gzip(microparquet::int64_field("noise").with_encoder(kDictionaryOf<512, 64>)), options,
            kEntries, dictionary_page, 0);
}
