// Recognises the logs in a folder by their names.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>

namespace microparquet::desktop {

// Whether a file is called *.parquet, or *.PQT as on volumes of short names, in letters of any size.
inline bool is_log_name(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension == ".parquet" || extension == ".pqt";
}

}  // namespace microparquet::desktop
