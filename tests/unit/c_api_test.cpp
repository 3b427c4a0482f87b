// The API for C: each call reaches the writer or the reader, null pointers and a wrong order of calls have their
// statuses, and every type passes through a struct.
#include "microparquet/c/microparquet.h"

#include <cstring>

#include "c/convert.h"
#include "microparquet/port/memory_file.h"
#include "support/check.h"

using microparquet::MemoryFile;

namespace {

struct CRow {
  std::int64_t time;
  std::int32_t number;
  float x;
  double y;
  bool on;
  bool has_x;
  mpq_text text;
  std::uint8_t uuid[16];
  std::int32_t price;
};

constexpr mpq_column c_column(const char* name, const mpq_type& type, std::size_t offset) {
  mpq_column column = {};
  column.name = name;
  column.type = &type;
  column.offset = static_cast<std::uint16_t>(offset);
  return column;
}

struct CColumns {
  mpq_column all[8];
};

CColumns c_columns() {
  CColumns columns = {
      {c_column("time", mpq_timestamp_us, offsetof(CRow, time)),
       c_column("number", mpq_int32, offsetof(CRow, number)), c_column("x", mpq_float, offsetof(CRow, x)),
       c_column("y", mpq_double, offsetof(CRow, y)), c_column("on", mpq_bool, offsetof(CRow, on)),
       c_column("text", mpq_string, offsetof(CRow, text)), c_column("uuid", mpq_uuid, offsetof(CRow, uuid)),
       c_column("price", mpq_decimal32, offsetof(CRow, price))}};
  columns.all[1].encoding = &mpq_delta;
  columns.all[2].optional = &mpq_is_optional;
  columns.all[2].valid_offset = offsetof(CRow, has_x);
  columns.all[5].encoding = &mpq_dictionary;
  columns.all[7].precision = 9;
  columns.all[7].scale = 2;
  return columns;
}

CRow c_row(std::int32_t i) {
  CRow row = {};
  row.time = 1'700'000'000'000'000 + i;
  row.number = i;
  row.x = static_cast<float>(i) * 0.5F;
  row.y = i * 0.25;
  row.on = i % 3 == 0;
  row.has_x = i % 4 != 0;
  row.text = i % 2 != 0 ? mpq_text{"odd", 3} : mpq_text{"", 0};
  row.uuid[15] = static_cast<std::uint8_t>(i);
  row.price = i * 100;
  return row;
}

template <typename T>
T c_cell_as(const mpq_cell& cell) {
  T value = {};
  if (cell.data != nullptr && cell.bytes == sizeof value) std::memcpy(&value, cell.data, sizeof value);
  return value;
}

alignas(8) std::byte c_bytes[32768];
alignas(8) std::uint64_t c_memory[1400];

struct CLog {
  CColumns columns = c_columns();
  mpq_options options = mpq_default_options;
  mpq_setup setup = {columns.all, 8, &options, c_memory, sizeof c_memory};
  mpq_writer writer = {};
  MemoryFile memory{c_bytes};
  mpq_file* file = microparquet::c::to_c(memory);

  CLog() { options.row_group_bytes = 4096; }

  mpq_status append(std::int32_t first, std::int32_t end) {
    mpq_status status = MPQ_OK;
    for (std::int32_t i = first; i < end && status == MPQ_OK; ++i) {
      const CRow row = c_row(i);
      status = mpq_writer_append(&writer, &row);
    }
    return status;
  }

