#include "arrow_cells.h"

#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

bool is_one_of(std::string_view format, std::initializer_list<std::string_view> formats) {
  for (const std::string_view each : formats) {
    if (format == each) return true;
  }
  return false;
}

bool begins(std::string_view format, std::string_view with) { return format.substr(0, with.size()) == with; }

// Bytes of a value; 0: it has no fixed number of them.
std::int64_t width_of(std::string_view format) {
  if (is_one_of(format, {"c", "C"})) return 1;
  if (is_one_of(format, {"s", "S", "e"})) return 2;
  if (is_one_of(format, {"i", "I", "f", "tdD", "tts", "ttm"})) return 4;
  if (is_one_of(format, {"l", "L", "g", "tdm", "ttu", "ttn"}) || begins(format, "ts") || begins(format, "tD"))
    return 8;
  if (begins(format, "w:")) return std::atoll(format.data() + 2);
  if (!begins(format, "d:")) return 0;
  const std::size_t second = format.find(',', format.find(',') + 1);
  return second == std::string_view::npos ? 16 : std::atoll(format.data() + second + 1) / 8;
}

bool bit(const void* bits, std::int64_t number) {
  return (static_cast<const std::uint8_t*>(bits)[number / 8] >> (number % 8) & 1) != 0;
}

bool is_null(const ArrowArray& array, std::int64_t row) {
  return array.null_count != 0 && array.buffers[0] != nullptr && !bit(array.buffers[0], array.offset + row);
}

template <typename T>
T number(const void* numbers, std::int64_t i) {
  T value;
  std::memcpy(&value, static_cast<const std::uint8_t*>(numbers) + i * static_cast<std::int64_t>(sizeof value),
              sizeof value);
  return value;
}

template <typename Offset>
std::string text_at(const ArrowArray& array, std::int64_t row) {
  const auto begin = number<Offset>(array.buffers[1], array.offset + row);
  const auto end = number<Offset>(array.buffers[1], array.offset + row + 1);
  require(begin >= 0 && begin <= end);
  return begin == end ? ""
                      : std::string(static_cast<const char*>(array.buffers[2]) + begin,
                                    static_cast<std::size_t>(end - begin));
}

std::string view_at(const ArrowArray& array, std::int64_t row) {
  const std::int64_t at = (array.offset + row) * 4;
  const auto length = number<std::int32_t>(array.buffers[1], at);
  const auto* text = static_cast<const char*>(array.buffers[1]) + (at + 1) * 4;
  if (length > 12) {
    const auto buffer = number<std::int32_t>(array.buffers[1], at + 2);
    require(buffer >= 0 && buffer < array.n_buffers - 3);
    text =
        static_cast<const char*>(array.buffers[2 + buffer]) + number<std::int32_t>(array.buffers[1], at + 3);
  }
  return {text, static_cast<std::size_t>(length)};
}

std::int64_t index_at(std::string_view format, const void* indices, std::int64_t i) {
  switch (format[0]) {
    case 'c': return number<std::int8_t>(indices, i);
    case 'C': return number<std::uint8_t>(indices, i);
    case 's': return number<std::int16_t>(indices, i);
    case 'S': return number<std::uint16_t>(indices, i);
    case 'i': return number<std::int32_t>(indices, i);
    case 'I': return number<std::uint32_t>(indices, i);
    default: return number<std::int64_t>(indices, i);
  }
}

void check_nulls(const ArrowArray& array) {
  std::int64_t nulls = 0;
  for (std::int64_t row = 0; row < array.length; ++row) nulls += is_null(array, row) ? 1 : 0;
  require(array.null_count == -1 || array.null_count == nulls);
}

// Checks lists: each ends where the next one begins, and the last one ends with the child.
void check_list(const ArrowSchema& type, const ArrowArray& array) {
  require(array.n_children == 1 && array.n_buffers == 2);
  std::int32_t last = 0;
  for (std::int64_t i = 0; i <= array.length; ++i) {
    const auto offset = number<std::int32_t>(array.buffers[1], i);
    require(offset >= last);
    last = offset;
  }
  require(array.children[0]->length == last);
  if (begins(type.format, "+m")) {
    require(array.children[0]->n_children == 2 && array.children[0]->null_count == 0);
    require(array.children[0]->children[0]->null_count == 0);
  }
}

