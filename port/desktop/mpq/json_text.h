// Nested values as JSON, with bytes as base64.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "microparquet/records.h"
#include "parquet_file.h"

namespace mpq_tool {

// Bytes as text of four letters for three of them (RFC 4648).
std::string base64(std::string_view bytes);

// Structs become objects, lists arrays, and maps objects where their keys are text, else arrays of objects with a
// "key" and a "value".
class JsonText {
 public:
  // `nodes` are all of the schema, `names` their own names. They must stay.
  JsonText(const std::vector<Column>& nodes, const std::vector<std::string>& names)
      : nodes_(nodes), names_(names) {}

  void add(const microparquet::Event& event);
  // Whether all that has begun has ended.
  bool complete() const { return open_.empty() && !text_.empty(); }
  const std::string& text() const { return text_; }

 private:
  enum class In : std::uint8_t { kObject, kArray, kMap, kMapOfPairs, kEntry, kPair };
  struct Open {
    In in;
    std::uint32_t parts;
  };

  void begin_part(std::uint32_t element);
  void begin(In in, std::uint32_t element);
  void begin_struct(std::uint32_t element);
  void end();
  bool has_text_keys(std::uint32_t map) const;

  const std::vector<Column>& nodes_;
  const std::vector<std::string>& names_;
  std::string text_;
  std::vector<Open> open_;
};

}  // namespace mpq_tool