  // The rows are 0, 1, ... `rows` - 1.
  void check_rows(std::int32_t rows) {
    mpq_reader reader = {};
    mpq_reader_options reads = {};
    reads.decoders = &mpq_all_decoders;
    REQUIRE_EQ(mpq_reader_open(&reader, file, &reads, c_memory, sizeof c_memory), MPQ_OK);
    CHECK_EQ(mpq_reader_rows(&reader), static_cast<std::uint64_t>(rows));
    CHECK_EQ(mpq_reader_columns(&reader), 8U);
    REQUIRE_EQ(mpq_reader_choose_all(&reader), MPQ_OK);
    for (std::int32_t i = 0; i < rows; ++i) {
      REQUIRE_EQ(mpq_reader_next_row(&reader), MPQ_OK);
      const CRow row = c_row(i);
      CHECK_EQ(c_cell_as<std::int64_t>(mpq_reader_cell(&reader, 0)), row.time);
      CHECK_EQ(c_cell_as<std::int32_t>(mpq_reader_cell(&reader, 1)), row.number);
      CHECK_EQ(mpq_reader_cell(&reader, 2).data != nullptr, row.has_x);
      if (row.has_x) CHECK_EQ(c_cell_as<float>(mpq_reader_cell(&reader, 2)), row.x);
      CHECK_EQ(c_cell_as<double>(mpq_reader_cell(&reader, 3)), row.y);
      CHECK_EQ(c_cell_as<bool>(mpq_reader_cell(&reader, 4)), row.on);
      const mpq_cell text = mpq_reader_cell(&reader, 5);
      CHECK(text.bytes == row.text.bytes && std::memcmp(text.data, row.text.data, text.bytes) == 0);
      const mpq_cell uuid = mpq_reader_cell(&reader, 6);
      CHECK(uuid.bytes == sizeof row.uuid && std::memcmp(uuid.data, row.uuid, sizeof row.uuid) == 0);
      CHECK_EQ(c_cell_as<std::int32_t>(mpq_reader_cell(&reader, 7)), row.price);
    }
    CHECK_EQ(mpq_reader_next_row(&reader), MPQ_END);
  }
};

}  // namespace

TEST("C: rows of every type are written from a struct and read back, by two boots") {
  CLog log;
  REQUIRE_EQ(mpq_writer_open(&log.writer, log.file, &log.setup), MPQ_OK);
  CHECK_EQ(mpq_writer_set_key_value(&log.writer, "device", "seven"), MPQ_OK);
  REQUIRE_EQ(log.append(0, 60), MPQ_OK);
  CHECK_EQ(mpq_writer_tick(&log.writer, 100), MPQ_OK);
  CHECK_EQ(mpq_writer_checkpoint(&log.writer), MPQ_OK);
  CHECK_EQ(mpq_writer_durable_rows(&log.writer), 60U);
  mpq_writer_reset(&log.writer);
  CHECK_EQ(mpq_writer_rows(&log.writer), 0U);

  REQUIRE_EQ(mpq_writer_resume(&log.writer, log.file, &log.setup), MPQ_OK);
  CHECK_EQ(mpq_writer_rows(&log.writer), 60U);
  REQUIRE_EQ(log.append(60, 90), MPQ_OK);
  CHECK_EQ(mpq_writer_end_row_group(&log.writer), MPQ_OK);
  CHECK_EQ(mpq_writer_close(&log.writer), MPQ_OK);
  CHECK_EQ(mpq_writer_lost_rows(&log.writer), 0U);
  log.check_rows(90);
}

TEST("C: a stream is saved, and the next boot has its rows") {
  CLog log;
  log.columns.all[5].encoding = nullptr;  // with a dictionary a save would be a checkpoint
  log.options.layout = mpq_forward_saving;
  log.options.row_group_bytes = 2048;
  REQUIRE_EQ(mpq_writer_open(&log.writer, log.file, &log.setup), MPQ_OK);
  REQUIRE_EQ(log.append(0, 10), MPQ_OK);
  CHECK_EQ(mpq_writer_save(&log.writer), MPQ_OK);
  CHECK_EQ(mpq_writer_safe_rows(&log.writer), 10U);
  CHECK_EQ(mpq_writer_durable_rows(&log.writer), 0U);
  mpq_writer_reset(&log.writer);
  REQUIRE_EQ(mpq_writer_resume(&log.writer, log.file, &log.setup), MPQ_OK);
  CHECK_EQ(mpq_writer_rows(&log.writer), 10U);
  REQUIRE_EQ(log.append(10, 15), MPQ_OK);
  REQUIRE_EQ(mpq_writer_close(&log.writer), MPQ_OK);
  log.check_rows(15);
}

