// Schemas drawn by lot and written by a table of nodes, with their rows as text; check_drawn.py has a model of their levels.
//
//   drawn_gen FOLDER COUNT
//
// What lies in a part that is missing, and behind the last element of a list, is never to be looked at: it is no number that
// any of them may have.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "microparquet/c/microparquet.h"
#include "microparquet/port/posix_file_c.h"

namespace {

class Lot {
 public:
  explicit Lot(unsigned seed) : random_(seed) {}
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_()) % limit; }

 private:
  std::mt19937 random_;
};

std::uint16_t short_of(std::size_t number) { return static_cast<std::uint16_t>(number); }
std::size_t round_up(std::size_t size, std::size_t to) { return (size + to - 1) / to * to; }

struct Part {
  mpq_node node = {};
  std::string name;
  std::vector<Part> children;

  bool is_value() const { return node.kind == nullptr; }
  bool is_span() const { return node.kind == &mpq_span; }
  bool is_counted() const { return is_span() || node.kind == &mpq_list || node.kind == &mpq_map; }
};

constexpr unsigned kDeepest = 5;    // parts in one another
constexpr unsigned kMostLists = 3;  // lists in one another
constexpr std::uint16_t kFixedBytes = 5;

Part draw_value(Lot& lot) {
  static const mpq_type* const kTypes[] = {&mpq_bool,   &mpq_int32, &mpq_int64, &mpq_float, &mpq_double,
                                           &mpq_string, &mpq_uint8, &mpq_int16, &mpq_fixed};
  static const mpq_nested_encoding* const kEncodings[] = {nullptr, nullptr, &mpq_nested_delta,
                                                          &mpq_nested_dictionary, &mpq_nested_small};
  Part part;
  part.node.type = kTypes[lot.below(9)];
  part.node.encoding = kEncodings[lot.below(5)];
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
  static const mpq_kind* const kKinds[] = {&mpq_array, &mpq_list, &mpq_list, &mpq_span, &mpq_map};
  Part part;
  part.node.kind = kKinds[lot.below(5)];
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
  std::memcpy(at, &value, sizeof value);
}

// A row of the drawn struct and its text, in JSON.
class Row {
 public:
  Row(Lot& lot, std::size_t bytes)
      : lot_(lot), bytes_(round_up(bytes, sizeof(std::uint64_t)) / sizeof(std::uint64_t), kNever) {}

  std::byte* data() { return reinterpret_cast<std::byte*>(bytes_.data()); }
  const std::string& text() const { return text_; }

  void fill(const std::vector<Part>& parts) { fill_struct(parts, data()); }

 private:
  static constexpr std::uint64_t kNever = 0xA5A5A5A5A5A5A5A5;  // as a count it is larger than any capacity

  void fill_struct(const std::vector<Part>& parts, std::byte* at) {
    text_ += '{';
    for (const Part& part : parts) {
      if (&part != parts.data()) text_ += ',';
      text_ += '"' + part.name + "\":";
      fill_part(part, at, 0);
    }
    text_ += '}';
  }

