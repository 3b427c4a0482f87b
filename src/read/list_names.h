// What names say of lists: by the rules of LogicalTypes.md for files of older writers.
#pragma once

#include <string_view>

namespace microparquet::read {

// Whether the group that repeats in `list` has the name that writers give it who mean it to be the element.
inline bool is_named_as_element(std::string_view name, std::string_view list) {
  constexpr std::string_view kSuffix = "_tuple";
  if (name == "array") return true;
  if (name.size() != list.size() + kSuffix.size()) return false;
  return std::string_view(name.data(), list.size()) == list &&
         std::string_view(name.data() + list.size(), kSuffix.size()) == kSuffix;
}

}  // namespace microparquet::read
