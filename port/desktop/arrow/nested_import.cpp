#include "nested_import.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <numeric>
#include <string_view>
#include <utility>

#include "array_check.h"
#include "microparquet/desktop/failure.h"
#include "microparquet/detail/written_tree.h"

namespace microparquet::desktop {

namespace {

constexpr std::int64_t kBuffersOfStruct = 1;  // the nulls
constexpr std::int64_t kBuffersOfList = 2;    // and the offsets

std::string name_in(const ArrowSchema& schema) { return schema.name == nullptr ? "" : schema.name; }

bool is_nullable(const ArrowSchema& schema) { return (schema.flags & ARROW_FLAG_NULLABLE) != 0; }

std::int64_t offset_at(const ArrowArray& array, std::uint8_t offset_bytes, std::int64_t number) {
  return offset_bytes == sizeof(std::int32_t) ? static_cast<const std::int32_t*>(array.buffers[1])[number]
                                              : static_cast<const std::int64_t*>(array.buffers[1])[number];
}

const void* nulls_of(const ArrowArray& array) {
  return array.null_count == 0 || array.n_buffers == 0 ? nullptr : array.buffers[0];
}

// Tells the columns of a part how many of `count` slots a row has, about.
void foresee(NestedPart& part, std::int64_t rows, std::vector<std::int64_t>::const_iterator& count) {
  if (part.kind == NestedKind::kColumn) {
    const std::int64_t usual = rows != 0 ? *count / rows : 1;
    part.usual_slots =
        static_cast<std::uint32_t>(std::clamp<std::int64_t>(usual, 1, microparquet::detail::kMostRowSlots));
    ++count;
  }
  for (NestedPart& child : part.children) {
    foresee(child, rows, count);
  }
}

// The number after "+w:"; less than 0: there is none.
std::int64_t width_in(std::string_view format) {
  std::int32_t width = -1;
  const std::string_view digits = format.substr(std::min<std::size_t>(3, format.size()));
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), width);
  return error == std::errc() && end == digits.data() + digits.size() ? width : -1;
}

// Puts those of the values of `width` bytes that slots show one after another. kWidth: the same, where it is known; or 0.
template <std::size_t kWidth>
void put_together(const ColumnData& data, const ArrowSlots& slots, std::int64_t first, std::size_t width,
                  std::byte* to) {
  const std::size_t bytes = kWidth != 0 ? kWidth : width;
  const auto* const values = static_cast<const std::byte*>(data.values);
  for (const std::int64_t element : slots.elements) {
    if (element != kNoElement && (data.valid == nullptr || data.valid[element - first] != 0)) {
      std::memcpy(to, values + static_cast<std::size_t>(element - first) * bytes, bytes);
      to += bytes;
    }
  }
}

}  // namespace

ArrowPart::ArrowPart(const ArrowSchema& schema, const std::string& path, unsigned lists, unsigned names)
    : path_(path), optional_(is_nullable(schema)), lists_(static_cast<std::uint8_t>(lists)) {
  if (names > microparquet::detail::kMostPathNames) {
    refuse("lies deeper than 14 names, of which a list has two");
  }
  const std::string_view format = schema.format;
  const bool list = format == "+l" || format == "+L" || format.substr(0, 3) == "+w:" || format == "+m";
  if (schema.dictionary == nullptr && list) {
    set_list(format);
    add_children(schema, lists_, names + 2);
  } else if (schema.dictionary == nullptr && format == "+s") {
    kind_ = NestedKind::kStruct;
    add_children(schema, lists, names + 1);
  } else {
    column_ = std::make_unique<ArrowColumn>(schema, path);
  }
}

void ArrowPart::set_list(std::string_view format) {
  kind_ = format == "+m" ? NestedKind::kMap : NestedKind::kList;
  offset_bytes_ = format == "+L" ? sizeof(std::int64_t) : sizeof(std::int32_t);
  if (format[1] == 'w') {
    offset_bytes_ = 0;
    width_ = width_in(format);
  }
  if (width_ < 0) {
    refuse("is of a type that is not written, in Arrow's words \"" + std::string(format) + "\"");
  }
  if (++lists_ > microparquet::detail::kMostRepetition) {
    refuse("is a list in three others: four are not written");
  }
}

void ArrowPart::refuse(const std::string& why) const { throw Failure("column " + path_ + " " + why); }

void ArrowPart::add_children(const ArrowSchema& schema, unsigned lists, unsigned names) {
  check_parts_of(path_, schema, kind_ == NestedKind::kStruct ? kAnyChildren : 1);
  if (kind_ == NestedKind::kMap) {
    return add_entries(*schema.children[0], lists, names);
  }
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const ArrowSchema& child = *schema.children[i];
    names_.push_back(kind_ == NestedKind::kList ? "element" : name_in(child));
    children_.push_back(std::make_unique<ArrowPart>(child, path_ + "." + names_.back(), lists, names));
  }
}

