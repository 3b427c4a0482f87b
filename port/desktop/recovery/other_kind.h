// Files that people take for logs.
#pragma once

#include <string>

#include "microparquet/file.h"

namespace microparquet::recovery {

// What the file is instead of Parquet, as the end of a sentence that begins with its name: empty, compressed, a web page, a
// pointer of Git LFS, zeros. Empty: it is none of these.
std::string why_another_kind(File& file);

}  // namespace microparquet::recovery
