// Data pages of version 2: what their headers say, in every layout, with every kind of column, through checkpoints, boots,
// calls that fail and a card that is lost.
#include "microparquet/desktop/data_page_v2.h"

#include <cstring>

#include "cut_file.h"
#include "has_rows.h"
#include "lost_card.h"
#include "microparquet/codecs.h"
#include "microparquet/desktop/full_index.h"
#include "microparquet/encoders.h"
#include "microparquet/read_all.h"
#include "support/check.h"

using cut::CutFile;
using cut::with_blocks;
using microparquet::kAuto;
using microparquet::kLz4RawCompressor;
using microparquet::desktop::DataPageV2;

namespace {

constexpr DataPageV2 kPages;
constexpr DataPageV2 kLz4Pages(kLz4RawCompressor);

constexpr Field kFields[] = {
    microparquet::int64_field("number").with_compressor(kPages),
    microparquet::float_field("maybe").as_optional().with_compressor(kLz4Pages),
    microparquet::string_field("text").with_encoder(kAuto.under(kLz4Pages)),
    microparquet::double_field("split").as_optional().with_encoder(kAuto.under(kLz4Pages)),
    microparquet::int32_field("difference").with_encoder(kAuto).with_compressor(kPages),
    microparquet::boolean_field("flag").as_optional().with_compressor(kPages),
    microparquet::int32_field("version_1"),
};
constexpr std::uint32_t kV1 = 6;
constexpr std::uint32_t kOptional[] = {1, 3, 5};

bool is_null(std::uint32_t row) { return row % 3 == 0 || row / 200 % 2 == 1; }

std::string_view text_of(std::uint32_t row) {
  constexpr const char* kWords[] = {"north", "north-east", "", "south"};
  return kWords[written::mix(row / 9, 1) % 4];
}

double split_of(std::uint32_t row) { return 1.5 + written::mix(row, 2) * 1e-12; }

struct Rows {
  Status append(Writer& writer, std::uint32_t row) const {
    const auto number = static_cast<std::int32_t>(row);
    const bool null = is_null(row);
    const Value values[] = {Value::of(std::int64_t{number} << 20),
                            null ? Value() : Value::of(static_cast<float>(row)),
                            Value::of_bytes(text_of(row)),
                            null ? Value() : Value::of(split_of(row)),
                            Value::of(number * 7),
                            null ? Value() : Value::of(row % 5 == 1),
                            Value::of(number)};
    return writer.append(values);
  }

  bool are_in(Span<const std::byte> contents, std::uint32_t count) const {
    return written::has_rows<120'000>(contents, count, &holds,
                                      written::reading_all(microparquet::kAllDecompressors));
  }

  static bool holds(Reader& reader, std::uint32_t row) {
    const auto number = static_cast<std::int32_t>(row);
    for (const std::uint32_t column : kOptional) {
      if (reader.cell(column).null() != is_null(row)) return false;
    }
    if (!is_null(row) &&
        (reader.cell(1).as<float>() != static_cast<float>(row) ||
         reader.cell(3).as<double>() != split_of(row) || reader.cell(5).as<bool>() != (row % 5 == 1)))
      return false;
    return reader.cell(0).as<std::int64_t>() == std::int64_t{number} << 20 &&
           reader.cell(2).text() == text_of(row) && reader.cell(4).as<std::int32_t>() == number * 7 &&
           reader.cell(kV1).as<std::int32_t>() == number;
  }
};

// The pages of a column, whose headers agree with the chunk's.
struct Pages {
  int compressed = 0;
  int stored = 0;
  std::int64_t nulls = 0;
};

constexpr int kCodec = 4;  // ColumnMetaData.codec

Pages pages_of(const view::File& file, std::uint32_t column) {
  Pages pages;
  for (std::uint32_t group = 0; group < file.row_groups(); ++group) {
    const view::Struct meta = file.column(group, column);
    const std::byte* at = file.bytes().data() + meta.integer(view::id::kDataPageOffset);
    const std::int64_t dictionary = meta.integer(11);
    const std::int64_t dictionary_bytes =
        dictionary != 0 ? meta.integer(view::id::kDataPageOffset) - dictionary : 0;
    const std::byte* const end = at + meta.integer(view::id::kStoredSize) - dictionary_bytes;
    std::int64_t values = 0;
    while (at < end) {
      const view::Struct header(at);
      CHECK_EQ(header.integer(1), 3);
      CHECK(!header.has(5));
      const view::Struct page = header.structure(8);
      const std::int64_t stored = header.integer(3);
      const auto* const body = header.end();
      CHECK_EQ(static_cast<std::uint32_t>(header.integer(4)),
               view::plain_crc32(body, static_cast<std::size_t>(stored)));
      CHECK_EQ(page.integer(1), page.integer(3));
      CHECK_EQ(page.integer(6), 0);
      CHECK(page.has(7));
      CHECK(stored <= header.integer(2));
      CHECK_EQ(page.boolean(7), stored < header.integer(2));
      CHECK(!page.boolean(7) || meta.integer(kCodec) != 0);
      CHECK(page.integer(5) <= stored);
      ++(page.boolean(7) ? pages.compressed : pages.stored);
      pages.nulls += page.integer(2);
      values += page.integer(1);
      at = body + stored;
    }
    CHECK(at == end);
    CHECK_EQ(values, file.row_group(group).integer(view::id::kNumRows));
  }
  return pages;
}

