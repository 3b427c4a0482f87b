// Rows of all kinds of columns whose open pages may stay open, and what must hold of a file with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "cut_file.h"
#include "microparquet/sorting.h"
#include "support/check.h"
#include "support/file_view.h"
#include "support/misread_file.h"
#include "support/names.h"
#include "written_file.h"

namespace tails {

inline constexpr std::uint32_t kColumns = 7;
inline constexpr Field kFields[kColumns] = {
    microparquet::int64_field("n"),
    microparquet::float_field("x").as_optional(),
    microparquet::boolean_field("on"),
    microparquet::string_field("text"),
    microparquet::boolean_field("off").as_optional(),
    microparquet::string_field("note").as_optional(),
    microparquet::fixed_field("id", 6),
};
// An optional column stands before the one that fills its pages first.
inline constexpr Field kNarrow[] = {microparquet::float_field("x").as_optional(),
                                    microparquet::int64_field("n")};

inline constexpr SortingColumn kByNumber[] = {{0, false, false}};

// The value of a column in row `n`, as PLAIN has it but a byte array without its length and a boolean in a byte; `null`:
// there is none.
class Cells {
 public:
  std::string_view cell(const Field& field, std::uint32_t n, bool& null) {
    const std::uint32_t chance = written::mix(n, static_cast<std::uint32_t>(field.name[0]));
    const bool in_run = written::mix(n / 24, 7) % 5 == 0;
    null = field.repetition == microparquet::Repetition::kOptional && (in_run || chance % 4 == 0);
    if (null) return {};
    switch (field.type) {
      case Type::kInt64: return bytes_of(number(n));
      case Type::kFloat: return bytes_of(static_cast<float>(chance % 20'000) / 8 - 1'000);
      case Type::kBoolean: return bytes_of(static_cast<char>(chance % 3 == 0));
      case Type::kFixedLenByteArray: return text(n, 6);
      default: return text(n, chance % 23);
    }
  }
  Value value(const Field& field, std::uint32_t n) {
    bool null = false;
    const std::string_view bytes = cell(field, n, null);
    if (null) return Value();
    float real = 0;
    switch (field.type) {
      case Type::kInt64: return Value::of(number(n));
      case Type::kFloat: std::memcpy(&real, bytes.data(), sizeof real); return Value::of(real);
      case Type::kBoolean: return Value::of(bytes[0] != 0);
      case Type::kFixedLenByteArray: return Value::of_fixed(bytes);
      default: return Value::of_bytes(bytes);
    }
  }
  static std::int64_t number(std::uint32_t n) { return std::int64_t{n} * 3 - 100; }

 private:
  template <typename T>
  std::string_view bytes_of(T value) {
    std::memcpy(memory_, &value, sizeof value);
    return {memory_, sizeof value};
  }
  std::string_view text(std::uint32_t n, std::uint32_t bytes) {
    for (std::uint32_t i = 0; i < bytes; ++i) memory_[i] = static_cast<char>('a' + written::mix(n, i) % 26);
    return {memory_, bytes};
  }

  char memory_[32];
};

// A file of a host: each write is a part of it at once, and nothing is cut off.
class HostFile final : public support::OwningFile<cut::MemoryFile> {
 public:
  HostFile() : OwningFile(written::file_memory(0)) {}

