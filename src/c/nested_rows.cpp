// Rows of a table of nodes. Each column walks the row on its own, first for what it needs, then to put its values.
#include <cstring>
#include <new>

#include "base/try.h"
#include "c/c_writer.h"
#include "c/nested_table.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "microparquet/detail/grant_rows.h"
#include "microparquet/detail/sort_state.h"
#include "microparquet/detail/writer_access.h"
#include "microparquet/sorting.h"

namespace microparquet::c {
namespace {

using detail::ColumnWriter;
using detail::WriterState;

enum class WalkFor : std::uint8_t {
  kNeed,  // counts what the row needs
  kAsk,   // asks the encoder about each value
  kPut,
};

// Takes the slots of a row in one column.
class SlotTaker {
 public:
  SlotTaker(const NestedTable& table, std::uint32_t number, ColumnWriter& column, WalkFor purpose)
      : column_(column), leaf_(table.leaves[number]), lists_(table.lists), purpose_(purpose) {
    if (leaf_.max_repetition == 0) lists_ = nullptr;
    const mpq_node& node = table.node(leaf_.node);
    const ValueShape& shape = column.plan->shape;
    is_text_ = shape.type == Type::kByteArray;
    width_ = leaf_.narrow ? node.bytes : is_text_ ? std::uint32_t{sizeof(mpq_text)} : shape.value_bytes;
  }

  void refuse(Status status) {
    if (status_ == Status::kOk) status_ = status;
  }
  // Takes `count` slots: the first with `repetition`, others with `next`. `values` is the value of the first; null: none
  // has one.
  void take(std::uint8_t repetition, std::uint8_t next, std::uint8_t definition, std::uint32_t count,
            const std::byte* values, std::uint32_t stride) {
    slots_ += count;
    if (purpose_ == WalkFor::kPut) put_levels(repetition, next, definition, count);
    if (purpose_ == WalkFor::kNeed && !count_levels(count)) return;
    if (values == nullptr) return;
    if (purpose_ == WalkFor::kPut && stride == width_ && !is_text_ && !leaf_.narrow) {
      column_.plan->encoder->put(column_, values, count);
      return;
    }
    for (; count != 0 && status_ == Status::kOk && accepted_; --count, values += stride) take_value(values);
  }

  Status status() const { return status_; }
  bool accepted() const { return accepted_; }
  std::uint32_t slots() const { return slots_; }
  const detail::RowNeed& need() const { return need_; }
  // Returns the last value in the form of Encoder::put; null: there was none.
  const void* value() const { return value_; }

 private:
  bool count_levels(std::uint32_t count) {
    if (need_.slots > detail::kMostRowSlots) {
      refuse(Status::kValueTooLarge);
      return false;
    }
    need_.slots += count;
    if (count == 1) {
      ++need_.single;
    } else {
      ++need_.runs;
      need_.run_bytes += detail::run_bytes(count);
    }
    return true;
  }
  void put_levels(std::uint8_t repetition, std::uint8_t next, std::uint8_t definition, std::uint32_t count) {
    if (lists_ != nullptr) return lists_->put_slots(column_, repetition, next, definition, count);
    if (column_.levels != nullptr) column_.plan->levels->put(column_, definition, 1);
  }
  void take_value(const std::byte* at) {
    value_ = stored(at);
    switch (purpose_) {
      case WalkFor::kNeed:
        ++need_.values;
        if (is_text_) need_.text_bytes += encoding::kLengthBytes + text_.size();
        break;
      case WalkFor::kAsk: accepted_ = column_.accepts(value_); break;
      case WalkFor::kPut: column_.plan->encoder->put(column_, value_, 1); break;
    }
  }
  const void* stored(const std::byte* at) {
    if (is_text_) {
      mpq_text text;
      std::memcpy(&text, at, sizeof text);
      if (text.data == nullptr && text.bytes != 0) {
        refuse(Status::kInvalidArgument);
        text.bytes = 0;
      }
      text_ = {text.data, text.bytes};
      return &text_;
    }
    if (!leaf_.narrow) return at;
    std::uint32_t number = std::to_integer<std::uint32_t>(at[0]);
    if (width_ != 1) number |= std::to_integer<std::uint32_t>(at[1]) << 8;
    const std::uint32_t sign = leaf_.is_signed ? 1U << (8 * width_ - 1) : 0;
    number_ = (number ^ sign) - sign;
    return &number_;
  }

