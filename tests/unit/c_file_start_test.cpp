// The API for C: what a file says from its first footer on, and files that every reader takes.
#include <cstring>

#include "c/convert.h"
#include "cut_file.h"
#include "microparquet/c/microparquet.h"
#include "support/check.h"

namespace {

using cut::CutFile;

struct StartRow {
  std::int64_t n;
  float x;
};

constexpr mpq_column start_column(const char* name, const mpq_type& type, std::size_t offset) {
  mpq_column column = {};
  column.name = name;
  column.type = &type;
  column.offset = static_cast<std::uint16_t>(offset);
  return column;
}

constexpr mpq_key_value kFirst[] = {{"device", "seven"}, {"firmware", "1.4"}};
constexpr mpq_key_value kSecond[] = {{"firmware", "1.5"}, {"device", "seven"}};
constexpr mpq_key_value kFive[] = {{"a", ""}, {"b", ""}, {"c", ""}, {"d", ""}, {"e", ""}};

// A device over several boots.
struct Device {
  mpq_column columns[2] = {start_column("n", mpq_int64, offsetof(StartRow, n)),
                           start_column("x", mpq_float, offsetof(StartRow, x))};
  mpq_options options = mpq_default_options;
  mpq_setup setup = {columns, 2, &options, written::arena_memory().data(), written::arena_memory().size()};
  mpq_writer writer = {};
  CutFile medium;
  mpq_file* file = microparquet::c::to_c(medium);

  Device() { options.row_group_bytes = 4096; }

  mpq_status open(const mpq_file_start& start) { return mpq_writer_open_with(&writer, file, &setup, &start); }
  mpq_status resume(const mpq_file_start& start) {
    return mpq_writer_resume_with(&writer, file, &setup, &start);
  }
  mpq_status append(std::int64_t n) {
    const StartRow row = {n, 0.5F};
    return mpq_writer_append(&writer, &row);
  }
  void cut_off() {
    mpq_writer_reset(&writer);
    medium.cut();
  }
  bool says(std::string_view key, std::string_view value) const {
    const view::File found = medium.view();
    return found.whole() && found.key_value(key) == value;
  }
  std::uint32_t file_id() const {
    const view::File found = medium.view();
    std::uint32_t id = 0;
    std::memcpy(&id, found.footer().text(view::id::kFooterExtension).data() + 8, sizeof id);
    return id;
  }
};

}  // namespace

TEST("C: a file that is cut off before its first row has its key-values and its id") {
  Device device;
  REQUIRE_EQ(device.open({kFirst, 2, 7}), MPQ_OK);
  CHECK_EQ(device.open({kFirst, 2, 7}), MPQ_WRONG_STATE);
  device.cut_off();
  CHECK(device.says("device", "seven"));
  CHECK(device.says("firmware", "1.4"));
  CHECK_EQ(device.medium.view().key_values(), 2U);
  CHECK_EQ(device.file_id(), 7U);

  REQUIRE_EQ(device.resume({kSecond, 2, 8}), MPQ_OK);
  REQUIRE_EQ(device.append(0), MPQ_OK);
  REQUIRE_EQ(mpq_writer_checkpoint(&device.writer), MPQ_OK);
  device.cut_off();
  CHECK(device.says("firmware", "1.5"));
  CHECK_EQ(device.medium.view().key_values(), 2U);
  CHECK_EQ(device.medium.view().rows(), 1);
  CHECK_EQ(device.file_id(), 7U);  // that of the file as it was begun

  const std::uint64_t before = device.medium.published;
  REQUIRE_EQ(device.resume({kSecond, 2, 0}), MPQ_OK);
  CHECK_EQ(device.medium.published, before);
  CHECK_EQ(mpq_writer_close(&device.writer), MPQ_OK);
  CHECK_EQ(device.medium.view().key_values(), 2U);
  CHECK_EQ(device.open({kFirst, 2, 7}), MPQ_WRONG_STATE);  // the file is not empty
}

