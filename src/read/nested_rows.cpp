#include "read/nested_rows.h"

#include "base/try.h"
#include "microparquet/cursors.h"
#include "microparquet/decoder.h"
#include "microparquet/detail/nested_rows.h"
#include "microparquet/detail/reader_access.h"
#include "read/items.h"
#include "read/rows.h"

namespace microparquet::read {

namespace {

using detail::kNoNode;
using detail::NestedKind;
using detail::NestedNode;
using detail::NestedPlace;
using detail::NestedPlan;

// Meaning of the nodes below a node of the file.
enum class Below : std::uint8_t {
  kNothing,   // unwanted nodes
  kMembers,   // members of the struct `node`
  kRepeated,  // the repeated group of the list `node`, or its element itself
  kElement,   // the element of the list `node`
};

// The plan's view of an open node of the file.
struct InPlan {
  std::uint16_t node;
  Below below;
  std::uint8_t members;  // found already
};

// Walks over the file's schema and finds the plan's nodes in it.
class FindColumns {
 public:
  FindColumns(const NestedPlan& plan, NestedPlace* places, Span<ColumnChoice> columns)
      : plan_(plan), places_(places), columns_(columns) {}

  // Takes the next node of the file; `before` is the name of the node before it.
  void take(const SchemaElement& element, std::string_view before) {
    InPlan& own = open_[element.depth] = {kNoNode, Below::kNothing, 0};
    if (element.depth == 0) {
      own = {0, Below::kMembers, 0};
      return;
    }
    InPlan& outer = open_[element.depth - 1];
    // A struct whose only member repeats is the element itself.
    if (outer.below == Below::kElement && is_repeated(element)) {
      const std::uint16_t list = outer.node;
      outer.below = Below::kNothing;
      if (enter_element(list, outer)) outer.below = Below::kMembers;
    }
    switch (outer.below) {
      case Below::kNothing: return;
      case Below::kMembers: return enter(member(outer, element.name), element, is_repeated(element), own);
      case Below::kElement: return enter(static_cast<std::uint16_t>(outer.node + 1), element, false, own);
      case Below::kRepeated: return take_repeated(outer.node, element, before, own);
    }
  }

  std::size_t found() const { return found_; }

 private:
  static bool is_repeated(const SchemaElement& element) {
    return element.repetition == Repetition::kRepeated;
  }

  // Finds a struct's member by name, and a map entry's member by position.
  std::uint16_t member(InPlan& outer, std::string_view name) const {
    const NestedNode& parent = plan_.nodes[outer.node];
    const bool entry = parent.parent != kNoNode && plan_.nodes[parent.parent].kind == NestedKind::kMap;
    std::uint8_t place = 0;
    for (auto i = static_cast<std::uint16_t>(outer.node + 1); i != parent.end; i = plan_.nodes[i].end) {
      if (entry ? place == outer.members : plan_.nodes[i].name == name && !places_[i].found) {
        if (outer.members != 0xFF) ++outer.members;
        return i;
      }
      ++place;
    }
    return kNoNode;
  }

  // Makes the file's repeated group the element of the list, if the plan's element is a struct.
  bool enter_element(std::uint16_t list, InPlan& own) {
    const auto node = static_cast<std::uint16_t>(list + 1);
    if (plan_.nodes[node].kind != NestedKind::kGroup) return false;
    places_[node].definition = places_[list].element_definition;
    places_[node].found = true;
    own = {node, Below::kMembers, 0};
    return true;
  }

  void take_repeated(std::uint16_t list, const SchemaElement& element, std::string_view before, InPlan& own) {
    if (!is_repeated(element)) return;
    places_[list].element_definition = element.max_definition_level;
    const bool map = plan_.nodes[list].kind == NestedKind::kMap;
    if (map && (element.leaf || element.children != 2)) return;
    const bool itself =
        map || element.leaf || element.children != 1 || is_named_as_element(element.name, before);
    if (itself) return enter(static_cast<std::uint16_t>(list + 1), element, false, own);
    own = {list, Below::kElement, 0};
  }

  // Enters a node of the plan; `repeated`: the file's node is a list by itself. A node of another kind stays
  // unfound.
  void enter(std::uint16_t node, const SchemaElement& element, bool repeated, InPlan& own) {
    if (node == kNoNode) return;
    NestedKind kind = plan_.nodes[node].kind;
    if (repeated) {
      if (kind != NestedKind::kList) return;
      places_[node] = {0, static_cast<std::uint8_t>(element.max_definition_level - 1),
                       element.max_definition_level, true};
      kind = plan_.nodes[++node].kind;
    }
    NestedPlace& place = places_[node];
    place.definition = element.max_definition_level;
    switch (kind) {
      case NestedKind::kValue: place.found = choose(plan_.nodes[node], element); return;
      case NestedKind::kGroup:
        if (element.leaf) return;
        own = {node, Below::kMembers, 0};
        break;
      case NestedKind::kList:
      case NestedKind::kMap:
        if (!is_list(element, kind) || repeated) return;
        own = {node, Below::kRepeated, 0};
        break;
    }
    place.found = true;
  }

