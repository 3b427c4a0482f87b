// Checkpoints that leave pages open: values and statistics of pages that later boots continue, and what else may happen to
// such files.
#include "has_rows.h"
#include "microparquet/codecs.h"
#include "microparquet/encoders.h"
#include "tail_rows.h"

using cut::CutFile;
using microparquet::KeyValue;
using tails::append_up_to;
using tails::boot;
using tails::copy_file;
using tails::Ending;
using tails::hold;
using tails::kFields;
using tails::resume;
using tails::tailed;

namespace {

// A target is too slow for all rows.
constexpr std::uint32_t kStep = sizeof(void*) == 4 ? 9 : 1;
constexpr std::uint32_t kTwoPages = 130;

void go_on_from_each_row(Schema schema, const Options& options) {
  CutFile file;
  for (std::uint32_t rows = 1; rows <= kTwoPages; ++rows) {
    REQUIRE(boot(file, options, rows - 1, rows, Ending::kCheckpoint, schema));
    REQUIRE(hold(file.view(), schema, rows));
    if (rows % kStep != 0) continue;
    copy_file();
    CutFile other(1, true, static_cast<std::size_t>(file.published));
    REQUIRE(boot(other, options, rows, rows + 1 + rows % 200, Ending::kCheckpoint, schema));
    REQUIRE(hold(other.view(), schema, rows + 1 + rows % 200));
    Writer writer;
    REQUIRE_EQ(resume(writer, other, options, schema), Status::kOk);
    REQUIRE_EQ(append_up_to(writer, rows + 250, schema), Status::kOk);
    REQUIRE_EQ(writer.close(), Status::kOk);
    REQUIRE(hold(other.view(), schema, rows + 250));
    CHECK_EQ(other.violations, 0);
  }
  CHECK(file.view().row_groups() < 6);
}

}  // namespace

TEST("tails: pages of all kinds continue from each row of two pages, with right values and statistics") {
  go_on_from_each_row(kFields, tailed());
  go_on_from_each_row(tails::kNarrow, tailed());
  Options bounds = tailed();
  bounds.max_bound_bytes = 64;
  go_on_from_each_row(Schema(kFields, 4), bounds);
}

TEST("tails: boots of a row each share row groups, and their footers lie by turns") {
  CutFile file;
  const Options options = tailed();
  for (std::uint32_t rows = 1; rows <= 600; ++rows)
    REQUIRE(boot(file, options, rows - 1, rows, Ending::kCheckpoint));
  REQUIRE(hold(file.view(), kFields, 600));
  CHECK(file.view().row_groups() < 12);
  CHECK(file.published < (320 << 10));
}

TEST("tails: without shrinking, footers follow each other, and nothing is written over") {
  CutFile file(0, false);
  const Options options = tailed(4 << 10);
  for (std::uint32_t rows = 1; rows <= 90; ++rows) {
    REQUIRE(boot(file, options, rows - 1, rows, Ending::kCheckpoint));
    REQUIRE(hold(file.view(), kFields, rows));
  }
}

TEST("tails: row groups are marked as sorted while their rows are, over boots") {
  for (const bool breaks : {false, true}) {
    Options options = tailed();
    options.sorting = microparquet::sorted_by(tails::kByNumber);
    CutFile file;
    for (std::uint32_t rows = 1; rows <= 40; ++rows) {
      Writer writer;
      REQUIRE_EQ(resume(writer, file, options), Status::kOk);
      // A row that comes too early breaks the order of the open row group for good.
      REQUIRE_EQ(tails::append(writer, kFields, breaks && rows == 20 ? 0 : rows), Status::kOk);
      REQUIRE_EQ(writer.checkpoint(), Status::kOk);
      file.cut();
    }
    Writer writer;
    REQUIRE_EQ(resume(writer, file, options), Status::kOk);
    REQUIRE_EQ(tails::append(writer, kFields, 41), Status::kOk);
    REQUIRE_EQ(writer.close(), Status::kOk);
    const view::File view = file.view();
    REQUIRE_EQ(view.row_groups(), 1U);
    CHECK_EQ(view.row_group(0).list(view::id::kSortingColumns).size(), breaks ? 0U : 1U);
  }
}

