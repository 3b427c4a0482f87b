// Schemas, options, values and the order of calls by chance, the same ones every time: what is written is
// read back.
#include <cstring>
#include <string_view>

#include "microparquet/sorting.h"
#include "support/check.h"
#include "support/names.h"
#include "written_file.h"

namespace {

constexpr std::uint32_t kMaxColumns = 6;
constexpr std::size_t kMaxText = 100;

// Numbers of one case, one after another.
class Chance {
 public:
  explicit Chance(std::uint32_t seed) : seed_(seed) {}
  std::uint32_t below(std::uint32_t limit) { return written::mix(seed_, ++count_) % limit; }
  bool one_in(std::uint32_t times) { return below(times) == 0; }

 private:
  std::uint32_t seed_;
  std::uint32_t count_ = 0;
};

struct Case {
  explicit Case(std::uint32_t seed);

  Schema schema() const { return Schema(fields, columns); }
  // The value of a row; its bytes lie in `text`.
  Value value(std::uint32_t row, std::uint32_t column, char (&text)[kMaxText]) const;

  std::uint32_t seed;
  std::uint32_t columns = 0;
  std::uint32_t rows = 0;
  Field fields[kMaxColumns] = {};
  Options options;
  SortingColumn sorting[1] = {};
};

Field any_field(Chance& chance, std::string_view name) {
  using namespace microparquet;
  switch (chance.below(11)) {
    case 0: return boolean_field(name);
    case 1: return int32_field(name);
    case 2: return int64_field(name);
    case 3: return float_field(name);
    case 4: return double_field(name);
    case 5: return float16_field(name);
    case 6: return fixed_field(name, 1 + chance.below(40));
    case 7: return integer_field(name, 32, false);
    case 8: return byte_array_field(name);
    default: return string_field(name);
  }
}

Case::Case(std::uint32_t seed) : seed(seed) {
  constexpr std::uint32_t kPages[] = {160, 200, 256, 512, 1024, 1536};
  Chance chance(seed);
  options.page_bytes = kPages[chance.below(6)];
  if (chance.one_in(3)) options.layout = &microparquet::kForward;
  options.whole_sectors = options.page_bytes % 512 == 0 && !chance.one_in(3);
  if (chance.one_in(2)) options.row_group_rows = 1 + chance.below(150);
  if (options.row_group_rows == 0 || chance.one_in(2)) options.row_group_bytes = 2000 + chance.below(14000);
  if (chance.one_in(3)) options.row_group_ms = 50 + chance.below(2000);
  options.max_bound_bytes = static_cast<std::uint8_t>(1 + chance.below(64));
  columns = 1 + chance.below(kMaxColumns);
  rows = chance.below(500);
  for (std::uint32_t i = 0; i < columns; ++i) {
    fields[i] = any_field(chance, written::part("abcdef", i, 1));
    if (chance.one_in(2)) fields[i] = fields[i].as_optional();
    if (chance.one_in(6)) fields[i].page_bytes = 512 * (1 + chance.below(3));
  }
  sorting[0] = {chance.below(columns), chance.one_in(2), chance.one_in(2)};
  if (chance.one_in(3)) options.sorting = microparquet::sorted_by(sorting);
}

Value Case::value(std::uint32_t row, std::uint32_t column, char (&text)[kMaxText]) const {
  const Field& field = fields[column];
  const std::uint32_t random = written::mix(row, seed + column);
  const std::uint32_t style = written::mix(seed, column) % 4;  // of nulls and of lengths
  Value result;
  result.type = field.type;
  if (field.repetition == microparquet::Repetition::kOptional) {
    const bool nulls[] = {random % 3 == 0, row / 40 % 2 == 0, random % 50 == 0, random % 50 != 0};
    if (nulls[style]) return result;
  }
  result.null = false;
  if (field.type == Type::kBoolean) {
    result.boolean = random % 2 == 0;
  } else if (field.type == Type::kByteArray || field.type == Type::kFixedLenByteArray) {
    const std::uint32_t lengths[] = {random % 10, random % 60, row / 60 % 2 == 0 ? 1U : 60U,
                                     random % 40 == 0 ? 60U : 2U};
    const std::size_t size = field.type == Type::kByteArray ? lengths[style] : field.type_length;
    for (std::size_t i = 0; i < size; ++i)
      text[i] = static_cast<char>('a' + written::mix(random, static_cast<std::uint32_t>(i / 8)) % 20);
    result.bytes = {text, size};
  } else {
    const std::uint64_t bits = random * (random % 3 == 0 ? 0x100000001U : std::uint64_t{1});
    std::memcpy(&result.int64, &bits, sizeof bits);
  }
  return result;
}

bool write(const Case& wanted, written::File& file) {
  static char texts[kMaxColumns][kMaxText];
  Chance chance(wanted.seed + 1);
  bool ok = file.opened() == Status::kOk;
  std::uint32_t now = 0;
  for (std::uint32_t row = 0; row < wanted.rows && ok; ++row) {
    Value values[kMaxColumns];
    for (std::uint32_t c = 0; c < wanted.columns; ++c) values[c] = wanted.value(row, c, texts[c]);
    ok = file.writer.append(Span<const Value>(values, wanted.columns)) == Status::kOk;
    if (chance.one_in(10)) ok = ok && file.writer.tick(now += chance.below(200)) == Status::kOk;
    if (chance.one_in(200)) ok = ok && file.writer.end_row_group() == Status::kOk;
    if (chance.one_in(100)) ok = ok && file.writer.set_key_value("row", "some row") == Status::kOk;
  }
  return ok && file.writer.close() == Status::kOk;
}

bool holds(const Case& wanted, const view::File& file) {
  static char text[kMaxText];
  if (!file.whole() || file.rows() != wanted.rows) return false;
  for (std::uint32_t c = 0; c < wanted.columns; ++c) {
    view::Column column(file, c);
    view::Cell cell = {};
    for (std::uint32_t row = 0; row < wanted.rows; ++row) {
      const Value value = wanted.value(row, c, text);
      if (!column.next(cell) || cell.null != value.null) return false;
      if (value.null) continue;
      const bool is_bytes = value.type == Type::kByteArray || value.type == Type::kFixedLenByteArray;
      const auto* const number = reinterpret_cast<const char*>(&value.int64);
      if (cell.bytes != (is_bytes ? value.bytes : std::string_view(number, cell.bytes.size()))) return false;
    }
    if (column.next(cell) || !column.sound()) return false;
  }
  return true;
}

}  // namespace

TEST("whatever the schema and the options: what is written is there") {
  std::uint32_t rows = 0;
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    const Case wanted(seed);
    written::File file(wanted.schema(), wanted.options);
    const bool ok = write(wanted, file) && holds(wanted, file.view());
    if (!ok) CHECK_EQ(seed, ~seed);  // names the case
    rows += wanted.rows;
  }
  CHECK(rows > 10000);
}