  FileAbilities abilities() const override { return {true, true, false}; }
  Status sync(std::uint64_t /*size*/) override { return Status::kOk; }
  view::File view() const { return view::File(inner_file().contents()); }
};

inline Status append(Writer& writer, Schema schema, std::uint32_t n) {
  Cells cells[kColumns];
  Value row[kColumns];
  for (std::uint32_t i = 0; i < schema.size(); ++i) row[i] = cells[i].value(schema[i], n);
  return writer.append({row, schema.size()});
}

// Whether `a` comes before `b` in the order of the column's statistics.
inline bool less(const Field& field, std::string_view a, std::string_view b) {
  const auto both = [&](auto x) {
    auto y = x;
    std::memcpy(&x, a.data(), sizeof x);
    std::memcpy(&y, b.data(), sizeof y);
    return x < y;
  };
  switch (field.type) {
    case Type::kInt64: return both(std::int64_t{});
    case Type::kFloat: return both(float{});
    default: return a < b;
  }
}

// Checks the statistics of a chunk against its rows, which begin with row `first`.
inline bool statistics_hold(const view::Struct& statistics, const Field& field, std::uint32_t first,
                            std::uint32_t rows) {
  Cells least_cells;
  Cells most_cells;
  std::string_view least;
  std::string_view most;
  std::uint32_t nulls = 0;
  for (std::uint32_t n = first; n < first + rows; ++n) {
    Cells cells;
    bool null = false;
    const std::string_view bytes = cells.cell(field, n, null);
    if (null) {
      ++nulls;
      continue;
    }
    const bool is_first = nulls == n - first;
    if (is_first || less(field, bytes, least)) least = least_cells.cell(field, n, null);
    if (is_first || less(field, most, bytes)) most = most_cells.cell(field, n, null);
  }
  if (statistics.integer(view::id::kNullCount) != nulls) return false;
  if (nulls == rows) return !statistics.has(view::id::kMinValue);
  return statistics.text(view::id::kMinValue) == least && statistics.text(view::id::kMaxValue) == most;
}

// Whether the file has the rows 0, 1, ... and statistics that are right.
inline bool hold(const view::File& file, Schema schema, std::uint32_t rows) {
  if (!file.whole() || file.rows() != rows) return false;
  for (std::uint32_t i = 0; i < schema.size(); ++i) {
    view::Column column(file, i);
    view::Cell found = {};
    for (std::uint32_t n = 0; n < rows; ++n) {
      Cells cells;
      bool null = false;
      const std::string_view bytes = cells.cell(schema[i], n, null);
      if (!column.next(found) || found.null != null || (!null && found.bytes != bytes)) return false;
    }
    if (column.next(found) || !column.sound()) return false;
    std::uint32_t first = 0;
    for (std::uint32_t group = 0; group < file.row_groups(); ++group) {
      const auto count = static_cast<std::uint32_t>(file.row_group(group).integer(view::id::kGroupRows));
      if (!statistics_hold(file.statistics(group, i), schema[i], first, count)) return false;
      first += count;
    }
  }
  return true;
}

inline Options tailed(std::uint32_t row_group_bytes = 16 << 10) {
  Options options = written::in_place(512);
  options.row_group_bytes = row_group_bytes;
  options.layout = &microparquet::kInPlaceTailed;
  return options;
}

inline Status resume(Writer& writer, File& file, const Options& options, Schema schema = kFields) {
  writer.reset();
  return writer.resume(file, schema, options, written::arena_memory());
}

// Appends the rows from writer.rows() to `end`.
inline Status append_up_to(Writer& writer, std::uint32_t end, Schema schema = kFields) {
  Status status = Status::kOk;
  while (status == Status::kOk && writer.rows() < end)
    status = append(writer, schema, static_cast<std::uint32_t>(writer.rows()));
  return status;
}

// Copies the file of slot 0 into that of slot 1.
inline void copy_file() {
  const Span<std::byte> from = written::file_memory(0);
  std::memcpy(written::file_memory(1).data(), from.data(), from.size());
}

// A boot that appends up to `end` rows in all, makes them durable or safe, and loses its power. False: a call fails, or
// rows are missing.
enum class Ending { kCheckpoint, kSave };
inline bool boot(cut::CutFile& file, const Options& options, std::uint32_t begin, std::uint32_t end,
                 Ending ending, Schema schema = kFields) {
  Writer writer;
  bool good = resume(writer, file, options, schema) == Status::kOk && writer.rows() == begin &&
              append_up_to(writer, end, schema) == Status::kOk;
  if (ending == Ending::kCheckpoint) {
    good = good && writer.checkpoint() == Status::kOk && writer.durable_rows() == end;
  } else {
    good = good && writer.save() == Status::kOk && writer.safe_rows() == end;
  }
  file.cut();
  return good && file.violations == 0;
}

// Checks that resume() takes up all `rows` rows, which a save has, whichever of its reads gives a wrong bit: without a right
// footer it takes up nothing.
inline void take_up_misread(File& file, const Options& options, std::uint64_t rows) {
  support::MisreadFile misread(file);
  int taken_up = 0;
  for (int at = 0; misread.reads_left < 0; ++at) {
    misread.reads_left = at;
    Writer writer;
    if (resume(writer, misread, options) != Status::kOk) continue;
    ++taken_up;
    REQUIRE_EQ(writer.rows(), rows);
  }
  CHECK(taken_up > 2);
}

// A life of a log on a file of a host, up to its end if need be: whenever rows have become durable by a call, the file ends in
// their footer, and the next boot has the rows that were safe.
inline void live_on_a_host(const Options& options, std::uint32_t seed) {
  HostFile file;
  std::uint32_t safe = 0;
  Status status = Status::kOk;
  for (std::uint32_t boot = 0; boot < 4 && status == Status::kOk; ++boot) {
    Writer writer;
    REQUIRE_EQ(resume(writer, file, options), Status::kOk);
    REQUIRE_EQ(writer.rows(), safe);
    for (std::uint32_t step = 0; step < 40 && status == Status::kOk; ++step) {
      const std::uint32_t chance = written::mix(seed * 1000 + boot * 100 + step);
      status = append_up_to(writer, static_cast<std::uint32_t>(writer.rows()) + chance % 12);
      if (status == Status::kOk) status = writer.tick((boot * 40 + step) * 400);
      const bool saves = (chance >> 8) % 4 == 0 && status == Status::kOk;
      if (saves) status = (chance >> 16) % 8 == 0 ? writer.checkpoint() : writer.save();
      REQUIRE(status == Status::kOk || status == Status::kNoSpace);
      safe = static_cast<std::uint32_t>(writer.safe_rows());
      if (!saves || status != Status::kOk) continue;
      CHECK_EQ(safe, writer.rows());
      REQUIRE(file.view().whole());
      REQUIRE_EQ(file.view().rows(), static_cast<std::int64_t>(writer.durable_rows()));
    }
    if (status == Status::kOk) status = writer.save();
    safe = static_cast<std::uint32_t>(writer.safe_rows());
  }
  if (status != Status::kOk) return;
  Writer writer;
  REQUIRE_EQ(resume(writer, file, options), Status::kOk);
  REQUIRE_EQ(writer.close(), Status::kOk);
  REQUIRE(hold(file.view(), kFields, safe));
}

}  // namespace tails
