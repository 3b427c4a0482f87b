// Logs a sensor on a Cortex-M4F, crashes twice, and has both crashes in the log, after the rows of the moments before.
//
// Needs: a board with a debugger or emulator attached, whose semihosting gives it crash.parquet of a host; in the
// project's build that is QEMU's mps2-an386 (toolchains/qemu/run). A linker script with a section .noinit that start-up
// code does not fill, as toolchains/qemu/sections.ld. A product logs to its card's File in place of SemihostingFile.
#include "crash_mark.h"
#include "microparquet/port/semihosting.h"
#include "microparquet/port/semihosting_console.h"
#include "microparquet/port/semihosting_file.h"
#include "microparquet/static_writer.h"

namespace mpq = microparquet;

namespace {

// Semihosting cannot shorten a file: what a row group has reserved and not used stays in it.
constexpr mpq::Options options() {
  mpq::Options options;
  options.row_group_bytes = 8 << 10;
  return options;
}
constexpr mpq::Options kOptions = options();

mpq::StaticWriter<kSchema, kOptions> writer;
mpq::SemihostingFile file;

constexpr std::uint32_t kStepMs = 10;
constexpr std::uint32_t kEndMs = 4000;

// A driver with two bugs: once it reads a register that is not there, and once it waits for a flag for ever.
[[gnu::noinline]] float read_light(std::uint32_t at_ms) {
  constexpr std::uint32_t kBadRegisterAt = 1000;
  constexpr std::uint32_t kHangsAt = 2500;
  static volatile bool ready;
  running_task = "sampler";
  if (at_ms == kBadRegisterAt)
    return static_cast<float>(*reinterpret_cast<volatile std::uint32_t*>(0x3000'0000));
  ready = at_ms != kHangsAt;
  while (!ready) {
  }
  running_task = "main";
  return static_cast<float>(at_ms) / 4;
}

mpq::Status log_samples() {
  mpq::Status status = file.open_for_append("crash.parquet");
  if (status == mpq::Status::kOk) status = writer.resume(file);
  mpq::semihosting::Console console;
  console.print("crash_logger: ").print_grouped(writer.rows()).print(" rows in the file, ");
  console.print_grouped(queue.pending()).print(" in the queue\n");
  while (status == mpq::Status::kOk && clock_ms < kEndMs) {
    status = queue.drain(writer);
    if (status == mpq::Status::kOk) status = writer.tick(clock_ms);
    feed_watchdog();
    clock_ms += kStepMs;
    queue.push({std::int64_t{1000} * clock_ms, read_light(clock_ms), {}, {}, {}, {}});
  }
  if (status == mpq::Status::kOk) status = queue.drain(writer);
  if (status == mpq::Status::kOk) status = writer.close();
  queue.settle(writer);
  return status == mpq::Status::kOk ? file.close() : status;
}

}  // namespace

int main() {
  if (queue.begin() != mpq::Status::kOk) clock_ms = 0;  // the power was off
  start_watchdog();
  const mpq::Status status = log_samples();
  if (status == mpq::Status::kOk) return 0;
  mpq::semihosting::print_error("crash_logger: ");
  mpq::semihosting::print_error(mpq::to_string(status));
  mpq::semihosting::print_error("\n");
  return 1;
}
