// Names as FAT and exFAT keep them, in UTF-16.
#pragma once

#include <string>

namespace microparquet::recovery {

// Two halves of a pair are one character. A half alone stays what it is.
std::string utf8_of(const std::u16string& name);

}  // namespace microparquet::recovery
