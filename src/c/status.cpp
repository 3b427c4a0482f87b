#include "microparquet/c/status.h"

#include "microparquet/status.h"

using microparquet::Status;

static_assert(MPQ_OK == static_cast<int>(Status::kOk) && MPQ_IO_ERROR == static_cast<int>(Status::kIoError) &&
                  MPQ_UNSUPPORTED == static_cast<int>(Status::kUnsupported),
              "the numbers of Status");

const char* mpq_status_text(mpq_status status) { return to_string(static_cast<Status>(status)); }
