#include "read/nested_columns.h"

#include "base/try.h"
#include "microparquet/cursors.h"
#include "microparquet/detail/reader_access.h"
#include "read/list_names.h"

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
