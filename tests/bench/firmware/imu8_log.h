// `imu8` as a firmware logs it: a row is a struct, the writer owns its memory.
#pragma once

#include "microparquet/indexed_layout.h"
#include "microparquet/static_writer.h"
#include "support/imu8_rows.h"
#include "support/stream_plans.h"

#ifndef MICROPARQUET_BENCH_PAGE_BYTES
#define MICROPARQUET_BENCH_PAGE_BYTES 512
#endif
#ifndef MICROPARQUET_BENCH_TRANSFER_ALIGN
#define MICROPARQUET_BENCH_TRANSFER_ALIGN 8
#endif
#ifndef MICROPARQUET_BENCH_CHECKPOINTS
#define MICROPARQUET_BENCH_CHECKPOINTS 1
#endif
#ifndef MICROPARQUET_BENCH_RESUME
#define MICROPARQUET_BENCH_RESUME 0
#endif
#ifndef MICROPARQUET_BENCH_SMALL
#define MICROPARQUET_BENCH_SMALL 0
#endif
#ifndef MICROPARQUET_BENCH_DELTA
#define MICROPARQUET_BENCH_DELTA 0
#endif
#ifndef MICROPARQUET_BENCH_PAGE_INDEX
#define MICROPARQUET_BENCH_PAGE_INDEX 0
#endif
#ifndef MICROPARQUET_BENCH_TAILED
#define MICROPARQUET_BENCH_TAILED 0
#endif
#ifndef MICROPARQUET_BENCH_FORWARD
#define MICROPARQUET_BENCH_FORWARD 0
#endif
#ifndef MICROPARQUET_BENCH_STREAM
#define MICROPARQUET_BENCH_STREAM 0  // KiB of the plan
#endif
#ifndef MICROPARQUET_BENCH_DICTIONARY
#define MICROPARQUET_BENCH_DICTIONARY 0
#endif

namespace microparquet::bench {

#if MICROPARQUET_BENCH_PAGE_INDEX
// An index of all pages of row groups of 24 KiB.
inline constexpr IndexedLayout kImu8IndexedLayout = with_page_index(kInPlace, 2048);
#endif

// *sector*: 512-byte pages, each a sector of the file. *tiny*: 256 bytes, which are not.
constexpr Options imu8_options(std::uint32_t page_bytes) {
  Options options;
  options.page_bytes = page_bytes;
  options.whole_sectors = page_bytes >= 512;
  options.transfer_align = MICROPARQUET_BENCH_TRANSFER_ALIGN;
#if !MICROPARQUET_BENCH_CHECKPOINTS
  options.layout = &kInPlaceNoCheckpoints;
#endif
#if MICROPARQUET_BENCH_TAILED
  options.layout = &kInPlaceTailed;
#endif
#if MICROPARQUET_BENCH_FORWARD
  options.layout = &kForward;
#endif
#if MICROPARQUET_BENCH_PAGE_INDEX
  options.layout = &kImu8IndexedLayout;
#endif
#ifdef MICROPARQUET_BENCH_SMALL_CRC
  options.checksum = &crc32_small;
#endif
  return options;
}

inline constexpr Options kImu8Options = imu8_options(MICROPARQUET_BENCH_PAGE_BYTES);

#if MICROPARQUET_BENCH_STREAM == 6
using Imu8Writer = StreamWriter<kStream6k>;
#elif MICROPARQUET_BENCH_STREAM == 8
using Imu8Writer = StreamWriter<kStream8k>;
#elif MICROPARQUET_BENCH_STREAM == 16
using Imu8Writer = StreamWriter<kStream16k>;
#elif MICROPARQUET_BENCH_STREAM == 32
using Imu8Writer = StreamWriter<kStream32k>;
#elif MICROPARQUET_BENCH_SMALL
using Imu8Writer = StaticWriter<kImu8SmallSchema<1024>, kImu8Options>;
#elif MICROPARQUET_BENCH_DICTIONARY
using Imu8Writer = StaticWriter<kImu8DictionarySchema, kImu8Options>;
#elif MICROPARQUET_BENCH_DELTA
// Small pages are smaller still for the integers, whose packed values let them hold as many rows.
inline constexpr std::uint32_t kIntegerPageBytes = MICROPARQUET_BENCH_PAGE_BYTES >= 512 ? 0 : 128;
using Imu8Writer = StaticWriter<kImu8DeltaSchema<kIntegerPageBytes>, kImu8Options>;
#else
using Imu8Writer = StaticWriter<kImu8Schema, kImu8Options>;
#endif

}  // namespace microparquet::bench