TEST("C: columns are read in batches, texts too, and found by their names") {
  CLog log;
  REQUIRE_EQ(mpq_writer_open(&log.writer, log.file, &log.setup), MPQ_OK);
  CHECK_EQ(mpq_writer_set_key_value(&log.writer, "device", "seven"), MPQ_OK);
  REQUIRE_EQ(log.append(0, 50), MPQ_OK);
  REQUIRE_EQ(mpq_writer_close(&log.writer), MPQ_OK);

  mpq_reader reader = {};
  mpq_reader_options reads = {};
  reads.decoders = &mpq_all_decoders;
  REQUIRE_EQ(mpq_reader_open(&reader, log.file, &reads, c_memory, sizeof c_memory), MPQ_OK);
  char buffer[32];
  mpq_text text = {};
  CHECK_EQ(mpq_reader_key_value(&reader, "device", buffer, sizeof buffer, &text), MPQ_OK);
  CHECK(text.bytes == 5 && std::memcmp(text.data, "seven", 5) == 0);
  CHECK_EQ(mpq_reader_key_value(&reader, "none", buffer, sizeof buffer, &text), MPQ_INVALID_ARGUMENT);
  std::uint32_t chosen[2] = {};
  REQUIRE_EQ(mpq_reader_find_column(&reader, "x", &chosen[0]), MPQ_OK);
  REQUIRE_EQ(mpq_reader_find_column(&reader, "text", &chosen[1]), MPQ_OK);
  std::uint32_t none = 0;
  CHECK_EQ(mpq_reader_find_column(&reader, "z", &none), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_reader_column_name(&reader, chosen[1], buffer, sizeof buffer, &text), MPQ_OK);
  CHECK(text.bytes == 4 && std::memcmp(text.data, "text", 4) == 0);
  mpq_physical_type type = MPQ_TYPE_BOOLEAN;
  CHECK_EQ(mpq_reader_column_type(&reader, chosen[0], &type), MPQ_OK);
  CHECK_EQ(type, MPQ_TYPE_FLOAT);
  std::uint8_t level = 0;
  CHECK_EQ(mpq_reader_max_definition_level(&reader, chosen[0], &level), MPQ_OK);
  CHECK_EQ(level, 1);
  REQUIRE_EQ(mpq_reader_choose(&reader, chosen, 2), MPQ_OK);

  static mpq_text texts[64];
  static float values[64];
  static std::uint8_t levels[64];
  std::int32_t row = 0;
  std::int32_t text_row = 0;
  while (mpq_reader_next_row_group(&reader) == MPQ_OK) {
    mpq_batch batch = {values, 64, levels, nullptr, 0, 0};
    while (mpq_reader_next_batch(&reader, 0, &batch) == MPQ_OK) {
      std::size_t value = 0;
      for (std::size_t i = 0; i < batch.level_count; ++i, ++row) {
        const CRow expected = c_row(row);
        CHECK_EQ(levels[i] == 1, expected.has_x);
        if (levels[i] == 1) CHECK_EQ(values[value++], expected.x);
      }
      CHECK_EQ(value, batch.value_count);
    }
    batch = {texts, 64, nullptr, nullptr, 0, 0};
    while (mpq_reader_next_batch(&reader, 1, &batch) == MPQ_OK) {
      for (std::size_t i = 0; i < batch.value_count; ++i, ++text_row) {
        const mpq_text expected = c_row(text_row).text;
        CHECK(texts[i].bytes == expected.bytes &&
              std::memcmp(texts[i].data, expected.data, expected.bytes) == 0);
      }
    }
  }
  CHECK_EQ(row, 50);
  CHECK_EQ(text_row, 50);
  CHECK_EQ(mpq_reader_seek_row(&reader, 17), MPQ_OK);
  REQUIRE_EQ(mpq_reader_next_row(&reader), MPQ_OK);
  CHECK_EQ(c_cell_as<float>(mpq_reader_cell(&reader, 0)), c_row(17).x);
  CHECK(mpq_reader_cell(&reader, 2).data == nullptr);
}

