// The API for C: logs over files, clock anchors, objects in memory of a size that the library says, and columns described.
#include <cstring>

#include "microparquet/c/microparquet.h"
#include "microparquet/port/memory_file.h"
#include "microparquet/version.h"
#include "support/check.h"

using microparquet::MemoryFile;

namespace {

struct Tick {
  std::int64_t ticks;
  std::uint8_t key[4];
};

mpq_column tick_column(const char* name, const mpq_type& type, std::size_t offset) {
  mpq_column column = {};
  column.name = name;
  column.type = &type;
  column.offset = static_cast<std::uint16_t>(offset);
  return column;
}

alignas(8) std::byte rolled_bytes[3][12288];
alignas(8) std::uint64_t rolled_memory[700];

// Three files one after another, and a card that fails on request.
struct RolledFiles {
  MemoryFile files[3] = {MemoryFile(rolled_bytes[0]), MemoryFile(rolled_bytes[1]),
                         MemoryFile(rolled_bytes[2])};
  int begun = 1;
  int again = 0;
  mpq_status fails = MPQ_OK;

  mpq_file* file(int i) { return reinterpret_cast<mpq_file*>(static_cast<microparquet::File*>(&files[i])); }

  static mpq_status next(void* context, mpq_file** file) {
    auto& here = *static_cast<RolledFiles*>(context);
    if (here.fails != MPQ_OK) return here.fails;
    if (here.begun == 3) return MPQ_NO_SPACE;
    *file = here.file(here.begun++);
    return MPQ_OK;
  }
  static mpq_status once_more(void* context, mpq_file** file) {
    ++static_cast<RolledFiles*>(context)->again;
    return next(context, file);
  }
};

struct RolledLog {
  mpq_column columns[2] = {tick_column("ticks", mpq_int64, offsetof(Tick, ticks)),
                           tick_column("key", mpq_fixed, offsetof(Tick, key))};
  mpq_options options = mpq_default_options;
  mpq_setup setup = {columns, 2, &options, rolled_memory, sizeof rolled_memory};
  mpq_writer writer = {};
  RolledFiles files;
  mpq_file_sequence sequence = {RolledFiles::next, nullptr, &files};
  mpq_rolling log = {};

  RolledLog() {
    columns[1].bytes = 4;
    options.page_bytes = 512;
    options.row_group_bytes = 1024;
    options.max_key_values = 2;
  }

  mpq_status open() { return mpq_writer_open(&writer, files.file(0), &setup); }
  mpq_status append(int rows) {
    mpq_status status = MPQ_OK;
    for (int i = 0; i < rows && status == MPQ_OK; ++i) {
      const Tick row = {i, {1, 2, 3, static_cast<std::uint8_t>(i)}};
      status = mpq_rolling_append(&log, &row);
    }
    return status;
  }
  std::uint64_t rows_of(int i) {
    mpq_reader reader = {};
    return mpq_reader_open(&reader, files.file(i), nullptr, rolled_memory, sizeof rolled_memory) == MPQ_OK
               ? mpq_reader_rows(&reader)
               : 999'999;
  }
};

}  // namespace

