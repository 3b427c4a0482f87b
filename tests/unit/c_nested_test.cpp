// Tables of nodes for C: what is written from a struct of C is read into one of C++, rows that are wrong leave no trace,
// and each fault of a table has its name.
#include <array>
#include <cstring>

#include "c/convert.h"
#include "microparquet/c/microparquet.h"
#include "microparquet/codecs.h"
#include "microparquet/read_all.h"
#include "microparquet/static_nested_reader.h"
#include "support/check.h"
#include "written_file.h"

using microparquet::Entry;
using microparquet::List;
using microparquet::MemoryFile;
using microparquet::Text;

namespace {

struct CNestedFix {
  std::uint8_t has;
  std::uint8_t has_height;
  double lat;
  float height;
};
struct CNestedSpot {
  std::int8_t id;
  std::uint8_t has_size;
  std::int32_t size;
};
struct CNestedPair {
  std::uint16_t count;
  std::int16_t of[3];
};
struct CNestedTag {
  mpq_text key;
  double value;
};
struct CNestedRow {
  std::int64_t time;
  CNestedFix fix;
  float levels[5];
  std::uint16_t spot_count;
  CNestedSpot spots[6];
  std::uint16_t pair_count;
  CNestedPair pairs[3];
  std::uint16_t tag_count;
  CNestedTag tags[2];
  std::uint8_t has_bits;
  std::uint16_t bit_count;
  const bool* bits;
  mpq_text name;
};

constexpr mpq_node c_value(const char* name, const mpq_type& type, std::size_t offset) {
  mpq_node node = {};
  node.name = name;
  node.type = &type;
  node.offset = static_cast<std::uint16_t>(offset);
  return node;
}
constexpr mpq_node c_part(const char* name, const mpq_kind& kind, std::size_t children, std::size_t offset,
                          std::size_t stride, std::size_t capacity = 0, std::size_t count_offset = 0) {
  mpq_node node = {};
  node.name = name;
  node.kind = &kind;
  node.children = static_cast<std::uint16_t>(children);
  node.offset = static_cast<std::uint16_t>(offset);
  node.stride = static_cast<std::uint16_t>(stride);
  node.capacity = static_cast<std::uint16_t>(capacity);
  node.count_offset = static_cast<std::uint16_t>(count_offset);
  return node;
}
mpq_node c_optional(mpq_node node, std::size_t valid_offset) {
  node.optional = &mpq_may_be_missing;
  node.valid_offset = static_cast<std::uint16_t>(valid_offset);
  return node;
}
mpq_node c_narrow(mpq_node node, unsigned bytes) {
  node.bytes = static_cast<std::uint16_t>(bytes);
  return node;
}

constexpr std::size_t kCNodes = 20;
struct CNodes {
  mpq_node all[kCNodes];
};

CNodes c_nodes() {
  return {
      {c_value("time", mpq_timestamp_us, offsetof(CNestedRow, time)),
       c_optional(c_part("fix", mpq_struct, 2, offsetof(CNestedRow, fix), sizeof(CNestedFix)),
                  offsetof(CNestedRow, fix.has)),
       c_value("lat", mpq_double, offsetof(CNestedFix, lat)),
       c_optional(c_value("height", mpq_float, offsetof(CNestedFix, height)),
                  offsetof(CNestedFix, has_height)),
       c_part("levels", mpq_array, 1, offsetof(CNestedRow, levels), sizeof(float), 5),
       c_value(nullptr, mpq_float, 0),
       c_part("spots", mpq_list, 1, offsetof(CNestedRow, spots), sizeof(CNestedSpot), 6,
              offsetof(CNestedRow, spot_count)),
       c_part(nullptr, mpq_struct, 2, 0, sizeof(CNestedSpot)),
       c_narrow(c_value("id", mpq_int8, offsetof(CNestedSpot, id)), 1),
       c_optional(c_value("size", mpq_int32, offsetof(CNestedSpot, size)), offsetof(CNestedSpot, has_size)),
       c_part("pairs", mpq_list, 1, offsetof(CNestedRow, pairs), sizeof(CNestedPair), 3,
              offsetof(CNestedRow, pair_count)),
       c_part(nullptr, mpq_list, 1, offsetof(CNestedPair, of), sizeof(std::int16_t), 3,
              offsetof(CNestedPair, count)),
       c_narrow(c_value(nullptr, mpq_int16, 0), 2),
       c_part("tags", mpq_map, 2, offsetof(CNestedRow, tags), sizeof(CNestedTag), 2,
              offsetof(CNestedRow, tag_count)),
       c_value(nullptr, mpq_string, offsetof(CNestedTag, key)),
       c_value(nullptr, mpq_double, offsetof(CNestedTag, value)),
       c_optional(c_part("bits", mpq_span, 1, offsetof(CNestedRow, bits), sizeof(bool), 9,
                         offsetof(CNestedRow, bit_count)),
                  offsetof(CNestedRow, has_bits)),
       c_value(nullptr, mpq_bool, 0),
       c_value("name", mpq_string, offsetof(CNestedRow, name)),
       c_value("number", mpq_int64, offsetof(CNestedRow, time))}};
}

// The same in C++.
struct ReadFix {
  double lat;
  std::optional<float> height;
};
struct ReadSpot {
  std::int8_t id;
  std::optional<std::int32_t> size;
};
struct ReadRow {
  std::int64_t time;
  std::optional<ReadFix> fix;
  List<float, 5> levels;
  List<ReadSpot, 6> spots;
  List<List<std::int16_t, 3>, 3> pairs;
  List<Entry<Text<8>, double>, 2> tags;
  std::optional<List<bool, 9>> bits;
  Text<16> name;
};
inline constexpr auto kReadSchema = microparquet::schema(
    microparquet::timestamp_us_column("time", &ReadRow::time),
    microparquet::group("fix", &ReadRow::fix, microparquet::column("lat", &ReadFix::lat),
                        microparquet::column("height", &ReadFix::height)),
    microparquet::list("levels", &ReadRow::levels),
    microparquet::list("spots", &ReadRow::spots, microparquet::column("id", &ReadSpot::id),
                       microparquet::column("size", &ReadSpot::size)),
    microparquet::list("pairs", &ReadRow::pairs), microparquet::map("tags", &ReadRow::tags),
    microparquet::list("bits", &ReadRow::bits), microparquet::column("name", &ReadRow::name));
inline constexpr const microparquet::Decompressor* kReadCodecs[] = {&microparquet::kLz4RawDecompressor};
inline constexpr microparquet::ReaderOptions kReadOptions = [] {
  microparquet::ReaderOptions options;
  options.buffer_bytes = 2048;
  options.decoders = microparquet::kAllDecoders;
  options.decompressors = kReadCodecs;
  return options;
}();
microparquet::StaticReader<kReadSchema, kReadOptions> c_nested_reader;

constexpr bool kCBits[9] = {true, false, true, true, false, false, true, false, true};
constexpr const char* kCKeys[] = {"one", "sixteen!"};

CNestedRow c_nested_row(std::uint32_t i) {
  CNestedRow row = {};
  row.time = i;
  row.fix = {i % 3 != 0, i % 2 != 0, i * 0.5, static_cast<float>(i)};
  for (std::uint32_t k = 0; k < 5; ++k) row.levels[k] = static_cast<float>(i * k);
  row.spot_count = static_cast<std::uint16_t>(i % 7);
  for (std::uint32_t k = 0; k < 6; ++k) {
    row.spots[k] = {static_cast<std::int8_t>(k * 50), static_cast<std::uint8_t>((i + k) % 2),
                    static_cast<std::int32_t>(k)};
  }
  row.pair_count = static_cast<std::uint16_t>(i % 4);
  for (std::uint32_t k = 0; k < 3; ++k) {
    row.pairs[k].count = static_cast<std::uint16_t>((i + k) % 4);
    for (std::uint32_t j = 0; j < 3; ++j) row.pairs[k].of[j] = static_cast<std::int16_t>(j * 100 - i);
  }
  row.tag_count = static_cast<std::uint16_t>(i % 3);
  for (std::uint32_t k = 0; k < 2; ++k) row.tags[k] = {{kCKeys[k], std::strlen(kCKeys[k])}, i * 0.25};
  row.has_bits = i % 4 != 1;
  row.bit_count = static_cast<std::uint16_t>(i % 10);
  row.bits = kCBits;
  row.name = {"sixteen letters!", i % 17};
  return row;
}

void check_read_row(const ReadRow& found, std::uint32_t i) {
  const CNestedRow row = c_nested_row(i);
  CHECK_EQ(found.time, row.time);
  REQUIRE(found.fix.has_value() == (row.fix.has != 0));
  if (found.fix) {
    CHECK(found.fix->lat == row.fix.lat);
    CHECK(found.fix->height ==
          (row.fix.has_height != 0 ? std::optional<float>(row.fix.height) : std::nullopt));
  }
  REQUIRE_EQ(found.levels.size(), 5U);
  for (std::size_t k = 0; k < 5; ++k) CHECK(found.levels[k] == row.levels[k]);
  REQUIRE_EQ(found.spots.size(), row.spot_count);
  for (std::size_t k = 0; k < row.spot_count; ++k) {
    CHECK_EQ(found.spots[k].id, row.spots[k].id);
    const std::optional<std::int32_t>& size = found.spots[k].size;
    CHECK(size.has_value() == (row.spots[k].has_size != 0));
    if (size) CHECK_EQ(*size, row.spots[k].size);
  }
  REQUIRE_EQ(found.pairs.size(), row.pair_count);
  for (std::size_t k = 0; k < row.pair_count; ++k) {
    REQUIRE_EQ(found.pairs[k].size(), row.pairs[k].count);
    for (std::size_t j = 0; j < row.pairs[k].count; ++j) CHECK_EQ(found.pairs[k][j], row.pairs[k].of[j]);
  }
  REQUIRE_EQ(found.tags.size(), row.tag_count);
  for (std::size_t k = 0; k < row.tag_count; ++k) {
    CHECK(std::string_view(found.tags[k].key) == std::string_view(kCKeys[k]));
    CHECK(found.tags[k].value == row.tags[k].value);
  }
  REQUIRE(found.bits.has_value() == (row.has_bits != 0));
  if (found.bits) {
    REQUIRE_EQ(found.bits->size(), row.bit_count);
    for (std::size_t k = 0; k < row.bit_count; ++k) CHECK_EQ((*found.bits)[k], kCBits[k]);
  }
  CHECK(std::string_view(found.name) == std::string_view(row.name.data, row.name.bytes));
}

// A log over a table.
struct CNestedLog {
  CNodes nodes = c_nodes();
  mpq_options options = mpq_default_options;
  mpq_nested_setup setup = {};
  mpq_writer writer = {};
  MemoryFile memory{written::file_memory()};
  mpq_file* file = microparquet::c::to_c(memory);

