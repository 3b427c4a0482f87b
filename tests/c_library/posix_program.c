/* Logs in C over POSIX files, linked by the C compiler: two files after one another, with clock anchors and saves, and a
   file of a process to which the system gives no memory. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "microparquet/c/microparquet.h"
#include "microparquet/port/posix_file_c.h"

struct sample {
  int64_t time_ms;
  float x;
};

static const mpq_column columns[] = {
    {.name = "time", .type = &mpq_int64, .offset = offsetof(struct sample, time_ms)},
    {.name = "x", .type = &mpq_float, .offset = offsetof(struct sample, x)},
};

static uint64_t memory[4000];
static mpq_writer writer;
static mpq_rolling rolling;
static mpq_clock_anchors anchors;
static mpq_posix_file ports[2];
static mpq_options options;
static mpq_setup setup;

static mpq_status next_file(void* context, mpq_file** file) {
  (void)context;
  const mpq_status status = mpq_posix_close(&ports[0]);
  return status == MPQ_OK ? mpq_posix_create(&ports[1], "second.parquet", true, file) : status;
}

static mpq_status log_rows(void) {
  mpq_status status = MPQ_OK;
  for (int32_t i = 0; i < 2000 && status == MPQ_OK; ++i) {
    const struct sample row = {10 * i, 0.5F * (float)i};
    status = mpq_rolling_append(&rolling, &row);
    if (status == MPQ_OK && i == 500)
      status = mpq_clock_anchors_add(&anchors, &writer, row.time_ms, INT64_C(1767225600000));
    if (status == MPQ_OK && i % 100 == 99) {
      status = mpq_clock_anchors_update(&anchors, &writer);
      if (status == MPQ_OK) status = mpq_rolling_save(&rolling);
    }
    if (status == MPQ_OK && i == 999) status = mpq_rolling_roll(&rolling);
  }
  if (status == MPQ_OK) status = mpq_clock_anchors_update(&anchors, &writer);
  if (status == MPQ_OK) status = mpq_writer_close(&writer);
  return status == MPQ_OK ? mpq_posix_close(&ports[1]) : status;
}

static mpq_status log_two_files(void) {
  static const mpq_file_sequence files = {.next = next_file};
  mpq_file* file = NULL;
  mpq_status status = mpq_posix_make(&ports[0]);
  if (status == MPQ_OK) status = mpq_posix_make(&ports[1]);
  if (status == MPQ_OK) status = mpq_posix_create(&ports[0], "first.parquet", true, &file);
  if (status == MPQ_OK) status = mpq_writer_open(&writer, file, &setup);
  if (status == MPQ_OK) status = mpq_clock_anchors_begin(&anchors, &writer, 1000);
  if (status == MPQ_OK) status = mpq_rolling_make(&rolling, &writer, &files, NULL);
  return status == MPQ_OK ? log_rows() : status;
}

/* Opens a file where the system has no page left: the status says so, and the same call succeeds once it has. */
static int without_memory(void) {
  struct rlimit none = {0, 0};
  struct rlimit all;
  mpq_file* file = NULL;
  if (getrlimit(RLIMIT_AS, &all) != 0 || mpq_posix_make(&ports[0]) != MPQ_OK) return 1;
  none.rlim_max = all.rlim_max;
  if (setrlimit(RLIMIT_AS, &none) != 0) return 1;
  const mpq_status refused = mpq_posix_create(&ports[0], "third.parquet", true, &file);
  if (setrlimit(RLIMIT_AS, &all) != 0) return 1;
  const mpq_status taken = mpq_posix_create(&ports[0], "third.parquet", true, &file);
  return refused != MPQ_IO_ERROR || taken != MPQ_OK || mpq_posix_close(&ports[0]) != MPQ_OK;
}

int main(int count, char** words) {
  options = mpq_default_options;
  options.max_key_values = 2;
  setup = (mpq_setup){.columns = columns,
                      .column_count = 2,
                      .options = &options,
                      .memory = memory,
                      .memory_bytes = sizeof memory};
  if (count == 2 && strcmp(words[1], "without_memory") == 0) return without_memory();
  const mpq_status status = log_two_files();
  if (status != MPQ_OK) printf("%s\n", mpq_status_text(status));
  return status != MPQ_OK;
}
