// Files with lists and structs planned at run time: batches of levels, rows that fit in no page, and what is refused by name.
#include "microparquet/desktop/nested_file.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "microparquet/codecs.h"
#include "microparquet/desktop/data_page_v2.h"
#include "microparquet/desktop/string_encoders.h"
#include "microparquet/encoders.h"
#include "microparquet/indexed_layout.h"
#include "microparquet/port/memory_file.h"
#include "support/check.h"

using microparquet::Field;
using microparquet::Options;
using microparquet::Status;
using microparquet::Writer;
using microparquet::desktop::ColumnSlots;
using microparquet::desktop::NestedFile;
using microparquet::desktop::NestedKind;
using microparquet::desktop::NestedPart;

namespace {

NestedPart column(std::string_view name, const Field& field, bool optional = false) {
  NestedPart part;
  part.name = name;
  part.optional = optional;
  part.field = field;
  return part;
}

NestedPart group(std::string_view name, NestedKind kind, std::vector<NestedPart> children) {
  NestedPart part;
  part.name = name;
  part.kind = kind;
  part.children = std::move(children);
  return part;
}

NestedPart list(std::string_view name, const Field& field) {
  return group(name, NestedKind::kList, {column("element", field)});
}

std::string fault_of(const std::vector<NestedPart>& parts, const Options& options = {}) {
  return NestedFile(parts, options).fault();
}

constexpr Field kNumber = microparquet::int32_field("");
constexpr Field kText = microparquet::string_field("");

}  // namespace

TEST("nested file: what suits no list is refused by name") {
  static constexpr microparquet::desktop::DataPageV2 kV2;
  CHECK(fault_of({list("l", kNumber)}).empty());
  CHECK(
      fault_of({column("plain", kText.with_encoder(microparquet::desktop::kDeltaLengthByteArray))}).empty());
  CHECK_EQ(fault_of({list("l", kNumber.with_compressor(kV2))}),
           "column l.list.element is in a list, whose pages are of version 1");
  CHECK_EQ(fault_of({list("l", kText.with_encoder(microparquet::desktop::kDeltaLengthByteArray))}),
           "column l.list.element is in a list, whose values are written by other encoders");
  Options options;
  for (const microparquet::Layout* const layout :
       {static_cast<const microparquet::Layout*>(&microparquet::kInPlaceTailed), &microparquet::kForward}) {
    options.layout = layout;
    CHECK_EQ(fault_of({list("l", kNumber)}, options),
             "column l.list.element is in a list, which is written in place only, without an index and "
             "without tails");
  }
}

TEST("nested file: parts that no schema has are refused by name") {
  CHECK_EQ(fault_of({column("a", kNumber), column("a", kNumber)}), "column a is there twice");
  CHECK(fault_of({group("m", NestedKind::kMap, {column("key", kNumber, true), column("value", kNumber)})})
            .find("column m has not") == 0);
  CHECK(fault_of({group("l", NestedKind::kList, {column("a", kNumber), column("b", kNumber)})})
            .find("column l has not") == 0);
  CHECK_EQ(fault_of({group("s", NestedKind::kStruct, {})}),
           "column s is a struct without members, which a file cannot have");
  CHECK_EQ(fault_of({column("", kNumber)}), "column  has no name, or one of more than 127 bytes");
  NestedPart deep = column("c", kNumber);
  for (int i = 0; i < 14; ++i) deep = group("s", NestedKind::kStruct, {deep});
  CHECK(fault_of({deep}).find("lies deeper than 14 names") != std::string::npos);
  NestedPart lists = column("element", kNumber);
  for (int i = 0; i < 4; ++i) lists = group("l", NestedKind::kList, {lists});
  CHECK_EQ(fault_of({lists}),
           "column l.list.element.list.element.list.element is a list in three others: four are not written");
  CHECK(fault_of({}).find("none that a file can have") != std::string::npos);
}

TEST("nested file: a row longer than a page is refused, and the next batch is taken") {
  Options options;
  options.page_bytes = 1024;
  const std::vector<NestedPart> parts = {column("n", microparquet::int64_field("")), list("l", kNumber)};
  const NestedFile nested(parts, options);
  CHECK(nested.fault().empty());
  CHECK_EQ(nested.path_of(1), "l.list.element");
  std::vector<std::uint64_t> arena(nested.arena_bytes() / sizeof(std::uint64_t) + 1);
  const auto bytes = std::make_unique<std::byte[]>(1 << 20);
  microparquet::MemoryFile file({bytes.get(), 1 << 20});
  Writer writer;
  const std::vector<std::int64_t> numbers = {1, 2, 3};
  std::vector<std::int32_t> values(504, 7);
  ColumnSlots n;
  n.values = numbers.data();
  ColumnSlots l;
  l.values = values.data();
  // An empty list, one of four values, and one of 500.
  l.definition.assign(505, 1);
  l.definition[0] = 0;
  l.repetition.assign(505, 1);
  for (const std::size_t begin : {0U, 1U, 5U}) l.repetition[begin] = 0;
  const ColumnSlots* const columns[] = {&n, &l};
  std::size_t at = 0;
  CHECK(nested.append(writer, columns, 3, at) == Status::kWrongState);
  CHECK(nested.open(writer, file, reinterpret_cast<std::byte*>(arena.data())) == Status::kOk);
  CHECK(nested.append(writer, {columns, 1}, 3, at) == Status::kInvalidArgument);
  CHECK(nested.append(writer, columns, 3, at) == Status::kValueTooLarge);
  CHECK_EQ(at, 1U);
  CHECK_EQ(writer.rows(), 2U);
  CHECK(nested.append(writer, columns, 2, at) == Status::kOk);
  CHECK(writer.close() == Status::kOk);
  CHECK_EQ(writer.rows(), 4U);
}
