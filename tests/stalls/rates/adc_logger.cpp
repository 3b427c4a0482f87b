// Eight channels of 16 bits at 10 kHz. The interrupt comes when half of the DMA's buffer is full; the values are made up.
//
//   adc_logger_500ms SECONDS [calm]
#include "adc_log.h"
#include "log_run.h"

namespace {

using adc::Half;
using adc::kHalfRows;

constexpr std::uint32_t kBusyMs = 150;
constexpr std::uint32_t kDepth =
    microparquet::row_queue_depth(adc::kRowsPerSecond, LOG_PAUSE_MS, kBusyMs) / kHalfRows + 2;
constexpr std::uint32_t kTicksPerSecond = adc::kRowsPerSecond / 8;
constexpr std::uint32_t kTicksPerHalf = kHalfRows / 8;

adc::Logger<kDepth> logger;
Half half;  // that is being filled

// A triangle wave of each channel's own frequency, and noise of five bits.
std::int16_t made_up_value(std::uint32_t row, std::uint32_t channel) {
  const std::uint32_t phase = row * (200 * (channel + 1)) & 0xFFFF;
  const std::uint32_t triangle = phase < 0x8000 ? phase : 0xFFFF - phase;
  const std::uint32_t noise = (row * adc::kChannels + channel) * 2654435761U >> 27;
  return static_cast<std::int16_t>(static_cast<std::int32_t>(triangle / 2 + noise) - 0x2000);
}

[[gnu::noinline]] void made_up_half(std::uint32_t first) {
  half.first = first;
  for (std::uint32_t row = 0; row < kHalfRows; ++row) {
    for (std::uint32_t i = 0; i < adc::kChannels; ++i) half.values[row][i] = made_up_value(first + row, i);
  }
}

[[gnu::noinline]] void take(const Half& full) { logger.push(full); }

void on_tick(std::uint32_t tick) {
  if (!log_run::samples(tick) || (tick + 1) % kTicksPerHalf != 0) return;
  made_up_half(tick / kTicksPerHalf * kHalfRows);
  take(half);
}

}  // namespace

int main() { return log_run::run("adc_logger", logger, kTicksPerSecond, &on_tick); }
