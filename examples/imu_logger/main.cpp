// Logs the readings of an inertial sensor to a Parquet file, on a Cortex-M4F.
//
// Needs: a board with a debugger or emulator attached, whose semihosting gives it the files of a host; in the
// project's build that is QEMU's mps2-an386 (toolchains/qemu/run). The sensor is a recording,
// examples/data/walk.csv; a product reads its sensor in place of Recording, and logs to its card's File in
// place of SemihostingFile.
//
//   imu_logger IN.csv OUT.parquet
#include "arguments.h"
#include "message.h"
#include "microparquet/port/semihosting.h"
#include "microparquet/port/semihosting_console.h"
#include "microparquet/port/semihosting_file.h"
#include "microparquet/static_writer.h"
#include "recording.h"
#include "sample.h"

namespace mpq = microparquet;
namespace semihosting = microparquet::semihosting;

namespace {

// Semihosting cannot shorten a file: what a row group has reserved and not used stays in it.
constexpr mpq::Options options() {
  mpq::Options options;
  options.row_group_bytes = 16 << 10;
  return options;
}
constexpr mpq::Options kOptions = options();

// All the memory of the log. Static, so that the linker counts it, and places it in .bss.
mpq::StaticWriter<kSampleSchema, kOptions> writer;
mpq::SemihostingFile input;
mpq::SemihostingFile output;

int fail(const char* path, std::string_view what) {
  Message message;
  message.add("imu_logger: ").add(path).add(": ").add(what).add("\n");
  semihosting::print_error(message.text());
  return 1;
}

int fail(const char* path, mpq::Status status) { return fail(path, mpq::to_string(status)); }

// Closes what can be closed, so that the file is complete up to its last row.
int stop(const char* path, std::string_view why) {
  // A log that cannot say why it ends is still a log.
  static_cast<void>(writer.set_key_value("microparquet.stopped", why));
  if (const mpq::Status status = writer.close(); status != mpq::Status::kOk) {
    static_cast<void>(fail(path, status));
  }
  static_cast<void>(output.close());
  return 1;
}

// Replays the recording into the open writer.
int replay(const char* in, const char* out) {
  Recording recording(input);
  Sample sample = {};
  for (;;) {
    switch (recording.next(sample)) {
      case Recording::Result::kSample: break;
      case Recording::Result::kEnd: return 0;
      case Recording::Result::kBadLine: {
        Message why;
        why.add("line ").add(recording.line()).add(" ").add(recording.problem());
        static_cast<void>(fail(in, why.text()));
        return stop(out, why.text());
      }
      case Recording::Result::kReadError:
        static_cast<void>(fail(in, "cannot be read"));
        return stop(out, "the recording could not be read");
    }
    if (const mpq::Status status = writer.append(sample); status != mpq::Status::kOk) {
      static_cast<void>(fail(out, status));
      return stop(out, mpq::to_string(status));
    }
  }
}

int log(const char* in, const char* out) {
  if (input.open_for_reading(in) != mpq::Status::kOk) {
    return fail(in, "cannot be opened");
  }
  if (output.create(out, mpq::Existing::kOverwrite) != mpq::Status::kOk) {
    return fail(out, "cannot be created");
  }
  if (const mpq::Status status = writer.open(output); status != mpq::Status::kOk) {
    return fail(out, status);
  }
  if (const int code = replay(in, out); code != 0) {
    return code;
  }
  if (const mpq::Status status = writer.close(); status != mpq::Status::kOk) {
    return fail(out, status);
  }
  semihosting::Console console;
  console.print(out).print(": ").print_grouped(writer.rows()).print(" rows, ");
  console.print_grouped(writer.row_groups()).print(" row groups, ");
  console.print_grouped(writer.file_bytes()).print(" bytes; the writer takes ");
  console.print_grouped(sizeof writer).print(" bytes of memory\n");
  return output.close() == mpq::Status::kOk ? 0 : fail(out, "cannot be closed");
}

}  // namespace

int main() {
  char text[512];
  const char* in = nullptr;
  const char* out = nullptr;
  if (!split_arguments(text, in, out)) {
    semihosting::print_error("usage: imu_logger IN.csv OUT.parquet\n");
    return 1;
  }
  return log(in, out);
}
