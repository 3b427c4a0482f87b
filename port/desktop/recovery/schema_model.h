// Facts from a file of the same columns about a file that has lost its footer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "column_file.h"
#include "microparquet/reader.h"
#include "open_file.h"
#include "thrift_dom/footer_parts.h"
#include "thrift_dom/thrift_value.h"
#include "view.h"

namespace microparquet::recovery {

// The size at which a writer ends the pages of one column; rows of lists are not counted.
struct PageHabit {
  std::uint64_t full_rows =
      0;  // of each page that another one of its chunk follows; 0: there is none, or they differ
  std::uint64_t alone_rows =
      0;  // the most in a page that is alone in its chunk; 0: there is none, or there are others
};

struct PageHabits {
  std::vector<PageHabit> columns;  // empty: nothing is known
  std::uint64_t group_rows = 0;    // rows of all row groups but the last; 0: there is one, or they differ
  std::uint64_t most_group_rows = 0;
  // A page that another one of its chunk follows has as many bytes in PLAIN, or as many rows; 0: not known.
  std::uint64_t page_bytes = 0;
  std::uint64_t page_rows = 0;
};

// The habits of a file that `open` has opened, at its first row group. Goes through its row groups.
PageHabits learn_page_habits(File& file, Reader& reader);

// A column as the file with the same columns has it.
struct ColumnModel {
  std::string name;  // name with the groups it lies in, joined by dots
  SchemaElement element;
  std::uint32_t node;             // its place among the schema's elements
  std::vector<LeafGroup> groups;  // groups that it lies in
  CodecId codec;
  std::uint64_t bytes;   // bytes of a chunk
  std::uint64_t values;  // values of that chunk
};

// The innermost group that both lie in; null: they are in different fields.
const LeafGroup* common_group(const ColumnModel& a, const ColumnModel& b);

// Whether a null of `column` can be said where `group` around it is there; null: where the row is. The next of what is in it
// that need not be there may not be a list, which would be empty.
bool can_be_null_in(const ColumnModel& column, const LeafGroup* group);

struct SchemaModel {
  std::vector<FooterField> fields;
  std::vector<ColumnModel> columns;
  ThriftValue row_group;  // row group to be filled in
  PageHabits habits;
  bool own = false;  // a writer of ours, which writes over older bytes
};

// Reads a file that has rows. Throws Failure, with its name, when it has none, or is no whole Parquet file.
SchemaModel read_schema_model(File& file, const std::string& name);

}  // namespace microparquet::recovery
