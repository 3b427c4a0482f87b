#include "drawn_table.h"

#include <cstdio>
#include <cstring>

namespace drawn {
namespace {

std::uint16_t short_of(std::size_t number) { return static_cast<std::uint16_t>(number); }
std::size_t round_up(std::size_t size, std::size_t to) { return (size + to - 1) / to * to; }

constexpr unsigned kDeepest = 5;    // parts in one another
constexpr unsigned kMostLists = 3;  // lists in one another
constexpr std::uint16_t kFixedBytes = 5;

Part draw_value(Lot& lot) {
  const mpq_type* const types[] = {&mpq_bool,   &mpq_int32, &mpq_int64, &mpq_float, &mpq_double,
                                   &mpq_string, &mpq_uint8, &mpq_int16, &mpq_fixed};
  const mpq_nested_encoding* const encodings[] = {nullptr, nullptr, &mpq_nested_delta, &mpq_nested_dictionary,
                                                  &mpq_nested_small};
  Part part;
  part.node.type = types[lot.below(9)];
  part.node.encoding = encodings[lot.below(5)];
  if (part.node.type == &mpq_uint8) part.node.bytes = 1;
  if (part.node.type == &mpq_int16) part.node.bytes = 2;
  if (part.node.type == &mpq_fixed) part.node.bytes = kFixedBytes;
  return part;
}

Part draw_key(Lot& lot) {
  Part part;
  part.node.type = lot.below(2) != 0 ? &mpq_string : &mpq_int32;
  return part;
}

void name_parts(std::vector<Part>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].name = (parts[i].node.kind == &mpq_map ? "map" : "p") + std::to_string(i);
  }
}

Part draw_part(Lot& lot, unsigned depth, unsigned lists);

Part draw_list(Lot& lot, unsigned depth, unsigned lists) {
  const mpq_kind* const kinds[] = {&mpq_array, &mpq_list, &mpq_list, &mpq_span, &mpq_map};
  Part part;
  part.node.kind = kinds[lot.below(5)];
  part.node.capacity = short_of(1 + lot.below(5));
  if (part.node.kind == &mpq_map) part.children.push_back(draw_key(lot));
  part.children.push_back(draw_part(lot, depth + 1, lists + 1));
  return part;
}

Part draw_part(Lot& lot, unsigned depth, unsigned lists) {
  const unsigned form = lot.below(8);
  Part part;
  if (form < 3 && depth < kDeepest && lists < kMostLists) {
    part = draw_list(lot, depth, lists);
  } else if (form < 5 && depth < kDeepest) {
    part.node.kind = &mpq_struct;
    for (unsigned i = 1 + lot.below(3); i > 0; --i) part.children.push_back(draw_part(lot, depth + 1, lists));
    name_parts(part.children);
  } else {
    part = draw_value(lot);
  }
  if (lot.below(3) == 0) part.node.optional = &mpq_may_be_missing;
  return part;
}

std::size_t size_of_value(const mpq_node& node) {
  if (node.type == &mpq_string) return sizeof(mpq_text);
  if (node.type == &mpq_bool) return sizeof(bool);
  if (node.type == &mpq_int32 || node.type == &mpq_float) return sizeof(float);
  return node.bytes != 0 ? node.bytes : sizeof(double);
}

std::size_t place(std::vector<Part>& parts);

// Sets the stride, and returns the size in the part around it.
std::size_t size_of(Part& part) {
  if (part.is_value()) return size_of_value(part.node);
  part.node.stride = short_of(place(part.children));
  if (part.node.kind == &mpq_struct) return part.node.stride;
  return part.is_span() ? sizeof(void*) : std::size_t{part.node.stride} * part.node.capacity;
}

// Gives each part its place in the struct that has all of them; returns its size.
std::size_t place(std::vector<Part>& parts) {
  std::size_t end = 0;
  for (Part& part : parts) {
    if (part.node.optional != nullptr) part.node.valid_offset = short_of(end++);
    if (part.is_counted()) {
      end = round_up(end, sizeof part.node.count_offset);
      part.node.count_offset = short_of(end);
      end += sizeof part.node.count_offset;
    }
    const std::size_t size = size_of(part);
    end = round_up(end, sizeof(double));
    part.node.offset = short_of(end);
    end += size;
  }
  return round_up(end, sizeof(double));
}

void collect(const std::vector<Part>& parts, std::vector<mpq_node>& nodes) {
  for (const Part& part : parts) {
    nodes.push_back(part.node);
    nodes.back().name = part.name.empty() ? nullptr : part.name.c_str();
    nodes.back().children = short_of(part.children.size());
    collect(part.children, nodes);
  }
}

template <typename T>
void put(std::byte* at, T value) {
  std::memcpy(at, static_cast<const void*>(&value), sizeof value);
}

std::string describe(const std::vector<Part>& parts) {
  std::string text = "[";
  for (const Part& part : parts) {
    if (text.size() > 1) text += ',';
    const char* const kind = part.is_value() ? "value" : part.node.kind == &mpq_struct ? "struct" : "list";
    text += "[\"" + part.name + "\",\"" + kind + "\"," +
            (part.node.optional != nullptr ? "true," : "false,") + describe(part.children) + "]";
  }
  return text + "]";
}

constexpr std::uint64_t kNever = 0xA5A5A5A5A5A5A5A5;  // as a count it is larger than any capacity

}  // namespace

Table::Table(Lot& lot) {
  for (unsigned i = 1 + lot.below(4); i > 0; --i) parts_.push_back(draw_part(lot, 0, 0));
  name_parts(parts_);
  table_.row_bytes = place(parts_);
  collect(parts_, nodes_);
  table_.nodes = nodes_.data();
  table_.node_count = nodes_.size();
}