void check_pages(const view::File& file) {
  std::int64_t nulls = 0;
  for (std::uint32_t row = 0; row < static_cast<std::uint32_t>(file.rows()); ++row) {
    if (is_null(row)) ++nulls;
  }
  for (std::uint32_t column = 0; column < kV1; ++column) {
    const bool optional = column % 2 == 1;
    CHECK_EQ(pages_of(file, column).nulls, optional ? nulls : 0);
  }
}

// A header of version 1 in `bytes` bytes, for the page that one of version 2 describes: what it says of the body is the same, but
// for what only version 2 says. Its numbers are lengthened until it fills the place.
void write_header_v1(std::byte* at, std::size_t bytes, const view::Struct& header) {
  constexpr unsigned kNumbers = 8;
  constexpr unsigned kBeforeStruct = 4;
  constexpr std::size_t kMaxVarint = 5;
  const view::Struct page = header.structure(8);
  constexpr std::int64_t kRle = 3;
  const std::int64_t numbers[kNumbers] = {
      0,   header.integer(2), header.integer(3), header.integer(4), page.integer(1), page.integer(4), kRle,
      kRle};
  constexpr std::size_t kOthers = kNumbers + 3;  // bytes before the numbers, and around the structs
  std::uint32_t zigzags[kNumbers] = {};
  std::size_t shortest = kOthers;
  for (unsigned i = 0; i < kNumbers; ++i) {
    zigzags[i] = static_cast<std::uint32_t>(numbers[i] * 2) ^ (numbers[i] < 0 ? ~std::uint32_t{0} : 0);
    shortest += microparquet::detail::varint_bytes(zigzags[i]);
  }
  REQUIRE(shortest <= bytes);
  std::size_t more = bytes - shortest;
  const std::byte* const end = at + bytes;
  for (unsigned i = 0; i < kNumbers; ++i) {
    if (i == kBeforeStruct) *at++ = std::byte{0x1C};
    *at++ = std::byte{0x15};
    std::uint32_t number = zigzags[i];
    const std::size_t least = microparquet::detail::varint_bytes(number);
    const std::size_t longer = kMaxVarint - least < more ? kMaxVarint - least : more;
    more -= longer;
    for (std::size_t left = least + longer; left > 1; --left, number >>= 7)
      *at++ = static_cast<std::byte>((number & 0x7F) | 0x80);
    *at++ = static_cast<std::byte>(number);
  }
  *at++ = std::byte{0};
  *at++ = std::byte{0};
  REQUIRE(at == end);
}

constexpr Field kNoiseField[] = {microparquet::int64_field("noise").with_compressor(kLz4Pages)};

Status append_noise(Writer& writer, std::uint32_t row) {
  const Value values[] = {
      Value::of(static_cast<std::int64_t>(std::uint64_t{written::mix(row, 1)} << 32 | written::mix(row, 2)))};
  return writer.append(values);
}

}  // namespace

TEST("data pages v2: every kind of column, in every layout, with checkpoints") {
  const Options kinds[] = {
      written::in_place(512),       written::in_place(256),        written::in_place(1024),
      written::in_place(1024, 100), written::in_place(4096),       written::forward(512, 8192),
      written::forward(256, 8192),  with_blocks(1024, 512),        with_blocks(1024, 4096),
      with_blocks(512, 2048),       written::forward(1024, 16384),
  };
  for (const Options& options : kinds) {
    cut::write_and_read({kFields, options, 700, 170}, Rows(), [](const view::File& file) {
      check_pages(file);
      const view::Struct header(file.bytes().data() + file.column(0, kV1).integer(view::id::kDataPageOffset));
      CHECK_EQ(header.integer(1), 0);
    });
  }
}

TEST("data pages v2: a checkpoint after each row") {
  cut::write_and_read({kFields, with_blocks(512, 512), 16, 1}, Rows(), check_pages);
}

