#include "arrow_producer.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace {

constexpr std::uint32_t kMostRows = 40;
constexpr std::int64_t kMostSlots = 200;  // that have memory
constexpr std::int64_t kNoMemoryHas = std::int64_t{1} << 40;
constexpr const char* kFormats[] = {
    "b",    "c",     "C",      "s",        "S",          "i",   "I",   "l",    "L",    "e",
    "f",    "g",     "u",      "U",        "z",          "Z",   "vu",  "vz",   "w:5",  "w:0",
    "tdD",  "tdm",   "tts",    "ttm",      "ttu",        "ttn", "tDs", "tsm:", "tss:", "tsu:UTC",
    "tsn:", "d:9,2", "d:20,2", "d:5,0,32", "d:60,3,256", "+s",  "n",   "d:",   "ts",   "w:x"};
constexpr const char* kNested[] = {"+l", "+L", "+w:2", "+w:0", "+m", "+s"};
constexpr std::uint32_t kMostDepth = 4;
constexpr const char* kIndices[] = {"c", "C", "s", "S", "i", "I", "l", "L", "u", "b"};

void release_type(ArrowSchema* schema) { schema->release = nullptr; }
void release_array(ArrowArray* array) { array->release = nullptr; }
void release_stream(ArrowArrayStream* stream) { stream->release = nullptr; }
const char* last_error(ArrowArrayStream*) { return nullptr; }

// Bytes of memory that `slots` values take, of the types of a fixed width.
std::size_t bytes_of(std::string_view format, std::size_t slots) {
  if (format == "b") return (slots + 7) / 8;
  if (format == "w:5") return slots * 5;
  if (format.substr(0, 2) == "d:")
    return slots * (format == "d:60,3,256" ? 32 : format == "d:5,0,32" ? 4 : 16);
  if (format.substr(0, 2) == "ts" || format.substr(0, 2) == "tD") return slots * 8;
  constexpr std::string_view kNarrow[] = {"cC", "sSe", "iIf"};
  if (format.size() == 1) {
    for (unsigned i = 0; i < 3; ++i) {
      if (kNarrow[i].find(format) != std::string_view::npos) return slots << i;
    }
  }
  return slots * (format == "tdD" || format == "tts" || format == "ttm" ? 4 : 8);
}

}  // namespace

std::int64_t Script::any() {
  switch (below(4)) {
    case 0: return static_cast<std::int8_t>(byte());
    case 1: return std::int64_t{1} << below(64);
    case 2: return -1 - byte();
    default: return byte();
  }
}

std::byte* Producer::memory(std::size_t bytes) {
  memory_.push_back(std::make_unique<std::byte[]>(bytes));
  for (std::size_t i = 0; i < bytes; ++i) memory_.back()[i] = static_cast<std::byte>(script_.byte());
  return memory_.back().get();
}

// The parts that a list, map or struct has, or now and then others.
void Producer::add_parts(ArrowSchema& type, std::uint32_t depth) {
  const std::string_view format = type.format;
  std::vector<ArrowSchema*>& parts = type_lists_.emplace_back();
  if (format == "+m") {
    ArrowSchema& entries = make_named();
    entries.format = script_.lies() ? "+l" : "+s";
    std::vector<ArrowSchema*>& of_entry = type_lists_.emplace_back();
    of_entry = {&make_type(false, kMostDepth), &make_type(true, depth)};
    entries.n_children = script_.lies() ? script_.below(3) : 2;
    entries.children = of_entry.data();
    parts.push_back(&entries);
  } else {
    const std::uint32_t count = format == "+s" ? script_.below(8) : 1;
    for (std::uint32_t i = 0; i < count % 4; ++i) parts.push_back(&make_type(true, depth));
  }
  if (script_.lies() && !parts.empty()) parts.back() = nullptr;
  type.n_children = static_cast<std::int64_t>(parts.size());
  if (script_.lies()) type.n_children -= 1;
  type.children = parts.data();
}

ArrowSchema& Producer::make_named() {
  ArrowSchema& type = types_.emplace_back();
  type = {};
  type.release = &release_type;
  type.name = script_.lies() ? nullptr : texts_.emplace_back("c" + std::to_string(types_.size())).c_str();
  type.flags = script_.below(4) != 0 ? ARROW_FLAG_NULLABLE : 0;
  return type;
}

ArrowSchema& Producer::make_type(bool may_have_dictionary, std::uint32_t depth) {
  ArrowSchema& type = make_named();
  if (depth < kMostDepth && script_.below(3) == 0) {
    type.format = kNested[script_.below(std::size(kNested))];
    add_parts(type, depth + 1);
    return type;
  }
  type.format = kFormats[script_.below(std::size(kFormats))];
  if (may_have_dictionary && script_.below(4) == 0) {
    type.dictionary = &make_type(false, kMostDepth);
    type.format = kIndices[script_.below(std::size(kIndices))];
  }
  if (script_.lies()) type.format = nullptr;
  if (script_.lies()) type.release = nullptr;
  return type;
}