std::string Table::text() const { return describe(parts_); }

Row::Row(Lot& lot, const Table& table)
    : lot_(lot), table_(table), bytes_(table.nodes().row_bytes / sizeof(std::uint64_t), kNever) {
  fill_struct(table.parts(), reinterpret_cast<std::byte*>(bytes_.data()));
}

bool Row::count_too_much() {
  const Part& last = table_.parts().back();
  if (!last.is_counted() || last.node.optional != nullptr) return false;
  put(reinterpret_cast<std::byte*>(bytes_.data()) + last.node.count_offset,
      short_of(last.node.capacity + 1U));
  return true;
}

void Row::fill_struct(const std::vector<Part>& parts, std::byte* at) {
  text_ += '{';
  for (const Part& part : parts) {
    if (&part != parts.data()) text_ += ',';
    text_ += '"' + part.name + "\":";
    fill_part(part, at, 0);
  }
  text_ += '}';
}

// `at` is where the part around it begins; `number` is another one for each entry of a map.
void Row::fill_part(const Part& part, std::byte* at, unsigned number) {
  if (part.node.optional != nullptr) {
    const bool valid = lot_.below(4) != 0;
    put(at + part.node.valid_offset, valid);
    if (!valid) {
      text_ += "null";
      return;
    }
  }
  if (part.is_value()) return fill_value(part.node, at + part.node.offset, number);
  if (part.node.kind == &mpq_struct) return fill_struct(part.children, at + part.node.offset);
  fill_list(part, at);
}

void Row::fill_list(const Part& part, std::byte* at) {
  const bool map = part.node.kind == &mpq_map;
  unsigned count = part.node.capacity;
  if (part.is_counted()) put(at + part.node.count_offset, short_of(count = lot_.below(count + 1)));
  std::byte* element = at + part.node.offset;
  if (part.is_span()) {
    elsewhere_.emplace_back(part.node.stride * count / sizeof(std::uint64_t), kNever);
    put(element, elsewhere_.back().data());
    element = reinterpret_cast<std::byte*>(elsewhere_.back().data());
  }
  text_ += map ? "{\"map\":[" : "[";
  for (unsigned i = 0; i < count; ++i, element += part.node.stride) {
    if (i != 0) text_ += ',';
    if (map) text_ += '[';
    for (const Part& child : part.children) {
      if (&child != part.children.data()) text_ += ',';
      fill_part(child, element, i);
    }
    if (map) text_ += ']';
  }
  text_ += map ? "]}" : "]";
}

void Row::fill_value(const mpq_node& node, std::byte* at, unsigned number) {
  if (node.type == &mpq_string) return fill_text(at, number);
  if (node.type == &mpq_fixed) return fill_fixed(at);
  const unsigned drawn = lot_.below(lot_.below(2) != 0 ? 8 : 250) / 2;
  if (node.type == &mpq_bool) {
    put(at, drawn % 2 != 0);
    text_ += drawn % 2 != 0 ? "true" : "false";
    return;
  }
  const bool is_key = node.type == &mpq_int32 && number != 0;
  const std::int32_t value = static_cast<std::int32_t>(is_key ? 1000 * number + drawn : drawn);
  text_ += std::to_string(value);
  if (node.type == &mpq_float) return put(at, static_cast<float>(value));
  if (node.type == &mpq_double) return put(at, static_cast<double>(value));
  if (node.type == &mpq_int32) return put(at, value);
  if (node.bytes == 1) return put(at, static_cast<std::uint8_t>(value));
  if (node.bytes == 2) return put(at, static_cast<std::int16_t>(value));
  put(at, std::int64_t{value});
}

void Row::fill_text(std::byte* at, unsigned number) {
  std::string& letters = letters_.emplace_back(lot_.below(9), static_cast<char>('a' + lot_.below(3)));
  letters += std::to_string(number);
  put(at, mpq_text{letters.data(), letters.size()});
  text_ += '"' + letters + '"';
}

void Row::fill_fixed(std::byte* at) {
  for (unsigned i = 0; i < kFixedBytes; ++i) at[i] = static_cast<std::byte>(lot_.below(256));
  text_ += text_of_bytes(at, kFixedBytes);
}

std::string text_of_bytes(const std::byte* bytes, std::size_t count) {
  std::string text = "{\"hex\":\"";
  for (std::size_t i = 0; i < count; ++i) {
    char hex[3];
    std::snprintf(hex, sizeof hex, "%02x", static_cast<unsigned>(bytes[i]));
    text += hex;
  }
  return text + "\"}";
}

Setup::Setup(Lot& lot, const Table& table) {
  const mpq_layout* const layouts[] = {&mpq_in_place, &mpq_in_place_no_checkpoints, &mpq_forward};
  options_.layout = layouts[lot.below(3)];
  options_.page_bytes = 512U << lot.below(3);
  options_.whole_sectors = lot.below(2) != 0;
  options_.row_group_rows = lot.below(2) * 40;
  setup_.table = table.nodes();
  setup_.options = &options_;
  take_memory();
}

bool Setup::gives(mpq_status status, const mpq_writer& writer, bool is_new) {
  const std::size_t needed = mpq_nested_needed_bytes(&writer);
  if (status == MPQ_OUT_OF_MEMORY && needed > setup_.memory_bytes) {
    memory_.resize(needed / sizeof memory_[0] + 1);
    take_memory();
    return true;
  }
  if (status != MPQ_VALUE_TOO_LARGE || !is_new) return false;
  options_.page_bytes *= 2;
  return true;
}

void Setup::take_memory() {
  setup_.memory = memory_.data();
  setup_.memory_bytes = memory_.size() * sizeof memory_[0];
}

}  // namespace drawn