  static bool is_list(const SchemaElement& element, NestedKind kind) {
    const LogicalKind wanted = kind == NestedKind::kMap ? LogicalKind::kMap : LogicalKind::kList;
    return !element.leaf && element.children == 1 && element.logical.kind == wanted;
  }

  bool choose(const NestedNode& node, const SchemaElement& element) {
    if (!element.leaf || element.type != node.type) return false;
    if (node.type == Type::kFixedLenByteArray && element.type_length != node.type_length) return false;
    columns_[node.first_leaf] = {element.column, 0};
    ++found_;
    return true;
  }

  const NestedPlan& plan_;
  NestedPlace* const places_;
  const Span<ColumnChoice> columns_;
  std::size_t found_ = 0;
  InPlan open_[detail::SchemaTree::kMaxDepth + 1] = {};  // one for each depth
};

}  // namespace

Status find_nested_columns(Reader& reader, const NestedPlan& plan, NestedPlace* places,
                           Span<ColumnChoice> columns) {
  detail::ReaderState& state = detail::ReaderAccess::state(reader);
  const std::size_t head = detail::reader_head_bytes(state.leaf_count, state.options->footer_bytes);
  // This memory holds two names: of the current node and of the one before it.
  char* const names = reinterpret_cast<char*>(state.arena.data()) + head;
  const std::size_t space = (state.arena.size() - head) / 2;
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) places[i] = {};
  FindColumns find(plan, places, columns);
  SchemaCursor cursor(reader);
  std::string_view before;
  for (std::uint32_t i = 0; i < reader.schema_elements(); ++i) {
    SchemaElement element;
    Status status = cursor.next(Span<char>(names + (i % 2) * space, space), element);
    // A name too long for the memory belongs to no node of the plan.
    if (status == Status::kOutOfMemory) status = cursor.next({}, element);
    MICROPARQUET_TRY(status);
    find.take(element, before);
    before = element.name;
  }
  return find.found() == columns.size() ? Status::kOk : Status::kInvalidArgument;
}

}  // namespace microparquet::read

