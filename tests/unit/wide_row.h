// A row of all types that a member can have, with nulls, an array's element, and two kinds of text.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "microparquet/typed.h"

namespace wide {

struct Row {
  std::int64_t time;
  bool flag;
  std::int8_t small;
  std::uint16_t medium;
  std::uint32_t large;
  std::uint64_t huge;
  float x;
  double y;
  std::array<std::uint8_t, 5> bytes;
  microparquet::Text<12> name;
  std::string_view text;
  std::optional<float> temperature;
  std::optional<bool> on;
  std::optional<std::string_view> note;
  struct {
    std::int32_t inner[2];
  } nested;
};

// `name` is the column of the name.
template <typename Name>
constexpr auto schema_with(const Name& name) {
  return microparquet::schema(
      microparquet::timestamp_us_column("time", &Row::time), microparquet::column("flag", &Row::flag),
      microparquet::column("small", &Row::small), microparquet::column("medium", &Row::medium),
      microparquet::column("large", &Row::large), microparquet::column("huge", &Row::huge),
      microparquet::column("x", &Row::x), microparquet::column("y", &Row::y),
      microparquet::column("bytes", &Row::bytes), name, microparquet::string_column("text", &Row::text),
      microparquet::column("temperature", &Row::temperature), microparquet::column("on", &Row::on),
      microparquet::string_column("note", &Row::note),
      microparquet::column<Row>("inner", [](auto& row) -> auto& { return row.nested.inner[1]; }));
}

}  // namespace wide
