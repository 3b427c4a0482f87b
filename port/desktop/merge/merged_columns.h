// The columns of all files that are merged, and how each file's become them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "merge_input.h"
#include "microparquet/file_metadata.h"
#include "value_conversion.h"

namespace mpq_tool {

struct MergedColumn {
  std::string name;
  microparquet::SchemaElement element;
  bool optional = false;                        // a file has nulls, or has no such column
  std::optional<microparquet::TimeUnit> dates;  // counts become timestamps of this unit
  bool physical = false;                        // numbers are in the unit that the key-values say
  bool changes = false;                         // some file has another type
};

// A column of a file on its way.
struct ColumnSource {
  std::size_t number = 0;  // among the file's columns
  Conversion conversion;   // empty: values stay as they are
};

// Throws WrongRequest: scales or offsets of a column differ, whose values then do not mean the same. `physical`: numbers are
// converted to their unit.
void check_scales(const std::vector<MergeInput>& inputs, bool physical);

class MergedColumns {
 public:
  // What a column of a file is called; empty: it is left out.
  using NameOf = std::function<std::string(const std::string& name)>;

  // Columns in the order in which the files have them. Requires: all are flat, and no file has two of one new name.
  MergedColumns(const std::vector<MergeInput>& inputs, bool physical, NameOf name_of = {});

  const std::vector<MergedColumn>& all() const { return columns_; }
  // The column of this name; null: there is none.
  const MergedColumn* find(std::string_view name) const;
  // The source of each column in a file; none: it has no such column.
  std::vector<std::optional<ColumnSource>> sources_in(const MergeInput& input) const;
  // Whether all files have the same columns, which stay as they are.
  bool stay() const;
  // Sentences on what becomes of types, and why times stay counts, for people.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void find_dates(const std::vector<MergeInput>& inputs);
  void note_types(const MergedColumn& column);
  void add(const MergeInput& input, const Column& column);
  bool converts(const MergeInput& input, const Column& column) const;
  microparquet::SchemaElement shown(const MergeInput& input, const Column& column) const;

  std::string new_name(const std::string& name) const { return name_of_ ? name_of_(name) : name; }

  bool physical_;
  NameOf name_of_;
  std::vector<MergedColumn> columns_;
  std::map<std::string, std::size_t, std::less<>> places_;
  std::map<std::string, microparquet::TimeUnit, std::less<>> dates_;
  std::set<std::string, std::less<>> in_units_;            // columns that --physical converts in some file
  std::map<std::string, std::size_t> files_;               // number of files that have a column
  std::map<std::string, std::vector<std::string>> types_;  // types that each column has in files
  std::vector<std::string> notes_;
};

}  // namespace mpq_tool
