// Rows that a Writer has no form for, merged item by item.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "item_file.h"
#include "merge_input.h"
#include "thrift_dom/footer_parts.h"

namespace mpq_tool {

// A file of rows with lists, structs, or types that are only read. Its schema is that of the first file, to the last word, and all
// files have to have it. It has its name when it is finished, and leaves nothing when it is not.
class MergedItems {
 public:
  // Throws Failure: the output cannot be written, or the file has no schema to copy.
  MergedItems(std::string path, const MergeInput& first);
  MergedItems(const MergedItems&) = delete;
  MergedItems& operator=(const MergedItems&) = delete;
  ~MergedItems();

  // Adds the rows of a file. False: it cannot be read. Throws Failure: the output cannot be written.
  bool add(const MergeInput& input);
  std::uint32_t row_groups() const { return row_groups_; }
  // Returns its size. Throws Failure.
  std::uint64_t finish(const std::vector<microparquet::recovery::TextPair>& key_values);

 private:
  std::string path_;
  std::string part_path_;
  bool is_part_ = false;
  std::vector<microparquet::recovery::FooterField> fields_;
  std::vector<microparquet::recovery::Leaf> leaves_;
  std::unique_ptr<ItemRows> rows_;
  std::unique_ptr<ItemFile> out_;
  std::uint32_t row_groups_ = 0;
};

}  // namespace mpq_tool
