// What the person may have to decide, as command lines to paste.
#pragma once

#include <string>
#include <vector>

#include "csv_settings.h"
#include "table_plan.h"

namespace csv_log {

// One for each possible answer, with all options at once; none: there is nothing to decide. `overwrite`: OUT is there now.
std::vector<std::string> command_lines(const TablePlan& plan, const Layout& layout, const Settings& settings,
                                       bool overwrite);

// One with the options that `settings` have, and no others.
std::string command_line(const Settings& settings, bool overwrite);

}  // namespace csv_log