// The entries of a map are structs of a key and a value, and are always there, as is the key.
void ArrowPart::add_entries(const ArrowSchema& entries, unsigned lists, unsigned names) {
  constexpr std::int64_t kKeyAndValue = 2;
  if (std::string_view(entries.format) != "+s") {
    refuse("is a map whose entries are no structs");
  }
  check_parts_of(path_, entries, kKeyAndValue);
  names_ = {"key", "value"};
  for (std::size_t i = 0; i < names_.size(); ++i) {
    ArrowSchema child = *entries.children[i];
    child.flags &= ~(i == 0 ? std::int64_t{ARROW_FLAG_NULLABLE} : std::int64_t{0});
    children_.push_back(std::make_unique<ArrowPart>(child, path_ + "." + names_[i], lists, names));
  }
}

const ArrowArray& ArrowPart::elements_of(const ArrowArray& array) const { return *array.children[0]; }

ArrowPart::Range ArrowPart::range_of(const ArrowArray& array, std::int64_t first, std::int64_t count) const {
  const std::int64_t begin = array.offset + first;
  if (offset_bytes_ == 0) {
    return {begin * width_, (begin + count) * width_};
  }
  if (count == 0) {
    return {0, 0};
  }
  return {offset_at(array, offset_bytes_, begin), offset_at(array, offset_bytes_, begin + count)};
}

void ArrowPart::check_offsets(const ArrowArray& array, std::int64_t slots) const {
  const std::int64_t length = elements_of(array).length;
  bool right = true;
  if (offset_bytes_ == 0) {
    right = width_ == 0 || array.offset + slots <= length / width_;
  } else if (slots != 0) {
    if (array.buffers[1] == nullptr) {
      refuse("of the stream has no offsets");
    }
    std::int64_t before = 0;
    for (std::int64_t i = array.offset; right && i <= array.offset + slots; ++i) {
      const std::int64_t offset = offset_at(array, offset_bytes_, i);
      right = offset >= before && offset <= length;
      before = offset;
    }
  }
  if (!right) {
    refuse("of the stream has lists that go back, or beyond their elements");
  }
}

void ArrowPart::check(const ArrowArray& array, std::int64_t slots) const {
  if (kind_ == NestedKind::kColumn) {
    return column_->check(array, slots);
  }
  if (kind_ == NestedKind::kStruct) {
    check_group(path_, array, slots, kBuffersOfStruct, static_cast<std::int64_t>(children_.size()));
    for (std::size_t i = 0; i < children_.size(); ++i) {
      children_[i]->check(*array.children[i], array.offset + slots);
    }
    return;
  }
  check_group(path_, array, slots, offset_bytes_ != 0 ? kBuffersOfList : kBuffersOfStruct, 1);
  const ArrowArray& elements = elements_of(array);
  if (kind_ == NestedKind::kMap) {
    check_group(path_, elements, 0, kBuffersOfStruct, static_cast<std::int64_t>(children_.size()));
  }
  check_offsets(array, slots);
  const std::int64_t inside = slots != 0 ? range_of(array, 0, slots).end : 0;
  if (kind_ == NestedKind::kList) {
    return children_[0]->check(elements, inside);
  }
  for (std::size_t i = 0; i < children_.size(); ++i) {
    children_[i]->check(*elements.children[i], elements.offset + inside);
  }
}

void ArrowPart::count_slots(const ArrowArray& array, std::int64_t first, std::int64_t count,
                            std::vector<std::int64_t>& counts) const {
  if (kind_ == NestedKind::kColumn) {
    return counts.push_back(count);
  }
  const ArrowArray* parent = &array;
  const std::size_t begin = counts.size();
  std::int64_t at = array.offset + first;
  std::int64_t inside = count;
  if (kind_ != NestedKind::kStruct) {
    const Range range = range_of(array, first, count);
    at = range.begin;
    inside = range.end - range.begin;
    if (kind_ == NestedKind::kMap) {
      parent = &elements_of(array);
      at += parent->offset;
    }
  }
  for (std::size_t i = 0; i < children_.size(); ++i) {
    children_[i]->count_slots(*parent->children[i], at, inside, counts);
  }
  if (kind_ != NestedKind::kStruct) {  // each may have a slot of an empty list, too
    std::for_each(counts.begin() + static_cast<std::ptrdiff_t>(begin), counts.end(),
                  [count](std::int64_t& slots) { slots += count; });
  }
}

