// Rows with lists, maps and structs inside, read into structs: the forms that files have them in, lists that are too
// long, and columns that do not go together.
#include "made_nested.h"
#include "microparquet/static_nested_reader.h"
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
using made::make_file;
using microparquet::Entry;
using microparquet::List;
using microparquet::MemoryFile;

namespace {

struct Pair {
  std::int32_t x;
  std::optional<std::int32_t> y;
};
struct Structs {
  std::optional<List<std::optional<Pair>, 4>> a;
};
inline constexpr auto kStructs = microparquet::schema(microparquet::list(
    "a", &Structs::a, microparquet::column("x", &Pair::x), microparquet::column("y", &Pair::y)));
inline constexpr ReaderOptions kSmall = [] {
  ReaderOptions options;
  options.buffer_bytes = 64;
  options.footer_bytes = 64;
  return options;
}();
microparquet::StaticReader<kStructs, kSmall> structs_reader;

struct Numbers {
  List<std::int32_t, 2> a;
};
inline constexpr auto kNumbers = microparquet::schema(microparquet::list("a", &Numbers::a));
microparquet::StaticReader<kNumbers, kSmall> numbers_reader;

// Rows as text: [ ] around a list, { } around a struct, n for what is missing, a value in digits.
struct RowText {
  char data[200] = {};
  std::size_t size = 0;

  void put(char c) {
    if (size < sizeof data) data[size++] = c;
  }
  void add(std::int32_t value) { put(static_cast<char>('0' + value)); }
  void add(const Pair& pair) {
    put('{');
    add(pair.x);
    add(pair.y);
    put('}');
  }
  template <typename Key, typename Value>
  void add(const Entry<Key, Value>& entry) {
    put('{');
    add(entry.key);
    add(entry.value);
    put('}');
  }
  template <typename T, std::size_t N>
  void add(const List<T, N>& list) {
    put('[');
    for (const T& element : list) add(element);
    put(']');
  }
  template <typename T>
  void add(const std::optional<T>& value) {
    if (value) return add(*value);
    put('n');
  }
  std::string_view view() const { return {data, size}; }
};

// Marks a status in the text of rows.
void add_status(RowText& text, Status status) {
  if (status == Status::kListTooLong) text.put('+');
  if (status == Status::kNullValue) text.put('0');
}
bool goes_on(Status status) {
  return status == Status::kOk || status == Status::kListTooLong || status == Status::kNullValue;
}

// All rows by `reader`, of which `add` puts one into the text.
template <typename Reader, typename Add>
void expect_rows(Reader& reader, microparquet::File& file, std::string_view expected, Add add,
                 Status end = Status::kEnd) {
  Status status = reader.open(file);
  while (status == Status::kIoError) status = reader.open(file);
  CHECK_EQ(status, Status::kOk);
  RowText text;
  typename Reader::Row row = {};
  for (;;) {
    status = reader.next(row);
    if (status == Status::kIoError) continue;
    if (!goes_on(status)) break;
    add_status(text, status);
    if (status != Status::kNullValue) add(text, row);
    text.put(' ');
  }
  CHECK_EQ(status, end);
  CHECK_EQ(text.view(), expected);
  CHECK_EQ(reader.next(row), end);
}
constexpr auto kAddA = [](RowText& text, const auto& row) { text.add(row.a); };

void expect_structs(made::File& made, std::string_view expected, Status end = Status::kEnd) {
  MemoryFile file = made.open();
  expect_rows(structs_reader, file, expected, kAddA, end);
}
void expect_numbers(made::File& made, std::string_view expected, Status end = Status::kEnd) {
  MemoryFile file = made.open();
  expect_rows(numbers_reader, file, expected, kAddA, end);
}

void list_of_numbers(Bytes& out, std::int32_t list = made::kRequired,
                     std::int32_t element = made::kRequired) {
  group(out, "a", list, 1, kAsList);
  group(out, "list", made::kRepeated, 1);
  int32(out, "element", element);
}

// [1, 2, 3, 4, 5], [], [6, 7], [8, 9, 0]
constexpr Expected kLong[] = {{0, 1, 1}, {1, 1, 2}, {1, 1, 3}, {1, 1, 4}, {1, 1, 5}, {0, 0, kNone},
                              {0, 1, 6}, {1, 1, 7}, {0, 1, 8}, {1, 1, 9}, {1, 1, 0}};
void make_long(made::File& made) {
  Bytes schema;
  list_of_numbers(schema);
  make_file(made, schema, 3, 1, {kLong}, 4);
}

}  // namespace

