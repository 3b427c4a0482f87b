// The values of a row, by its id: the same ones for who writes and for who checks.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "microparquet/span.h"
#include "microparquet/value.h"
#include "microparquet/writer.h"
#include "plan.h"

namespace lives {

using RowId = std::uint64_t;  // the boot's number above, the row's below
constexpr RowId row_id(unsigned boot, unsigned row) { return RowId{boot} << 32 | row; }

// A value encoded as PLAIN does it, but a byte array without its length and a boolean as one byte.
struct CellValue {
  bool null = false;
  std::string_view bytes;
};

class Cells {
 public:
  explicit Cells(const Plan& plan) : plan_(plan) {}

  // Valid until the next one is made.
  CellValue cell(std::size_t column, RowId id);

 private:
  std::string_view text(std::uint64_t bits, const ColumnHabit& habit);
  // The random bits that decide a value.
  std::uint64_t bits_of(std::size_t column, RowId id) const;
  std::uint64_t number_of(std::size_t column, RowId id) const;

  const Plan& plan_;
  alignas(8) std::array<char, 256> scratch_ = {};
};

// A row as Writer::append takes it, or many as append_columns does. Valid until the next ones are made.
class Rows {
 public:
  explicit Rows(const Plan& plan);

  mpq::Span<const mpq::Value> row(RowId id);
  mpq::Span<const mpq::ColumnData> batch(RowId first, unsigned rows);

 private:
  struct Batch {
    std::string values;                   // of a fixed width, one after another
    std::vector<std::string> texts;       // or not
    std::vector<std::string_view> views;  // of these
    std::string valid;
  };

  mpq::Value value(std::size_t column, const CellValue& cell);

  const Plan& plan_;
  Cells cells_;
  std::vector<mpq::Value> row_;
  std::vector<std::string> texts_;
  std::vector<Batch> batches_;
  std::vector<mpq::ColumnData> columns_;
};

}  // namespace lives