// Goes up by the level of the part where it is there, and hides what is inside of nulls.
void ArrowPart::hide_nulls(const ArrowArray& array, ArrowSlots& slots) const {
  const void* const nulls = nulls_of(array);
  for (std::size_t i = 0; i < slots.elements.size(); ++i) {
    std::int64_t& element = slots.elements[i];
    if (element == kNoElement) {
      continue;
    }
    if (nulls == nullptr || bit_of(nulls, array.offset + element)) {
      slots.definition[i] = static_cast<std::uint8_t>(slots.definition[i] + (optional_ ? 1 : 0));
    } else if (optional_) {
      element = kNoElement;
    } else {
      refuse("has nulls, though its schema says that it has none");
    }
  }
}

// The slots of a list's elements, as numbers in their array.
ArrowSlots ArrowPart::slots_inside(const ArrowArray& array, const ArrowSlots& slots) const {
  std::size_t count = 0;
  for (const std::int64_t list : slots.elements) {
    const Range range = list != kNoElement ? range_at(array, list) : Range{0, 0};
    if (static_cast<std::int64_t>(count) + range.end - range.begin > microparquet::detail::kMostRowSlots) {
      refuse("has a row of more than 1,048,576 elements");
    }
    count += range.begin != range.end ? static_cast<std::size_t>(range.end - range.begin) : 1;
  }
  ArrowSlots inside;
  inside.elements.resize(count);
  inside.repetition.assign(count, lists_);
  inside.definition.resize(count);
  std::size_t at = 0;
  for (std::size_t i = 0; i < slots.elements.size(); ++i) {
    const std::int64_t list = slots.elements[i];
    const Range range = list != kNoElement ? range_at(array, list) : Range{0, 0};
    inside.repetition[at] = slots.repetition[i];
    if (range.begin == range.end) {
      inside.elements[at] = kNoElement;
      inside.definition[at++] = slots.definition[i];
    }
    for (std::int64_t element = range.begin; element != range.end; ++element) {
      inside.elements[at] = element;
      inside.definition[at++] = static_cast<std::uint8_t>(slots.definition[i] + 1);
    }
  }
  return inside;
}

void ArrowPart::import(const ArrowArray& array, ArrowSlots slots, std::vector<const ColumnSlots*>& columns) {
  if (kind_ == NestedKind::kColumn) {
    import_column(array, slots);
    return columns.push_back(&imported_.slots);
  }
  hide_nulls(array, slots);
  if (kind_ == NestedKind::kMap) {
    return import_entries(elements_of(array), slots_inside(array, slots), columns);
  }
  if (kind_ == NestedKind::kList) {
    return children_[0]->import(elements_of(array), slots_inside(array, slots), columns);
  }
  for (std::int64_t& element : slots.elements) {
    element += element != kNoElement ? array.offset : 0;
  }
  for (std::size_t i = 0; i < children_.size(); ++i) {
    children_[i]->import(*array.children[i], slots, columns);
  }
}

void ArrowPart::import_entries(const ArrowArray& array, ArrowSlots slots,
                               std::vector<const ColumnSlots*>& columns) {
  const void* const nulls = nulls_of(array);
  const void* const null_keys = nulls_of(*array.children[0]);
  for (std::int64_t& element : slots.elements) {
    if (element == kNoElement) {
      continue;
    }
    element += array.offset;
    const bool entry = nulls == nullptr || bit_of(nulls, element);
    if (!entry || (null_keys != nullptr && !bit_of(null_keys, array.children[0]->offset + element))) {
      refuse("has an entry without a key");
    }
  }
  children_[0]->import(*array.children[0], slots, columns);
  children_[1]->import(*array.children[1], std::move(slots), columns);
}

void ArrowPart::import_column(const ArrowArray& array, const ArrowSlots& slots) {
  const auto is_there = [](std::int64_t element) { return element != kNoElement; };
  const auto begin = std::find_if(slots.elements.begin(), slots.elements.end(), is_there);
  const auto end = std::find_if(slots.elements.rbegin(), slots.elements.rend(), is_there);
  const bool any = begin != slots.elements.end();
  const std::int64_t first = any ? *begin : 0;
  const std::int64_t count = any ? *end + 1 - first : 0;
  const std::uint8_t* visible = nullptr;
  if (std::count_if(slots.elements.begin(), slots.elements.end(), is_there) != count) {
    imported_.visible.assign(static_cast<std::size_t>(count), 0);
    for (const std::int64_t element : slots.elements) {
      if (is_there(element)) {
        imported_.visible[static_cast<std::size_t>(element - first)] = 1;
      }
    }
    visible = imported_.visible.data();
  }
  const ColumnData data = column_->import(array, first, count, visible);
  imported_.slots.repetition = slots.repetition;
  imported_.slots.definition = slots.definition;
  mark_values(data, slots, first);
  gather(data, slots, first);
}