TEST("nested reader: a list of structs") {
  made::File made;
  made::make_structs(made, made::kX, made::kY);
  expect_structs(made, "[{12}n{3n}] [] n ");
}

TEST("nested reader: what is missing where nothing may be") {
  struct Row {
    List<Pair, 4> a;
  };
  static constexpr auto kSchema = microparquet::schema(microparquet::list(
      "a", &Row::a, microparquet::column("x", &Pair::x), microparquet::column("y", &Pair::y)));
  static microparquet::StaticReader<kSchema, kSmall> reader;
  made::File made;
  made::make_structs(made, made::kX, made::kY);
  MemoryFile file = made.open();
  expect_rows(reader, file, "0 [] 0 ", kAddA);
}

TEST("nested reader: the forms of lists that the format knows") {
  struct One {
    std::int32_t m;
  };
  struct Ones {
    List<One, 2> a;
  };
  static constexpr auto kOnes =
      microparquet::schema(microparquet::list("a", &Ones::a, microparquet::column("m", &One::m)));
  static microparquet::StaticReader<kOnes, kSmall> ones_reader;
  struct Form {
    std::string_view repeated;  // the name of the repeated group; empty: it is a leaf
    bool itself;                // the group is the element
  };
  constexpr Form kForms[] = {{"", false},     {"list", false},   {"element", false},
                             {"array", true}, {"a_tuple", true}, {"b_tuple", false}};
  for (const Form& form : kForms) {
    Bytes schema;
    group(schema, "a", made::kOptional, 1, kAsList);
    if (form.repeated.empty()) {
      int32(schema, "array", made::kRepeated);
    } else {
      group(schema, form.repeated, made::kRepeated, 1);
      int32(schema, "m", made::kRequired);
    }
    made::File made;
    make_file(made, schema, form.repeated.empty() ? 2 : 3, 1, {kTwoRows}, 2);
    MemoryFile file = made.open();
    if (form.itself) {
      CHECK_EQ(numbers_reader.open(file), Status::kInvalidArgument);
      expect_rows(ones_reader, file, "[12] [] ", [](RowText& text, const Ones& row) {
        text.put('[');
        for (const One& one : row.a) text.add(one.m);
        text.put(']');
      });
    } else {
      CHECK_EQ(ones_reader.open(file), Status::kInvalidArgument);
      expect_rows(numbers_reader, file, "[12] [] ", kAddA);
    }
  }
}

TEST("nested reader: what repeats without an annotation is a list") {
  constexpr Expected kItems[] = {{0, 1, 1}, {1, 1, 2}, {0, 0, kNone}};
  made::File leaf;
  Bytes schema;
  int32(schema, "a", made::kRepeated);
  make_file(leaf, schema, 1, 1, {kItems}, 2);
  expect_numbers(leaf, "[12] [] ");

  made::File groups;
  Bytes with_group;
  group(with_group, "a", made::kRepeated, 2);
  int32(with_group, "y", made::kRequired);
  int32(with_group, "x", made::kRequired);
  make_file(groups, with_group, 3, 1, {kItems, kItems}, 2);
  expect_structs(groups, "[{11}{22}] [] ");
}

TEST("nested reader: lists in lists, in the old form too, and too long ones") {
  struct Row {
    List<List<std::int32_t, 2>, 4> a;
  };
  static constexpr auto kSchema = microparquet::schema(microparquet::list("a", &Row::a));
  static microparquet::StaticReader<kSchema, kSmall> reader;
  // [[1, 2], []], [[3], [4, 5, 6], [7]]
  constexpr Expected kItems[] = {{0, 3, 1}, {2, 3, 2}, {1, 2, kNone}, {0, 3, 3},
                                 {1, 3, 4}, {2, 3, 5}, {2, 3, 6},     {1, 3, 7}};
  Bytes schema;
  group(schema, "a", made::kOptional, 1, kAsList);
  group(schema, "array", made::kRepeated, 1, kAsList);
  int32(schema, "array", made::kRepeated);
  made::File made;
  make_file(made, schema, 3, 1, {kItems}, 2);
  MemoryFile file = made.open();
  expect_rows(reader, file, "[[12][]] +[[3][45][7]] ", kAddA);
}

