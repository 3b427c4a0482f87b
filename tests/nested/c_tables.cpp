// c_tables FOLDER FIRST END: for each seed a table of nodes for C, made at random, and rows of it, written over a file that fails now and
// then; SEED.parquet and, a line of JSON for each row that was taken, SEED.json.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "c/convert.h"
#include "microparquet/c/microparquet.h"
#include "microparquet/port/memory_file.h"

namespace {

using microparquet::MemoryFile;
using microparquet::Span;
using microparquet::Status;
using Nodes = std::vector<mpq_node>;

// Each file sets the seed that has its number. NOLINTNEXTLINE(bugprone-random-generator-seed)
std::mt19937 random_numbers;

std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_numbers()) % end; }

// A file in memory, of whose writes one in `rate` fails; 0: none.
class FailingFile final : public microparquet::File {
 public:
  FailingFile(MemoryFile& file, std::uint32_t rate) : file_(file), rate_(rate) {}

  microparquet::FileAbilities abilities() const override { return file_.abilities(); }
  Status size(std::uint64_t& bytes) override { return file_.size(bytes); }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override { return file_.read_at(offset, out); }
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    return fails() ? Status::kIoError : file_.write_at(offset, data);
  }
  Status reserve(std::uint64_t end) override { return file_.reserve(end); }
  Status barrier() override { return file_.barrier(); }
  Status sync(std::uint64_t bytes) override { return fails() ? Status::kIoError : file_.sync(bytes); }
  Status shrink(std::uint64_t bytes) override { return file_.shrink(bytes); }

 private:
  bool fails() const { return rate_ != 0 && below(rate_) == 0; }

  MemoryFile& file_;
  std::uint32_t rate_;
};

// Nodes of a table, with their names.
class RandomTable {
 public:
  RandomTable() {
    for (std::uint32_t parts = 1 + below(4); parts != 0; --parts) row_bytes += add(row_bytes, 0, 0, false);
  }

  Nodes nodes;
  std::uint32_t row_bytes = 0;

 private:
  static constexpr std::uint32_t kPlace = 8;  // of a flag, a count or a value

  // Adds a node at `at` of what it lies in. Returns the bytes that it takes there.
  std::uint32_t add(std::uint32_t at, unsigned depth, unsigned lists, bool key) {
    constexpr unsigned kMostDepth = 4;
    const std::size_t number = nodes.size();
    nodes.push_back({});
    names_.push_back(std::make_unique<std::string>("n" + std::to_string(number)));
    nodes[number].name = names_.back()->c_str();
    std::uint32_t bytes = 0;
    if (!key && below(3) == 0) {
      nodes[number].optional = &mpq_may_be_missing;
      nodes[number].valid_offset = static_cast<std::uint16_t>(at);
      bytes = kPlace;
    }
    nodes[number].offset = static_cast<std::uint16_t>(at + bytes);
    const std::uint32_t kind = key || depth == kMostDepth ? 0 : below(10);
    if (kind < 5) return bytes + make_value(nodes[number], key);
    return bytes +
           (kind < 7 || lists == 3 ? add_members(number, depth, lists) : add_list(number, depth, lists));
  }

  static std::uint32_t make_value(mpq_node& node, bool key) {
    static constexpr const mpq_type* kTypes[] = {&mpq_string, &mpq_int64, &mpq_double,
                                                 &mpq_float,  &mpq_bool,  &mpq_int16};
    static constexpr const mpq_nested_encoding* kEncodings[] = {nullptr, nullptr, &mpq_nested_delta,
                                                                &mpq_nested_dictionary, &mpq_nested_small};
    node.type = kTypes[key ? 0 : below(6)];
    node.encoding = kEncodings[below(5)];
    node.bytes = node.type == &mpq_int16 ? 2 : 0;
    node.page_bytes = below(2) != 0 ? 2048 : 4096;
    return node.type == &mpq_string ? static_cast<std::uint32_t>(sizeof(mpq_text)) : kPlace;
  }
  std::uint32_t add_members(std::size_t number, unsigned depth, unsigned lists) {
    const std::uint32_t members = 1 + below(3);
    std::uint32_t bytes = 0;
    for (std::uint32_t i = 0; i < members; ++i) bytes += add(bytes, depth + 1, lists, false);
    nodes[number].kind = &mpq_struct;
    nodes[number].children = static_cast<std::uint16_t>(members);
    nodes[number].stride = static_cast<std::uint16_t>(bytes);
    return bytes;
  }
  std::uint32_t add_list(std::size_t number, unsigned depth, unsigned lists) {
    static constexpr const mpq_kind* kKinds[] = {&mpq_array, &mpq_list, &mpq_span, &mpq_map};
    const mpq_kind* const kind = kKinds[below(4)];
    const bool map = kind == &mpq_map;
    std::uint32_t stride = add(0, depth + 1, lists + 1, map);
    if (map) stride += add(stride, depth + 1, lists + 1, false);
    mpq_node& node = nodes[number];
    node.kind = kind;
    node.children = map ? 2 : 1;
    node.stride = static_cast<std::uint16_t>(stride);
    node.capacity = static_cast<std::uint16_t>(1 + below(lists == 0 ? 7 : 3));
    const std::uint32_t elements = kind == &mpq_span ? kPlace : stride * node.capacity;
    if (kind == &mpq_array) return elements;
    node.count_offset = node.offset;
    node.offset = static_cast<std::uint16_t>(node.offset + kPlace);
    return kPlace + elements;
  }

