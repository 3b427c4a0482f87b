// Why recovery or checking cannot continue.
#pragma once

#include "microparquet/desktop/failure.h"

namespace microparquet::recovery {

using desktop::Failure;

}  // namespace microparquet::recovery
