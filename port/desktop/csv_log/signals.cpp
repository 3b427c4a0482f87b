#include "signals.h"

#include "microparquet/desktop/program.h"
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

void end_input_on_signals() {
  microparquet::desktop::note_stop_signals();
  microparquet::desktop::ignore_closed_pipes();
  microparquet::desktop::ignore_file_limit();
}

int interrupted() { return microparquet::desktop::stop_signal; }

std::string interruption() { return microparquet::desktop::interruption(); }

}  // namespace csv_log