TEST(
    "C: columns that a file has not, and those of no file, have statuses and leave what was given as it "
    "was") {
  mpq_reader reader = {};
  mpq_physical_type type = MPQ_TYPE_DOUBLE;
  std::uint8_t level = 77;
  CHECK_EQ(mpq_reader_column_type(&reader, 0, &type), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_reader_max_definition_level(&reader, 0, &level), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_reader_column_type(nullptr, 0, &type), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_reader_max_definition_level(nullptr, 0, &level), MPQ_INVALID_ARGUMENT);

  CLog log;
  REQUIRE_EQ(mpq_writer_open(&log.writer, log.file, &log.setup), MPQ_OK);
  REQUIRE_EQ(log.append(0, 5), MPQ_OK);
  REQUIRE_EQ(mpq_writer_close(&log.writer), MPQ_OK);
  mpq_reader_options reads = {};
  reads.decoders = &mpq_all_decoders;
  REQUIRE_EQ(mpq_reader_open(&reader, log.file, &reads, c_memory, sizeof c_memory), MPQ_OK);
  for (const std::uint32_t column : {8U, 999U, 0xFFFFFFFFU}) {
    CHECK_EQ(mpq_reader_column_type(&reader, column, &type), MPQ_INVALID_ARGUMENT);
    CHECK_EQ(mpq_reader_max_definition_level(&reader, column, &level), MPQ_INVALID_ARGUMENT);
  }
  CHECK_EQ(mpq_reader_column_type(&reader, 0, nullptr), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_reader_max_definition_level(&reader, 0, nullptr), MPQ_INVALID_ARGUMENT);
  CHECK(type == MPQ_TYPE_DOUBLE && level == 77);

  alignas(8) static std::byte texts[9 * sizeof(mpq_text)];
  std::memset(texts, 0xA5, sizeof texts);
  REQUIRE_EQ(mpq_reader_choose_all(&reader), MPQ_OK);
  REQUIRE_EQ(mpq_reader_next_row_group(&reader), MPQ_OK);
  mpq_batch batch = {texts + 1, 8, nullptr, nullptr, 0, 0};
  CHECK_EQ(mpq_reader_next_batch(&reader, 5, &batch), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_reader_next_batch(&reader, 8, &batch), MPQ_INVALID_ARGUMENT);
  CHECK(texts[1] == std::byte{0xA5} && batch.value_count == 0);
  batch.values = texts;
  CHECK_EQ(mpq_reader_next_batch(&reader, 5, &batch), MPQ_OK);
  CHECK_EQ(batch.value_count, 5U);
}

