// Rows of lists, maps and structs as events, on files made by hand: the forms of LogicalTypes.md, and columns that do not
// go together.
#include "microparquet/records.h"
#include "made_nested.h"
#include "support/check.h"
#include "support/names.h"

using made::Bytes;
using made::Expected;
using made::group;
using made::int32;
using made::kAsList;
using made::kAsMap;
using made::kAsMapKeyValue;
using made::kNone;
using made::kTwoRows;
using made::kUnannotated;
using made::kX;
using made::kY;
using made::list_of_structs;
using made::make_file;
using made::make_structs;
using microparquet::Event;
using microparquet::EventKind;
using microparquet::MemoryFile;
using microparquet::Records;

namespace {

alignas(8) std::byte records_arena[8192];
alignas(8) std::byte records_memory[2048];

// Events as text: < row >, [ list, ( map, { struct, each ended by ., n null, a value in digits.
struct Text {
  char data[200] = {};
  std::size_t size = 0;

  void add(const Event& event) {
    if (event.kind != EventKind::kValue) {
      put("<{[(.>n"[static_cast<int>(event.kind)]);
      return;
    }
    put(static_cast<char>('0' + event.cell.as<std::int32_t>()));
  }
  void put(char c) {
    if (size < sizeof data) data[size++] = c;
  }
  std::string_view view() const { return {data, size}; }
};
static_assert(static_cast<int>(EventKind::kBeginRow) == 0 && static_cast<int>(EventKind::kBeginStruct) == 1 &&
              static_cast<int>(EventKind::kBeginList) == 2 && static_cast<int>(EventKind::kBeginMap) == 3 &&
              static_cast<int>(EventKind::kEnd) == 4 && static_cast<int>(EventKind::kEndRow) == 5 &&
              static_cast<int>(EventKind::kNull) == 6);

Status open_records(Reader& reader, microparquet::File& file, const ReaderOptions& options) {
  Status status = reader.open(file, options, records_arena);
  microparquet::ColumnChoice columns[4];
  for (std::uint32_t i = 0; i < 4; ++i) columns[i].column = i;
  return status == Status::kOk ? reader.choose_items({columns, reader.columns()}) : status;
}

void expect_events(made::File& made, std::string_view expected, Status end = Status::kEnd) {
  MemoryFile file = made.open();
  const ReaderOptions options;
  Reader reader;
  REQUIRE(open_records(reader, file, options) == Status::kOk);
  Records records(reader, records_memory);
  REQUIRE(records.begin() == Status::kOk);
  Text text;
  Event event;
  Status status = Status::kOk;
  while ((status = records.next(event)) == Status::kOk) text.add(event);
  CHECK_EQ(status, end);
  CHECK_EQ(text.view(), expected);
  CHECK_EQ(records.next(event), end);
}

}  // namespace

TEST("records: a list of structs") {
  made::File made;
  make_structs(made, kX, kY);
  expect_events(made, "<[{12.n{3n..><[.><n>");
}

TEST("records: the forms of lists that the format knows") {
  struct Form {
    std::string_view repeated;  // the name of the repeated group; empty: it is a leaf
    std::int32_t members;
    std::int32_t annotation;
    std::string_view events;
  };
  constexpr Form kForms[] = {
      {"", 0, kUnannotated, "<[12.><[.>"},           // its own element
      {"list", 1, kUnannotated, "<[12.><[.>"},       // three levels
      {"element", 1, kUnannotated, "<[12.><[.>"},    // of any name
      {"array", 1, kUnannotated, "<[{1.{2..><[.>"},  // but of those that mean the group itself
      {"a_tuple", 1, kUnannotated, "<[{1.{2..><[.>"},
      {"b_tuple", 1, kUnannotated, "<[12.><[.>"},
      {"element", 2, kUnannotated, "<[{11.{22..><[.>"},  // as several members do
  };
  for (const Form& form : kForms) {
    Bytes schema;
    group(schema, "a", made::kOptional, 1, kAsList);
    if (form.members == 0) int32(schema, "array", made::kRepeated);
    if (form.members != 0) group(schema, form.repeated, made::kRepeated, form.members, form.annotation);
    for (std::int32_t i = 0; i < form.members; ++i) int32(schema, i == 0 ? "m" : "n", made::kRequired);
    made::File made;
    const std::uint32_t nodes = form.members == 0 ? 2 : static_cast<std::uint32_t>(2 + form.members);
    if (form.members == 2) {
      make_file(made, schema, nodes, 1, {kTwoRows, kTwoRows}, 2);
    } else {
      make_file(made, schema, nodes, 1, {kTwoRows}, 2);
    }
    expect_events(made, form.events);
  }
}

