// Index of row groups, for seeking rows by their numbers in any order, in the time that one row group takes.
//
//   mpq::RowGroupPlace places[64];
//   mpq::RowGroupIndex index(reader, places);
//   status = index.build();  // walks the footer once
//   mpq::Value row[2];
//   for (const std::uint64_t number : {70'000u, 5u, 123'456u}) {
//     if (status == mpq::Status::kOk) status = index.seek_row(number);
//     if (status == mpq::Status::kOk) status = reader.next_row(row);
//   }
//
// Reader::seek_row() needs no such memory, but walks the footer from its beginning.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/reader.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// Place of a row group.
struct RowGroupPlace {
  std::uint64_t first_row = 0;    // number in the file
  std::uint64_t footer_byte = 0;  // place in the file of its entry in the footer
};

// Stores the places of row groups of the reader's open file: of all, or only of every second, third and so on
// if there is too little memory; it walks the footer from the nearest one. The reader and the places are the
// caller's and must stay. Build it again after another open() of the reader.
class RowGroupIndex {
 public:
  // Takes at least one place. With Reader::row_groups() of them each row group has its own.
  RowGroupIndex(Reader& reader, Span<RowGroupPlace> places) : reader_(reader), places_(places) {}

  // Builds the index by walking the footer. The reader stays where it is. After a failure it may be repeated.
  // - kWrongState: no file is open
  // - kInvalidArgument: there are no places
  // - as Reader::open(), statuses of the file
  Status build();

  // Goes to a row as Reader::seek_row(row). It continues from the current row if that is an earlier one of
  // the same row group.
  // - kWrongState: it is not built, or no column is chosen
  Status seek_row(std::uint64_t row);

  // Goes to a row group as Reader::seek_row_group(row_group).
  // - kWrongState: it is not built
  Status seek_row_group(std::uint32_t row_group);

 private:
  // Row group found while the footer is walked.
  struct Entry {
    std::uint32_t row_group;
    std::uint64_t footer_byte;
    std::uint64_t first_row;
    std::uint64_t rows;
  };

  Status read(Entry& entry);
  Status read_next(Entry& entry);
  void enter(const Entry& entry);

  Reader& reader_;
  Span<RowGroupPlace> places_;
  std::uint32_t count_ = 0;  // number of known places
  std::uint32_t step_ = 0;   // row groups between two places; 0: not built
};

}  // namespace microparquet