TEST("nested reader: a struct with a list that repeats is the element of its list") {
  struct Inner {
    List<std::int32_t, 2> b;
  };
  struct Row {
    List<Inner, 2> a;
  };
  static constexpr auto kSchema =
      microparquet::schema(microparquet::list("a", &Row::a, microparquet::list("b", &Inner::b)));
  static microparquet::StaticReader<kSchema, kSmall> reader;
  // [{[1, 2]}, {[]}], []
  constexpr Expected kItems[] = {{0, 3, 1}, {2, 3, 2}, {1, 2, kNone}, {0, 1, kNone}};
  Bytes schema;
  group(schema, "a", made::kOptional, 1, kAsList);
  group(schema, "list", made::kRepeated, 1);
  int32(schema, "b", made::kRepeated);
  made::File made;
  make_file(made, schema, 3, 1, {kItems}, 2);
  MemoryFile file = made.open();
  expect_rows(reader, file, "[[12][]] [] ", [](RowText& text, const Row& row) {
    text.put('[');
    for (const Inner& inner : row.a) text.add(inner.b);
    text.put(']');
  });
}

TEST("nested reader: maps, also as older writers annotate them") {
  struct Row {
    std::optional<List<Entry<std::int32_t, std::optional<std::int32_t>>, 2>> a;
  };
  static constexpr auto kSchema = microparquet::schema(microparquet::map("a", &Row::a));
  static microparquet::StaticReader<kSchema, kSmall> reader;
  constexpr Expected kValues[] = {{0, 3, 5}, {1, 2, kNone}, {0, 1, kNone}};
  static constexpr std::int32_t kAnnotations[] = {kAsMap, kAsMapKeyValue};
  static constexpr std::int32_t kOfEntries[] = {kUnannotated, kAsMapKeyValue};
  for (const std::int32_t annotation : kAnnotations) {
    for (const std::int32_t entries : kOfEntries) {
      Bytes schema;
      group(schema, "a", made::kOptional, 1, annotation);
      group(schema, "map", made::kRepeated, 2, entries);
      int32(schema, "k", made::kRequired);
      int32(schema, "v", made::kOptional);
      made::File made;
      make_file(made, schema, 4, 1, {kTwoRows, kValues}, 2);
      MemoryFile file = made.open();
      expect_rows(reader, file, "[{15}{2n}] [] ", kAddA);
    }
  }
}

TEST("nested reader: columns beside lists, in any order") {
  struct Inner {
    std::optional<std::int32_t> z;
  };
  struct Row {
    std::optional<Inner> s;
    List<std::int32_t, 4> b;
  };
  static constexpr auto kSchema =
      microparquet::schema(microparquet::group("s", &Row::s, microparquet::column("z", &Inner::z)),
                           microparquet::list("b", &Row::b));
  static microparquet::StaticReader<kSchema, kSmall, 3> reader;
  Bytes schema;
  int32(schema, "b", made::kRepeated);
  group(schema, "s", made::kOptional, 2);
  int32(schema, "other", made::kRepeated);
  int32(schema, "z", made::kOptional);
  constexpr Expected kB[] = {{0, 0, kNone}, {0, 1, 1}, {1, 1, 2}, {0, 1, 3}};
  constexpr Expected kOther[] = {{0, 1, kNone}, {0, 0, kNone}, {0, 1, kNone}};
  made::File made;
  made::make_beside_struct(made, schema, 4, {kB, kOther});
  MemoryFile file = made.open();
  expect_rows(reader, file, "n[] ?[12] 4[3] ", [](RowText& text, const Row& row) {
    if (row.s) text.add(row.s->z);
    if (!row.s) text.put('?');
    text.add(row.b);
  });
}

