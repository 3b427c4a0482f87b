// Tables that show one thing each, as columns in memory, for the programs that time a desktop: the same numbers as in
// peers/arrow_rs/src/tables.rs.
//
//   bool8          8 columns of booleans
//   optional10     4 of doubles, of which a tenth is null, at random
//   optional_runs  4 of doubles, nulls and values in runs of about a thousand
//   columns_100    100 of int32
//   columns_1000   1000 of int32
//   list32         4 of lists of 32 int32, all of them there
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace microparquet::bench {

enum class TableType { kBool, kInt32, kOptionalDouble, kList };

inline constexpr std::size_t kListItems = 32;

struct TableColumn {
  std::unique_ptr<bool[]> bools;
  std::vector<std::int32_t> ints;   // of lists: of all items
  std::vector<double> doubles;      // of all rows, null or not
  std::vector<std::uint8_t> valid;  // 0: null
};

struct Table {
  TableType type = TableType::kInt32;
  std::size_t rows;
  std::vector<TableColumn> columns;

  Table(std::string_view name, std::size_t row_count) : rows(row_count) {
    std::size_t count = 4;
    if (name == "bool8") {
      type = TableType::kBool;
      count = 8;
    } else if (name == "columns_100" || name == "columns_1000") {
      count = name == "columns_100" ? 100 : 1000;
    } else {
      type = name == "list32" ? TableType::kList : TableType::kOptionalDouble;
    }
    for (; count != 0; --count) add_column(name == "optional_runs");
  }

 private:
  std::uint32_t next() {
    random_ = random_ * 1664525U + 1013904223U;
    return random_ >> 8;
  }

  void add_column(bool runs) {
    TableColumn& column = columns.emplace_back();
    if (type == TableType::kBool) column.bools.reset(new bool[rows]);
    bool present = true;
    for (std::size_t i = 0; i < rows * (type == TableType::kList ? kListItems : 1); ++i) {
      const std::uint32_t number = next();
      if (type == TableType::kBool) {
        column.bools[i] = (number & 64) != 0;
      } else if (type == TableType::kInt32 || type == TableType::kList) {
        column.ints.push_back(static_cast<std::int32_t>(number) - (1 << 23));
      } else {
        column.doubles.push_back(number * 0.001);
        const std::uint32_t chance = next();
        if (runs ? chance % 1000 == 0 : true) present = runs ? !present : chance % 10 != 0;
        column.valid.push_back(present ? 1 : 0);
      }
    }
  }

  std::uint32_t random_ = 12345;
};

}  // namespace microparquet::bench
