// The types that the columns were given, for the user to see.
#pragma once

#include <vector>

#include "microparquet/text/printed_text.h"
#include "replay.h"
#include "table_plan.h"

namespace csv_log {

// Prints how many columns there are, and a line for each: its name, its type, why it is text when other cells of it
// are not, by which cell it is known how its dates or numbers are written, and how many of its cells became null. Of many columns those with something to be said of them and the first get a line; the rest are counted by type.
void print_types(microparquet::text::To to, const TablePlan& plan, const std::vector<BadCells>& bad_cells);

}  // namespace csv_log
