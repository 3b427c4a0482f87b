// Version of the library.
#pragma once

namespace microparquet {

// Version numbers by the rules of semver.org: programs may have to change with the first number and, as long
// as that is 0, with the second.
inline constexpr int kVersionMajor = 0;  // the first
inline constexpr int kVersionMinor = 2;  // the second
inline constexpr int kVersionPatch = 0;  // the third

// The three numbers; with "-dev" after them where it is no release, but what comes before it.
inline constexpr char kVersion[] = "0.2.0";

// FileMetaData.created_by of every file, in the form "application version x.y.z (build ...)" that
// parquet-java parses before it trusts statistics of binary columns; build d for 1 where it is no
// release, which tells files of a checkout from those of a release. Files of version 0.1.0 have "release"
// for "1", and six bytes less in the header of their footers' extension: the bytes after a footer's entries
// must keep their length, or resume() finds no key-values in files of other versions.
inline constexpr char kCreatedBy[] = "microparquet version 0.2.0 (build 1)";

}  // namespace microparquet
