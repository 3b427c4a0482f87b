#include "acknowledgement.h"

#include <string>

#include "microparquet/text/printed_text.h"

namespace csv_log {

void Acknowledgement::say(std::uint64_t rows) {
  if (!wanted_ || rows <= said_) {
    return;
  }
  said_ = rows;
  microparquet::text::print_line(microparquet::text::To::kOutput, "durable " + std::to_string(rows));
  microparquet::text::flush(microparquet::text::To::kOutput);
}

}  // namespace csv_log