TEST("records: what repeats without an annotation is a list") {
  constexpr Expected kItems[] = {{0, 1, 1}, {1, 1, 2}, {0, 0, kNone}};
  made::File leaf;
  Bytes schema;
  int32(schema, "a", made::kRepeated);
  make_file(leaf, schema, 1, 1, {kItems}, 2);
  expect_events(leaf, "<[12.><[.>");

  made::File groups;
  Bytes with_group;
  group(with_group, "a", made::kRepeated, 1);
  int32(with_group, "m", made::kRequired);
  make_file(groups, with_group, 2, 1, {kItems}, 2);
  expect_events(groups, "<[{1.{2..><[.>");
}

TEST("records: lists in lists, in the old form too") {
  // [[1, 2], []], [[3]]
  constexpr Expected kItems[] = {{0, 3, 1}, {2, 3, 2}, {1, 2, kNone}, {0, 3, 3}};
  Bytes schema;
  group(schema, "a", made::kOptional, 1, kAsList);
  group(schema, "array", made::kRepeated, 1, kAsList);
  int32(schema, "array", made::kRepeated);
  made::File made;
  make_file(made, schema, 3, 1, {kItems}, 2);
  expect_events(made, "<[[12.[..><[[3..>");
}

TEST("records: maps, also as older writers annotate them") {
  constexpr Expected kValues[] = {{0, 3, 5}, {1, 2, kNone}, {0, 1, kNone}};
  for (const std::int32_t annotation : {kAsMap, kAsMapKeyValue}) {
    for (const std::int32_t entries : {kUnannotated, kAsMapKeyValue}) {
      Bytes schema;
      group(schema, "a", made::kOptional, 1, annotation);
      group(schema, "map", made::kRepeated, 2, entries);
      int32(schema, "k", made::kRequired);
      int32(schema, "v", made::kOptional);
      made::File made;
      make_file(made, schema, 4, 1, {kTwoRows, kValues}, 2);
      expect_events(made, "<({15.{2n..><(.>");
    }
  }
  Bytes keys;
  group(keys, "a", made::kOptional, 1, kAsMap);
  group(keys, "key_value", made::kRepeated, 1);
  int32(keys, "key", made::kRequired);
  made::File made;
  make_file(made, keys, 3, 1, {kTwoRows}, 2);
  expect_events(made, "<[12.><[.>");
}

TEST("records: flat columns and structs beside lists") {
  made::File made;
  Bytes schema;
  list_of_structs(schema);
  group(schema, "s", made::kOptional, 1);
  int32(schema, "z", made::kOptional);
  made::make_beside_struct(made, schema, 7, {kX, kY});
  expect_events(made, "<[{12.n{3n..{n.><[.n><n{4.>");
}

