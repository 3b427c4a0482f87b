// Reading RowGroup (parquet.thrift) from any writer.
#pragma once

#include <cstddef>
#include <cstdint>

#include "format/field_bit.h"
#include "microparquet/detail/format/fields.h"
#include "microparquet/options.h"
#include "microparquet/span.h"
#include "thrift/compact_reader.h"

namespace microparquet::format {

struct RowGroup {
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
};

// Reads the next row group. `read_chunks(count)` reads its column chunks.
// - kCorrupt: a field is missing
template <typename ReadChunks>
[[gnu::always_inline]] inline void read_row_group(thrift::CompactReader& in, RowGroup& row_group,
                                                  const ReadChunks& read_chunks) {
  constexpr unsigned kRequired = field_bit(RowGroupField::kColumns) |
                                 field_bit(RowGroupField::kTotalByteSize) |
                                 field_bit(RowGroupField::kNumRows);
  unsigned seen = 0;
  for (thrift::FieldHeader field; in.next(field);) {
    if (field.id > 0 && field.id < 32) seen |= field_bit(field.id);
    switch (field.id) {
      case RowGroupField::kColumns: read_chunks(in.list(field, thrift::CompactType::kStruct)); break;
      case RowGroupField::kTotalByteSize: row_group.bytes = in.count(field); break;
      case RowGroupField::kNumRows: row_group.rows = in.count(field); break;
      default: in.skip(field); break;
    }
  }
  if ((seen & kRequired) != kRequired) in.fail(Status::kCorrupt);
}

// Goes to the list of structs in field `id` of the next struct, and returns its size. False: there is no such
// list.
inline bool find_list(thrift::CompactReader& in, int id, std::uint32_t& size) {
  for (thrift::FieldHeader field; in.next(field);) {
    if (field.id == id) {
      size = in.list(field, thrift::CompactType::kStruct);
      return true;
    }
    in.skip(field);
  }
  return false;
}

// Goes to the first column chunk of the next row group.
static inline void enter_column_chunks(thrift::CompactReader& in) {
  std::uint32_t count = 0;
  if (!find_list(in, RowGroupField::kColumns, count)) in.fail(Status::kCorrupt);
}

// Reads the sorting columns of the next row group, as many as `sorting` has space for; `count` becomes their
// number.
static inline void read_sorting_columns(thrift::CompactReader& in, Span<SortingColumn> sorting,
                                        std::size_t& count) {
  count = 0;
  std::uint32_t size = 0;
  if (!find_list(in, RowGroupField::kSortingColumns, size)) return;
  count = size;
  for (std::size_t i = 0; i < count && in.ok(); ++i) {
    SortingColumn column;
    for (thrift::FieldHeader item; in.next(item);) {
      switch (item.id) {
        case SortingColumnField::kColumnIdx: column.column = in.count32(item); break;
        case SortingColumnField::kDescending: column.descending = in.boolean(item); break;
        case SortingColumnField::kNullsFirst: column.nulls_first = in.boolean(item); break;
        default: in.skip(item); break;
      }
    }
    if (i < sorting.size()) sorting[i] = column;
  }
}

}  // namespace microparquet::format
