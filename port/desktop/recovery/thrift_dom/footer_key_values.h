// The key-values among the fields of a footer.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "thrift_dom/footer_parts.h"

namespace microparquet::recovery {

using TextPair = std::pair<std::string, std::string>;

// In the footer's order; of what is malformed none.
std::vector<TextPair> key_values_of(const std::vector<FooterField>& fields);

// That they take in the footer; key_values_of() takes many times as much memory.
std::size_t key_value_bytes(const std::vector<FooterField>& fields);

// Replaces all of them.
void set_key_values(std::vector<FooterField>& fields, const std::vector<TextPair>& pairs);

}  // namespace microparquet::recovery
