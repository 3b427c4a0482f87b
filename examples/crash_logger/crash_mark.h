// The rows of the log, and the queue in RAM that survives a reset, into which a fault handler puts the mark of a crash.
#pragma once

#include <cstdint>
#include <optional>

#include "microparquet/retained_queue.h"
#include "microparquet/typed.h"

// A sample; or the mark of a crash, which has no light.
struct Row {
  std::int64_t time_us;
  std::optional<float> light;
  std::optional<microparquet::Text<12>> crash;  // what ended the boot
  std::optional<std::uint32_t> pc;              // where: arm-none-eabi-addr2line -fe crash_logger.elf 0x...
  std::optional<std::uint32_t> lr;              // and who called that
  std::optional<microparquet::Text<8>> task;
};

inline constexpr auto kSchema = microparquet::schema(
    microparquet::timestamp_us_column("time", &Row::time_us), microparquet::column("light", &Row::light),
    microparquet::column("crash", &Row::crash), microparquet::column("pc", &Row::pc),
    microparquet::column("lr", &Row::lr), microparquet::column("task", &Row::task));

using Queue = microparquet::RetainedQueue<Row, 63, microparquet::retained_layout(kSchema.fields)>;

// What start-up code leaves as it is.
extern Queue queue;
extern std::uint32_t clock_ms;  // stands for a clock that runs on in a reset

// The running task's name; FreeRTOS has it in pcTaskGetName(nullptr).
extern const char* running_task;

// Starts the watchdog. A program that does not feed it for two seconds leaves a mark and is reset.
void start_watchdog();
void feed_watchdog();