TEST("C: an empty file is begun by resuming with a start; without key-values it has its id") {
  Device device;
  REQUIRE_EQ(device.resume({nullptr, 0, 9}), MPQ_OK);
  REQUIRE_EQ(device.append(1), MPQ_OK);
  REQUIRE_EQ(mpq_writer_close(&device.writer), MPQ_OK);
  CHECK_EQ(device.file_id(), 9U);
  CHECK_EQ(device.medium.view().key_values(), 0U);
}

TEST("C: a start that cannot be kept leaves the file as it is, and the writer ready") {
  Device device;
  constexpr mpq_key_value kNoKey[] = {{"a", "b"}, {nullptr, "b"}};
  constexpr mpq_key_value kNoValue[] = {{"a", nullptr}};
  const mpq_file_start start = {kFirst, 2, 0};
  CHECK_EQ(mpq_writer_open_with(&device.writer, device.file, &device.setup, nullptr), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_writer_open_with(nullptr, device.file, &device.setup, &start), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_writer_open_with(&device.writer, nullptr, &device.setup, &start), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_writer_resume_with(&device.writer, device.file, nullptr, &start), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(device.open({nullptr, 1, 0}), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(device.open({kNoKey, 2, 0}), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(device.resume({kNoValue, 1, 0}), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(device.open({kFive, 5, 0}), MPQ_OUT_OF_MEMORY);
  CHECK_EQ(device.resume({kFive, 5, 0}), MPQ_OUT_OF_MEMORY);
  CHECK_EQ(device.medium.view().bytes().size(), 0U);
  device.setup.memory_bytes = 8;
  CHECK_EQ(device.open({kFirst, 2, 0}), MPQ_OUT_OF_MEMORY);
  device.setup.memory_bytes = mpq_writer_needed_bytes(&device.writer);
  CHECK_EQ(device.open({kFirst, 2, 0}), MPQ_OUT_OF_MEMORY);
  device.setup.memory_bytes = mpq_writer_needed_bytes(&device.writer);
  CHECK_EQ(device.open({kFirst, 2, 0}), MPQ_OK);
}

TEST("C: a file that every reader takes") {
  Device device;
  device.options = mpq_compatible_options;
  CHECK(device.options.layout == &mpq_forward);
  CHECK(!device.options.whole_sectors);
  device.options.row_group_bytes = 4096;
  CHECK(mpq_is_compatible(device.columns, 2));
  REQUIRE_EQ(device.open({kFirst, 2, 0}), MPQ_OK);
  REQUIRE_EQ(device.append(1), MPQ_OK);
  REQUIRE_EQ(mpq_writer_close(&device.writer), MPQ_OK);
  CHECK(device.says("firmware", "1.4"));
  CHECK_EQ(device.medium.view().rows(), 1);
}

TEST("C: columns that some reader does not take are known") {
  struct Case {
    const mpq_type* type;
    const mpq_encoding* encoding;
    bool is_compatible;
  };
  const Case cases[] = {{&mpq_string, nullptr, true},
                        {&mpq_string, &mpq_dictionary, true},
                        {&mpq_bool, nullptr, true},
                        {&mpq_decimal64, nullptr, true},
                        {&mpq_float, &mpq_delta, true},
                        {&mpq_int32, &mpq_delta, false},
                        {&mpq_bool, &mpq_delta, false},
                        {&mpq_float, &mpq_small, false},
                        {&mpq_fixed, nullptr, false},
                        {&mpq_uuid, nullptr, false},
                        {&mpq_decimal_fixed, nullptr, false},
                        {&mpq_float16, nullptr, false},
                        {&mpq_time_ms, nullptr, false},
                        {&mpq_timestamp_ns, nullptr, false},
                        {&mpq_local_timestamp_us, nullptr, true},
                        {nullptr, nullptr, false}};
  for (const auto& each : cases) {
    mpq_column columns[2] = {start_column("n", mpq_int64, 0), start_column("x", mpq_float, 8)};
    columns[1].type = each.type;
    columns[1].encoding = each.encoding;
    columns[1].optional = &mpq_is_optional;
    CHECK_EQ(mpq_is_compatible(columns, 2), each.is_compatible);
  }
  CHECK(!mpq_is_compatible(nullptr, 2));
}
