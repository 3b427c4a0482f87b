// The door of C programs to files of a POSIX system; those of the other ports are the same template.
#include "microparquet/port/posix_file_c.h"

#include "microparquet/c/microparquet.h"
#include "support/check.h"
#include "support/temporary_path.h"

TEST("C: a file of POSIX is made, created, written, closed and read") {
  const support::TemporaryPath path;
  mpq_posix_file port = {};
  mpq_file* file = nullptr;
  CHECK_EQ(mpq_posix_create(&port, path.c_str(), false, &file), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_posix_close(&port), MPQ_OK);
  CHECK_EQ(mpq_posix_make(nullptr), MPQ_INVALID_ARGUMENT);
  REQUIRE_EQ(mpq_posix_make(&port), MPQ_OK);
  CHECK_EQ(mpq_posix_make(&port), MPQ_WRONG_STATE);
  CHECK_EQ(mpq_posix_create(&port, nullptr, false, &file), MPQ_INVALID_ARGUMENT);
  CHECK_EQ(mpq_posix_open_for_reading(&port, path.c_str(), &file), MPQ_IO_ERROR);
  REQUIRE_EQ(mpq_posix_create(&port, path.c_str(), false, &file), MPQ_OK);

  struct Row {
    std::int32_t number;
  };
  mpq_column column = {};
  column.name = "number";
  column.type = &mpq_int32;
  static std::uint64_t memory[512];
  const mpq_setup setup = {&column, 1, nullptr, memory, sizeof memory};
  mpq_writer writer = {};
  REQUIRE_EQ(mpq_writer_open(&writer, file, &setup), MPQ_OK);
  for (const Row row : {Row{4}, Row{7}}) CHECK_EQ(mpq_writer_append(&writer, &row), MPQ_OK);
  REQUIRE_EQ(mpq_writer_close(&writer), MPQ_OK);
  REQUIRE_EQ(mpq_posix_close(&port), MPQ_OK);

  CHECK_EQ(mpq_posix_create(&port, path.c_str(), false, &file), MPQ_IO_ERROR);  // it holds rows
  REQUIRE_EQ(mpq_posix_open_for_reading(&port, path.c_str(), &file), MPQ_OK);
  mpq_reader reader = {};
  REQUIRE_EQ(mpq_reader_open(&reader, file, nullptr, memory, sizeof memory), MPQ_OK);
  CHECK_EQ(mpq_reader_rows(&reader), 2U);
  CHECK_EQ(mpq_posix_close(&port), MPQ_OK);
}
