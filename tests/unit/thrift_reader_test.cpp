// Bytes by hand from the text of Thrift's compact protocol, right and wrong ones.
#include "made_file.h"
#include "microparquet/detail/window.h"
#include "microparquet/port/memory_file.h"
#include "support/check.h"
#include "thrift/compact_reader.h"
#include "written_file.h"

using made::Bytes;
using microparquet::MemoryFile;
using microparquet::Status;
using microparquet::detail::Window;
using microparquet::thrift::CompactReader;
using microparquet::thrift::FieldHeader;

namespace {

// Calls `read` with a reader on `bytes`, through windows of several sizes, which must not matter.
template <typename Read>
void with_reader(Bytes& bytes, Read read) {
  for (const std::uint32_t window_bytes : {1U, 2U, 3U, 7U, 64U}) {
    std::byte memory[64];
    MemoryFile file({bytes.data(), Bytes::kCapacity}, bytes.size());
    Window window;
    window.begin(file, memory, window_bytes);
    window.seek(0, bytes.size());
    CompactReader in(window);
    read(in);
  }
}

// Reads all fields of a struct, and skips them.
Status skip_struct(Bytes& bytes) {
  Status status = Status::kOk;
  with_reader(bytes, [&](CompactReader& in) {
    for (FieldHeader field; in.next(field);) in.skip(field);
    status = in.status();
    CHECK(status != Status::kOk || in.window().left() == 0);
  });
  return status;
}

}  // namespace

TEST("thrift: fields by their short and long form, with numbers of all widths") {
  Bytes bytes;
  bytes.byte(0x15).zigzag(-1).byte(0x26).zigzag(INT64_MIN).byte(0x13).byte(0x80).field(-7, 5).zigzag(
      INT32_MIN);
  bytes.field(32767, 6).zigzag(INT64_MAX).field(1, 1).field(2, 2).end();
  with_reader(bytes, [](CompactReader& in) {
    FieldHeader field;
    CHECK(in.next(field) && field.id == 1 && in.i32(field) == -1);
    CHECK(in.next(field) && field.id == 3 && in.i64(field) == INT64_MIN);
    CHECK(in.next(field) && field.id == 4 && in.i32(field) == -128);
    CHECK(in.next(field) && field.id == -7 && in.i32(field) == INT32_MIN);
    CHECK(in.next(field) && field.id == 32767 && in.i64(field) == INT64_MAX);
    CHECK(in.next(field) && field.id == 1 && in.boolean(field));
    CHECK(in.next(field) && field.id == 2 && !in.boolean(field));
    CHECK(!in.next(field) && in.ok());
  });
}

TEST("thrift: varints may be longer than they need, up to ten bytes") {
  for (unsigned length = 1; length <= 10; ++length) {
    Bytes bytes;
    bytes.i32(1, 300, length).i32(2, -300, length).end();
    with_reader(bytes, [](CompactReader& in) {
      FieldHeader field;
      CHECK(in.next(field) && in.i32(field) == 300);
      CHECK(in.next(field) && in.i32(field) == -300);
      CHECK(!in.next(field) && in.ok());
    });
  }
  Bytes too_long;
  too_long.i32(1, 300, 11).end();
  CHECK_EQ(skip_struct(too_long), Status::kCorrupt);
  Bytes too_large;
  too_large.field(1, 6);
  for (int i = 0; i < 9; ++i) too_large.byte(0xFF);
  too_large.byte(0x02).end();
  CHECK_EQ(skip_struct(too_large), Status::kCorrupt);
}

TEST("thrift: numbers out of range and of another type are corrupt") {
  Bytes wide;
  wide.i64(1, std::int64_t{INT32_MAX} + 1).end();
  with_reader(wide, [](CompactReader& in) {
    FieldHeader field;
    CHECK(in.next(field));
    in.i32(field);
    CHECK_EQ(in.status(), Status::kCorrupt);
    CHECK(!in.next(field));
  });
  Bytes negative;
  negative.i32(1, -1).end();
  with_reader(negative, [](CompactReader& in) {
    FieldHeader field;
    CHECK(in.next(field));
    in.count32(field);
    CHECK_EQ(in.status(), Status::kCorrupt);
  });
  Bytes binary;
  binary.binary(1, "5").end();
  with_reader(binary, [](CompactReader& in) {
    FieldHeader field;
    CHECK(in.next(field));
    CHECK_EQ(in.i64(field), 0);
    CHECK_EQ(in.status(), Status::kCorrupt);
  });
  Bytes no_type;
  no_type.byte(0x1D).end();
  CHECK_EQ(skip_struct(no_type), Status::kCorrupt);
}

