// The footer at the end of a file that is whole.
#pragma once

#include <cstdint>
#include <vector>

#include "microparquet/file.h"
#include "thrift_dom/footer_parts.h"

namespace microparquet::recovery {

// Reads the footer of a file, taken apart, and where it begins. kCorrupt: there is none.
Status read_footer(File& file, Footer& footer, std::uint64_t& begin);

// FileMetaData as it stands at the end of a file. Throws Failure when it cannot be read.
Bytes footer_text(File& file);

// Gives a file these key-values instead of those that it has, and says how long it is then. kCorrupt: its footer does not come
// back.
Status replace_key_values(File& file, const std::vector<TextPair>& key_values, std::uint64_t& bytes);

}  // namespace microparquet::recovery
