// The key-values among the fields of a footer.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "format/footer.h"

namespace microparquet::recovery {

using TextPair = std::pair<std::string, std::string>;

// In the footer's order; of what is malformed none.
std::vector<TextPair> key_values_of(const std::vector<FooterField>& fields);

// Replaces all of them.
void set_key_values(std::vector<FooterField>& fields, const std::vector<TextPair>& pairs);

}  // namespace microparquet::recovery
