#include "json_text.h"

#include <cstdint>

#include "value_text.h"

namespace mpq_tool {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::size_t kBytes = 3;
  constexpr unsigned kBits = 6;
  std::string text;
  text.reserve((bytes.size() + kBytes - 1) / kBytes * 4);
  for (std::size_t at = 0; at < bytes.size(); at += kBytes) {
    std::uint32_t group = 0;
    for (std::size_t i = at; i < at + kBytes; ++i) {
      group = group << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U);
    }
    for (std::size_t i = 0; i <= kBytes; ++i) {
      const bool is_there = at + i <= bytes.size();
      text += is_there ? kLetters[group >> (kBits * (kBytes - i)) & 0x3F] : '=';
    }
  }
  return text;
}

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

// Puts the comma and the name before a value, if it has them.
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
