/* Logs in C99: a thousand samples into log.parquet of the host, through the debugger (semihosting), in two boots of a
   device; then reads them back. With an SD card the file is an mpq_fatfs_file, with flash an mpq_littlefs_file; the
   rest stays. */
#include <stddef.h>
#include <string.h>

#include "microparquet/c/microparquet.h"
#include "microparquet/port/semihosting_file_c.h"

struct sample {
  int64_t time_us;
  int32_t light;
  float temperature; /* measured once a second */
  bool has_temperature;
  mpq_text state;
};

static const mpq_column columns[] = {
    {.name = "time",
     .type = &mpq_timestamp_us,
     .offset = offsetof(struct sample, time_us),
     .encoding = &mpq_delta},
    {.name = "light", .type = &mpq_int32, .offset = offsetof(struct sample, light), .encoding = &mpq_delta},
    {.name = "temperature",
     .type = &mpq_float,
     .offset = offsetof(struct sample, temperature),
     .optional = &mpq_is_optional,
     .valid_offset = offsetof(struct sample, has_temperature)},
    {.name = "state",
     .type = &mpq_string,
     .offset = offsetof(struct sample, state),
     .encoding = &mpq_dictionary},
};
enum { kSamplesPerBoot = 500 };

/* Key-value metadata, which the file has even if the power fails before its first row. */
static const mpq_key_value about[] = {{"device", "c_logger"}};
static const mpq_file_start start = {.key_values = about, .key_value_count = sizeof about / sizeof *about};

/* All the memory the log ever takes. Static, so that the link map shows it. */
static uint64_t memory[1400];
static mpq_writer writer;
static mpq_reader reader;
static mpq_semihosting_file log_file;

/* The emulated board has no sensors: a triangle stands for them. */
static struct sample read_sensors(int32_t i) {
  const int32_t light = i % 100 < 50 ? i % 100 : 100 - i % 100;
  const struct sample sample = {
      .time_us = INT64_C(1700000000000000) + INT64_C(10000) * i,
      .light = light,
      .temperature = 20.0F + 0.25F * (float)(i / 100),
      .has_temperature = i % 100 == 0,
      .state = light < 25 ? (mpq_text){"dark", 4} : (mpq_text){"bright", 6},
  };
  return sample;
}

/* From power on to power off. */
static mpq_status log_samples(int32_t first) {
  mpq_options options = mpq_default_options;
  options.row_group_bytes = 4 << 10; /* a debugger cannot shorten a file: what is reserved stays in it */
  const mpq_setup setup = {.columns = columns,
                           .column_count = sizeof columns / sizeof *columns,
                           .options = &options,
                           .memory = memory,
                           .memory_bytes = sizeof memory};

  mpq_file* file = NULL;
  mpq_status status = mpq_semihosting_open_for_append(&log_file, "log.parquet", &file);
  if (status == MPQ_OK) status = mpq_writer_resume_with(&writer, file, &setup, &start);
  for (int32_t i = first; i < first + kSamplesPerBoot && status == MPQ_OK; ++i) {
    const struct sample sample = read_sensors(i);
    status = mpq_writer_append(&writer, &sample);
    /* Milliseconds since the start: checkpoints fall due by them. */
    if (status == MPQ_OK) status = mpq_writer_tick(&writer, (uint32_t)i * 10U);
  }
  if (status == MPQ_OK) status = mpq_writer_close(&writer);
  const mpq_status closed = mpq_semihosting_close(&log_file);
  return status == MPQ_OK ? closed : status;
}

/* Whether the current row is sample `i`. */
static bool is_sample(int32_t i) {
  const struct sample expected = read_sensors(i);
  const mpq_cell time = mpq_reader_cell(&reader, 0);
  const mpq_cell temperature = mpq_reader_cell(&reader, 2);
  const mpq_cell state = mpq_reader_cell(&reader, 3);
  return time.bytes == sizeof expected.time_us && memcmp(time.data, &expected.time_us, time.bytes) == 0 &&
         (temperature.data != NULL) == expected.has_temperature && state.bytes == expected.state.bytes &&
         memcmp(state.data, expected.state.data, state.bytes) == 0;
}

static mpq_status read_back(void) {
  mpq_file* file = NULL;
  const mpq_reader_options options = {.decoders = &mpq_all_decoders};
  int32_t rows = 0;
  mpq_status status = mpq_semihosting_open_for_reading(&log_file, "log.parquet", &file);
  if (status == MPQ_OK) status = mpq_reader_open(&reader, file, &options, memory, sizeof memory);
  if (status == MPQ_OK) status = mpq_reader_choose_all(&reader);
  while (status == MPQ_OK && (status = mpq_reader_next_row(&reader)) == MPQ_OK) {
    if (!is_sample(rows++)) status = MPQ_CORRUPT;
  }
  if (status == MPQ_END) status = rows == 2 * kSamplesPerBoot ? MPQ_OK : MPQ_CORRUPT;
  const mpq_status closed = mpq_semihosting_close(&log_file);
  return status == MPQ_OK ? closed : status;
}

int main(void) {
  mpq_status status = mpq_semihosting_make(&log_file);
  if (status == MPQ_OK) status = log_samples(0);
  if (status == MPQ_OK) status = log_samples(kSamplesPerBoot);
  if (status == MPQ_OK) status = read_back();
  return (int)status;
}
