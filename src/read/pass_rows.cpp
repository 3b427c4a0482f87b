#include "read/pass_rows.h"

#include "base/try.h"
#include "microparquet/decoder.h"
#include "read/row_run.h"

namespace microparquet::read {

Status pass_rows(detail::ColumnCursor& column, std::uint64_t rows) {
  constexpr std::uint32_t kMaxRows = 0x40000000;
  while (rows != 0) {
    RowRun run;
    MICROPARQUET_TRY(peek_run(column, rows < kMaxRows ? static_cast<std::uint32_t>(rows) : kMaxRows, run));
    if (!run.null) {
      MICROPARQUET_TRY(column.decoder->skip(PageInput(column)));
      run.rows = 1;
    }
    pass_run(column, run.rows);
    rows -= run.rows;
  }
  return Status::kOk;
}

}  // namespace microparquet::read