void Producer::make_schema() {
  std::vector<ArrowSchema*>& children = type_lists_.emplace_back();
  for (std::uint32_t i = 0, count = 1 + script_.below(3); i < count; ++i)
    children.push_back(&make_type(true, 0));
  schema_.format = script_.lies() ? "u" : "+s";
  schema_.n_children = static_cast<std::int64_t>(children.size());
  if (script_.lies()) children.back() = nullptr;
  if (script_.lies()) schema_.n_children = -1;
  schema_.children = script_.lies() ? nullptr : children.data();
  schema_.release = &release_type;
}

// Texts that follow each other, but for a lie within them; the bytes end where the last one does.
std::int64_t Producer::add_texts(std::vector<const void*>& buffers, std::int64_t slots,
                                 unsigned offset_bytes) {
  std::byte* const offsets = memory(static_cast<std::size_t>(slots + 1) * offset_bytes);
  std::int64_t end = script_.below(4);
  for (std::int64_t i = 0; i <= slots; ++i) {
    const std::int64_t told = script_.lies() && i != slots ? script_.any() : end;
    std::memcpy(offsets + i * offset_bytes, &told, offset_bytes);
    end += i == slots ? 0 : script_.below(20);
  }
  buffers.push_back(offsets);
  buffers.push_back(memory(static_cast<std::size_t>(end)));
  return end;
}

void Producer::add_views(std::vector<const void*>& buffers, std::int64_t slots) {
  constexpr std::size_t kViewBytes = 16;
  std::byte* const views = memory(static_cast<std::size_t>(slots) * kViewBytes);
  const std::uint32_t texts = script_.below(3);
  for (std::int64_t i = 0; i < slots; ++i) {
    const bool inside = texts == 0 || script_.below(2) == 0;
    std::int32_t parts[4] = {static_cast<std::int32_t>(script_.below(13)), 0, 0, 0};
    if (!inside) {
      parts[0] = static_cast<std::int32_t>(13 + script_.below(20));
      parts[2] = static_cast<std::int32_t>(script_.below(texts));
      parts[3] = static_cast<std::int32_t>(script_.below(30));
    }
    if (script_.lies()) parts[script_.below(4)] = static_cast<std::int32_t>(script_.any());
    std::memcpy(views + static_cast<std::size_t>(i) * kViewBytes, parts, inside ? 4 : sizeof parts);
  }
  buffers.push_back(views);
  std::vector<std::int64_t> sizes;
  for (std::uint32_t i = 0; i < texts; ++i) {
    sizes.push_back(20 + script_.below(60));
    buffers.push_back(memory(static_cast<std::size_t>(sizes.back())));
  }
  std::byte* const told = memory(sizes.size() * sizeof sizes[0]);
  if (!sizes.empty()) std::memcpy(told, sizes.data(), sizes.size() * sizeof sizes[0]);
  buffers.push_back(told);
}

// Lists that follow each other, but for a lie within them. Returns how many elements they have.
std::int64_t Producer::add_offsets(std::vector<const void*>& buffers, std::int64_t slots,
                                   unsigned offset_bytes) {
  std::byte* const offsets = memory(static_cast<std::size_t>(slots + 1) * offset_bytes);
  std::int64_t end = script_.below(3);
  for (std::int64_t i = 0; i <= slots; ++i) {
    const std::int64_t told = script_.lies() ? script_.any() : end;
    std::memcpy(offsets + i * offset_bytes, &told, offset_bytes);
    end += i == slots ? 0 : script_.below(4);
  }
  buffers.push_back(offsets);
  return end;
}

// Makes the arrays of a list, map or struct for the slots that it claims; now and then one is shorter.
void Producer::make_parts(const ArrowSchema& type, ArrowArray& array, std::int64_t slots) {
  const std::string_view format = type.format;
  std::vector<const void*>& buffers = buffer_lists_.emplace_back();
  const bool nulls = script_.below(3) == 0;
  buffers.push_back(nulls ? memory(static_cast<std::size_t>(slots + 7) / 8) : nullptr);
  array.null_count = nulls ? -1 : 0;
  std::int64_t inside = slots;
  if (format == "+l" || format == "+L" || format == "+m") {
    inside = add_offsets(buffers, slots, format == "+L" ? 8 : 4);
  } else if (format != "+s") {
    inside = format == "+w:2" ? 2 * slots : 0;
  }
  if (script_.lies()) inside = script_.below(4);
  std::vector<ArrowArray*>& parts = column_lists_.emplace_back();
  for (std::int64_t i = 0; i < type.n_children; ++i) {
    if (type.children[i] != nullptr) parts.push_back(&make_column(*type.children[i], inside));
  }
  if (script_.lies() && !parts.empty()) parts.back() = nullptr;
  if (script_.lies()) buffers[script_.below(static_cast<std::uint32_t>(buffers.size()))] = nullptr;
  if (script_.lies()) buffers.pop_back();
  array.n_buffers = static_cast<std::int64_t>(buffers.size());
  array.buffers = buffers.data();
  array.n_children = static_cast<std::int64_t>(parts.size());
  array.children = script_.lies() ? nullptr : parts.data();
}