namespace {

constexpr std::uint32_t kFallBackRows = 12 * 17 + 5;
constexpr const microparquet::Decompressor* kDecompressors[] = {&microparquet::kLz4RawDecompressor};

void write_boots(CutFile& file, Schema schema, const Options& options) {
  std::uint32_t rows = 0;
  for (; rows < kFallBackRows - 5; rows += 17)
    REQUIRE(boot(file, options, rows, rows + 17, Ending::kCheckpoint, schema));
  REQUIRE(boot(file, options, rows, kFallBackRows, Ending::kSave, schema));
}

// Whether the layout cuts pages as the one without tails does.
bool falls_back(Schema schema, Options options) {
  CutFile file;
  write_boots(file, schema, options);
  CutFile other(1);
  options.layout = &microparquet::kInPlace;
  write_boots(other, schema, options);
  if (file.view().row_groups() != other.view().row_groups()) return false;
  const std::uint32_t column = schema[0].type == Type::kInt64 ? 0 : 1;
  const auto has_rows = [&](Reader& reader, std::uint32_t n) {
    return reader.cell(column).as<std::int64_t>() == tails::Cells::number(n);
  };
  CHECK(written::has_rows<40'000>(file.view().bytes(), kFallBackRows, has_rows,
                                  written::reading_all(kDecompressors)));
  return file.published <= other.published + other.published / 10;
}

}  // namespace

TEST("tails: what cannot be left open is written as without them, and a save is a checkpoint") {
  static constexpr Field kDeltas[] = {
      microparquet::int64_field("n").with_encoder(microparquet::kDeltaBinaryPacked), kFields[1]};
  static constexpr Field kDictionaries[] = {kFields[0], kFields[5].with_encoder(microparquet::kDictionary)};
  static constexpr Field kSplits[] = {kFields[0], kFields[1].with_encoder(microparquet::kByteStreamSplit)};
  static constexpr Field kCompressed[] = {kFields[0].with_compressor(microparquet::kLz4RawCompressor),
                                          kFields[3]};
  CHECK(falls_back(kDeltas, tailed()));
  CHECK(falls_back(kDictionaries, tailed()));
  CHECK(falls_back(kSplits, tailed()));
  CHECK(falls_back(kCompressed, tailed()));
  Options blocks = tailed();
  blocks.block_bytes = 1024;
  CHECK(falls_back(kFields, blocks));
  Options bytes = tailed();
  bytes.whole_sectors = false;
  bytes.page_bytes = 256;
  CHECK(falls_back(tails::kNarrow, bytes));
  CHECK(!falls_back(tails::kNarrow, tailed()));
}

TEST("tails: key-values stay over boots whose footers are written over by turns") {
  constexpr KeyValue kAbout[] = {{"device", "6A1B0042"},
                                 {"firmware", "1.0.0, or a longer name of a version"}};
  for (const bool sets : {false, true}) {
    const Options options = tailed();
    CutFile file;
    std::uint32_t rows = 0;
    for (int i = 0; i < 40; ++i) {
      Writer writer;
      REQUIRE_EQ(writer.resume(file, kFields, options, written::arena_memory(), {kAbout}), Status::kOk);
      if (sets && i % 5 == 3) {
        REQUIRE_EQ(writer.set_key_value("boot", i % 2 == 0 ? "an even one, and a long text" : "odd"),
                   Status::kOk);
      }
      for (int j = 0; j < 3; ++j) {
        REQUIRE_EQ(append_up_to(writer, ++rows), Status::kOk);
        REQUIRE_EQ(j == 1 && i % 3 == 0 ? writer.save() : writer.checkpoint(), Status::kOk);
        for (const KeyValue& pair : kAbout) REQUIRE_EQ(file.view().key_value(pair.key), pair.value);
      }
      file.cut();
      REQUIRE_EQ(file.view().key_values(), sets && i >= 3 ? 3U : 2U);
      REQUIRE_EQ(file.view().key_value("boot"), !sets || i < 3             ? ""
                                                : (i - 3) / 5 * 5 % 2 != 0 ? "an even one, and a long text"
                                                                           : "odd");
      REQUIRE_EQ(file.violations, 0);
    }
    CHECK(hold(file.view(), kFields, rows));
  }
}

constexpr std::uint64_t kFull = 300 << 10;  // no boot more in the memory of a file