  // `at` is where the part around it begins; `number` is another one for each entry of a map.
  void fill_part(const Part& part, std::byte* at, unsigned number) {
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

  void fill_list(const Part& part, std::byte* at) {
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

  void fill_value(const mpq_node& node, std::byte* at, unsigned number) {
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

  void fill_text(std::byte* at, unsigned number) {
    std::string& letters = letters_.emplace_back(lot_.below(9), static_cast<char>('a' + lot_.below(3)));
    letters += std::to_string(number);
    put(at, mpq_text{letters.data(), letters.size()});
    text_ += '"' + letters + '"';
  }

  void fill_fixed(std::byte* at) {
    char hex[2 * kFixedBytes + 1];
    for (unsigned i = 0; i < kFixedBytes; ++i) {
      const unsigned byte = lot_.below(256);
      at[i] = static_cast<std::byte>(byte);
      std::snprintf(hex + 2 * i, 3, "%02x", byte);
    }
    text_ += std::string("{\"hex\":\"") + hex + "\"}";
  }

  Lot& lot_;
  std::vector<std::uint64_t> bytes_;
  std::deque<std::vector<std::uint64_t>> elsewhere_;
  std::deque<std::string> letters_;
  std::string text_;
};

// The text of the schema: of each part its name, kind, whether it may be missing, and its children.
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

// A log of a drawn schema.
class Log {
 public:
  Log(unsigned seed, const std::string& path) : lot_(seed), path_(path + ".parquet"), text_(path + ".json") {
    for (unsigned i = 1 + lot_.below(4); i > 0; --i) parts_.push_back(draw_part(lot_, 0, 0));
    name_parts(parts_);
    setup_.table.row_bytes = place(parts_);
    collect(parts_, nodes_);
    setup_.table.nodes = nodes_.data();
    setup_.table.node_count = nodes_.size();
    draw_options();
    setup_.options = &options_;
  }

  // Returns whether all went as it should.
  bool write() {
    std::size_t node = 0;
    const mpq_table_fault fault = mpq_table_check(&setup_.table, &node);
    if (fault != MPQ_TABLE_SOUND)
      return said("node " + std::to_string(node) + ": " + mpq_table_fault_text(fault));
    text_ << describe(parts_) << '\n';
    mpq_status status = mpq_posix_make(&file_);
    if (status == MPQ_OK) status = boot();
    if (status == MPQ_OK && lot_.below(2) != 0) status = boot();
    return status == MPQ_OK || said(mpq_status_text(status));
  }

 private:
  static constexpr unsigned kRows = 150;

  void draw_options() {
    static const mpq_layout* const kLayouts[] = {&mpq_in_place, &mpq_in_place_no_checkpoints, &mpq_forward};
    options_ = mpq_default_options;
    options_.layout = kLayouts[lot_.below(3)];
    options_.page_bytes = 512U << lot_.below(3);
    options_.whole_sectors = lot_.below(2) != 0;
    options_.row_group_rows = lot_.below(2) * 40;
  }

  bool said(const std::string& what) const {
    std::printf("%s: %s\n", path_.c_str(), what.c_str());
    return false;
  }

  // Opens the file with as much memory as it takes, and with pages that a row of each array fits in.
  mpq_status open() {
    for (;;) {
      if (fresh_) std::remove(path_.c_str());
      mpq_file* file = nullptr;
      mpq_status status = mpq_posix_open_for_append(&file_, path_.c_str(), &file);
      if (status != MPQ_OK) return status;
      setup_.memory = memory_.data();
      setup_.memory_bytes = memory_.size() * sizeof memory_[0];
      status = mpq_nested_resume(&writer_, file, &setup_);
      if (status == MPQ_OK) return status;
      const std::size_t needed = mpq_nested_needed_bytes(&writer_);
      mpq_posix_close(&file_);
      if (status == MPQ_OUT_OF_MEMORY && needed > setup_.memory_bytes) {
        memory_.resize(round_up(needed, sizeof memory_[0]) / sizeof memory_[0]);
      } else if (status == MPQ_VALUE_TOO_LARGE && fresh_) {
        options_.page_bytes *= 2;
      } else {
        return status;
      }
    }
  }

  mpq_status boot() {
    mpq_status status = open();
    fresh_ = false;
    for (unsigned i = 0; i < kRows && status == MPQ_OK; ++i) {
      status = append();
      if (status == MPQ_OK && options_.layout == &mpq_in_place && lot_.below(30) == 0)
        status = mpq_writer_checkpoint(&writer_);
    }
    if (status == MPQ_OK) status = mpq_writer_close(&writer_);
    const mpq_status closed = mpq_posix_close(&file_);
    return status == MPQ_OK ? closed : status;
  }

  // A row that no page takes is not in the file, nor is one whose list counts more than there can be.
  mpq_status append() {
    Row row(lot_, setup_.table.row_bytes);
    row.fill(parts_);
    mpq_status status = mpq_nested_append(&writer_, row.data());
    if (status == MPQ_OK) text_ << row.text() << '\n';
    const Part& last = parts_.back();
    const bool refused = last.is_counted() && last.node.optional == nullptr && lot_.below(20) == 0;
    if (refused) put(row.data() + last.node.count_offset, short_of(last.node.capacity + 1U));
    if (refused && mpq_nested_append(&writer_, row.data()) != MPQ_VALUE_TOO_LARGE) return MPQ_CORRUPT;
    return status == MPQ_VALUE_TOO_LARGE ? MPQ_OK : status;
  }

  Lot lot_;
  std::string path_;
  std::ofstream text_;
  std::vector<Part> parts_;
  std::vector<mpq_node> nodes_;
  mpq_options options_ = {};
  mpq_nested_setup setup_ = {};
  std::vector<std::uint64_t> memory_ = std::vector<std::uint64_t>(64);
  mpq_posix_file file_ = {};
  mpq_writer writer_ = {};
  bool fresh_ = true;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  bool good = true;
  for (unsigned seed = 0; seed < static_cast<unsigned>(std::atoi(argv[2])); ++seed) {
    Log log(seed, std::string(argv[1]) + "/drawn_" + std::to_string(seed));
    good = log.write() && good;
  }
  return good ? 0 : 1;
}
