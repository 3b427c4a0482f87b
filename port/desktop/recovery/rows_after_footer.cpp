#include "rows_after_footer.h"

#include "history.h"
#include "stream_save.h"
#include "traces.h"
#include "view.h"

namespace microparquet::recovery {

std::optional<RowsAfterFooter> rows_after_footer(File& file) {
  const auto trace = last_footer(file);
  if (!trace) {
    return std::nullopt;
  }
  Traces traces;
  traces.footers.push_back(*trace);
  const auto history = read_saved_history(file, traces, *trace);
  return history
             ? std::optional(RowsAfterFooter{history->rows() - history->footer.rows, history->rows_saved()})
             : std::nullopt;
}

}  // namespace microparquet::recovery
