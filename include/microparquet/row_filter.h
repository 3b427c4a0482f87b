// Reading only the wanted rows of row groups; the reader skips the others page by page.
//
//   class Evenings final : public mpq::RowFilter {  // knows at which rows evenings begin and end
//     mpq::Status select(mpq::Reader& reader, mpq::RowRanges& rows) const override;
//   };
//   inline constexpr Evenings kEvenings;
//   ...
//   mpq::RowRange places[16];
//   mpq::Value row[2];
//   mpq::SelectedRows evenings(reader, kEvenings, places);
//   while (evenings.next() == mpq::Status::kOk && reader.next_row(row) == mpq::Status::kOk) { ... }
//
// or, by columns:
//
//   const mpq::RowRange ranges[] = {{0, 100}, {500, 600}};
//   float places[1024];
//   mpq::Batch<float> batch(places);
//   mpq::SelectedColumn values(reader, 0, ranges);
//   while (values.next_batch(batch) == mpq::Status::kOk) { ... }
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/reader.h"
#include "microparquet/row_ranges.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// Chooses the rows of a row group worth reading.
class RowFilter {
 public:
  // Adds to `rows`, which is empty, all ranges of wanted rows in the reader's current row group; rows beyond
  // its last one do not count. The reader must stay there. After a status other than kOk it may be called
  // again.
  virtual Status select(Reader& reader, RowRanges& rows) const = 0;

 protected:
  ~RowFilter() = default;
};

// Selects all rows of the row groups that match `filter`, such as a RangeFilter, and none of the others. The
// filter is the caller's and must stay.
class RowsOfRowGroups final : public RowFilter {
 public:
  // Takes a filter, which must stay as long as this object.
  explicit constexpr RowsOfRowGroups(const RowGroupFilter& filter) : filter_(filter) {}
  Status select(Reader& reader, RowRanges& rows) const override {
    bool match = false;
    const Status status = filter_.may_match(reader, match);
    if (status == Status::kOk && match) rows.add({0, reader.row_group_rows()});
    return status;
  }

 private:
  const RowGroupFilter& filter_;
};

// Goes through the rows that a filter selects, in all row groups after the reader's current one, by
// next_row_group(). The reader, the filter and the places, at least one, are the caller's and must stay.
// Choose the reader's columns before.
class SelectedRows {
 public:
  // Takes places for the ranges of one row group; with few places it may give more rows than the filter
  // selects.
  SelectedRows(Reader& reader, const RowFilter& filter, Span<RowRange> places)
      : reader_(reader), filter_(filter), rows_(places) {}

  // Goes to the next selected row: Reader::next_row(), or StaticReader::next(), returns it. It does not move
  // from a selected row that has not been read yet. After a failure it may be repeated.
  // - kEnd: there is none
  // - as Reader::seek_row(), and statuses of the filter
  Status next();

 private:
  Status enter_row_group();

  Reader& reader_;
  const RowFilter& filter_;
  RowRanges rows_;
  std::size_t range_ = 0;        // the first one that does not end before the reader's row
  std::uint64_t row_ = 0;        // target of the seek
  std::uint32_t row_group_ = 0;  // row group of `rows_`
  bool entered_ = false;         // the reader is in the row group
  bool selected_ = false;        // whether the filter has been asked
  bool seeking_ = false;         // whether row_ has not been reached
};

// Reads batches of a chosen column: the rows in `ranges`, ascending, of the reader's current row group. The
// ranges are the caller's and must stay.
class SelectedColumn {
 public:
  // Takes the column's place `i` among the chosen ones.
  SelectedColumn(Reader& reader, std::size_t i, Span<const RowRange> ranges)
      : reader_(reader), ranges_(ranges), column_(i) {}

  // Reads the next rows of a range, as Reader::next_batch(). A batch never spans two ranges.
  // - kEnd: all ranges have been read
  template <typename T>
  Status next_batch(Batch<T>& batch) {
    if (column_ >= reader_.chosen() ||
        !detail::stored_as<T>(reader_.column_type(reader_.chosen_column(column_))))
      return Status::kInvalidArgument;
    return next_batch(static_cast<AnyBatch&>(batch));
  }
  // Works as the call above without checking the type: see Reader::next_batch().
  Status next_batch(AnyBatch& batch);

  // Returns the first row of the last batch, counted in the row group.
  std::uint64_t first_row() const { return first_row_; }

 private:
  Reader& reader_;
  Span<const RowRange> ranges_;
  std::size_t column_;
  std::size_t range_ = 0;
  std::uint64_t first_row_ = 0;
};

}  // namespace microparquet
