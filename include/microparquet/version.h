// The version of the library.
#pragma once

namespace microparquet {

// As semver.org has it: programs may have to change with the first number and, as long as that is 0, with the
// second.
inline constexpr int kVersionMajor = 0;  // the first
inline constexpr int kVersionMinor = 2;  // the second
inline constexpr int kVersionPatch = 0;  // the third

// FileMetaData.created_by of every file, in the form "application version x.y.z (build ...)" that
// parquet-java parses before it believes statistics of binary columns.
inline constexpr char kCreatedBy[] = "microparquet version 0.2.0 (build release)";

}  // namespace microparquet
