// Files of nested columns put together by hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "made_items.h"

namespace made {

inline constexpr std::int32_t kUnannotated = -1;
inline constexpr std::int32_t kAsMap = 1;
inline constexpr std::int32_t kAsMapKeyValue = 2;
inline constexpr std::int32_t kAsList = 3;

inline void group(Bytes& out, std::string_view name, std::int32_t repetition, std::int32_t children,
                  std::int32_t converted = kUnannotated) {
  out.i32(3, repetition).binary(4, name).i32(5, children);
  if (converted >= 0) out.i32(6, converted);
  out.end();
}

inline void int32(Bytes& out, std::string_view name, std::int32_t repetition) {
  Column column;
  column.name = name;
  column.repetition = repetition;
  leaf(out, column);
}

// A file of columns of these items; `schema` has `nodes` nodes below the root, `fields` of them fields of the row.
template <std::size_t kColumns>
void make_file(File& made, const Bytes& schema, std::uint32_t nodes, std::int32_t fields,
               const Span<const Expected> (&items)[kColumns], std::int64_t rows) {
  Column columns[kColumns];
  for (std::size_t i = 0; i < kColumns; ++i) {
    columns[i].values = static_cast<std::int64_t>(items[i].size());
    made.begin_column(columns[i]);
    add_page(made, kDataPage, items[i]);
    made.end_column(columns[i]);
  }
  Bytes footer;
  footer.i32(1, 1).list(2, 12, nodes + 1);
  root(footer, fields);
  footer.append(schema).i64(3, rows).list(4, 12, 1);
  row_group(footer, columns, rows);
  footer.end();
  made.end_with(footer);
}

// A file of three rows: two columns of these items, and {null}, null, {4} of the optional `z` in an optional struct, which
// does not repeat: its page has no repetition levels. `schema` has `nodes` nodes below the root, of which two are fields of
// the row.
inline void make_beside_struct(File& made, const Bytes& schema, std::uint32_t nodes,
                               const Span<const Expected> (&items)[2]) {
  Column columns[3];
  for (std::size_t i = 0; i < 2; ++i) {
    columns[i].values = static_cast<std::int64_t>(items[i].size());
    made.begin_column(columns[i]);
    add_page(made, kDataPage, items[i]);
    made.end_column(columns[i]);
  }
  Bytes body;
  body.little(6, 4).byte(2).byte(1).byte(2).byte(0).byte(2).byte(2).little(4, 4);
  Page page;
  page.values = 3;
  columns[2].values = 3;
  made.begin_column(columns[2]);
  made.page(page, body.view());
  made.end_column(columns[2]);
  Bytes footer;
  footer.i32(1, 1).list(2, 12, nodes + 1);
  root(footer, 2);
  footer.append(schema).i64(3, 3).list(4, 12, 1);
  row_group(footer, columns, 3);
  footer.end();
  made.end_with(footer);
}

// [{1, 2}, null, {3, null}], [], null
inline constexpr Expected kX[] = {{0, 3, 1}, {1, 2, kNone}, {1, 3, 3}, {0, 1, kNone}, {0, 0, kNone}};
inline constexpr Expected kY[] = {{0, 4, 2}, {1, 2, kNone}, {1, 3, kNone}, {0, 1, kNone}, {0, 0, kNone}};

inline void list_of_structs(Bytes& out) {
  group(out, "a", kOptional, 1, kAsList);
  group(out, "list", kRepeated, 1);
  group(out, "element", kOptional, 2);
  int32(out, "x", kRequired);
  int32(out, "y", kOptional);
}

inline void make_structs(File& made, Span<const Expected> x, Span<const Expected> y, std::int64_t rows = 3) {
  Bytes schema;
  list_of_structs(schema);
  make_file(made, schema, 5, 1, {x, y}, rows);
}

// [1, 2], [] of a list whose elements are required.
inline constexpr Expected kTwoRows[] = {{0, 2, 1}, {1, 2, 2}, {0, 1, kNone}};

}  // namespace made
