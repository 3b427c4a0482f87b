// Data pages of version 2: what their headers say, in every layout, with every kind of column, through checkpoints, boots,
// calls that fail and a card that is lost.
#include "microparquet/desktop/data_page_v2.h"

#include <cstring>

#include "cut_file.h"
#include "has_rows.h"
#include "lost_card.h"
#include "microparquet/auto_encoders.h"
#include "microparquet/desktop/full_index.h"
#include "microparquet/lz4_raw_compressor.h"
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
