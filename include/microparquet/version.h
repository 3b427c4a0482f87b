// The version of the library.
#pragma once

namespace microparquet {

inline constexpr int kVersionMajor = 0;
inline constexpr int kVersionMinor = 1;
inline constexpr int kVersionPatch = 0;

// FileMetaData.created_by of every file, in the form "application version x.y.z (build ...)" that
// parquet-java parses before it believes statistics of binary columns.
inline constexpr char kCreatedBy[] = "microparquet version 0.1.0 (build release)";

}  // namespace microparquet
