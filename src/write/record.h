// Row-group records: entries of the footer, kept in the file so that memory need not hold them. RECORD.md
// gives the bytes.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// A record on its way to the file, in a slot of state.record_bytes.
struct Record {
  std::uint64_t at = 0;
  std::uint64_t next = 0;               // where the next row group is to begin
  std::uint64_t* written_to = nullptr;  // forward only: as WindowSink::resume
};

// Writes the record of the open row group, whose pages are all stored or have their places, and adds it to the
// finished ones. Changes nothing in `state` on failure.
Status write_record(detail::WriterState& state, const Record& record);

// Reads of the record at `at` how long its entry is, and where the next row group begins. kCorrupt when there
// is no record of this file.
Status read_record(detail::WriterState& state, std::uint64_t at, std::uint32_t& entry_bytes, std::uint64_t& next);

}  // namespace microparquet::write
