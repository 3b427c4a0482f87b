#include "arrow_node.h"

#include <map>
#include <string>

#include "arrow_type.h"
#include "microparquet/desktop/failure.h"

namespace microparquet::desktop {

namespace {

// The nodes of the schema with their names, and which columns are chosen.
class SchemaNodes {
 public:
  SchemaNodes(GrowingReader& memory, const Records& records) : records_(records) {
    const Status status = memory.visit_schema([this](const SchemaElement& element) {
      names_.emplace_back(element.name);
      elements_.push_back(element);
    });
    if (status != Status::kOk) {
      throw Failure(std::string("the schema cannot be read: ") + to_string(status));
    }
    const Reader& reader = memory.reader();
    for (std::size_t place = 0; place < reader.chosen(); ++place) {
      places_[reader.chosen_column(place)] = place;
    }
  }

  // The fields of the row.
  ArrowNode row() const {
    ArrowNode node;
    node.format = "+s";
    add_members(0, node);
    return node;
  }

 private:
  std::uint32_t end_of(std::uint32_t number) const {
    std::uint32_t end = number + 1;
    while (end < elements_.size() && elements_[end].depth > elements_[number].depth) {
      ++end;
    }
    return end;
  }

  bool is_chosen(std::uint32_t number) const {
    for (std::uint32_t i = number, end = end_of(number); i < end; ++i) {
      if (elements_[i].leaf && places_.count(elements_[i].column) != 0) {
        return true;
      }
    }
    return false;
  }

  void add_members(std::uint32_t number, ArrowNode& node) const {
    const std::uint32_t end = end_of(number);
    for (std::uint32_t child = number + 1; child < end; child = end_of(child)) {
      if (is_chosen(child)) {
        node.children.push_back(member(child));
      }
    }
    node.leaf = node.children.empty() ? 0 : node.children.front().leaf;
  }

  // A node with its repetition.
  ArrowNode member(std::uint32_t number) const {
    const SchemaElement& element = elements_[number];
    if (element.repetition != Repetition::kRepeated) {
      return shaped(number);
    }
    ArrowNode list;
    list.name = names_[number];
    list.definition = element.max_definition_level - 1;  // is there, with its elements or without
    make_list(list, number, shaped(number));
    return list;
  }

  // The same without it.
  ArrowNode shaped(std::uint32_t number) const {
    const SchemaElement& element = elements_[number];
    ArrowNode node;
    node.name = names_[number];
    node.nullable = element.repetition == Repetition::kOptional;
    node.definition = element.max_definition_level;
    switch (records_.shape_of(number)) {
      case EventKind::kBeginList: make_list(node, number + 1, list_element(number)); break;
      case EventKind::kBeginMap: make_map(node, number + 1); break;
      case EventKind::kBeginStruct:
        node.format = "+s";
        add_members(number, node);
        break;
      default:
        node.kind = ArrowNode::Kind::kValue;
        node.leaf = places_.at(element.column);
        set_type(element, node);
        break;
    }
    return node;
  }

  ArrowNode list_element(std::uint32_t list) const {
    const std::uint32_t element = records_.element_of(list);
    return element == list + 1 ? shaped(element) : member(element);
  }

  void make_list(ArrowNode& list, std::uint32_t repeated, ArrowNode element) const {
    list.kind = ArrowNode::Kind::kList;
    list.format = "+l";
    list.element_definition = elements_[repeated].max_definition_level;
    list.repetition = elements_[repeated].max_repetition_level;
    list.leaf = element.leaf;
    list.children.push_back(std::move(element));
  }

  void make_map(ArrowNode& map, std::uint32_t repeated) const {
    ArrowNode entries;
    entries.name = names_[repeated];
    entries.format = "+s";
    entries.definition = elements_[repeated].max_definition_level;
    add_members(repeated, entries);
    const bool whole = entries.children.size() == 2;
    if (whole) {
      entries.children.front().nullable = false;  // what Arrow asks of keys
    }
    make_list(map, repeated, std::move(entries));
    if (whole) {
      map.kind = ArrowNode::Kind::kMap;
      map.format = "+m";
    }
  }

  const Records& records_;
  std::vector<SchemaElement> elements_;
  std::vector<std::string> names_;
  std::map<std::uint32_t, std::size_t> places_;  // among the chosen, by columns
};

}  // namespace

ArrowNode arrow_schema(GrowingReader& memory, const Records& records) {
  return SchemaNodes(memory, records).row();
}

}  // namespace microparquet::desktop