// Makes buffers for the slots that the array claims, its offset's among them.
void Producer::make_buffers(const ArrowSchema& type, ArrowArray& array, std::int64_t slots) {
  std::vector<const void*>& buffers = buffer_lists_.emplace_back();
  const std::string_view format = type.format != nullptr ? type.format : "i";
  const bool nulls = script_.below(3) == 0;
  buffers.push_back(nulls ? memory(static_cast<std::size_t>(slots + 7) / 8) : nullptr);
  array.null_count = nulls ? -1 : 0;
  if (format == "u" || format == "z" || format == "U" || format == "Z") {
    add_texts(buffers, slots, format == "u" || format == "z" ? 4 : 8);
  } else if (format == "vu" || format == "vz") {
    add_views(buffers, slots);
  } else {
    buffers.push_back(memory(bytes_of(format, static_cast<std::size_t>(slots))));
  }
  if (script_.lies()) buffers[script_.below(static_cast<std::uint32_t>(buffers.size()))] = nullptr;
  if (script_.lies()) buffers.pop_back();
  if (script_.lies()) array.null_count = script_.any();
  array.n_buffers = static_cast<std::int64_t>(buffers.size());
  array.buffers = script_.lies() ? nullptr : buffers.data();
}

ArrowArray& Producer::make_column(const ArrowSchema& type, std::int64_t slots) {
  ArrowArray& array = columns_.emplace_back();
  array = {};
  array.release = script_.lies() ? nullptr : &release_array;
  array.length = slots + script_.below(3);
  array.offset = script_.below(9);
  for (std::int64_t* const told : {&array.length, &array.offset}) {
    if (script_.lies()) *told = script_.any();
    if (*told > kMostSlots) *told = kNoMemoryHas;
  }
  const bool claims =
      array.length >= 0 && array.offset >= 0 && array.length <= kMostSlots && array.offset <= kMostSlots;
  const std::int64_t claimed = claims ? array.length + array.offset : 0;
  if (type.children != nullptr) {
    make_parts(type, array, claimed);
    return array;
  }
  make_buffers(type, array, claimed);
  if (type.dictionary != nullptr && !script_.lies())
    array.dictionary = &make_column(*type.dictionary, script_.below(6));
  return array;
}

// Makes an array whose columns have its offset, too, and may be shorter than it says that it is.
void Producer::make_array() {
  ArrowArray& array = arrays_.emplace_back();
  array = {};
  const std::int64_t rows = script_.below(kMostRows);
  array.length = script_.lies() ? script_.any() & 0x3FFF : rows;
  if (script_.lies()) array.length = -array.length;
  array.offset = script_.below(4) == 0 ? script_.below(9) : 0;
  std::vector<ArrowArray*>& children = column_lists_.emplace_back();
  for (std::int64_t i = 0; i < schema_.n_children && schema_.children != nullptr; ++i) {
    if (schema_.children[i] != nullptr)
      children.push_back(&make_column(*schema_.children[i], rows + array.offset));
  }
  if (script_.lies() && !children.empty()) children.back() = nullptr;
  const std::int64_t slots = std::max<std::int64_t>(array.length, 0) + array.offset;
  std::vector<const void*>& buffers = buffer_lists_.emplace_back();
  buffers.push_back(script_.lies() ? memory(static_cast<std::size_t>(slots + 7) / 8) : nullptr);
  array.null_count = buffers[0] != nullptr ? -1 : 0;
  array.n_buffers = 1;
  array.buffers = buffers.data();
  array.n_children = static_cast<std::int64_t>(children.size());
  array.children = children.data();
  array.release = &release_array;
  if (script_.lies()) array.n_children -= 1;
}

Producer::Producer(Script& script) : script_(script) {
  make_schema();
  for (std::uint32_t i = 0, count = 1 + script_.below(3); i < count; ++i) make_array();
}

int Producer::get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  *out = static_cast<Producer*>(stream->private_data)->schema_;
  return 0;
}

int Producer::get_next(ArrowArrayStream* stream, ArrowArray* out) {
  auto& self = *static_cast<Producer*>(stream->private_data);
  *out = {};
  if (self.given_ != self.arrays_.size()) *out = self.arrays_[self.given_++];
  return 0;
}

ArrowArrayStream Producer::stream() {
  return {&Producer::get_schema, &Producer::get_next, &last_error, &release_stream, this};
}
