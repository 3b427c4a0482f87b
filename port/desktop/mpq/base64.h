// Bytes as text of four letters for three of them (RFC 4648).
#pragma once

#include <string>
#include <string_view>

namespace mpq_tool {

std::string base64(std::string_view bytes);

}  // namespace mpq_tool
