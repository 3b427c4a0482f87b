// The key-values of a file that was merged of others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "merge_input.h"
#include "merged_columns.h"
#include "thrift_dom/footer_parts.h"

namespace mpq_tool {

// Says of which files it was made, how many rows each has, and the key-values in which they differ.
inline constexpr char kMergedKey[] = "microparquet.merge";

struct MergedKeyValues {
  std::vector<microparquet::recovery::TextPair> pairs;
  std::vector<std::string> different;  // keys in which files differ
};

// A key-value stays if all files have it alike; units, scales and offsets if all do that have the column, unless values are in
// their unit already; counts of rows that are lost are added up. All others stand under kMergedKey, a file each.
// `columns` null: they stay as they are. `rows` are those of each file.
MergedKeyValues merged_key_values(const std::vector<MergeInput>& inputs,
                                  const std::vector<std::uint64_t>& rows, const MergedColumns* columns);

}  // namespace mpq_tool
