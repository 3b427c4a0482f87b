// Rows of a file by their numbers, in any order, in the time that one row group takes.
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
// Reader::seek_row() needs no such memory, and walks the footer from its beginning on.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/reader.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// Where a row group stands.
struct RowGroupPlace {
  std::uint64_t first_row = 0;    // of the file
  std::uint64_t footer_byte = 0;  // in the file, where the footer tells of it
};

// Knows the places of some row groups of the file that a reader has open: of all, or of every second, third
// and so on where the memory ends before; from such a one on the footer is walked. The reader and the places
// are the caller's and must stay. After another open() of the reader build it again.
class RowGroupIndex {
 public:
  // Requires: at least one place. With Reader::row_groups() of them each row group has its own.
  RowGroupIndex(Reader& reader, Span<RowGroupPlace> places) : reader_(reader), places_(places) {}

  // Walks the footer. Where the reader is does not change. After a failure it may be repeated.
  // - kWrongState: no file is open
  // - kInvalidArgument: there are no places
  // - as Reader::open(), what the file answers
  Status build();

  // As Reader::seek_row(row). Within the current row group it continues from the current row if that is before.
  // - kWrongState: it is not built, or no column is chosen
  Status seek_row(std::uint64_t row);

  // As Reader::seek_row_group(row_group).
  // - kWrongState: it is not built
  Status seek_row_group(std::uint32_t row_group);

 private:
  // A row group, while the footer is walked.
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
  std::uint32_t count_ = 0;  // places that are known
  std::uint32_t step_ = 0;   // row groups from one to the next; 0: not built
};

}  // namespace microparquet