TEST("C: a log continues from file to file, at a limit and on request") {
  RolledLog log;
  REQUIRE_EQ(log.open(), MPQ_OK);
  mpq_roll_limits limits = mpq_default_roll_limits;
  CHECK_EQ(limits.failures, 16U);
  limits.ms = 1000;
  REQUIRE_EQ(mpq_rolling_make(&log.log, &log.writer, &log.sequence, &limits), MPQ_OK);
  REQUIRE_EQ(log.append(20), MPQ_OK);
  CHECK_EQ(mpq_rolling_tick(&log.log, 5), MPQ_OK);
  REQUIRE_EQ(log.append(1), MPQ_OK);
  CHECK_EQ(mpq_rolling_tick(&log.log, 900), MPQ_OK);
  CHECK_EQ(log.files.begun, 1);
  CHECK_EQ(mpq_rolling_tick(&log.log, 1006), MPQ_OK);
  CHECK_EQ(log.files.begun, 2);
  CHECK_EQ(mpq_writer_rows(&log.writer), 0U);
  REQUIRE_EQ(log.append(7), MPQ_OK);
  CHECK_EQ(mpq_rolling_checkpoint(&log.log), MPQ_OK);
  CHECK_EQ(mpq_writer_durable_rows(&log.writer), 7U);
  REQUIRE_EQ(log.append(1), MPQ_OK);
  CHECK_EQ(mpq_rolling_save(&log.log), MPQ_OK);
  CHECK_EQ(mpq_writer_safe_rows(&log.writer), 8U);
  CHECK_EQ(mpq_rolling_roll(&log.log), MPQ_OK);
  REQUIRE_EQ(log.append(3), MPQ_OK);
  CHECK_EQ(mpq_rolling_roll(&log.log), MPQ_NO_SPACE);
  CHECK(mpq_rolling_is_between_files(&log.log));
  CHECK(!mpq_rolling_is_resting(&log.log));
  CHECK_EQ(mpq_rolling_lost_rows(&log.log), 0U);
  CHECK_EQ(log.rows_of(0), 21U);
  CHECK_EQ(log.rows_of(1), 8U);
  CHECK_EQ(log.rows_of(2), 3U);
}