TEST("C: memory that is not aligned is refused before it is touched") {
  CLog log;
  std::memset(c_memory, 0xA5, sizeof c_memory);
  for (std::size_t off = 1; off < 8; ++off) {
    mpq_setup wrong = log.setup;
    wrong.memory = reinterpret_cast<std::byte*>(c_memory) + off;
    wrong.memory_bytes = sizeof c_memory - 8;
    CHECK_EQ(mpq_writer_open(&log.writer, log.file, &wrong), MPQ_INVALID_ARGUMENT);
    CHECK_EQ(mpq_writer_resume(&log.writer, log.file, &wrong), MPQ_INVALID_ARGUMENT);
    mpq_reader reader = {};
    CHECK_EQ(mpq_reader_open(&reader, log.file, nullptr, wrong.memory, wrong.memory_bytes),
             MPQ_INVALID_ARGUMENT);
  }
  for (const std::uint64_t word : c_memory) REQUIRE(word == 0xA5A5'A5A5'A5A5'A5A5);
  CHECK_EQ(mpq_writer_open(&log.writer, log.file, &log.setup), MPQ_OK);
}

TEST("C: memory on the lines of a cache") {
  constexpr std::size_t kLine = 32;
  CLog log;
  log.options.transfer_align = kLine;
  const std::size_t off = (0 - reinterpret_cast<std::uintptr_t>(c_memory)) % kLine;
  log.setup.memory_bytes = sizeof c_memory - 2 * kLine;
  log.setup.memory = reinterpret_cast<std::byte*>(c_memory) + off + kLine / 2;
  CHECK_EQ(mpq_writer_open(&log.writer, log.file, &log.setup), MPQ_INVALID_ARGUMENT);
  log.setup.memory = reinterpret_cast<std::byte*>(c_memory) + off;
  log.setup.memory_bytes = 8;
  CHECK_EQ(mpq_writer_open(&log.writer, log.file, &log.setup), MPQ_OUT_OF_MEMORY);
  CHECK_EQ(mpq_writer_needed_bytes(&log.writer) % 8, 0U);
  log.setup.memory_bytes = sizeof c_memory - 2 * kLine;
  REQUIRE_EQ(mpq_writer_open(&log.writer, log.file, &log.setup), MPQ_OK);
  CHECK_EQ(log.append(0, 100), MPQ_OK);
  CHECK_EQ(mpq_writer_close(&log.writer), MPQ_OK);
  log.check_rows(100);
}

TEST("C: options of zeros are refused") {
  CLog log;
  log.options = {};
  // On any line that memory may have to begin on.
  constexpr std::size_t kMostLine = 256;
  const std::size_t off = (0 - reinterpret_cast<std::uintptr_t>(c_memory)) % kMostLine;
  log.setup.memory = reinterpret_cast<std::byte*>(c_memory) + off;
  log.setup.memory_bytes = sizeof c_memory - kMostLine;
  CHECK_EQ(mpq_writer_open(&log.writer, log.file, &log.setup), MPQ_INVALID_ARGUMENT);
}

TEST("C: a text of some bytes at no address is refused, one that is null is not looked at") {
  struct Note {
    std::int32_t number;
    bool has_text;
    mpq_text text;
  };
  mpq_column columns[2] = {c_column("number", mpq_int32, offsetof(Note, number)),
                           c_column("text", mpq_string, offsetof(Note, text))};
  columns[1].optional = &mpq_is_optional;
  columns[1].valid_offset = offsetof(Note, has_text);
  CLog log;
  log.setup.columns = columns;
  log.setup.column_count = 2;
  REQUIRE_EQ(mpq_writer_open(&log.writer, log.file, &log.setup), MPQ_OK);
  const Note nowhere = {1, true, {nullptr, 5}};
  CHECK_EQ(mpq_writer_append(&log.writer, &nowhere), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_writer_rows(&log.writer), 0U);
  const Note empty = {2, true, {nullptr, 0}};
  CHECK_EQ(mpq_writer_append(&log.writer, &empty), MPQ_OK);
  const Note none = {3, false, {nullptr, 5}};
  CHECK_EQ(mpq_writer_append(&log.writer, &none), MPQ_OK);
  alignas(8) std::byte bytes[sizeof(Note) + 1];
  std::memcpy(bytes + 1, &empty, sizeof empty);
  CHECK_EQ(mpq_writer_append(&log.writer, bytes + 1), MPQ_OK);
  CHECK_EQ(mpq_writer_rows(&log.writer), 3U);
  CHECK_EQ(mpq_writer_close(&log.writer), MPQ_OK);
}

TEST("C: a file is left as it is, and roll() begins the next one") {
  CLog log;
  REQUIRE_EQ(mpq_writer_open(&log.writer, log.file, &log.setup), MPQ_OK);
  REQUIRE_EQ(log.append(0, 5), MPQ_OK);
  REQUIRE_EQ(mpq_writer_checkpoint(&log.writer), MPQ_OK);
  REQUIRE_EQ(log.append(5, 7), MPQ_OK);
  mpq_writer_leave(&log.writer);
  CHECK_EQ(mpq_writer_rows(&log.writer), 7U);
  CHECK_EQ(mpq_writer_durable_rows(&log.writer), 5U);
  CHECK_EQ(mpq_writer_close(&log.writer), MPQ_WRONG_STATE);
  static std::byte next_bytes[sizeof c_bytes];
  MemoryFile next(next_bytes);
  REQUIRE_EQ(mpq_writer_roll(&log.writer, microparquet::c::to_c(next)), MPQ_OK);
  REQUIRE_EQ(log.append(5, 9), MPQ_OK);
  REQUIRE_EQ(mpq_writer_close(&log.writer), MPQ_OK);
  CHECK_EQ(mpq_writer_rows(&log.writer), 4U);
  log.check_rows(5);
}

TEST("C: null pointers and a wrong order of calls have their statuses") {
  CLog log;
  const CRow row = c_row(1);
  CHECK_EQ(mpq_writer_append(&log.writer, &row), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_writer_tick(&log.writer, 1), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_writer_checkpoint(&log.writer), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_writer_close(&log.writer), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_writer_end_row_group(&log.writer), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_writer_roll(&log.writer, log.file), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_writer_reconnect(&log.writer, log.file), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_writer_set_key_value(&log.writer, "a", "b"), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_writer_needed_bytes(&log.writer), 0U);
  CHECK_EQ(mpq_writer_open(nullptr, log.file, &log.setup), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_writer_open(&log.writer, nullptr, &log.setup), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_writer_open(&log.writer, log.file, nullptr), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_writer_resume(nullptr, log.file, &log.setup), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_writer_append(nullptr, &row), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_writer_set_key_value(&log.writer, nullptr, "b"), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_writer_rows(nullptr), 0U);

  mpq_setup wrong = log.setup;
  wrong.columns = nullptr;
  CHECK_EQ(mpq_writer_open(&log.writer, log.file, &wrong), MPQ_INVALID_ARGUMENT);
  wrong = log.setup;
  wrong.memory = nullptr;
  CHECK_EQ(mpq_writer_open(&log.writer, log.file, &wrong), MPQ_INVALID_ARGUMENT);
  CColumns columns = c_columns();
  columns.all[3].name = nullptr;
  wrong = log.setup;
  wrong.columns = columns.all;
  CHECK_EQ(mpq_writer_open(&log.writer, log.file, &wrong), MPQ_INVALID_ARGUMENT);
  columns = c_columns();
  columns.all[3].type = nullptr;
  CHECK_EQ(mpq_writer_open(&log.writer, log.file, &wrong), MPQ_INVALID_ARGUMENT);

  REQUIRE_EQ(mpq_writer_open(&log.writer, log.file, &log.setup), MPQ_OK);
  CHECK_EQ(mpq_writer_open(&log.writer, log.file, &log.setup), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_writer_append(&log.writer, nullptr), MPQ_INVALID_ARGUMENT);
  REQUIRE_EQ(log.append(0, 5), MPQ_OK);
  CHECK_EQ(mpq_writer_roll(&log.writer, nullptr), MPQ_INVALID_ARGUMENT);
  mpq_writer_leave(nullptr);
  REQUIRE_EQ(mpq_writer_close(&log.writer), MPQ_OK);
  log.check_rows(5);

  mpq_reader reader = {};
  mpq_batch batch = {};
  CHECK_EQ(mpq_reader_next_row(&reader), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_reader_next_row_group(&reader), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_reader_next_row(nullptr), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_reader_next_batch(&reader, 0, &batch), MPQ_INVALID_ARGUMENT);
  CHECK(mpq_reader_cell(&reader, 0).data == nullptr);
  CHECK(mpq_reader_cell(nullptr, 0).data == nullptr);
  CHECK_EQ(mpq_reader_open(&reader, log.file, nullptr, nullptr, 0), MPQ_INVALID_ARGUMENT);
  CHECK(std::strcmp(mpq_status_text(MPQ_NO_SPACE), "no space") == 0);
}

TEST("C: the memory that is needed is said, in two steps") {
  CLog log;
  log.setup.memory_bytes = 8;
  REQUIRE_EQ(mpq_writer_open(&log.writer, log.file, &log.setup), MPQ_OUT_OF_MEMORY);
  log.setup.memory_bytes = mpq_writer_needed_bytes(&log.writer);
  REQUIRE_EQ(mpq_writer_open(&log.writer, log.file, &log.setup), MPQ_OUT_OF_MEMORY);
  log.setup.memory_bytes = mpq_writer_needed_bytes(&log.writer) - 1;
  REQUIRE_EQ(mpq_writer_open(&log.writer, log.file, &log.setup), MPQ_OUT_OF_MEMORY);
  log.setup.memory_bytes = mpq_writer_needed_bytes(&log.writer);
  CHECK(log.setup.memory_bytes <= sizeof c_memory);
  REQUIRE_EQ(mpq_writer_open(&log.writer, log.file, &log.setup), MPQ_OK);
  REQUIRE_EQ(log.append(0, 3), MPQ_OK);
  CHECK_EQ(mpq_writer_close(&log.writer), MPQ_OK);
  log.check_rows(3);
}

namespace {

// A file of C functions over another one, which fails on demand.
struct FunctionMedium {
  MemoryFile memory{c_bytes};
  mpq_status answer = MPQ_OK;

  template <typename Call>
  static mpq_status call(void* context, Call function) {
    auto& medium = *static_cast<FunctionMedium*>(context);
    return medium.answer != MPQ_OK ? medium.answer : microparquet::c::to_c(function(medium.memory));
  }
};

const mpq_file_functions medium_functions = {
    {true, true, true, 512, false},
    [](void* context, std::uint64_t* bytes) {
      return FunctionMedium::call(context, [&](MemoryFile& file) { return file.size(*bytes); });
    },
    [](void* context, std::uint64_t offset, void* out, std::size_t bytes) {
      return FunctionMedium::call(context, [&](MemoryFile& file) {
        return file.read_at(offset, microparquet::Span<std::byte>(static_cast<std::byte*>(out), bytes));
      });
    },
    [](void* context, std::uint64_t offset, const void* data, std::size_t bytes) {
      return FunctionMedium::call(context, [&](MemoryFile& file) {
        return file.write_at(offset,
                             microparquet::Span<const std::byte>(static_cast<const std::byte*>(data), bytes));
      });
    },
    [](void* context, std::uint64_t end) {
      return FunctionMedium::call(context, [&](MemoryFile& file) { return file.reserve(end); });
    },
    [](void* context) {
      return FunctionMedium::call(context, [](MemoryFile& file) { return file.barrier(); });
    },
    [](void* context, std::uint64_t size) {
      return FunctionMedium::call(context, [&](MemoryFile& file) { return file.sync(size); });
    },
    [](void* context, std::uint64_t size) {
      return FunctionMedium::call(context, [&](MemoryFile& file) { return file.shrink(size); });
    }};

}  // namespace

TEST("C: a file of functions is written, lost, reconnected and read; without one of them it is none") {
  CLog log;
  FunctionMedium medium;
  mpq_function_file memory = {};
  mpq_file_functions functions = medium_functions;
  CHECK(mpq_file_of(nullptr, &functions, &medium) == nullptr);
  CHECK(mpq_file_of(&memory, nullptr, &medium) == nullptr);
  functions.barrier = nullptr;
  CHECK(mpq_file_of(&memory, &functions, &medium) == nullptr);
  functions = medium_functions;
  log.file = mpq_file_of(&memory, &functions, &medium);
  REQUIRE(log.file != nullptr);
  REQUIRE_EQ(mpq_writer_open(&log.writer, log.file, &log.setup), MPQ_OK);
  REQUIRE_EQ(log.append(0, 20), MPQ_OK);
  medium.answer = MPQ_MEDIUM_LOST;
  CHECK_EQ(mpq_writer_checkpoint(&log.writer), MPQ_MEDIUM_LOST);
  medium.answer = MPQ_OK;
  CHECK_EQ(mpq_writer_reconnect(&log.writer, log.file), MPQ_OK);
  REQUIRE_EQ(log.append(20, 30), MPQ_OK);
  medium.answer = MPQ_IO_ERROR;
  CHECK_EQ(mpq_writer_close(&log.writer), MPQ_IO_ERROR);
  medium.answer = MPQ_OK;
  CHECK_EQ(mpq_writer_close(&log.writer), MPQ_OK);
  log.check_rows(30);
}