  std::vector<std::unique_ptr<std::string>> names_;
};

std::size_t end_of(const Nodes& nodes, std::size_t at) {
  for (std::size_t open = 1; open != 0; ++at) open += nodes[at].children - std::size_t{1};
  return at;
}

// A row of a table, with its values as JSON.
class RandomRow {
 public:
  explicit RandomRow(const RandomTable& table) : nodes_(table.nodes), row_(table.row_bytes) {
    json = "{";
    for (std::size_t at = 0; at < nodes_.size(); at = end_of(nodes_, at)) {
      name(at, at == 0);
      fill(at, row_.data(), json);
    }
    json += "}\n";
  }

  const std::byte* bytes() const { return row_.data(); }

  std::string json;

 private:
  void name(std::size_t at, bool first) {
    json += (first ? "\"" : ",\"") + std::string(nodes_[at].name) + "\":";
  }

  template <typename T>
  static void put(std::byte* at, T value, std::string& text) {
    std::memcpy(at, &value, sizeof value);
    text += std::to_string(value);
  }
  // What stands where something is missing is not looked at.
  void fill(std::size_t at, std::byte* part, std::string& text) {
    const mpq_node& node = nodes_[at];
    const bool missing = node.optional != nullptr && below(4) == 0;
    if (node.optional != nullptr)
      part[node.valid_offset] = std::byte{missing ? std::uint8_t{0} : std::uint8_t{1}};
    if (missing) {
      text += "null";
    } else if (node.kind == nullptr) {
      fill_value(node, part + node.offset, text);
    } else if (node.kind == &mpq_struct) {
      text += '{';
      std::size_t member = at + 1;
      for (std::uint32_t i = 0; i < node.children; ++i, member = end_of(nodes_, member)) {
        name(member, i == 0);
        fill(member, part + node.offset, text);
      }
      text += '}';
    } else {
      fill_list(at, part, text);
    }
  }
  static void put_text(std::byte* at, std::uint32_t first, std::uint32_t bytes, std::string& text) {
    static const std::string letters = "abcdefghijklmnopqrstuvwxyz";
    const mpq_text value = {letters.data() + first, bytes};
    std::memcpy(at, &value, sizeof value);
    text += '"' + std::string(value.data, value.bytes) + '"';
  }
  static void fill_value(const mpq_node& node, std::byte* at, std::string& text) {
    const auto number = static_cast<std::int32_t>(below(2000)) - 1000;
    if (node.type == &mpq_int64) {
      put<std::int64_t>(at, number, text);
    } else if (node.type == &mpq_double) {
      put(at, number * 0.5, text);
    } else if (node.type == &mpq_float) {
      put(at, static_cast<float>(number) * 0.25F, text);
    } else if (node.type == &mpq_int16) {
      put(at, static_cast<std::int16_t>(number), text);
    } else if (node.type == &mpq_bool) {
      *at = std::byte{static_cast<std::uint8_t>(number & 1)};
      text += (number & 1) != 0 ? "true" : "false";
    } else {
      put_text(at, below(8), below(12), text);
    }
  }
  void fill_list(std::size_t at, std::byte* part, std::string& text) {
    const mpq_node& node = nodes_[at];
    auto count = static_cast<std::uint16_t>(below(3) == 0 ? 0 : below(node.capacity + 1U));
    std::byte* element = part + node.offset;
    if (node.kind == &mpq_array) {
      count = node.capacity;
    } else {
      std::memcpy(part + node.count_offset, &count, sizeof count);
    }
    if (node.kind == &mpq_span) {
      spans_.emplace_back(std::size_t{node.stride} * count + 1);
      std::byte* const first = spans_.back().data();
      std::memcpy(element, static_cast<const void*>(&first), sizeof first);
      element = first;
    }
    text += '[';
    for (std::uint32_t i = 0; i < count; ++i, element += node.stride) {
      if (i != 0) text += ',';
      if (node.kind == &mpq_map) {
        fill_entry(at, i, element, text);
      } else {
        fill(at + 1, element, text);
      }
    }
    text += ']';
  }
  // Keys of a map differ.
  void fill_entry(std::size_t map, std::uint32_t number, std::byte* entry, std::string& text) {
    text += '[';
    put_text(entry + nodes_[map + 1].offset, number, 1 + below(8), text);
    text += ',';
    fill(end_of(nodes_, map + 1), entry, text);
    text += ']';
  }

