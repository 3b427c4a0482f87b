// Whether the bytes of a file are those of a workload's first rows.
#pragma once

#include <string>

#include "microparquet/span.h"
#include "workload.h"

namespace faults {

// Decodes every value. Empty when the file holds exactly the first `rows` rows, and the key-values and the id it
// was opened with; else what is wrong with it.
std::string check_image(const Workload& workload, mpq::Span<const std::byte> image, unsigned rows);

}  // namespace faults
