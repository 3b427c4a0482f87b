#include "dropped_rows.h"

#include <charconv>

#include "microparquet/facts.h"

namespace mpq_tool {

namespace {

// The other one is that of files from before it had a name.
constexpr std::string_view kKeys[] = {microparquet::facts::kRowsDropped, "rows_refused"};

// 0 when it is no number.
std::uint64_t number_in(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end ? number : 0;
}

}  // namespace

std::uint64_t dropped_rows(ParquetFile& file) {
  std::uint64_t rows = 0;
  file.visit_key_values([&](const microparquet::KeyValue& pair) {
    for (const std::string_view key : kKeys) {
      rows += pair.key == key ? number_in(pair.value) : 0;
    }
  });
  return rows;
}

}  // namespace mpq_tool