  const Nodes& nodes_;
  std::vector<std::byte> row_;
  std::vector<std::vector<std::byte>> spans_;
};

void require(bool holds, std::uint32_t seed, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "c_tables: seed %u: %s\n", seed, what);
  std::exit(1);
}

template <typename Call>
mpq_status repeated(Call call) {
  mpq_status status = MPQ_IO_ERROR;
  while (status == MPQ_IO_ERROR) status = call();
  return status;
}

mpq_options random_options() {
  mpq_options options = mpq_default_options;
  options.page_bytes = below(2) != 0 ? 4096 : 2048;
  if (below(3) == 0) options.layout = &mpq_forward;
  if (below(4) == 0) options.block_bytes = 4096;
  if (below(3) == 0) options.row_group_rows = 37;
  return options;
}

std::string write_rows(std::uint32_t seed, MemoryFile& memory) {
  random_numbers.seed(seed);
  const RandomTable table;
  const mpq_options options = random_options();
  FailingFile failing(memory, below(2) != 0 ? 0 : 3 + below(20));
  mpq_file* const file = microparquet::c::to_c(static_cast<microparquet::File&>(failing));
  std::vector<std::uint64_t> words(8);
  mpq_nested_setup setup = {
      {table.nodes.data(), table.nodes.size(), table.row_bytes}, &options, words.data(), 64};
  mpq_writer writer = {};
  mpq_status status = MPQ_OUT_OF_MEMORY;
  while (status == MPQ_OUT_OF_MEMORY) {
    status = repeated([&] { return mpq_nested_open(&writer, file, &setup); });
    if (status != MPQ_OUT_OF_MEMORY) break;
    words = std::vector<std::uint64_t>(mpq_nested_needed_bytes(&writer) / sizeof words[0] + 1);
    setup.memory = words.data();
    setup.memory_bytes = mpq_nested_needed_bytes(&writer);
  }
  require(status == MPQ_OK, seed, mpq_status_text(status));
  std::string json;
  std::uint64_t taken = 0;
  for (std::uint32_t rows = 50 + below(500); rows != 0; --rows) {
    const RandomRow row(table);
    status = repeated([&] { return mpq_nested_append(&writer, row.bytes()); });
    require(status == MPQ_OK || status == MPQ_VALUE_TOO_LARGE, seed, mpq_status_text(status));
    if (status == MPQ_OK) json += row.json;
    if (status == MPQ_OK) ++taken;
    if (below(60) != 0) continue;
    require(repeated([&] { return mpq_writer_checkpoint(&writer); }) == MPQ_OK, seed, "no checkpoint");
    if (below(3) != 0) continue;
    mpq_writer_reset(&writer);
    require(repeated([&] { return mpq_nested_resume(&writer, file, &setup); }) == MPQ_OK, seed,
            "not resumed");
    require(mpq_writer_rows(&writer) == taken, seed, "another number of rows");
  }
  require(repeated([&] { return mpq_writer_close(&writer); }) == MPQ_OK, seed, "not closed");
  return json;
}

void save(const std::string& path, const void* data, std::size_t bytes) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr || std::fwrite(data, 1, bytes, file) != bytes || std::fclose(file) != 0) std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  std::vector<std::byte> medium(std::size_t{16} << 20);
  for (auto seed = static_cast<std::uint32_t>(std::atoi(argv[2]));
       seed != static_cast<std::uint32_t>(std::atoi(argv[3])); ++seed) {
    MemoryFile memory{Span<std::byte>(medium.data(), medium.size())};
    const std::string json = write_rows(seed, memory);
    const std::string path = std::string(argv[1]) + "/" + std::to_string(seed);
    save(path + ".parquet", memory.contents().data(), memory.contents().size());
    save(path + ".json", json.data(), json.size());
  }
  return 0;
}
