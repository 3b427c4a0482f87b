// Sends the readings of an inertial sensor through a serial port, as a Parquet file that the receiver stores
// as it comes: a device without a card, next to a computer.
//
// Needs: a board whose UART is wired to the receiver, which runs `cat /dev/ttyUSB0 >log.parquet` or the like
// with the line set to raw. In the project's build the board is QEMU's mps2-an386, and its -serial file:NAME
// the receiver; the sensor is a recording, examples/data/walk.csv, read through semihosting.
//
//   export MICROPARQUET_QEMU_SERIAL=file:log.parquet
//   toolchains/qemu/run mps2-an386 build/cortex-m4f/bin/uart_logger.elf examples/data/walk.csv
//
// The file is whole when the recording ends. When the device is switched off before, or the cable pulled,
// `mpq recover log.parquet` adds the footer that is missing.
#include "microparquet/port/semihosting.h"
#include "microparquet/port/semihosting_file.h"
#include "microparquet/port/uart_file.h"
#include "microparquet/static_writer.h"
#include "recording.h"
#include "sample.h"
#include "uart.h"

namespace mpq = microparquet;
namespace semihosting = microparquet::semihosting;

namespace {

// A row group is sent when its memory is full: a cut costs the rows of the one on its way, 166, and those
// that came since. Nothing is read back from a line, so the writer remembers what it has sent, for the last
// footer.
constexpr mpq::Options options() {
  mpq::Options options;
  options.layout = &mpq::kForward;
  options.page_bytes = 256;
  options.row_group_bytes = 8 << 10;
  options.max_row_groups_in_memory = 32;
  return options;
}
constexpr mpq::Options kOptions = options();

mpq::StaticWriter<kSampleSchema, kOptions> writer;
mpq::SemihostingFile input;
Uart uart;
mpq::UartFile file(uart);

int fail(const char* what) {
  semihosting::print_error("uart_logger: ");
  semihosting::print_error(what);
  semihosting::print_error("\n");
  return 1;
}

mpq::Status replay() {
  Recording recording(input);
  Sample sample = {};
  while (recording.next(sample) == Recording::Result::kSample) {
    if (const mpq::Status status = writer.append(sample); status != mpq::Status::kOk) return status;
  }
  return mpq::Status::kOk;
}

}  // namespace

int main() {
  char text[512];
  const std::string_view line = semihosting::command_line(mpq::Span<char>(text));
  const std::size_t space = line.rfind(' ');
  if (space == line.npos || input.open_for_reading(line.data() + space + 1) != mpq::Status::kOk)
    return fail("the recording cannot be opened");
  uart.start();
  mpq::Status status = writer.open(file);
  if (status == mpq::Status::kOk) status = replay();
  const mpq::Status closed = writer.close();  // also where no more row groups fit: the file is whole
  if (status == mpq::Status::kOk) status = closed;
  return status == mpq::Status::kOk ? 0 : fail(to_string(status));
}