TEST("nested reader: a list that is too long has its first elements, and the next ones by another call") {
  made::File made;
  make_long(made);
  expect_numbers(made, "+[12] [] [67] +[89] ");

  MemoryFile file = made.open();
  REQUIRE(numbers_reader.open(file) == Status::kOk);
  RowText text;
  Numbers row;
  CHECK_EQ(numbers_reader.more(row), Status::kWrongState);
  for (Status status = numbers_reader.next(row); goes_on(status); status = numbers_reader.next(row)) {
    text.add(row.a);
    while (status == Status::kListTooLong) {
      status = numbers_reader.more(row);
      text.add(row.a);
    }
    CHECK_EQ(status, Status::kOk);
    CHECK_EQ(numbers_reader.more(row), Status::kWrongState);
    text.put(' ');
  }
  CHECK_EQ(text.view(), "[12][34][5] [] [67] [89][0] ");
}

TEST("nested reader: rows are passed, and row groups gone to") {
  made::File made;
  make_long(made);
  MemoryFile file = made.open();
  Numbers row;
  CHECK_EQ(numbers_reader.open(file), Status::kOk);
  CHECK_EQ(numbers_reader.skip(), Status::kOk);
  CHECK_EQ(numbers_reader.skip(), Status::kOk);
  CHECK_EQ(numbers_reader.next(row), Status::kOk);
  CHECK_EQ(row.a.size(), 2U);
  CHECK_EQ(row.a[1], 7);
  CHECK_EQ(numbers_reader.seek_row_group(0), Status::kOk);
  CHECK_EQ(numbers_reader.next(row), Status::kListTooLong);
  CHECK_EQ(row.a[1], 2);
  CHECK_EQ(numbers_reader.skip(), Status::kOk);
  CHECK_EQ(numbers_reader.next(row), Status::kOk);
  CHECK_EQ(row.a[0], 6);
  CHECK_EQ(numbers_reader.seek_row_group(1), Status::kInvalidArgument);
  CHECK_EQ(numbers_reader.reader().rows(), 4U);
}

TEST("nested reader: from any row to any other") {
  made::File made;
  make_long(made);
  MemoryFile file = made.open();
  Numbers row;
  REQUIRE(numbers_reader.open(file) == Status::kOk);
  constexpr std::size_t kLengths[] = {2, 0, 2, 2};  // as far as they are read
  for (std::uint64_t from = 0; from < 4; ++from) {
    for (std::uint64_t to = 0; to < 4; ++to) {
      REQUIRE(numbers_reader.seek_row(0, from) == Status::kOk);
      CHECK(goes_on(numbers_reader.next(row)));
      CHECK_EQ(row.a.size(), kLengths[from]);
      CHECK_EQ(numbers_reader.seek_row(0, to), Status::kOk);
      CHECK(goes_on(numbers_reader.next(row)));
      CHECK_EQ(row.a.size(), kLengths[to]);
      if (to == 2) CHECK_EQ(row.a[0], 6);
      CHECK_EQ(numbers_reader.skip(), to == 3 ? Status::kEnd : Status::kOk);
    }
  }
  CHECK_EQ(numbers_reader.seek_row(0, 4), Status::kInvalidArgument);
  CHECK_EQ(numbers_reader.seek_row(1, 0), Status::kInvalidArgument);
}

TEST("nested reader: rows that cross pages") {
  Bytes schema;
  list_of_numbers(schema);
  made::File made;
  made::Column column;
  column.values = static_cast<std::int64_t>(std::size(kLong));
  made.begin_column(column);
  const made::Span<const Expected> items(kLong);
  for (std::size_t begin = 0; begin < items.size(); begin += 3) {
    const std::size_t left = items.size() - begin;
    made::add_page(made, made::kDataPage, items.subspan(begin, left < 3 ? left : 3));
  }
  made.end_column(column);
  Bytes footer;
  footer.i32(1, 1).list(2, 12, 4);
  made::root(footer, 1);
  footer.append(schema).i64(3, 4).list(4, 12, 1);
  made::row_group(footer, {&column, 1}, 4);
  footer.end();
  made.end_with(footer);
  expect_numbers(made, "+[12] [] [67] +[89] ");
}