  CNestedLog() {
    setup.table = {nodes.all, kCNodes - 1, sizeof(CNestedRow)};
    setup.options = &options;
    setup.memory = written::arena_memory().data();
    setup.memory_bytes = written::arena_memory().size();
    options.row_group_bytes = 12 << 10;
  }

  mpq_status append(std::uint32_t i) {
    const CNestedRow row = c_nested_row(i);
    return mpq_nested_append(&writer, &row);
  }
  mpq_status append(std::uint32_t first, std::uint32_t end) {
    mpq_status status = MPQ_OK;
    for (std::uint32_t i = first; i < end && status == MPQ_OK; ++i) status = append(i);
    return status;
  }
  void check_rows(std::uint32_t rows) {
    REQUIRE_EQ(c_nested_reader.open(memory), microparquet::Status::kOk);
    ReadRow row = {};
    for (std::uint32_t i = 0; i < rows; ++i) {
      REQUIRE_EQ(c_nested_reader.next(row), microparquet::Status::kOk);
      check_read_row(row, i);
    }
    CHECK_EQ(c_nested_reader.next(row), microparquet::Status::kEnd);
  }
};

}  // namespace

TEST("C: rows of structs, arrays, lists and maps are read back, by two boots and after a lost medium") {
  CNestedLog log;
  REQUIRE_EQ(mpq_nested_open(&log.writer, log.file, &log.setup), MPQ_OK);
  REQUIRE_EQ(log.append(0, 50), MPQ_OK);
  CHECK_EQ(mpq_writer_tick(&log.writer, 100), MPQ_OK);
  REQUIRE_EQ(mpq_writer_checkpoint(&log.writer), MPQ_OK);
  REQUIRE_EQ(log.append(50, 60), MPQ_OK);
  mpq_writer_reset(&log.writer);
  CHECK_EQ(log.append(50), MPQ_WRONG_STATE);

  REQUIRE_EQ(mpq_nested_resume(&log.writer, log.file, &log.setup), MPQ_OK);
  CHECK_EQ(mpq_writer_rows(&log.writer), 50U);
  REQUIRE_EQ(log.append(50, 90), MPQ_OK);
  CHECK_EQ(mpq_writer_reconnect(&log.writer, log.file), MPQ_WRONG_STATE);
  REQUIRE_EQ(mpq_nested_reconnect(&log.writer, log.file), MPQ_OK);
  CHECK_EQ(mpq_writer_lost_rows(&log.writer), 0U);
  REQUIRE_EQ(log.append(90, 120), MPQ_OK);
  REQUIRE_EQ(mpq_writer_close(&log.writer), MPQ_OK);
  log.check_rows(120);
}