TEST("tails: checkpoints, saves, ends of row groups and files in any order") {
  for (std::uint32_t seed = 0; seed < (kStep == 1 ? 60 : 6); ++seed) {
    const Options options = tailed(seed % 2 == 0 ? 16 << 10 : 5 << 10);
    CutFile file(0, seed % 3 != 0);
    std::uint32_t safe = 0;
    for (std::uint32_t i = 0; i < 20 && file.published < kFull; ++i) {
      Writer writer;
      REQUIRE_EQ(resume(writer, file, options), Status::kOk);
      REQUIRE_EQ(writer.rows(), safe);
      bool is_open = true;
      for (std::uint32_t j = 0; is_open && j < 4; ++j) {
        const std::uint32_t chance = written::mix(seed, i * 8 + j);
        REQUIRE_EQ(append_up_to(writer, static_cast<std::uint32_t>(writer.rows()) +
                                            (chance >> 8) % (chance % 7 == 0 ? 90 : 4)),
                   Status::kOk);
        switch (chance % 11) {
          case 0:
            REQUIRE_EQ(writer.close(), Status::kOk);
            is_open = false;
            break;
          case 1: REQUIRE_EQ(writer.end_row_group(), Status::kOk); break;
          case 2:
          case 3: REQUIRE_EQ(writer.checkpoint(), Status::kOk); break;
          default: REQUIRE_EQ(writer.save(), Status::kOk); break;
        }
        if (is_open && chance % 11 == 1) continue;
        if (is_open) REQUIRE_EQ(writer.safe_rows(), writer.rows());
        safe = static_cast<std::uint32_t>(is_open ? writer.safe_rows() : writer.rows());
      }
      if (is_open && writer.safe_rows() != writer.rows()) {
        REQUIRE_EQ(writer.save(), Status::kOk);
        safe = static_cast<std::uint32_t>(writer.rows());
      }
      file.cut();
      REQUIRE(hold(file.view(), kFields, static_cast<std::uint32_t>(file.view().rows())));
      REQUIRE_EQ(file.violations, 0);
    }
    Writer writer;
    REQUIRE_EQ(resume(writer, file, options), Status::kOk);
    REQUIRE_EQ(writer.close(), Status::kOk);
    REQUIRE(hold(file.view(), kFields, safe));
  }
}

TEST("tails: a file that is rolled away from has its rows, and the next one has none of them") {
  const Options options = tailed();
  for (std::uint32_t rows = 1; rows < 70; rows += 4) {
    CutFile file;
    for (std::uint32_t i = 1; i <= rows; ++i)
      REQUIRE(boot(file, options, i - 1, i, i % 3 == 0 || i == rows ? Ending::kCheckpoint : Ending::kSave));
    CutFile next(1);
    Writer writer;
    REQUIRE_EQ(resume(writer, file, options), Status::kOk);
    REQUIRE_EQ(append_up_to(writer, rows + 3), Status::kOk);
    REQUIRE_EQ(writer.roll(next), Status::kOk);
    REQUIRE(hold(file.view(), kFields, rows + 3));
    REQUIRE_EQ(append_up_to(writer, 2), Status::kOk);
    REQUIRE_EQ(writer.save(), Status::kOk);
    next.cut();
    REQUIRE(boot(next, options, 2, 5, Ending::kCheckpoint));
    REQUIRE(hold(next.view(), kFields, 5));
  }
}

TEST("tails: a layout without them continues such files, and back again") {
  Options without = tailed();
  without.layout = &microparquet::kInPlace;
  for (std::uint32_t seed = 0; seed < (kStep == 1 ? 40 : 4); ++seed) {
    CutFile file;
    std::uint32_t rows = 0;
    for (std::uint32_t i = 0; i < 24 && file.published < kFull; ++i) {
      const std::uint32_t chance = written::mix(seed, i);
      const std::uint32_t end = rows + 1 + (chance >> 4) % (chance % 5 == 0 ? 80 : 3);
      REQUIRE(boot(file, chance % 3 == 0 ? without : tailed(), rows, end, Ending::kCheckpoint));
      rows = end;
      REQUIRE(hold(file.view(), kFields, rows));
    }
  }
}

// The trailer of a slot ends with it. An emptied one leads to itself.
TEST("tails: a slot that the medium gives back empty is no record, and a footer does not wait for one") {
  constexpr std::size_t kTagBeforeEnd = 36;
  CutFile file;
  const Options options = tailed();
  REQUIRE(boot(file, options, 0, 20, Ending::kCheckpoint));
  Writer writer;
  REQUIRE_EQ(resume(writer, file, options), Status::kOk);
  REQUIRE_EQ(append_up_to(writer, 200), Status::kOk);
  copy_file();
  REQUIRE_EQ(writer.end_row_group(), Status::kOk);
  const Span<std::byte> now = written::file_memory(0);
  const Span<std::byte> before = written::file_memory(1);
  std::size_t at = 0;
  const auto differs = [&] { return std::memcmp(now.data() + at, before.data() + at, 512) != 0; };
  while (std::memcmp(now.data() + at + 512 - kTagBeforeEnd, "mpqR", 4) != 0 || !differs()) at += 512;
  std::memcpy(now.data() + at, before.data() + at, 512);
  CHECK_EQ(writer.checkpoint(), Status::kCorrupt);
}
