// The logger of the model, as a firmware has it: an interrupt samples into a queue, the program writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "cases.h"
#include "clock.h"
#include "imu8_log.h"
#include "microparquet/dropped_rows.h"
#include "microparquet/file.h"
#include "microparquet/status.h"
#include "sampling.h"

namespace stalls {

struct Outcome {
  microparquet::Status status;
  std::uint32_t samples;
  std::uint32_t dropped;
  std::uint32_t most_pending;
};

inline microparquet::StaticWriter<microparquet::bench::kImu8Schema, kOptions> writer;

// Looks at the queue when it is longest: each row is still in it when it is appended.
template <typename Queue>
class WatchedWriter {
 public:
  explicit WatchedWriter(const Queue& queue) : queue_(queue) {}

  microparquet::Status append(const microparquet::bench::Imu8Row& row) {
    const microparquet::Status status = writer.append(row);
    if (queue_.pending() > most_pending) most_pending = queue_.pending();
    return status;
  }

  std::uint32_t most_pending = 0;

 private:
  const Queue& queue_;
};

template <std::uint32_t kDepth>
Outcome log(QueuedSampling<kDepth>& sampling, std::uint32_t period_ms, microparquet::File& file, Clock& clock,
            std::uint32_t end_ms) {
  using microparquet::Status;
  auto& queue = sampling.queue;
  WatchedWriter watched(queue);
  microparquet::DroppedRows dropped;
  Status status = writer.open(file);
  if (status == Status::kOk) status = dropped.begin(writer, 0);
  clock.drive(&sampling, period_ms);
  while (status == Status::kOk && clock.now_ms() < end_ms) {
    status = queue.drain(watched);
    if (status == Status::kOk) status = dropped.update(writer, queue.dropped());
    if (status == Status::kOk) status = writer.tick(clock.now_ms());
    if (queue.pending() == 0) clock.wait(1);
  }
  clock.drive(nullptr, period_ms);
  if (status == Status::kOk) status = queue.drain(watched);
  if (status == Status::kOk) status = dropped.close(writer, queue.dropped());
  return {status, sampling.samples, queue.dropped(), watched.most_pending};
}

constexpr std::uint32_t most_depth() {
  std::uint32_t most = 0;
  for (const Case& each : kCases) most = each.depth > most ? each.depth : most;
  return most;
}

// One queue at a time.
alignas(QueuedSampling<most_depth()>) inline std::byte
    sampling_memory[sizeof(QueuedSampling<most_depth()>)] = {};

template <std::size_t kIndex>
Outcome log_case(microparquet::File& file, Clock& clock, std::uint32_t end_ms) {
  constexpr Case kCase = kCases[kIndex];
  const std::uint32_t samples = (end_ms - clock.now_ms()) / 1000 * kCase.rows_per_second;
  auto& sampling = *new (sampling_memory) QueuedSampling<kCase.depth>(samples);
  return log(sampling, 1000 / kCase.rows_per_second, file, clock, end_ms);
}

using LogCase = Outcome (*)(microparquet::File&, Clock&, std::uint32_t);

template <std::size_t... kIndices>
constexpr std::array<LogCase, sizeof...(kIndices)> list_cases(std::index_sequence<kIndices...> /*indices*/) {
  return {&log_case<kIndices>...};
}

// Functions that log into an empty file until the clock shows a time, one for each case.
inline constexpr auto kLogCases = list_cases(std::make_index_sequence<kCases.size()>{});

}  // namespace stalls