TEST("C: a table suits every encoding, and the forward layout") {
  const mpq_nested_encoding* const encodings[] = {&mpq_nested_delta, &mpq_nested_dictionary,
                                                  &mpq_nested_small};
  for (const mpq_nested_encoding* const encoding : encodings) {
    for (const bool forward : {false, true}) {
      CNestedLog log;
      for (mpq_node& node : log.nodes.all) {
        if (node.type != nullptr) node.encoding = encoding;
      }
      if (forward) log.options.layout = &mpq_forward;
      log.options.page_bytes = 1024;
      log.options.row_group_bytes = 0;
      mpq_status status = mpq_nested_open(&log.writer, log.file, &log.setup);
      if (status == MPQ_OUT_OF_MEMORY) {  // a small board
        CHECK(mpq_nested_needed_bytes(&log.writer) > log.setup.memory_bytes);
        continue;
      }
      REQUIRE_EQ(status, MPQ_OK);
      REQUIRE_EQ(log.append(0, 60), MPQ_OK);
      REQUIRE_EQ(mpq_writer_close(&log.writer), MPQ_OK);
      log.check_rows(60);
    }
  }
}

TEST("C: a row that is wrong is refused whole, and the next one is taken") {
  CNestedLog log;
  REQUIRE_EQ(mpq_nested_open(&log.writer, log.file, &log.setup), MPQ_OK);
  for (std::uint32_t i = 0; i < 60; ++i) {
    CNestedRow row = c_nested_row(i);
    row.spot_count = 7;
    CHECK_EQ(mpq_nested_append(&log.writer, &row), MPQ_VALUE_TOO_LARGE);
    row = c_nested_row(i);
    row.pair_count = 3;
    row.pairs[2].count = 4;  // in a list inside a list
    CHECK_EQ(mpq_nested_append(&log.writer, &row), MPQ_VALUE_TOO_LARGE);
    row = c_nested_row(i);
    row.has_bits = 1;
    row.bit_count = 10;
    CHECK_EQ(mpq_nested_append(&log.writer, &row), MPQ_VALUE_TOO_LARGE);
    row.bit_count = 9;
    row.bits = nullptr;
    CHECK_EQ(mpq_nested_append(&log.writer, &row), MPQ_INVALID_ARGUMENT);
    row = c_nested_row(i);
    row.tag_count = 2;
    row.tags[1].key = {nullptr, 3};
    CHECK_EQ(mpq_nested_append(&log.writer, &row), MPQ_INVALID_ARGUMENT);
    row = c_nested_row(i);
    row.name = {reinterpret_cast<const char*>(written::file_memory().data()), 5000};
    CHECK_EQ(mpq_nested_append(&log.writer, &row), MPQ_VALUE_TOO_LARGE);
    REQUIRE_EQ(log.append(i), MPQ_OK);
  }
  REQUIRE_EQ(mpq_writer_close(&log.writer), MPQ_OK);
  log.check_rows(60);
}