TEST("data pages v2: they are compressed where that makes them smaller") {
  constexpr Field kTwo[] = {microparquet::int64_field("steps").with_compressor(kLz4Pages),
                            microparquet::int64_field("noise").with_compressor(kLz4Pages)};
  written::File file(kTwo, written::in_place(1024));
  REQUIRE_EQ(file.opened(), Status::kOk);
  for (std::uint32_t row = 0; row < 3000; ++row) {
    const auto noise =
        static_cast<std::int64_t>(std::uint64_t{written::mix(row, 1)} << 32 | written::mix(row, 2));
    const Value values[] = {Value::of(std::int64_t{row / 100}), Value::of(noise)};
    REQUIRE_EQ(file.writer.append(values), Status::kOk);
  }
  REQUIRE_EQ(file.writer.close(), Status::kOk);
  const Pages steps = pages_of(file.view(), 0);
  CHECK(steps.compressed > 10);
  CHECK_EQ(steps.stored, 0);
  const Pages noise = pages_of(file.view(), 1);
  CHECK(noise.stored > 10);
  CHECK_EQ(noise.compressed, 0);
}

TEST("data pages v2: with a page index and bloom filters") {
  using microparquet::desktop::NotedColumn;
  static std::byte filter[1024];
  const NotedColumn noted(*kFields[2].encoder, filter);
  Field fields[std::size(kFields)] = {};
  std::copy(std::begin(kFields), std::end(kFields), fields);
  fields[2] = fields[2].with_encoder(noted);
  for (const microparquet::Layout* layout : {&microparquet::kInPlace, &microparquet::kForward}) {
    const auto index =
        microparquet::desktop::with_full_index(microparquet::with_page_index(*layout, 24 << 10), fields);
    Options options = cut::options_of(1024);
    options.layout = &index;
    options.row_group_bytes = 32 << 10;
    cut::write_and_read({fields, options, 700, 170}, Rows(), check_pages);
  }
}

TEST("data pages v2: boots continue where the last footer ends") {
  for (const Options& options : {with_blocks(512, 512), with_blocks(1024, 512), with_blocks(1024, 4096)})
    cut::write_over_boots({kFields, options, 390, 60}, 197, Rows());
}

TEST("data pages v2: a call that fails is repeated, and the page stored is the one that was sealed") {
  for (const bool takes_effect : {false, true}) {
    CutFile file;
    cut::write_where_calls_fail(file, takes_effect, {kFields, with_blocks(1024, 512), 500, 90},
                                [](Writer& writer, std::uint32_t row) { return Rows().append(writer, row); });
    CHECK(Rows().are_in(file.view().bytes(), 500));
    check_pages(file.view());
  }
}

TEST("data pages v2: a card that is lost in any call") {
  for (int call = 8; call < 90; call += 3) {
    lost::Card card;
    lost::write_through_loss(card, call, {kFields, with_blocks(512, 512), 400, 90},
                             [](Writer& writer, std::uint32_t row) { return Rows().append(writer, row); });
    CHECK(Rows().are_in(card.contents(), 400));
  }
}

TEST("data pages v2: a page of version 1 with the same body is not taken for one that was lost") {
  constexpr std::uint32_t kDurable = 200;
  constexpr std::uint32_t kRows = 700;
  const Options options = with_blocks(512, 512);
  lost::Card card;
  lost::CardFile file(card);
  Writer writer;
  REQUIRE_EQ(writer.open(file, kNoiseField, options, written::arena_memory()), Status::kOk);
  for (std::uint32_t row = 0; row < kRows; ++row) {
    REQUIRE_EQ(append_noise(writer, row), Status::kOk);
    if (row + 1 == kDurable) REQUIRE_EQ(writer.checkpoint(), Status::kOk);
  }
  // The first page since the checkpoint: the chunk continues where the durable one ends.
  const view::Struct durable = view::File(card.contents()).column(0, 0);
  const auto begin = static_cast<std::size_t>(durable.integer(view::id::kDataPageOffset) +
                                              durable.integer(view::id::kStoredSize));
  std::byte* const at = written::file_memory(0).data() + begin;
  const view::Struct header(at);
  REQUIRE_EQ(header.integer(1), 3);
  REQUIRE(!header.structure(8).boolean(7));
  REQUIRE_EQ(header.integer(2), header.integer(3));
  std::byte of_version_1[128];
  const auto bytes = static_cast<std::size_t>(header.end() - at);
  REQUIRE(bytes <= sizeof of_version_1);
  write_header_v1(of_version_1, bytes, header);
  std::memcpy(at, of_version_1, bytes);
  REQUIRE_EQ(view::Struct(at).integer(1), 0);

  REQUIRE_EQ(writer.reconnect(file), Status::kOk);
  CHECK_EQ(writer.lost_rows(), kRows - kDurable);
  CHECK_EQ(writer.rows(), kDurable);
  REQUIRE_EQ(writer.close(), Status::kOk);
  CHECK(!pages_of(view::File(card.contents()), 0).compressed);
}
