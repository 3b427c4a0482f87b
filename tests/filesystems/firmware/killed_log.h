// What a logger that is killed does, whatever its file lies on: it continues a log and says how many rows of this boot are
// durable.
#pragma once

#include <cstdint>
#include <string_view>

#include "microparquet/port/semihosting.h"
#include "microparquet/port/semihosting_console.h"
#include "support/boot.h"

namespace filesystems {

class KilledLog {
 public:
  // The number of the boot is the last word of the command line.
  KilledLog() : boot_(boot_number()) {}

  void report(std::string_view what, std::uint64_t number) { console_.print(what).print(number).print("\n"); }
  void print(std::string_view text) { console_.print(text); }

  // Logs to the end, if nobody kills it.
  microparquet::Status log(microparquet::File& file) {
    using microparquet::Status;
    Status status = boot_.resume(file);
    for (std::uint32_t i = 1; i <= kRows && status == Status::kOk; ++i) {
      status = boot_.append();
      if (status == Status::kOk && i % kCheckpointRows == 0) {
        status = boot_.writer().checkpoint();
        report("durable ", boot_.durable());
      }
    }
    return status == Status::kOk ? boot_.writer().close() : status;
  }

  void report_closed() { report("closed ", boot_.offered()); }

 private:
  static constexpr std::uint32_t kRows = 60'000;
  static constexpr std::uint32_t kCheckpointRows = 300;

  static std::uint32_t boot_number() {
    char text[80];
    std::uint32_t number = 0;
    for (const char c : microparquet::semihosting::command_line(microparquet::Span<char>(text))) {
      number = c == ' ' ? 0 : number * 10 + static_cast<std::uint32_t>(c - '0');
    }
    return number;
  }

  microparquet::semihosting::Console console_;
  Boot<Imu> boot_;
};

}  // namespace filesystems
