// Leaves the function with any status but kOk. This and MICROPARQUET_VECTORIZED are the macros of src.
#pragma once

#include "microparquet/status.h"

#define MICROPARQUET_TRY(expression)                                  \
  do {                                                                \
    const ::microparquet::Status try_status = (expression);           \
    if (try_status != ::microparquet::Status::kOk) return try_status; \
  } while (false)