TEST("thrift: what is not known is skipped, whatever it is") {
  Bytes bytes;
  bytes.field(1, 3).byte(9).field(2, 4).zigzag(-5).field(3, 7).little(0, 8).binary(4, "some bytes");
  bytes.list(5, 1, 3).byte(1).byte(2).byte(0);                  // of booleans
  bytes.list(6, 12, 2).i32(1, 5).end().end();                   // of structs
  bytes.field(7, 10).byte(0x28).varint(1).text("a").varint(0);  // a set of binaries
  bytes.field(8, 11).varint(2).byte(0x85).varint(1).text("k").zigzag(1).varint(0).zigzag(2);  // a map
  bytes.field(9, 11).varint(0);                                                               // an empty map
  bytes.field(10, 9).byte(0x00);  // an empty list of nothing
  bytes.begin(11).begin(1).list(1, 9, 1).byte(0x15).zigzag(7).end().end();
  bytes.list(12, 5, 20);
  for (int i = 0; i < 20; ++i) bytes.zigzag(i * 1000);
  bytes.end();
  CHECK_EQ(skip_struct(bytes), Status::kOk);
}

TEST("thrift: a struct truncated anywhere is corrupt") {
  Bytes bytes;
  bytes.i64(1, 1234567).list(2, 12, 2).i32(1, 5).end().binary(1, "text").end();
  bytes.field(8, 11)
      .varint(1)
      .byte(0x88)
      .varint(1)
      .text("k")
      .varint(1)
      .text("v")
      .begin(9)
      .i32(1, 1)
      .end()
      .end();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Bytes cut;
    cut.text(written::part(bytes.view(), 0, size));
    CHECK_EQ(skip_struct(cut), Status::kCorrupt);
  }
  CHECK_EQ(skip_struct(bytes), Status::kOk);
}

TEST("thrift: lengths beyond the end, and nesting beyond any reason") {
  Bytes long_text;
  long_text.field(1, 8).varint(0x7FFFFFFF).text("short").end();
  CHECK_EQ(skip_struct(long_text), Status::kCorrupt);
  Bytes huge;
  huge.field(1, 8).varint(~std::uint64_t{0}).end();
  CHECK_EQ(skip_struct(huge), Status::kCorrupt);
  Bytes long_list;
  long_list.list(1, 12, 1000000000).end();
  CHECK_EQ(skip_struct(long_list), Status::kCorrupt);
  Bytes element_of_nothing;
  element_of_nothing.list(1, 0, 3).end();
  CHECK_EQ(skip_struct(element_of_nothing), Status::kCorrupt);
  Bytes deep;
  for (int i = 0; i < 5000; ++i) deep.byte(0x1C);
  CHECK_EQ(skip_struct(deep), Status::kUnsupported);
  Bytes deep_lists;
  deep_lists.byte(0x19);
  for (int i = 0; i < 5000; ++i) deep_lists.byte(0x19);
  CHECK_EQ(skip_struct(deep_lists), Status::kUnsupported);
}

TEST("thrift: text is compared without being kept") {
  Bytes bytes;
  bytes.binary(1, "battery_mv").binary(2, "battery_mv").binary(3, "battery_mv").end();
  with_reader(bytes, [](CompactReader& in) {
    FieldHeader field;
    CHECK(in.next(field));
    CHECK(in.passes("battery_mv", in.binary(field)));
    CHECK(in.next(field));
    CHECK(!in.passes("battery_mx", in.binary(field)));
    CHECK(in.next(field));
    CHECK(!in.passes("battery", in.binary(field)));
    CHECK(!in.next(field) && in.ok());
  });
}