namespace microparquet::detail {

// Rows of nested columns, read into structs. Columns are read one after the other, each up to the end of the
// row. An item's levels come before its value, so that the only copy is the caller's struct.

Status NestedRows::begin(Reader& reader, const NestedPlan& plan, NestedPlace* places,
                         Span<ColumnChoice> columns) {
  MICROPARQUET_TRY(read::find_nested_columns(reader, plan, places, columns));
  MICROPARQUET_TRY(reader.choose_items(Span<const ColumnChoice>(columns.data(), columns.size())));
  reader_ = &reader;
  plan_ = &plan;
  places_ = places;
  item_.places = places;
  at_ = At::kBetweenRows;
  return Status::kOk;
}

Status NestedRows::disagree(std::uint32_t leaf) {
  ReaderState& state = ReaderAccess::state(*reader_);
  state.columns[leaf].reason = FailureReason::kLevels;
  return Status::kCorrupt;
}

// Checks that all columns end with the row group.
Status NestedRows::end_row_group() {
  ReaderState& state = ReaderAccess::state(*reader_);
  for (std::uint32_t i = 0; i < plan_->leaves.size(); ++i) {
    MICROPARQUET_TRY(read::enter_column(state, i));
    read::ItemsOf items(state.columns[i]);
    read::ItemRun run;
    Status status = items.peek(1, run);
    if (status == Status::kEnd) continue;
    if (status == Status::kOk) status = disagree(i);
    return read::report(state, i, status);
  }
  in_row_group_ = false;
  return Status::kOk;
}

void NestedRows::enter_row_group() {
  in_row_group_ = true;
  rows_left_ = reader_->row_group_rows();
}

// Passes the rest of the row in all columns.
Status NestedRows::pass_rest() {
  begin_leaves(At::kInRest);
  return read_leaves(nullptr);
}

Status NestedRows::begin_row(const void* row) {
  if (at_ == At::kNoFile) return Status::kWrongState;
  if (at_ == At::kInRow) {
    const bool is_another = passing_ && row != nullptr;
    if (!is_another) return Status::kOk;
    MICROPARQUET_TRY(read_leaves(nullptr));
  }
  if (at_ != At::kBetweenRows) MICROPARQUET_TRY(pass_rest());
  while (rows_left_ == 0) {
    if (in_row_group_) MICROPARQUET_TRY(end_row_group());
    MICROPARQUET_TRY(reader_->next_row_group());
    enter_row_group();
  }
  --rows_left_;
  begin_leaves(At::kInRow);
  return Status::kOk;
}

void NestedRows::begin_leaves(At at) {
  at_ = at;
  leaf_ = 0;
  noted_ = Status::kOk;
  rest_ = false;
  item_.cut = false;
  begin_leaf();
}

// Begins a column. The rest of a list follows an element that the struct no longer has.
void NestedRows::begin_leaf() {
  begun_ = at_ == At::kInRest;
  for (std::uint32_t& at : item_.at) at = 0;
  for (std::uint32_t& count : item_.count) count = 0;
  if (begun_) item_.at[0] = ~std::uint32_t{0};
}

// Returns whether the item is an element for which the outermost list has no room.
bool NestedRows::is_full(std::uint8_t repetition) const {
  const std::uint16_t list = plan_->leaves[leaf_].list;
  return repetition == 1 && item_.at[0] + 1 == plan_->nodes[list].capacity;
}

// Checks that all columns of a list have as many elements in this row as its first column.
Status NestedRows::check_leaf() {
  const NestedLeafPlan& leaf = plan_->leaves[leaf_];
  unsigned depth = 0;
  for (std::uint16_t i = leaf.node; i != kNoNode; i = plan_->nodes[i].parent)
    depth += plan_->nodes[i].is_list() ? 1U : 0U;
  for (std::uint16_t i = leaf.node; depth != 0; i = plan_->nodes[i].parent) {
    if (!plan_->nodes[i].is_list()) continue;
    const std::uint32_t count = item_.count[--depth];
    if (plan_->nodes[i].first_leaf == leaf_) places_[i].elements = count;
    if (places_[i].elements != count) return disagree(leaf_);
  }
  return Status::kOk;
}

Status NestedRows::store(void* row, ColumnCursor& column, std::uint8_t definition, std::uint8_t repetition) {
  item_.cell = {column.value, column.value_bytes};
  item_.definition = definition;
  item_.repetition = repetition;
  const Status status = plan_->leaves[leaf_].store(row, item_);
  if (status == Status::kCorrupt) return disagree(leaf_);
  if (status != Status::kOk) noted_ = status;
  return Status::kOk;
}

// Reads a column up to the end of the row, or to the first element without room.
Status NestedRows::read_leaf(void* row) {
  ReaderState& state = ReaderAccess::state(*reader_);
  MICROPARQUET_TRY(read::enter_column(state, leaf_));
  ColumnCursor& column = state.columns[leaf_];
  const bool in_list = plan_->leaves[leaf_].list != kNoNode;
  read::ItemsOf items(column);
  while (in_list || !begun_) {
    read::ItemRun run;
    const Status status = items.peek(1, run);
    if (status == Status::kEnd && begun_) return Status::kOk;
    if (status == Status::kEnd) return disagree(leaf_);
    MICROPARQUET_TRY(status);
    if (begun_ && run.repetition == 0) return Status::kOk;
    if (row == nullptr) {
      if (!run.null) MICROPARQUET_TRY(column.decoder->skip(PageInput(column)));
    } else if (begun_ && is_full(run.repetition)) {
      rest_ = true;
      return Status::kOk;
    } else {
      column.value = nullptr;
      column.value_bytes = 0;
      if (!run.null) MICROPARQUET_TRY(column.decoder->next(PageInput(column)));
      MICROPARQUET_TRY(store(row, column, run.definition, run.repetition));
    }
    items.pass(run, 1);
    begun_ = true;
  }
  return Status::kOk;
}

Status NestedRows::read_leaves(void* row) {
  ReaderState& state = ReaderAccess::state(*reader_);
  for (; leaf_ < plan_->leaves.size(); ++leaf_, begin_leaf()) {
    Status status = read_leaf(row);
    if (status == Status::kOk && row != nullptr) status = check_leaf();
    if (status != Status::kOk) return read::report(state, leaf_, status);
  }
  const bool too_long = rest_ || item_.cut;
  at_ = too_long ? At::kBeforeRest : At::kBetweenRows;
  if (noted_ != Status::kOk) return noted_;
  return too_long ? Status::kListTooLong : Status::kOk;
}

Status NestedRows::next(void* row) {
  MICROPARQUET_TRY(begin_row(row));
  passing_ = row == nullptr;
  return read_leaves(row);
}

Status NestedRows::more(void* row) {
  if (at_ == At::kBeforeRest) {
    plan_->clear_lists(row);
    begin_leaves(At::kInRest);
  }
  return at_ == At::kInRest ? read_leaves(row) : Status::kWrongState;
}

Status NestedRows::seek_row_group(std::uint32_t index) {
  if (plan_ == nullptr) return Status::kWrongState;
  MICROPARQUET_TRY(reader_->seek_row_group(index));
  at_ = At::kBetweenRows;
  enter_row_group();
  return Status::kOk;
}

}  // namespace microparquet::detail