TEST("records: columns of one list that disagree are corrupt") {
  constexpr Expected kLonger[] = {{0, 4, 2}, {1, 2, kNone}, {1, 3, kNone},
                                  {1, 4, 5}, {0, 1, kNone}, {0, 0, kNone}};
  made::File longer;
  make_structs(longer, kX, kLonger);
  expect_events(longer, "<[{12.n{3n..><", Status::kCorrupt);

  constexpr Expected kShorter[] = {{0, 4, 2}, {1, 2, kNone}, {0, 1, kNone}, {0, 0, kNone}};
  made::File shorter;
  make_structs(shorter, kX, kShorter);
  expect_events(shorter, "<[{12.n{3", Status::kCorrupt);

  constexpr Expected kNotNull[] = {{0, 4, 2}, {1, 3, kNone}, {1, 3, kNone}, {0, 1, kNone}, {0, 0, kNone}};
  made::File not_null;
  make_structs(not_null, kX, kNotNull);
  expect_events(not_null, "<[{12.", Status::kCorrupt);

  constexpr Expected kNotEmpty[] = {{0, 4, 2}, {1, 2, kNone}, {1, 3, kNone}, {0, 4, 5}, {0, 0, kNone}};
  made::File not_empty;
  make_structs(not_empty, kX, kNotEmpty);
  expect_events(not_empty, "<[{12.n{3n..><", Status::kCorrupt);

  constexpr Expected kLongerAtTheEnd[] = {{0, 4, 2},     {1, 2, kNone}, {1, 3, kNone},
                                          {0, 1, kNone}, {0, 4, 1},     {1, 4, 2}};
  constexpr Expected kShorterAtTheEnd[] = {{0, 3, 1}, {1, 2, kNone}, {1, 3, 3}, {0, 1, kNone}, {0, 3, 6}};
  made::File at_the_end;
  make_structs(at_the_end, kShorterAtTheEnd, kLongerAtTheEnd);
  expect_events(at_the_end, "<[{12.n{3n..><[.><[{61..>", Status::kCorrupt);
}

TEST("records: any read may fail, and the call be repeated") {
  made::File made;
  make_structs(made, kX, kY);
  int faults = 0;
  for (bool failed = true; failed; ++faults) {
    MemoryFile inner = made.open();
    ReaderOptions options;
    options.buffer_bytes = 64;
    options.footer_bytes = 64;
    made::FailingOnce file(inner, faults + 1);
    Reader reader;
    Status status = open_records(reader, file, options);
    if (status == Status::kIoError) status = open_records(reader, file, options);
    REQUIRE(status == Status::kOk);
    Records records(reader, records_memory);
    status = records.begin();
    if (status == Status::kIoError) status = records.begin();
    REQUIRE(status == Status::kOk);
    Text text;
    Event event;
    for (;;) {
      status = records.next(event);
      if (status == Status::kIoError) continue;
      if (status != Status::kOk) break;
      text.add(event);
    }
    CHECK_EQ(status, Status::kEnd);
    CHECK_EQ(text.view(), std::string_view("<[{12.n{3n..><[.><n>"));
    failed = file.failed();
  }
  CHECK(faults > 5);
}

TEST("records: rows are gone to by their numbers") {
  made::File made;
  make_structs(made, kX, kY);
  MemoryFile file = made.open();
  const ReaderOptions options;
  Reader reader;
  REQUIRE(open_records(reader, file, options) == Status::kOk);
  Records records(reader, records_memory);
  CHECK_EQ(records.seek_row(0, 0), Status::kWrongState);
  REQUIRE(records.begin() == Status::kOk);
  constexpr std::string_view kFrom[] = {"<[{12.n{3n..><[.><n>", "<[.><n>", "<n>"};
  for (const std::uint64_t row : {1U, 0U, 2U, 2U, 1U}) {
    REQUIRE(records.seek_row(0, row) == Status::kOk);
    Text text;
    Event event;
    while (records.next(event) == Status::kOk) text.add(event);
    CHECK_EQ(text.view(), kFrom[row]);
  }
  CHECK_EQ(records.seek_row(0, 3), Status::kInvalidArgument);
  CHECK_EQ(records.seek_row(1, 0), Status::kInvalidArgument);
}

TEST("records: memory that is too short, or of a reader without columns") {
  made::File made;
  make_structs(made, kX, kY);
  MemoryFile file = made.open();
  const ReaderOptions options;
  Reader reader;
  REQUIRE(open_records(reader, file, options) == Status::kOk);
  Records short_of(reader, {records_memory, 64});
  CHECK_EQ(short_of.begin(), Status::kOutOfMemory);
  CHECK(reader.needed_bytes() > 64);
  Records unaligned(reader, {records_memory + 4, 1024});
  CHECK_EQ(unaligned.begin(), Status::kInvalidArgument);
  REQUIRE(reader.choose_items({}) == Status::kOk);
  Records none(reader, records_memory);
  CHECK_EQ(none.begin(), Status::kWrongState);
  Event event;
  CHECK_EQ(none.next(event), Status::kWrongState);
}
