// Logs a sensor on a Cortex-M4F until its supply fails, and loses no row: a pin tells some milliseconds before, and the rows in
// memory are saved while a capacitor holds the voltage.
//
// Needs: a board with a debugger or emulator attached, whose semihosting gives it power_fail.parquet of a host; in the project's
// build that is QEMU's mps2-an386 (toolchains/qemu/run). There SysTick plays the pin, and the program ends where the voltage would.
// With `close` as an argument the supply lasts. A product has a comparator, or its processor's detector (PVD of an STM32), and logs
// to its card's File in place of SemihostingFile.
#include "command_line.h"
#include "microparquet/durability.h"
#include "microparquet/port/semihosting.h"
#include "microparquet/port/semihosting_console.h"
#include "microparquet/port/semihosting_file.h"
#include "microparquet/static_writer.h"

namespace mpq = microparquet;

namespace {

struct Sample {
  std::int64_t time_us;
  float volts;
  float amperes;
};

constexpr auto kSchema =
    mpq::schema(mpq::timestamp_us_column("time", &Sample::time_us), mpq::column("volts", &Sample::volts),
                mpq::column("amperes", &Sample::amperes));

// Footers every ten minutes, for readers; no save before the supply fails. Without tick()'s checkpoint at the begin of a row
// group the first save of it would be one, which writes a footer, too.
constexpr mpq::Options options() {
  mpq::Options options;
  options.layout = &mpq::kInPlaceSaving;
  options.row_group_bytes = 32 << 10;
  options.checkpoint_ms = 600'000;
  options.max_loss_ms = 600'000;
  return options;
}
constexpr mpq::Options kOptions = options();

// How long the supply must last, and with which capacitor it does: C = I t / U.
constexpr std::uint32_t kRowGroups = 1000;           // that the file may have
constexpr std::uint32_t kMicrosecondsASector = 300;  // SPI at 20 MHz
constexpr std::uint32_t kPauseMs = 250;              // of a card, by the SD specification
constexpr std::uint32_t kMilliamperes = 50;
constexpr std::uint32_t kMillivolts = 1000;  // by which the voltage may fall
constexpr std::uint32_t kSectors =
    mpq::max_checkpoint_sectors(kSchema.fields, kOptions, kRowGroups) +  // the call in progress
    mpq::max_save_sectors(kSchema.fields, kOptions);
constexpr std::uint32_t kHoldMs = kPauseMs + kSectors * kMicrosecondsASector / 1000 + 1;
constexpr std::uint32_t kMicrofarads = kMilliamperes * kHoldMs * 1000 / kMillivolts;

mpq::StaticWriter<kSchema, kOptions> writer;
mpq::SemihostingFile file;

// What the pin's interrupt leaves for the loop: it calls nothing of the writer itself, which may be in a call.
volatile bool supply_fails = false;

volatile std::uint32_t& system_register(std::uint32_t address) {
  return *reinterpret_cast<volatile std::uint32_t*>(address);
}

void start_supply() {
  constexpr std::uint32_t kTicks = 1'300'000;
  system_register(0xE000E014) = kTicks - 1;  // SysTick: reload, value, control
  system_register(0xE000E018) = 0;
  system_register(0xE000E010) = 7;
}

mpq::Status log_samples(bool closes) {
  constexpr std::uint32_t kStepMs = 10;
  constexpr std::uint32_t kRows = 500;  // of a boot that lasts
  const auto first = static_cast<std::uint32_t>(writer.rows());
  for (std::uint32_t row = first; !closes || row != first + kRows; ++row) {
    const std::uint32_t ms = row * kStepMs;
    mpq::Status status = writer.append({std::int64_t{1000} * ms, 3.3F, static_cast<float>(row % 100) / 1000});
    if (status == mpq::Status::kOk && supply_fails) return writer.save();
    if (status == mpq::Status::kOk) status = writer.tick(ms);
    if (status != mpq::Status::kOk) return status;
  }
  return writer.close();
}

mpq::Status log_a_boot(bool closes) {
  mpq::Status status = file.open_for_append("power_fail.parquet");
  if (status == mpq::Status::kOk) status = writer.resume(file);
  if (status != mpq::Status::kOk) return status;
  mpq::semihosting::Console console;
  console.print("power_fail: ")
      .print_grouped(kSectors)
      .print(" sectors, ")
      .print_grouped(kMicrofarads)
      .print(" uF; ");
  console.print_grouped(writer.rows()).print(" rows in the file\n");
  if (!closes) start_supply();
  status = log_samples(closes);
  console.print("power_fail: ").print_grouped(writer.rows()).print(" rows, ");
  console.print_grouped(writer.durable_rows()).print(" of them in the last footer, ");
  console.print_grouped(writer.safe_rows()).print(" safe\n");
  return status;
}

}  // namespace

extern "C" void SysTick_Handler() { supply_fails = true; }

int main() {
  CommandLine words;
  const mpq::Status status = log_a_boot(words.word() == "close");
  if (status == mpq::Status::kOk) return 0;
  mpq::semihosting::print_error("power_fail: ");
  mpq::semihosting::print_error(mpq::to_string(status));
  mpq::semihosting::print_error("\n");
  return 1;
}
