// Details of the last failed call.
#include "microparquet/failure.h"

#include "microparquet/reader.h"

namespace microparquet {

Failure Reader::failure() const {
  Failure failure;
  failure.status = state_.failed_status;
  if (failure.status == Status::kOk) return failure;
  if (state_.failed == detail::kNoPlace) {
    failure.reason = FailureReason::kFooter;
    failure.offset = state_.footer.position();
    return failure;
  }
  const detail::ColumnCursor& column = state_.columns[state_.failed];
  failure.reason = column.reason;
  failure.number = failure.status == Status::kUnsupported ? column.number : 0;
  failure.column = column.column;
  failure.offset = column.page_rows != 0 ? column.window.position() : column.next_page;
  return failure;
}

}  // namespace microparquet
