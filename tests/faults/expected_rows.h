// Rows written down for programs that know nothing of this one.
#pragma once

#include <string>

#include "workload.h"

namespace faults {

// The first `rows` rows of a workload's life in the file `path`, a line each: values in PLAIN as "x" and
// hexadecimal digits, a null as "-", with spaces between. False: the file cannot be written.
bool write_expected_rows(const std::string& path, const Workload& workload, unsigned life, unsigned rows);

}  // namespace faults