// Goes up by the level of the column where it has a value.
void ArrowPart::mark_values(const ColumnData& data, const ArrowSlots& slots, std::int64_t first) {
  std::vector<std::uint8_t>& definition = imported_.slots.definition;
  std::size_t missing = 0;
  for (std::size_t i = 0; i < definition.size(); ++i) {
    const std::int64_t element = slots.elements[i];
    if (element != kNoElement) {
      const bool value = data.valid == nullptr || data.valid[element - first] != 0;
      missing += value ? 0 : 1;
      definition[i] = static_cast<std::uint8_t>(definition[i] + (value && optional_ ? 1 : 0));
    }
  }
  if (missing != 0 && !optional_) {
    refuse("has nulls, though its schema says that it has none");
  }
}

// Puts the values that are there one after another, where they are not already.
void ArrowPart::gather(const ColumnData& data, const ArrowSlots& slots, std::int64_t first) {
  const std::size_t width = column_->width();
  constexpr std::uintptr_t kAlignment = sizeof(std::uint64_t);
  imported_.slots.values = data.values;
  if (data.valid == nullptr && reinterpret_cast<std::uintptr_t>(data.values) % kAlignment == 0) {
    return;
  }
  imported_.made.resize(slots.elements.size() * width / sizeof(std::uint64_t) + 1);
  auto* const to = reinterpret_cast<std::byte*>(imported_.made.data());
  imported_.slots.values = to;
  switch (width) {
    case sizeof(std::uint32_t): return put_together<sizeof(std::uint32_t)>(data, slots, first, width, to);
    case sizeof(std::uint64_t): return put_together<sizeof(std::uint64_t)>(data, slots, first, width, to);
    case sizeof(std::string_view):
      return put_together<sizeof(std::string_view)>(data, slots, first, width, to);
    default: return put_together<0>(data, slots, first, width, to);
  }
}

std::size_t ArrowPart::columns() const {
  std::size_t count = is_column() ? 1 : 0;
  for (const std::unique_ptr<ArrowPart>& child : children_) {
    count += child->columns();
  }
  return count;
}

bool is_nested(const ArrowSchema& row) {
  return std::any_of(row.children, row.children + row.n_children, [](const ArrowSchema* column) {
    return column->format[0] == '+' && column->dictionary == nullptr;
  });
}

NestedColumns::NestedColumns(const ArrowSchema& row) {
  for (std::int64_t i = 0; i < row.n_children; ++i) {
    names_.push_back(name_in(*row.children[i]));
    parts_.push_back(std::make_unique<ArrowPart>(*row.children[i], names_.back()));
    columns_ += parts_.back()->columns();
  }
}

void NestedColumns::check(const ArrowArray& rows) const {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    parts_[i]->check(*rows.children[i], rows.offset + rows.length);
  }
}

std::vector<std::int64_t> NestedColumns::count_slots(const ArrowArray& rows, std::int64_t first,
                                                     std::int64_t count) const {
  std::vector<std::int64_t> counts;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    parts_[i]->count_slots(*rows.children[i], rows.offset + first, count, counts);
  }
  return counts;
}

std::int64_t NestedColumns::rows_at_once(const ArrowArray& rows, std::int64_t first,
                                         std::int64_t most) const {
  constexpr std::int64_t kMostOfAll = 1 << 23;
  const std::int64_t left = rows.length - first;
  std::int64_t count = std::min({left, most, kMostOfAll / static_cast<std::int64_t>(columns_) + 1});
  while (count > 1) {
    const std::vector<std::int64_t> counts = count_slots(rows, first, count);
    if (*std::max_element(counts.begin(), counts.end()) <= kMostSlotsAtOnce) {
      break;
    }
    count /= 2;
  }
  return count;
}

const std::vector<const ColumnSlots*>& NestedColumns::import(const ArrowArray& rows, std::int64_t first,
                                                             std::int64_t count) {
  slots_.clear();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    ArrowSlots slots;
    slots.elements.resize(static_cast<std::size_t>(count));
    std::iota(slots.elements.begin(), slots.elements.end(), rows.offset + first);
    slots.repetition.assign(slots.elements.size(), 0);
    slots.definition.assign(slots.elements.size(), 0);
    parts_[i]->import(*rows.children[i], std::move(slots), slots_);
  }
  return slots_;
}

void NestedColumns::foresee_slots(const ArrowArray& rows, std::vector<NestedPart>& parts) const {
  const std::vector<std::int64_t> counts = count_slots(rows, 0, rows.length);
  auto count = counts.begin();
  for (NestedPart& part : parts) {
    foresee(part, rows.length, count);
  }
}

}  // namespace microparquet::desktop