void check_children(const ArrowSchema& type, const ArrowArray& array) {
  require(type.n_children == array.n_children);
  for (std::int64_t i = 0; i < array.n_children; ++i) check_array(*type.children[i], *array.children[i]);
}

}  // namespace

void check_array(const ArrowSchema& type, const ArrowArray& array) {
  require(array.release != nullptr && array.length >= 0 && array.offset == 0);
  const std::string_view format = type.format;
  if (format == "n") {
    require(array.n_buffers == 0 && array.null_count == array.length);
    return;
  }
  check_nulls(array);
  check_children(type, array);
  if (format == "+s") {
    require(array.n_buffers == 1);
    for (std::int64_t i = 0; i < array.n_children; ++i) require(array.children[i]->length == array.length);
  } else if (format[0] == '+') {
    check_list(type, array);
  } else {
    require(array.n_children == 0);
    for (std::int64_t row = 0; row < array.length; ++row) static_cast<void>(cell_of(type, array, row));
  }
}

std::optional<std::string> cell_of(const ArrowSchema& type, const ArrowArray& array, std::int64_t row) {
  const std::string_view format = type.format;
  if (is_null(array, row)) return std::nullopt;
  if (type.dictionary != nullptr) {
    const std::int64_t index = index_at(format, array.buffers[1], array.offset + row);
    require(index >= 0 && index < array.dictionary->length);
    return cell_of(*type.dictionary, *array.dictionary, index);
  }
  if (format == "b") return std::string(1, bit(array.buffers[1], array.offset + row) ? '\1' : '\0');
  if (is_one_of(format, {"u", "z"})) return text_at<std::int32_t>(array, row);
  if (is_one_of(format, {"U", "Z"})) return text_at<std::int64_t>(array, row);
  if (is_one_of(format, {"vu", "vz"})) return view_at(array, row);
  const std::int64_t width = width_of(format);
  require(width > 0);
  return std::string(static_cast<const char*>(array.buffers[1]) + (array.offset + row) * width,
                     static_cast<std::size_t>(width));
}

bool stays_the_same(const ArrowSchema& type) {
  const std::string_view format = type.dictionary != nullptr ? type.dictionary->format : type.format;
  return !is_one_of(format, {"tdm", "tts"}) && !begins(format, "tss") && !begins(format, "d:");
}

namespace {

void add_cell(std::string& cells, const std::optional<std::string>& cell) {
  cells += cell ? std::to_string(cell->size()) + ":" + *cell : "-";
}

// The cells of all children in one row of theirs.
void add_children(const ArrowSchema& type, const ArrowSchema& given, const ArrowArray& array,
                  std::int64_t row, std::string& cells) {
  for (std::int64_t i = 0; i < array.n_children; ++i)
    add_cell(cells, cell_as_given(*type.children[i], *given.children[i], *array.children[i], row));
}

}  // namespace

std::optional<std::string> cell_as_given(const ArrowSchema& type, const ArrowSchema& given,
                                         const ArrowArray& array, std::int64_t row) {
  const std::string_view format = type.format;
  if (type.dictionary != nullptr || !begins(format, "+")) {
    const std::optional<std::string> cell = cell_of(type, array, row);
    return cell && !stays_the_same(given) ? "" : cell;
  }
  if (is_null(array, row)) return std::nullopt;
  std::string cells = "(";
  const std::int64_t at = array.offset + row;
  if (format == "+s") {
    add_children(type, given, array, at, cells);
    return cells;
  }
  const bool fixed = begins(format, "+w:");
  const std::int64_t width = fixed ? std::atoll(format.data() + 3) : 0;
  const std::int64_t begin = fixed            ? at * width
                             : format == "+L" ? number<std::int64_t>(array.buffers[1], at)
                                              : number<std::int32_t>(array.buffers[1], at);
  const std::int64_t end = fixed            ? begin + width
                           : format == "+L" ? number<std::int64_t>(array.buffers[1], at + 1)
                                            : number<std::int32_t>(array.buffers[1], at + 1);
  for (std::int64_t element = begin; element < end; ++element)
    add_cell(cells, cell_as_given(*type.children[0], *given.children[0], *array.children[0], element));
  return cells;
}
