// Names of lists in files of older writers: the rules of LogicalTypes.md.
#pragma once

#include <string_view>

namespace microparquet::read {

// Returns whether the repeated group in `list` has a name that older writers give it if it is the element
// itself.
inline bool is_named_as_element(std::string_view name, std::string_view list) {
  constexpr std::string_view kSuffix = "_tuple";
  if (name == "array") return true;
  if (name.size() != list.size() + kSuffix.size()) return false;
  return std::string_view(name.data(), list.size()) == list &&
         std::string_view(name.data() + list.size(), kSuffix.size()) == kSuffix;
}

}  // namespace microparquet::read