TEST("nested reader: columns of one list that disagree are corrupt") {
  constexpr Expected kLonger[] = {{0, 4, 2}, {1, 2, kNone}, {1, 3, kNone},
                                  {1, 4, 5}, {0, 1, kNone}, {0, 0, kNone}};
  made::File longer;
  made::make_structs(longer, made::kX, kLonger);
  expect_structs(longer, "", Status::kCorrupt);

  constexpr Expected kShorter[] = {{0, 4, 2}, {1, 2, kNone}, {0, 1, kNone}, {0, 0, kNone}};
  made::File shorter;
  made::make_structs(shorter, made::kX, kShorter);
  expect_structs(shorter, "", Status::kCorrupt);

  constexpr Expected kNotNull[] = {{0, 4, 2}, {1, 3, kNone}, {1, 3, kNone}, {0, 1, kNone}, {0, 0, kNone}};
  made::File not_null;
  made::make_structs(not_null, made::kX, kNotNull);
  expect_structs(not_null, "", Status::kCorrupt);

  constexpr Expected kNotEmpty[] = {{0, 4, 2}, {1, 2, kNone}, {1, 3, kNone}, {0, 4, 5}, {0, 0, kNone}};
  made::File not_empty;
  made::make_structs(not_empty, made::kX, kNotEmpty);
  expect_structs(not_empty, "[{12}n{3n}] ", Status::kCorrupt);

  constexpr Expected kLongerAtTheEnd[] = {{0, 4, 2},     {1, 2, kNone}, {1, 3, kNone},
                                          {0, 1, kNone}, {0, 4, 1},     {1, 4, 2}};
  constexpr Expected kShorterAtTheEnd[] = {{0, 3, 1}, {1, 2, kNone}, {1, 3, 3}, {0, 1, kNone}, {0, 3, 6}};
  made::File at_the_end;
  made::make_structs(at_the_end, kShorterAtTheEnd, kLongerAtTheEnd);
  expect_structs(at_the_end, "[{12}n{3n}] [] ", Status::kCorrupt);
}

TEST("nested reader: a row more than the row group has") {
  constexpr Expected kX[] = {{0, 3, 1}, {0, 3, 2}};
  constexpr Expected kY[] = {{0, 4, 1}, {0, 4, 2}, {0, 4, 3}};
  made::File made;
  made::make_structs(made, kX, kY, 2);
  expect_structs(made, "[{11}] ", Status::kCorrupt);
}

TEST("nested reader: files of other columns") {
  struct Other {
    List<std::int32_t, 2> b;
  };
  struct Floats {
    List<float, 2> a;
  };
  struct Flat {
    List<std::int32_t, 2> unused;
    std::int32_t a;
  };
  static constexpr auto kOther = microparquet::schema(microparquet::list("b", &Other::b));
  static constexpr auto kFloats = microparquet::schema(microparquet::list("a", &Floats::a));
  static constexpr auto kFlat =
      microparquet::schema(microparquet::column("a", &Flat::a), microparquet::list("unused", &Flat::unused));
  static microparquet::StaticReader<kOther, kSmall> other;
  static microparquet::StaticReader<kFloats, kSmall> floats;
  static microparquet::StaticReader<kFlat, kSmall> flat;
  made::File made;
  make_long(made);
  MemoryFile file = made.open();
  CHECK_EQ(other.open(file), Status::kInvalidArgument);
  CHECK_EQ(floats.open(file), Status::kInvalidArgument);
  CHECK_EQ(flat.open(file), Status::kInvalidArgument);
  Other row;
  CHECK_EQ(other.next(row), Status::kWrongState);
  CHECK_EQ(other.skip(), Status::kWrongState);
  CHECK_EQ(other.seek_row_group(0), Status::kWrongState);
}

namespace {

// All rows, with each read failing once.
template <typename Reader>
void expect_rows_with_faults(Reader& reader, made::File& made, std::string_view expected) {
  int faults = 0;
  for (bool failed = true; failed; ++faults) {
    MemoryFile inner = made.open();
    made::FailingOnce file(inner, faults + 1);
    expect_rows(reader, file, expected, kAddA);
    failed = file.failed();
  }
  CHECK(faults > 5);
}

}  // namespace

TEST("nested reader: any read of structs may fail, and the call be repeated") {
  made::File made;
  made::make_structs(made, made::kX, made::kY);
  expect_rows_with_faults(structs_reader, made, "[{12}n{3n}] [] n ");
}

TEST("nested reader: any read of lists that are too long may fail, and the call be repeated") {
  made::File made;
  make_long(made);
  expect_rows_with_faults(numbers_reader, made, "+[12] [] [67] +[89] ");
}
