#include "signals.h"

#include <csignal>
#include <string>

#include "microparquet/text/printed_text.h"

namespace csv_log {

void Acknowledgement::say(std::uint64_t rows) {
  rows += before_;
  if (!wanted_ || rows <= said_) {
    return;
  }
  said_ = rows;
  microparquet::text::print_line(microparquet::text::To::kOutput, "durable " + std::to_string(rows));
  microparquet::text::flush(microparquet::text::To::kOutput);
}

namespace {

volatile std::sig_atomic_t signal_that_came = 0;

void on_signal(int signal) { signal_that_came = signal; }

}  // namespace

void end_input_on_signals() {
  struct sigaction action = {};
  action.sa_handler = &on_signal;  // without SA_RESTART: a read that waits for input returns
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);  // writing answers with an error instead
  std::signal(SIGXFSZ, SIG_IGN);
}

int interrupted() { return signal_that_came; }

std::string interruption() {
  return std::string("interrupted by ") + (signal_that_came == SIGINT ? "SIGINT" : "SIGTERM");
}

}  // namespace csv_log