TEST("C: calls say how much memory they need, and whether their order is wrong") {
  CNestedLog log;
  const CNestedRow row = c_nested_row(1);
  CHECK_EQ(mpq_nested_append(&log.writer, &row), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_nested_needed_bytes(&log.writer), 0U);
  const std::size_t all = log.setup.memory_bytes;
  log.setup.memory_bytes = 8;
  mpq_status status = MPQ_OUT_OF_MEMORY;
  unsigned tries = 0;
  while (status == MPQ_OUT_OF_MEMORY && log.setup.memory_bytes <= all && tries++ < 3) {
    status = mpq_nested_open(&log.writer, log.file, &log.setup);
    if (status != MPQ_OUT_OF_MEMORY) break;
    CHECK_EQ(log.memory.contents().size(), 0U);
    CHECK(mpq_nested_needed_bytes(&log.writer) > log.setup.memory_bytes);
    log.setup.memory_bytes = mpq_nested_needed_bytes(&log.writer);
  }
  REQUIRE_EQ(status, MPQ_OK);
  CHECK_EQ(tries, 3U);  // the table, all of it, and the call that opens
  CHECK_EQ(mpq_writer_append(&log.writer, &row), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_nested_append(&log.writer, nullptr), MPQ_INVALID_ARGUMENT);
  REQUIRE_EQ(log.append(0, 20), MPQ_OK);
  REQUIRE_EQ(mpq_writer_close(&log.writer), MPQ_OK);
  log.check_rows(20);
  mpq_column column = {};
  column.name = "time";
  column.type = &mpq_int64;
  const mpq_setup flat = {&column, 1, nullptr, log.setup.memory, all};
  MemoryFile other(written::file_memory());
  REQUIRE_EQ(mpq_writer_open(&log.writer, microparquet::c::to_c(other), &flat), MPQ_OK);
  CHECK_EQ(mpq_nested_append(&log.writer, &row), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_nested_reconnect(&log.writer, microparquet::c::to_c(other)), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_writer_append(&log.writer, &row), MPQ_OK);
}

