// A log of numbered rows, and what it says of itself on the UART.
#pragma once

#include <cstdint>
#include <cstdio>

#include "microparquet/microparquet.h"

namespace mpq = microparquet;

// Settings that the emulator puts into the last sector of flash.
struct Settings {
  std::uint32_t forward;
  std::uint32_t dedicated_spi;
  std::uint32_t rows;             // that the file is to have
  std::uint32_t checkpoint_rows;  // from one checkpoint to the next
};
inline const volatile Settings& settings() { return *reinterpret_cast<const volatile Settings*>(0x101FF000); }

struct Reading {
  std::int32_t number;
  float half;
  std::int64_t square;
  double third;
};
inline constexpr auto kReadings =
    mpq::schema(mpq::column("number", &Reading::number), mpq::column("half", &Reading::half),
                mpq::column("square", &Reading::square), mpq::column("third", &Reading::third));

constexpr mpq::Options board_options(bool forward) {
  mpq::Options options;
  options.checkpoint_ms = 0;
  options.max_loss_ms = 0;
  options.row_group_bytes = 8 << 10;
  if (forward) options.layout = &mpq::kForward;
  return options;
}
inline constexpr mpq::Options kOnBoardInPlace = board_options(false);
inline constexpr mpq::Options kOnBoardForward = board_options(true);

// Continues the file up to the rows of the settings. "durable N": these are.
template <typename Writer>
mpq::Status log_readings(Writer& writer, mpq::File& file) {
  mpq::Status status = writer.resume(file);
  std::printf("resumed %s at %lu\n", mpq::to_string(status), static_cast<unsigned long>(writer.rows()));
  const std::uint32_t rows = settings().rows;
  for (auto n = static_cast<std::uint32_t>(writer.rows()); n < rows && status == mpq::Status::kOk; ++n) {
    const auto number = static_cast<std::int32_t>(n);
    status = writer.append({number, number * 0.5F, std::int64_t{number} * number, number / 3.0});
    if (status != mpq::Status::kOk || (n + 1) % settings().checkpoint_rows != 0) continue;
    status = writer.checkpoint();
    if (status == mpq::Status::kOk)
      std::printf("durable %lu\n", static_cast<unsigned long>(writer.durable_rows()));
  }
  return status == mpq::Status::kOk ? writer.close() : status;
}

inline mpq::Status log_as_set(mpq::File& file) {
  static mpq::StaticWriter<kReadings, kOnBoardInPlace> in_place;
  static mpq::StaticWriter<kReadings, kOnBoardForward> forward;
  return settings().forward != 0 ? log_readings(forward, file) : log_readings(in_place, file);
}

// The last line of a boot.
[[noreturn]] inline void end_boot(mpq::Status status) {
  std::printf("ended %s\n", mpq::to_string(status));
  for (;;) {
  }
}