  ColumnWriter& column_;
  const NestedLeaf& leaf_;
  const NestedLists* lists_;  // null: the column is in none
  const void* value_ = nullptr;
  std::string_view text_;
  std::uint32_t number_ = 0;
  std::uint32_t width_ = 0;  // bytes of a value in a row
  std::uint32_t slots_ = 0;
  detail::RowNeed need_ = {};
  WalkFor purpose_;
  Status status_ = Status::kOk;
  bool is_text_ = false;
  bool accepted_ = true;
};

bool is_there(const mpq_node& node, const std::byte* part) {
  return node.optional == nullptr || part[node.valid_offset] != std::byte{0};
}

// Elements of a list in a row.
struct RowElements {
  const std::byte* first;
  std::uint32_t count;

  RowElements(const mpq_node& node, const std::byte* part) : first(part + node.offset), count(node.capacity) {
    if (node.kind->shape == NodeShape::kArray) return;
    std::uint16_t found = 0;
    std::memcpy(&found, part + node.count_offset, sizeof found);
    count = found;
    if (node.kind->shape == NodeShape::kSpan)
      std::memcpy(static_cast<void*>(&first), part + node.offset, sizeof first);
  }
};

// A list on the way to a value, and the element that the walk is in.
struct OpenElement {
  const std::byte* element;
  std::uint32_t left;  // elements from this one on
  std::uint8_t step;   // place of the list in the path
  std::uint8_t definition;
};

// Walk over a row: the slots of one column.
class RowWalk {
 public:
  RowWalk(const NestedTable& table, const NestedLeaf& leaf)
      : table_(table), leaf_(leaf), path_(table, leaf) {}

  void run(const std::byte* row, SlotTaker& taker) {
    part_ = row;
    do descend(taker);
    while (taker.status() == Status::kOk && next_element());
  }

 private:
  // The path has a node for each step down to the leaf.
  const mpq_node& node(unsigned step) const {
    return table_.node(path_.nodes[step]);  // NOLINT(clang-analyzer-core.CallAndMessage)
  }

  // Goes down to the value, or to what is missing on the way.
  void descend(SlotTaker& taker) {
    for (;; ++step_) {
      const mpq_node& here = node(step_);
      if (!is_there(here, part_)) return taker.take(repetition_, 0, definition_, 1, nullptr, 0);
      if (here.optional != nullptr) ++definition_;
      if (here.kind == nullptr) return taker.take(repetition_, 0, definition_, 1, part_ + here.offset, 0);
      if (here.kind->lists == nullptr) {
        part_ += here.offset;
      } else if (!enter(here, taker)) {
        return;
      }
    }
  }

  // Goes into the first element of a list. Returns false if its slots have been taken.
  bool enter(const mpq_node& list, SlotTaker& taker) {
    const RowElements elements(list, part_);
    if (elements.count > list.capacity) {
      taker.refuse(Status::kValueTooLarge);
      return false;
    }
    if (elements.count == 0) {
      taker.take(repetition_, 0, definition_, 1, nullptr, 0);
      return false;
    }
    if (elements.first == nullptr) {
      taker.refuse(Status::kInvalidArgument);
      return false;
    }
    ++definition_;
    std::uint32_t inside = 0;
    if (is_one_for_one(inside)) {
      const auto next = static_cast<std::uint8_t>(lists_ + 1);
      taker.take(repetition_, next, definition_, elements.count, elements.first + inside, list.stride);
      return false;
    }
    open_[lists_++] = {elements.first, elements.count, step_, definition_};
    part_ = elements.first;
    return true;
  }

  // Returns whether each element of the list has one value, and where in it.
  bool is_one_for_one(std::uint32_t& inside) const {
    for (unsigned step = step_ + 1U; step < leaf_.depth; ++step) {
      const mpq_node& below = node(step);
      if (below.optional != nullptr || is_list(below)) return false;
      inside += below.offset;
    }
    return true;
  }

  bool next_element() {
    while (lists_ != 0 && --open_[lists_ - 1].left == 0) --lists_;
    if (lists_ == 0) return false;
    OpenElement& open = open_[lists_ - 1];
    open.element += node(open.step).stride;
    part_ = open.element;
    step_ = static_cast<std::uint8_t>(open.step + 1);
    definition_ = open.definition;
    repetition_ = lists_;
    return true;
  }