namespace {

// Checks a table whose node `at` has been changed: it is found at `found`, and no file is begun.
template <typename Change>
void check_table_fault(std::size_t at, std::size_t found, mpq_table_fault fault, Change change) {
  CNestedLog log;
  change(log.nodes.all[at]);
  std::size_t node = 0;
  CHECK_EQ(mpq_table_check(&log.setup.table, &node), fault);
  CHECK_EQ(node, found);
  CHECK_EQ(mpq_nested_open(&log.writer, log.file, &log.setup), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(log.memory.contents().size(), 0U);
}
template <typename Change>
void check_table_fault(std::size_t at, mpq_table_fault fault, Change change) {
  check_table_fault(at, at, fault, change);
}

}  // namespace

TEST("C: each fault of a table has its name and its node") {
  check_table_fault(0, MPQ_TABLE_NAME, [](mpq_node& node) { node.name = nullptr; });
  check_table_fault(2, MPQ_TABLE_NAME, [](mpq_node& node) { node.name = ""; });
  check_table_fault(3, MPQ_TABLE_NAME, [](mpq_node& node) { node.name = "lat"; });
  check_table_fault(0, MPQ_TABLE_KIND, [](mpq_node& node) { node.type = nullptr; });
  check_table_fault(1, MPQ_TABLE_KIND, [](mpq_node& node) { node.type = &mpq_int32; });
  check_table_fault(0, MPQ_TABLE_CHILDREN, [](mpq_node& node) { node.children = 1; });
  check_table_fault(1, MPQ_TABLE_CHILDREN, [](mpq_node& node) { node.children = 0; });
  check_table_fault(6, MPQ_TABLE_CHILDREN, [](mpq_node& node) { node.children = 2; });
  check_table_fault(13, MPQ_TABLE_CHILDREN, [](mpq_node& node) { node.children = 1; });
  check_table_fault(4, MPQ_TABLE_STRIDE, [](mpq_node& node) { node.stride = 0; });
  check_table_fault(7, MPQ_TABLE_STRIDE, [](mpq_node& node) { node.stride = 0; });
  check_table_fault(6, MPQ_TABLE_CAPACITY, [](mpq_node& node) { node.capacity = 0; });
  check_table_fault(14, MPQ_TABLE_KEY, [](mpq_node& node) { node.optional = &mpq_may_be_missing; });
  check_table_fault(8, MPQ_TABLE_BYTES, [](mpq_node& node) { node.bytes = 3; });
  check_table_fault(9, MPQ_TABLE_BYTES, [](mpq_node& node) { node.bytes = 1; });
  check_table_fault(0, MPQ_TABLE_BYTES, [](mpq_node& node) { node.type = &mpq_fixed; });
  check_table_fault(18, MPQ_TABLE_OUTSIDE, [](mpq_node& node) { node.offset = sizeof(CNestedRow) - 4; });
  check_table_fault(4, MPQ_TABLE_OUTSIDE, [](mpq_node& node) { node.capacity = 1000; });
  check_table_fault(6, 7, MPQ_TABLE_OUTSIDE, [](mpq_node& node) { node.stride = 4; });
  check_table_fault(9, MPQ_TABLE_OUTSIDE, [](mpq_node& node) { node.offset += 4; });
  check_table_fault(3, MPQ_TABLE_OVERLAP, [](mpq_node& node) { node.offset = offsetof(CNestedFix, lat); });
  check_table_fault(4, MPQ_TABLE_OVERLAP, [](mpq_node& node) { node.offset = offsetof(CNestedRow, fix); });
  check_table_fault(6, MPQ_TABLE_OVERLAP, [](mpq_node& node) { node.count_offset = node.offset; });
  check_table_fault(9, MPQ_TABLE_OVERLAP,
                    [](mpq_node& node) { node.valid_offset = offsetof(CNestedSpot, id); });
  CHECK_EQ(std::string_view(mpq_table_fault_text(MPQ_TABLE_OVERLAP)), std::string_view("overlap"));
  CHECK_EQ(std::string_view(mpq_table_fault_text(MPQ_TABLE_SOUND)), std::string_view("sound"));
  CHECK_EQ(mpq_table_check(nullptr, nullptr), MPQ_TABLE_EMPTY);
  const CNodes nodes = c_nodes();
  const mpq_table short_table = {nodes.all, 0, 8};
  CHECK_EQ(mpq_table_check(&short_table, nullptr), MPQ_TABLE_EMPTY);
}

TEST("C: a table is neither deeper than a path, nor ends within a node") {
  mpq_node nodes[15];
  for (mpq_node& node : nodes) node = c_part("in", mpq_struct, 1, 0, 8);
  nodes[13] = c_value("x", mpq_float, 0);
  mpq_table table = {nodes, 14, 8};
  CHECK_EQ(mpq_table_check(&table, nullptr), MPQ_TABLE_SOUND);
  nodes[13] = nodes[0];
  nodes[14] = c_value("x", mpq_float, 0);
  table.node_count = 15;
  CHECK_EQ(mpq_table_check(&table, nullptr), MPQ_TABLE_DEPTH);
  table.node_count = 3;
  CHECK_EQ(mpq_table_check(&table, nullptr), MPQ_TABLE_CHILDREN);
  for (mpq_node& node : nodes) node = c_part("in", mpq_array, 1, 0, 8, 1);
  nodes[3] = c_value("x", mpq_float, 0);
  table.node_count = 4;
  CHECK_EQ(mpq_table_check(&table, nullptr), MPQ_TABLE_SOUND);
  nodes[3] = nodes[0];
  nodes[4] = c_value("x", mpq_float, 0);
  table.node_count = 5;
  std::size_t node = 0;
  CHECK_EQ(mpq_table_check(&table, &node), MPQ_TABLE_LISTS);
  CHECK_EQ(node, 3U);
}

TEST("C: an array longer than its page, and options that suit no list, are refused before a file begins") {
  CNestedLog log;
  log.options.layout = mpq_in_place_tailed;
  CHECK_EQ(mpq_nested_open(&log.writer, log.file, &log.setup), MPQ_INVALID_ARGUMENT);
  log.options.layout = mpq_default_options.layout;
  const mpq_sorting_column spots = {4, false, false};
  log.options.sorting = {&spots, 1, mpq_row_sort_checker};
  CHECK_EQ(mpq_nested_open(&log.writer, log.file, &log.setup), MPQ_INVALID_ARGUMENT);
  const mpq_sorting_column time = {0, false, false};
  log.options.sorting.columns = &time;
  const mpq_node nodes[] = {c_value("time", mpq_int64, 0), c_part("many", mpq_array, 1, 8, 4, 400),
                            c_value(nullptr, mpq_float, 0)};
  mpq_nested_setup setup = log.setup;
  setup.table = {nodes, 3, 8 + 1600};
  CHECK_EQ(mpq_nested_open(&log.writer, log.file, &setup), MPQ_VALUE_TOO_LARGE);
  CHECK_EQ(log.memory.contents().size(), 0U);
  REQUIRE_EQ(mpq_nested_open(&log.writer, log.file, &log.setup), MPQ_OK);
  REQUIRE_EQ(log.append(0, 12), MPQ_OK);
  REQUIRE_EQ(mpq_writer_close(&log.writer), MPQ_OK);
  log.check_rows(12);
}

TEST("C: a table with options of zeros is refused") {
  CNestedLog log;
  log.options = {};
  // On any line that memory may have to begin on.
  constexpr std::size_t kMostLine = 256;
  const std::size_t off = (0 - reinterpret_cast<std::uintptr_t>(log.setup.memory)) % kMostLine;
  log.setup.memory = static_cast<std::byte*>(log.setup.memory) + off;
  log.setup.memory_bytes -= kMostLine;
  CHECK_EQ(mpq_nested_open(&log.writer, log.file, &log.setup), MPQ_INVALID_ARGUMENT);
}

TEST("C: structs without lists keep their pages in the layout with tails") {
  CNestedLog log;
  log.options.layout = mpq_in_place_tailed;
  log.setup.table.node_count = 4;
  REQUIRE_EQ(mpq_nested_open(&log.writer, log.file, &log.setup), MPQ_OK);
  for (std::uint32_t i = 0; i < 40; ++i) {
    REQUIRE_EQ(log.append(i), MPQ_OK);
    if (i % 9 == 0) REQUIRE_EQ(mpq_writer_checkpoint(&log.writer), MPQ_OK);
    if (i % 9 == 5) REQUIRE_EQ(mpq_writer_save(&log.writer), MPQ_OK);
  }
  mpq_writer_reset(&log.writer);
  REQUIRE_EQ(mpq_nested_resume(&log.writer, log.file, &log.setup), MPQ_OK);
  CHECK(mpq_writer_rows(&log.writer) >= 37U);
  REQUIRE_EQ(mpq_writer_close(&log.writer), MPQ_OK);
}
