// Row-group records: entries of the footer, kept in the file so that memory need not hold them. RECORD.md
// gives the bytes.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// A record on its way to the file.
struct Record {
  std::uint64_t at = 0;
  std::uint64_t next = 0;               // where the next row group is to begin
  std::uint64_t fill_to = 0;            // zeros follow the record up to here
  std::uint64_t* written_to = nullptr;  // forward only: as WindowSink::resume
  std::uint32_t entry_bytes = 0;        // set by write_record
  std::uint32_t chain = 0;              // set by write_record: CRC of all entries up to this one
};

// Writes the record of the open row group, whose pages are all stored or have their places.
Status write_record(detail::WriterState& state, Record& record);

// Reads the head of the record at `at`: how long its entry is, and where the next row group begins. kCorrupt
// when there is no record of this file.
Status read_record(detail::WriterState& state, std::uint64_t at, std::uint32_t& entry_bytes, std::uint64_t& next);

// The finished row group of `record` belongs to the file from here on.
void add_row_group(detail::WriterState& state, const Record& record);

}  // namespace microparquet::write