  const NestedTable& table_;
  const NestedLeaf& leaf_;
  const NestedPath path_;
  OpenElement open_[kMostLists] = {};
  const std::byte* part_ = nullptr;
  std::uint8_t step_ = 0;
  std::uint8_t lists_ = 0;
  std::uint8_t definition_ = 0;
  std::uint8_t repetition_ = 0;
};

void walk_row(const NestedTable& table, std::uint32_t number, const std::byte* row, SlotTaker& taker) {
  RowWalk(table, table.leaves[number]).run(row, taker);
}

// Makes space for the row in a column of a list.
Status fit_in_list(const NestedTable& table, WriterState& state, std::uint32_t number, const std::byte* row,
                   const detail::RowNeed& need, bool& again) {
  ColumnWriter& column = state.columns[number];
  if (column.plan->encoder->accepts != nullptr) {
    // A row that no page takes shall leave nothing in the dictionary.
    if (!table.lists->fits_empty_page(column, need)) return Status::kValueTooLarge;
    SlotTaker asking(table, number, column, WalkFor::kAsk);
    walk_row(table, number, row, asking);
    if (!asking.accepted()) {
      again = true;
      return detail::grant_rows_after(state, column);
    }
  }
  return table.lists->fit(state, column, need, again);
}

// Makes space for the row in a column.
[[gnu::noinline]] Status fit_column(const NestedTable& table, WriterState& state, std::uint32_t number,
                                    const std::byte* row, bool& again) {
  ColumnWriter& column = state.columns[number];
  const bool list = table.leaves[number].max_repetition != 0;
  const bool text = column.plan->shape.type == Type::kByteArray;
  const bool asked = column.plan->encoder->accepts != nullptr && (column.levels != nullptr || text);
  if (!list && !text && !asked) return Status::kOk;
  SlotTaker taker(table, number, column, WalkFor::kNeed);
  walk_row(table, number, row, taker);
  MICROPARQUET_TRY(taker.status());
  if (list) return fit_in_list(table, state, number, row, taker.need(), again);
  if (taker.value() == nullptr) return Status::kOk;
  const std::size_t bytes = text ? taker.need().text_bytes - encoding::kLengthBytes : 0;
  if (text && !column.fits(bytes)) {
    again = true;
    return detail::grant_rows_for(state, column, bytes);
  }
  if (!asked || column.accepts(taker.value())) return Status::kOk;
  again = true;
  return detail::grant_rows_after(state, column);
}

void observe_row(const NestedTable& table, WriterState& state, const std::byte* row) {
  const SortOrder& order = table.options().sorting;
  for (std::size_t key = 0; key < order.columns.size(); ++key) {
    const SortingColumn& sorting = order.columns[key];
    SlotTaker taker(table, sorting.column, state.columns[sorting.column], WalkFor::kNeed);
    walk_row(table, sorting.column, row, taker);
    order.checker->observe(detail::sort_state_of(state), key, sorting, table.fields[sorting.column],
                           taker.value());
  }
}

[[gnu::noinline]] void put_column_of_row(const NestedTable& table, WriterState& state, std::uint32_t number,
                                         const std::byte* row) {
  ColumnWriter& column = state.columns[number];
  SlotTaker taker(table, number, column, WalkFor::kPut);
  walk_row(table, number, row, taker);
  if (table.leaves[number].max_repetition != 0) table.lists->end_slots(column, taker.slots());
}

Status append_row(const NestedTable& table, WriterState& state, const std::byte* row) {
  if (state.budget == 0) MICROPARQUET_TRY(detail::grant_rows(state));
  for (bool again = true; again;) {
    again = false;
    for (std::uint32_t i = 0; i < table.leaf_count; ++i)
      MICROPARQUET_TRY(fit_column(table, state, i, row, again));
  }
  if (!table.options().sorting.columns.empty()) observe_row(table, state, row);
  for (std::uint32_t i = 0; i < table.leaf_count; ++i) put_column_of_row(table, state, i, row);
  --state.budget;
  return Status::kOk;
}

}  // namespace
}  // namespace microparquet::c

mpq_status mpq_nested_append(mpq_writer* writer, const void* row) {
  using namespace microparquet::c;  // NOLINT(google-build-using-namespace): in a function of C
  if (writer == nullptr || row == nullptr) return MPQ_INVALID_ARGUMENT;
  CWriter& here = from_c(*writer);
  microparquet::detail::WriterState& state = microparquet::detail::WriterAccess::state(here.writer);
  const NestedTable* const table = table_of(here);
  if (table == nullptr || state.plan == nullptr) return MPQ_WRONG_STATE;
  return to_c(append_row(*table, state, static_cast<const std::byte*>(row)));
}