TEST("C: files that are left one after another take the name again, and count what is lost") {
  RolledLog log;
  log.sequence.again = RolledFiles::once_more;
  REQUIRE_EQ(log.open(), MPQ_OK);
  REQUIRE_EQ(mpq_rolling_make(&log.log, &log.writer, &log.sequence, nullptr), MPQ_OK);
  REQUIRE_EQ(log.append(5), MPQ_OK);
  CHECK_EQ(mpq_rolling_leave_file(&log.log), MPQ_OK);
  CHECK_EQ(mpq_rolling_lost_rows(&log.log), 5U);
  CHECK(mpq_rolling_is_between_files(&log.log));
  log.files.fails = MPQ_MEDIUM_LOST;
  CHECK_EQ(log.append(1), MPQ_MEDIUM_LOST);
  for (int i = 0; i < 2; ++i) CHECK_EQ(mpq_rolling_leave_file(&log.log), MPQ_OK);
  CHECK(mpq_rolling_is_resting(&log.log));
  CHECK_EQ(mpq_rolling_tick(&log.log, 59'999), MPQ_OK);
  CHECK_EQ(log.files.again, 0);
  CHECK_EQ(mpq_rolling_tick(&log.log, 60'001), MPQ_MEDIUM_LOST);
  log.files.fails = MPQ_OK;
  CHECK_EQ(mpq_rolling_tick(&log.log, 60'002), MPQ_OK);
  CHECK_EQ(log.files.again, 2);
  CHECK_EQ(log.append(2), MPQ_OK);
  CHECK_EQ(mpq_rolling_checkpoint(&log.log), MPQ_OK);
}

TEST("C: logs that are wrong, or were not made, have statuses") {
  RolledLog log;
  const Tick row = {};
  CHECK_EQ(mpq_rolling_append(&log.log, &row), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_rolling_leave_file(&log.log), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_rolling_make(&log.log, &log.writer, &log.sequence, nullptr), MPQ_WRONG_STATE);
  REQUIRE_EQ(log.open(), MPQ_OK);
  mpq_file_sequence none = {};
  CHECK_EQ(mpq_rolling_make(&log.log, &log.writer, &none, nullptr), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_rolling_make(nullptr, &log.writer, &log.sequence, nullptr), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_rolling_make(&log.log, nullptr, &log.sequence, nullptr), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_rolling_make(&log.log, &log.writer, nullptr, nullptr), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_rolling_tick(&log.log, 1), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_rolling_tick(nullptr, 1), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_rolling_lost_rows(nullptr), 0U);
  CHECK(!mpq_rolling_is_between_files(nullptr) && !mpq_rolling_is_resting(&log.log));
  REQUIRE_EQ(mpq_rolling_make(&log.log, &log.writer, &log.sequence, nullptr), MPQ_OK);
  CHECK_EQ(mpq_rolling_append(&log.log, nullptr), MPQ_INVALID_ARGUMENT);
  log.sequence.next = [](void*, mpq_file**) { return MPQ_OK; };
  CHECK_EQ(mpq_rolling_roll(&log.log), MPQ_INVALID_ARGUMENT);
}

TEST("C: clock anchors are a key-value of the file") {
  RolledLog log;
  mpq_clock_anchors anchors = {};
  REQUIRE_EQ(log.open(), MPQ_OK);
  CHECK_EQ(mpq_clock_anchors_add(&anchors, &log.writer, 5, 1'767'225'600'000), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_clock_anchors_update(&anchors, &log.writer), MPQ_OK);
  CHECK_EQ(mpq_clock_anchors_begin(&anchors, &log.writer, 0), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_clock_anchors_begin(&anchors, nullptr, 1000), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_clock_anchors_begin(&anchors, &log.writer, 1000), MPQ_OK);
  CHECK_EQ(mpq_clock_anchors_add(&anchors, &log.writer, 5, 1), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_clock_anchors_add(nullptr, &log.writer, 5, 1'767'225'600'000), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_clock_anchors_update(nullptr, &log.writer), MPQ_INVALID_ARGUMENT);
  REQUIRE_EQ(mpq_clock_anchors_add(&anchors, &log.writer, 5, 1'767'225'600'000), MPQ_OK);
  const Tick row = {};
  for (int i = 0; i < 3; ++i) REQUIRE_EQ(mpq_writer_append(&log.writer, &row), MPQ_OK);
  CHECK_EQ(mpq_clock_anchors_update(&anchors, &log.writer), MPQ_OK);
  REQUIRE_EQ(mpq_writer_close(&log.writer), MPQ_OK);
  mpq_reader reader = {};
  char buffer[100];
  mpq_text value = {};
  REQUIRE_EQ(mpq_reader_open(&reader, log.files.file(0), nullptr, rolled_memory, sizeof rolled_memory),
             MPQ_OK);
  REQUIRE_EQ(mpq_reader_key_value(&reader, "clock.0000000000", buffer, sizeof buffer, &value), MPQ_OK);
  CHECK(value.bytes == 17 && std::memcmp(value.data, "3 5=1767225600000", 17) == 0);
}

TEST("C: objects take the memory that the library says, and less is refused") {
  CHECK_EQ(std::strcmp(mpq_version(), microparquet::kVersion), 0);
  alignas(8) static std::byte memory[sizeof(mpq_writer) + sizeof(mpq_reader)];
  std::memset(memory, 0xA5, sizeof memory);
  mpq_writer* writer = nullptr;
  mpq_reader* reader = nullptr;
  mpq_rolling* rolling = nullptr;
  mpq_clock_anchors* anchors = nullptr;
  mpq_function_file* file = nullptr;
  CHECK_EQ(mpq_writer_in(memory, mpq_writer_bytes() - 1, &writer), MPQ_OUT_OF_MEMORY);
  CHECK_EQ(mpq_reader_in(memory, mpq_reader_bytes() - 1, &reader), MPQ_OUT_OF_MEMORY);
  CHECK_EQ(mpq_rolling_in(memory, mpq_rolling_bytes() - 1, &rolling), MPQ_OUT_OF_MEMORY);
  CHECK_EQ(mpq_clock_anchors_in(memory, mpq_clock_anchors_bytes() - 1, &anchors), MPQ_OUT_OF_MEMORY);
  CHECK_EQ(mpq_function_file_in(memory, mpq_function_file_bytes() - 1, &file), MPQ_OUT_OF_MEMORY);
  CHECK_EQ(mpq_writer_in(memory + 1, sizeof memory - 1, &writer), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_writer_in(nullptr, sizeof memory, &writer), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_writer_in(memory, sizeof memory, nullptr), MPQ_INVALID_ARGUMENT);
  for (const std::byte byte : memory) REQUIRE(byte == std::byte{0xA5});
  CHECK_EQ(mpq_rolling_in(memory, sizeof memory, &rolling), MPQ_OK);
  CHECK_EQ(mpq_rolling_tick(rolling, 1), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_clock_anchors_in(memory, sizeof memory, &anchors), MPQ_OK);
  CHECK_EQ(mpq_function_file_in(memory, sizeof memory, &file), MPQ_OK);
  CHECK_EQ(mpq_reader_in(memory, mpq_reader_bytes(), &reader), MPQ_OK);
  CHECK_EQ(mpq_reader_rows(reader), 0U);
  CHECK(memory[mpq_reader_bytes()] == std::byte{0xA5});
  CHECK_EQ(mpq_writer_in(memory, mpq_writer_bytes(), &writer), MPQ_OK);
  RolledLog log;
  CHECK_EQ(mpq_writer_open(writer, log.files.file(0), &log.setup), MPQ_OK);
  CHECK_EQ(mpq_writer_close(writer), MPQ_OK);
}

TEST("C: columns are described by logical type, unit and length") {
  struct Described {
    std::int64_t time;
    std::int32_t price;
    std::int32_t small;
    std::uint8_t key[6];
    bool has_key;
  };
  mpq_column columns[4] = {tick_column("time", mpq_local_timestamp_ns, offsetof(Described, time)),
                           tick_column("price", mpq_decimal32, offsetof(Described, price)),
                           tick_column("small", mpq_uint16, offsetof(Described, small)),
                           tick_column("key", mpq_fixed, offsetof(Described, key))};
  columns[1].precision = 7;
  columns[1].scale = 2;
  columns[3].bytes = 6;
  columns[3].optional = &mpq_is_optional;
  columns[3].valid_offset = offsetof(Described, has_key);
  RolledLog log;
  log.setup.columns = columns;
  log.setup.column_count = 4;
  REQUIRE_EQ(log.open(), MPQ_OK);
  REQUIRE_EQ(mpq_writer_close(&log.writer), MPQ_OK);

  mpq_reader reader = {};
  char buffer[8];
  mpq_column_info info = {};
  REQUIRE_EQ(mpq_reader_open(&reader, log.files.file(0), nullptr, rolled_memory, sizeof rolled_memory),
             MPQ_OK);
  const auto describe = [&](std::uint32_t column) {
    return mpq_reader_describe_column(&reader, column, buffer, sizeof buffer, &info);
  };
  REQUIRE_EQ(describe(0), MPQ_OK);
  CHECK(info.name.bytes == 4 && std::memcmp(info.name.data, "time", 4) == 0);
  CHECK(info.type == MPQ_TYPE_INT64 && info.logical == MPQ_LOGICAL_TIMESTAMP);
  CHECK(info.unit == MPQ_NANOS && !info.utc && info.max_definition_level == 0);
  REQUIRE_EQ(describe(1), MPQ_OK);
  CHECK(info.logical == MPQ_LOGICAL_DECIMAL && info.precision == 7 && info.scale == 2);
  REQUIRE_EQ(describe(2), MPQ_OK);
  CHECK(info.logical == MPQ_LOGICAL_INTEGER && info.bits == 16 && !info.is_signed);
  REQUIRE_EQ(describe(3), MPQ_OK);
  CHECK(info.type == MPQ_TYPE_FIXED_LEN_BYTE_ARRAY && info.bytes == 6 && info.logical == MPQ_LOGICAL_NONE);
  CHECK(info.max_definition_level == 1 && info.max_repetition_level == 0);
  CHECK_EQ(describe(4), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_reader_describe_column(&reader, 0, buffer, 3, &info), MPQ_OUT_OF_MEMORY);
  CHECK_EQ(mpq_reader_needed_bytes(&reader), 4U);
  CHECK_EQ(mpq_reader_describe_column(&reader, 0, nullptr, 8, &info), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_reader_describe_column(nullptr, 0, buffer, 8, &info), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_reader_describe_column(&reader, 0, buffer, 8, nullptr), MPQ_INVALID_ARGUMENT);
}
