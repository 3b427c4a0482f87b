// A small reader of Parquet that shares nothing with the library: flat schemas, the encodings of the
// writer, LZ4_RAW, both versions of data pages, all that the writer writes and no more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lives::small {

struct Column {
  std::string name;
  int type = -1;
  int repetition = -1;
  int type_length = 0;
};

struct Chunk {
  std::uint64_t begin = 0;       // of the first data page
  std::uint64_t dictionary = 0;  // of the dictionary page; 0: there is none
  std::uint64_t bytes = 0;
  std::uint64_t values = 0;
  int type = -1;
  int codec = -1;
  std::int64_t nulls = -1;
  std::optional<std::string> least;
  std::optional<std::string> greatest;
};

struct SortedBy {
  int column = -1;
  bool descending = false;
};

struct RowGroup {
  std::uint64_t rows = 0;
  std::vector<Chunk> chunks;
  std::vector<SortedBy> sorted_by;
};

// Given the values of a chunk: null, or as PLAIN has it, a byte array without its length, a boolean as a
// byte. False ends it.
using Visitor = std::function<bool(bool null, std::string_view value)>;

// Makes `plain_bytes` bytes of a page that has another codec than LZ4_RAW. False: it cannot.
using Unpack = bool (*)(int codec, std::string_view bytes, std::size_t plain_bytes, std::string& plain);

class File {
 public:
  explicit File(Unpack unpack = nullptr) : unpack_(unpack) {}

  // The bytes are the caller's, as long as this is used. Each call answers what is wrong; empty: nothing.
  std::string open(std::string_view bytes);
  std::string read(const RowGroup& row_group, std::size_t column, const Visitor& visitor) const;

  std::vector<Column> columns;
  std::vector<RowGroup> row_groups;
  std::vector<std::pair<std::string, std::string>> key_values;
  std::uint64_t rows = 0;

 private:
  std::string_view bytes_;
  Unpack unpack_;
};

}  // namespace lives::small
