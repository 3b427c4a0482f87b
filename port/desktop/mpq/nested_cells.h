// Rows of nested columns as cells of text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "json_text.h"
#include "microparquet/records.h"
#include "parquet_file.h"
#include "physical_values.h"
#include "row_printer.h"

namespace mpq_tool {

// A cell is a field of the row for JSON; else members of structs have cells of their own, and what is repeated has
// one, in JSON. Throws Failure as ParquetFile does.
class NestedRows {
 public:
  // Chooses `chosen` of `file`, which must stay, and has the first of them printed, `leaves`. Of the others, which
  // are not repeated, the reader's cells show the row. `physical`: null, or what converts the values. Throws WrongRequest where CSV would have lists.
  NestedRows(ParquetFile& file, const std::vector<Column>& leaves, const std::vector<Column>& chosen,
             RowStyle style, const PhysicalValues* physical);

  // Columns that have a cell, in the order of `leaves`.
  const std::vector<Column>& columns() const { return columns_; }

  // Passes the first `rows` rows. Requires: there are more, and no row has been read.
  void pass_rows(std::uint64_t rows);
  // Goes to the next row. False: there is none.
  bool next();
  // The cells of the row, one for each column.
  const std::vector<CellText>& cells() const { return cells_; }

 private:
  static constexpr std::size_t kNoCell = ~std::size_t{0};

  void refuse_lists(const std::vector<Column>& leaves) const;
  void read_schema();
  void begin_records();
  void place_cell(const Column& leaf);
  void take(microparquet::Event event);

  ParquetFile& file_;
  const PhysicalValues* physical_;
  std::vector<Column> nodes_;              // nodes of the schema; a name includes those of its groups
  std::vector<std::uint32_t> parents_;     // parents of the nodes
  std::vector<std::uint32_t> leaf_nodes_;  // nodes of the file's columns
  std::vector<std::string> own_names_;     // the same as in nodes_ without their groups
  std::vector<std::size_t> cell_of_;       // cell of each node, or kNoCell
  std::vector<bool> unprinted_;            // leaves, of the nodes
  std::vector<Column> columns_;
  bool as_json_;  // all cells, also those of single values
  std::vector<CellText> cells_;
  std::vector<std::uint64_t> memory_;
  std::unique_ptr<microparquet::Records> records_;
  std::optional<JsonText> json_;  // text of the cell that has begun and not ended
  std::size_t cell_ = kNoCell;    // number of that cell
};

}  // namespace mpq_tool
