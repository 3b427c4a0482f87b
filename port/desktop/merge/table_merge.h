// The rows of flat columns of many files, in a new one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "merge_input.h"
#include "merged_columns.h"
#include "merged_file.h"
#include "thrift_dom/footer_parts.h"

namespace mpq_tool {

// A file that turned out to be damaged when its rows were read.
class DamagedInput : public std::exception {
 public:
  DamagedInput(std::size_t number, std::string what) : number_(number), what_(std::move(what)) {}

  // The file's place among the inputs.
  std::size_t number() const { return number_; }
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  std::size_t number_;
  std::string what_;
};

// A column of texts before the others, one text for each file.
struct ConstantColumn {
  std::string name;
  std::vector<std::string> texts;  // of the inputs; empty: null
};

struct TableMergeResult {
  std::vector<std::uint64_t> rows;  // of the inputs
  std::uint32_t row_groups = 0;
  std::uint64_t bytes = 0;
};

class TableMerge {
 public:
  // Called with the rows that are written; what it throws ends the merge.
  using Progress = std::function<void(std::uint64_t rows)>;
  // The key-values of a file with these rows of the inputs, before it gets its name.
  using KeyValues =
      std::function<std::vector<microparquet::recovery::TextPair>(const std::vector<std::uint64_t>& rows)>;

  // All must stay. Requires: each input has a say in `columns`.
  TableMerge(const MergedColumns& columns, const std::vector<MergeInput>& inputs,
             const std::vector<ConstantColumn>& constants);

  // Throws DamagedInput, and Failure: the output cannot be written, or a value is none of its column's type. There is no output
  // then.
  TableMergeResult write(const std::string& output, const Progress& progress,
                         const KeyValues& key_values) const;

 private:
  TableMergeResult write(const std::string& output, const std::vector<std::size_t>& longest,
                         const Progress& progress, const KeyValues& key_values) const;
  std::uint64_t copy(std::size_t input, MergedFile& out,
                     const std::function<void(std::uint64_t)>& progress) const;

  const MergedColumns& columns_;
  const std::vector<MergeInput>& inputs_;
  const std::vector<ConstantColumn>& constants_;
  std::vector<MergedColumn> written_;  // constants, and the columns
};

}  // namespace mpq_tool
