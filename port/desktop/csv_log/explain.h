// How the first lines of an input are read, and why, for a person.
#pragma once

#include <string_view>
#include <vector>

#include "csv_settings.h"
#include "layout.h"
#include "table_plan.h"

namespace csv_log {

// Prints it on standard output. `lines`: those that were looked at.
void explain(const std::vector<std::string_view>& lines, const Layout& layout, const TablePlan& plan,
             const Settings& settings);

}  // namespace csv_log
