// Arrow arrays with lists, maps and structs as slots of a writer's columns: levels out of validity bitmaps and offsets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arrow_import.h"
#include "microparquet/desktop/arrow_abi.h"
#include "microparquet/desktop/nested_file.h"

namespace microparquet::desktop {

// Slots of a part of the schema: which element of its array each one shows, and the levels so far.
struct ArrowSlots {
  std::vector<std::int64_t> elements;  // kNoElement: something on the way to it is missing
  std::vector<std::uint8_t> repetition;
  std::vector<std::uint8_t> definition;
};
inline constexpr std::int64_t kNoElement = -1;

// Most slots of a column in a batch of several rows: their levels stay in the processor's cache. A row alone may have more.
inline constexpr std::int64_t kMostSlotsAtOnce = 1 << 16;

// A column with its slots, which its values stay with.
struct ImportedSlots {
  ColumnSlots slots;
  std::vector<std::uint8_t> visible;
  std::vector<std::uint64_t> made;  // values one after another where the array has gaps
};

// A part of a schema, and those inside it.
class ArrowPart {
 public:
  // `path`: its name with those of what it lies in. Throws Failure, which names it: there is no such type in a file, or more
  // lists or names in one another than one has. `schema` must stay.
  ArrowPart(const ArrowSchema& schema, const std::string& path, unsigned lists = 0, unsigned names = 1);

  // Number of columns in it.
  std::size_t columns() const;
  // The part, with the columns that `encode(field)` makes of theirs.
  template <typename Encode>
  NestedPart part(const std::string& name, Encode encode) const;

  // Throws Failure, which names the part: the first `slots` slots of the array, or of what they have inside, are not what
  // their lengths and offsets say. Hidden values are not looked at.
  void check(const ArrowArray& array, std::int64_t slots) const;

  // Adds how many slots each column has for those of the part from `first` on, or more. Requires: the array has been checked.
  void count_slots(const ArrowArray& array, std::int64_t first, std::int64_t count,
                   std::vector<std::int64_t>& counts) const;

  // Adds the slots of its columns for those of the part. They stay as long as `array` and until the next call. Throws Failure:
  // as ArrowColumn::import(); or a key of a map, or what the schema says is never missing, is null; or there are too many.
  void import(const ArrowArray& array, ArrowSlots slots, std::vector<const ColumnSlots*>& columns);

 private:
  struct Range {
    std::int64_t begin;
    std::int64_t end;
  };
  bool is_column() const { return kind_ == NestedKind::kColumn; }
  void set_list(std::string_view format);
  void add_children(const ArrowSchema& schema, unsigned lists, unsigned names);
  void add_entries(const ArrowSchema& entries, unsigned lists, unsigned names);
  [[noreturn]] void refuse(const std::string& why) const;
  const ArrowArray& elements_of(const ArrowArray& array) const;
  Range range_of(const ArrowArray& array, std::int64_t first, std::int64_t count) const;
  Range range_at(const ArrowArray& array, std::int64_t element) const { return range_of(array, element, 1); }
  void check_offsets(const ArrowArray& array, std::int64_t slots) const;
  void hide_nulls(const ArrowArray& array, ArrowSlots& slots) const;
  ArrowSlots slots_inside(const ArrowArray& array, const ArrowSlots& slots) const;
  void import_entries(const ArrowArray& array, ArrowSlots slots, std::vector<const ColumnSlots*>& columns);
  void import_column(const ArrowArray& array, const ArrowSlots& slots);
  void mark_values(const ColumnData& data, const ArrowSlots& slots, std::int64_t first);
  void gather(const ColumnData& data, const ArrowSlots& slots, std::int64_t first);

  std::string path_;
  NestedKind kind_ = NestedKind::kColumn;
  bool optional_ = false;
  std::uint8_t lists_ = 0;         // lists that it is in, with itself
  std::uint8_t offset_bytes_ = 0;  // of a list; 0: each element has width_ ones
  std::int64_t width_ = 0;
  std::vector<std::string> names_;  // of the children
  std::vector<std::unique_ptr<ArrowPart>> children_;
  std::unique_ptr<ArrowColumn> column_;
  ImportedSlots imported_;
};

template <typename Encode>
NestedPart ArrowPart::part(const std::string& name, Encode encode) const {
  NestedPart part;
  part.name = name;
  part.kind = kind_;
  part.optional = optional_;
  if (column_ != nullptr) {
    part.field = encode(column_->field());
  }
  for (std::size_t i = 0; i < children_.size(); ++i) {
    part.children.push_back(children_[i]->part(names_[i], encode));
  }
  return part;
}

// Whether a column is a list, map or struct.
bool is_nested(const ArrowSchema& row);

// The columns of a stream of which some are nested.
class NestedColumns {
 public:
  // Throws Failure, as ArrowPart. `row` must stay.
  explicit NestedColumns(const ArrowSchema& row);

  // Number of columns of the file.
  std::size_t columns() const { return columns_; }

  template <typename Encode>
  std::vector<NestedPart> parts(Encode encode) const {
    std::vector<NestedPart> parts;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      parts.push_back(parts_[i]->part(names_[i], encode));
    }
    return parts;
  }
  // Tells the columns how many values rows like these have.
  void foresee_slots(const ArrowArray& rows, std::vector<NestedPart>& parts) const;

  // Throws Failure, which names the part: see ArrowPart::check().
  void check(const ArrowArray& rows) const;

  // How many rows from `first` on, up to `most`, are imported at once. Requires, as the following: the rows have been checked.
  std::int64_t rows_at_once(const ArrowArray& rows, std::int64_t first, std::int64_t most) const;

  // The slots of each column for `count` rows from `first` on: see ArrowPart::import().
  const std::vector<const ColumnSlots*>& import(const ArrowArray& rows, std::int64_t first,
                                                std::int64_t count);

 private:
  std::vector<std::int64_t> count_slots(const ArrowArray& rows, std::int64_t first, std::int64_t count) const;

  std::vector<std::string> names_;
  std::vector<std::unique_ptr<ArrowPart>> parts_;
  std::size_t columns_ = 0;
  std::vector<const ColumnSlots*> slots_;
};

}  // namespace microparquet::desktop
