// Values in the units that the key-values say, of columns that store them as a sensor counts.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "channel.h"
#include "file_facts.h"
#include "parquet_file.h"

namespace mpq_tool {

// Whether values are numbers that may be in another unit, also those of lists.
bool is_convertible(const Column& column);

class PhysicalValues {
 public:
  // Of all columns of `file`.
  explicit PhysicalValues(ParquetFile& file);

  // The column as its values are in their unit: a double, where they are stored otherwise.
  Column shown(const Column& column) const;

  // A value of column `number` in its unit, up to the next one of the column; or as it is.
  microparquet::Cell cell(std::uint32_t number, const microparquet::Cell& stored) const;

 private:
  struct Converted {
    Channel channel;
    double value;
  };

  std::vector<std::unique_ptr<Converted>> columns_;  // by their numbers; null: as they are
};

// A row as it is printed.
class RowView {
 public:
  // `physical`: null, or what converts the cells, those of `columns`. All must stay.
  RowView(const microparquet::Reader& reader, const std::vector<Column>& columns,
          const PhysicalValues* physical)
      : reader_(reader), columns_(columns), physical_(physical) {}

  microparquet::Cell cell(std::size_t i) const {
    const microparquet::Cell stored = reader_.cell(i);
    return physical_ == nullptr ? stored : physical_->cell(columns_[i].number, stored);
  }

 private:
  const microparquet::Reader& reader_;
  const std::vector<Column>& columns_;
  const PhysicalValues* physical_;
};

}  // namespace mpq_tool
