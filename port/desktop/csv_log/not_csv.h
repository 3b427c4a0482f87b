// Files that are no CSV.
#pragma once

#include <string>
#include <string_view>

namespace csv_log {

// Says what a file that begins with the line `beginning` is, and what to do with it, as a sentence that
// continues after its name `path`, "-" for standard input; empty when it may be CSV.
std::string why_no_csv(std::string_view beginning, const std::string& path);

}  // namespace csv_log
