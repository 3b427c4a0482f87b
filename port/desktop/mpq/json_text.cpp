#include "json_text.h"

#include "value_text.h"

namespace mpq_tool {

namespace {

using microparquet::EventKind;
using microparquet::LogicalKind;

}  // namespace

bool JsonText::has_text_keys(std::uint32_t map) const {
  const microparquet::SchemaElement& key = nodes_[map + 2].element;
  const LogicalKind kind = key.logical.kind;
  return key.leaf && key.repetition == microparquet::Repetition::kRequired &&
         (kind == LogicalKind::kString || kind == LogicalKind::kEnum);
}

// What stands before a value: a comma, and its name where it has one.
void JsonText::begin_part(std::uint32_t element) {
  if (open_.empty()) {
    return;
  }
  Open& open = open_.back();
  const bool first = open.parts++ == 0;
  switch (open.in) {
    case In::kObject: text_ += (first ? "" : ",") + json_string(names_[element]) + ":"; return;
    case In::kEntry: text_ += first ? "" : ":"; return;
    case In::kPair: text_ += first ? "\"key\":" : ",\"value\":"; return;
    default: text_ += first ? "" : ","; return;
  }
}

void JsonText::begin(In in, std::uint32_t element) {
  begin_part(element);
  text_ += in == In::kEntry ? "" : in == In::kArray || in == In::kMapOfPairs ? "[" : "{";
  open_.push_back({in, 0});
}

void JsonText::begin_struct(std::uint32_t element) {
  const In outer = open_.empty() ? In::kArray : open_.back().in;
  begin(outer == In::kMap ? In::kEntry : outer == In::kMapOfPairs ? In::kPair : In::kObject, element);
}

void JsonText::end() {
  const Open open = open_.back();
  open_.pop_back();
  if (open.in == In::kEntry) {
    text_ += open.parts == 1 ? ":null" : "";  // its values are not among the columns chosen
    return;
  }
  text_ += open.in == In::kArray || open.in == In::kMapOfPairs ? "]" : "}";
}

void JsonText::add(const microparquet::Event& event) {
  switch (event.kind) {
    case EventKind::kBeginStruct: return begin_struct(event.element);
    case EventKind::kBeginList: return begin(In::kArray, event.element);
    case EventKind::kBeginMap:
      return begin(has_text_keys(event.element) ? In::kMap : In::kMapOfPairs, event.element);
    case EventKind::kEnd: return end();
    case EventKind::kNull:
      begin_part(event.element);
      text_ += "null";
      return;
    case EventKind::kValue:
      begin_part(event.element);
      text_ += value_json(nodes_[event.element].element, {event.cell.data, event.cell.bytes});
      return;
    case EventKind::kBeginRow:
    case EventKind::kEndRow: return;
  }
}

}  // namespace mpq_tool
