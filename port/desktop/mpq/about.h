// Where a file is from, in a line.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace mpq_tool {

// Of its key-values: "device 6A1B0042, firmware 1.0.0, session 00000001, split 00000002"; what they do not say is left out.
std::string about_text(const std::vector<std::pair<std::string, std::string>>& key_values);

}  // namespace mpq_tool
