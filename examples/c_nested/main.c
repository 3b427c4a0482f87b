/* Structs, arrays, lists and maps in C99: epochs of a satellite receiver into a file, in two boots. With an SD card the file
   is an mpq_fatfs_file, with flash an mpq_littlefs_file; the rest stays.

     gcc -std=c99 -Iinclude -Iport/posix/include examples/c_nested/main.c libmicroparquet_posix.a libmicroparquet.a */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "microparquet/c/microparquet.h"
#include "microparquet/port/posix_file_c.h"

enum { kMostSatellites = 12, kBands = 8, kMostSamples = 40, kMostTags = 3, kEpochsPerBoot = 400 };

struct fix {
  double latitude, longitude;
  bool has_height;
  float height;
};
struct satellite {
  uint8_t id;
  float snr;
};
struct tag {
  mpq_text key;
  int32_t value;
};
struct epoch {
  int64_t time_us;
  bool has_fix;
  struct fix fix;
  uint16_t satellite_count;
  struct satellite satellites[kMostSatellites];
  int16_t bands[kBands];
  uint16_t sample_count;
  const float* samples; /* they lie where the driver has put them */
  uint16_t tag_count;
  struct tag tags[kMostTags];
};

/* What is inside a node follows it; places inside are counted from its own. */
static const mpq_node nodes[] = {
    {.name = "time", .type = &mpq_timestamp_us, .offset = offsetof(struct epoch, time_us)},
    {.name = "fix",
     .kind = &mpq_struct,
     .children = 3,
     .offset = offsetof(struct epoch, fix),
     .stride = sizeof(struct fix),
     .optional = &mpq_may_be_missing,
     .valid_offset = offsetof(struct epoch, has_fix)},
    {.name = "lat", .type = &mpq_double, .offset = offsetof(struct fix, latitude)},
    {.name = "lon", .type = &mpq_double, .offset = offsetof(struct fix, longitude)},
    {.name = "height",
     .type = &mpq_float,
     .offset = offsetof(struct fix, height),
     .optional = &mpq_may_be_missing,
     .valid_offset = offsetof(struct fix, has_height)},
    {.name = "satellites",
     .kind = &mpq_list,
     .children = 1,
     .offset = offsetof(struct epoch, satellites),
     .stride = sizeof(struct satellite),
     .capacity = kMostSatellites,
     .count_offset = offsetof(struct epoch, satellite_count)},
    {.kind = &mpq_struct, .children = 2, .stride = sizeof(struct satellite)},
    {.name = "id", .type = &mpq_uint8, .bytes = 1, .offset = offsetof(struct satellite, id)},
    {.name = "snr", .type = &mpq_float, .offset = offsetof(struct satellite, snr)},
    {.name = "bands",
     .kind = &mpq_array,
     .children = 1,
     .offset = offsetof(struct epoch, bands),
     .stride = sizeof(int16_t),
     .capacity = kBands},
    {.type = &mpq_int16, .bytes = 2, .encoding = &mpq_nested_delta, .page_bytes = 1024},
    {.name = "samples",
     .kind = &mpq_span,
     .children = 1,
     .offset = offsetof(struct epoch, samples),
     .stride = sizeof(float),
     .capacity = kMostSamples,
     .count_offset = offsetof(struct epoch, sample_count)},
    {.type = &mpq_float, .page_bytes = 1024},
    {.name = "tags",
     .kind = &mpq_map,
     .children = 2,
     .offset = offsetof(struct epoch, tags),
     .stride = sizeof(struct tag),
     .capacity = kMostTags,
     .count_offset = offsetof(struct epoch, tag_count)},
    {.type = &mpq_string, .offset = offsetof(struct tag, key), .encoding = &mpq_nested_dictionary},
    {.type = &mpq_int32, .offset = offsetof(struct tag, value)},
};

static uint64_t memory[2400];
static const mpq_nested_setup setup = {
    .table = {.nodes = nodes, .node_count = sizeof nodes / sizeof *nodes, .row_bytes = sizeof(struct epoch)},
    .memory = memory,
    .memory_bytes = sizeof memory};
static mpq_writer writer;
static mpq_posix_file log_file;

/* This machine has no receiver: numbers stand for what one says. */
static void receive(int32_t i, float* samples, struct epoch* epoch) {
  static const mpq_text keys[] = {{"mode", 4}, {"error", 5}, {"", 0}};
  *epoch = (struct epoch){.time_us = INT64_C(1700000000000000) + INT64_C(100000) * i};
  epoch->has_fix = i % 4 != 0;
  epoch->fix = (struct fix){48.0 + i * 0.001, 11.0 - i * 0.001, i % 3 == 0, 500.0F + (float)i};
  epoch->satellite_count = (uint16_t)(i % (kMostSatellites + 1));
  for (int32_t k = 0; k < epoch->satellite_count; ++k)
    epoch->satellites[k] = (struct satellite){(uint8_t)(200 + k), (float)(i + k) * 0.5F};
  for (int32_t k = 0; k < kBands; ++k) epoch->bands[k] = (int16_t)(i * k - 1000);
  epoch->sample_count = (uint16_t)(i * 7 % (kMostSamples + 1));
  for (int32_t k = 0; k < epoch->sample_count; ++k) samples[k] = (float)(i - k);
  epoch->samples = samples;
  epoch->tag_count = (uint16_t)(i % (kMostTags + 1));
  for (int32_t k = 0; k < epoch->tag_count; ++k) epoch->tags[k] = (struct tag){keys[k], i * 10 + k};
}

static mpq_status log_epochs(int32_t first) {
  static float samples[kMostSamples];
  struct epoch epoch;
  mpq_status status = MPQ_OK;
  for (int32_t i = first; i < first + kEpochsPerBoot && status == MPQ_OK; ++i) {
    receive(i, samples, &epoch);
    if (i % 50 ==
        20) { /* a receiver that says nonsense: the row is refused, and no trace of it is in the file */
      struct epoch wrong = epoch;
      wrong.satellite_count = 1000;
      if (mpq_nested_append(&writer, &wrong) != MPQ_VALUE_TOO_LARGE) return MPQ_CORRUPT;
    }
    status = mpq_nested_append(&writer, &epoch);
    if (status == MPQ_OK) status = mpq_writer_tick(&writer, (uint32_t)i * 100U);
  }
  return status;
}

/* From power on to power off. */
static mpq_status boot(const char* path, int32_t first) {
  mpq_file* file = NULL;
  mpq_status status = mpq_posix_open_for_append(&log_file, path, &file);
  if (status == MPQ_OK) status = mpq_nested_resume(&writer, file, &setup);
  if (status == MPQ_OK) status = log_epochs(first);
  if (status == MPQ_OK) status = mpq_writer_close(&writer);
  const mpq_status closed = mpq_posix_close(&log_file);
  return status == MPQ_OK ? closed : status;
}

int main(int argc, char** argv) {
  const char* const path = argc > 1 ? argv[1] : "epochs.parquet";
  size_t node = 0;
  const mpq_table_fault fault = mpq_table_check(&setup.table, &node);
  if (fault != MPQ_TABLE_SOUND) { /* while a program is written */
    printf("node %u: %s\n", (unsigned)node, mpq_table_fault_text(fault));
    return 1;
  }
  mpq_status status = mpq_posix_make(&log_file);
  if (status == MPQ_OK) status = boot(path, 0);
  if (status == MPQ_OK) status = boot(path, kEpochsPerBoot);
  if (status != MPQ_OK)
    printf("%s, %u bytes needed\n", mpq_status_text(status), (unsigned)mpq_nested_needed_bytes(&writer));
  return (int)status;
}
