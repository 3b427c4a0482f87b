// Why the program ends early.
#pragma once

#include "microparquet/desktop/failure.h"

namespace csv_log {

using microparquet::desktop::Failure;

}  // namespace csv_log
