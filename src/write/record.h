// Row-group records: entries of the footer, kept in the file so that memory need not hold them. RECORD.md
// gives the bytes.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"
#include "thrift/window_sink.h"
#include "write/record_format.h"

namespace microparquet::write {

// Through the writer's window, to `offset` of the file.
thrift::WindowSink sink_at(const detail::WriterState& state, std::uint64_t offset);

// Writes the record of the open row group, whose pages are all stored or have their places, into the slot at
// `at`, and adds it to the finished ones. `next` is where the next row group is to begin. Changes nothing in
// `state` on failure.
Status write_record(detail::WriterState& state, std::uint64_t at, std::uint64_t next);

// What is needed of a record to pass on to the next one.
struct RecordHead {
  std::uint64_t next;         // where the next row group begins
  std::uint32_t entry_bytes;  // of the entry at the record's beginning
};

// Reads the trailer of the record at `at`. kCorrupt when there is no record of this file.
Status read_record(const detail::WriterState& state, std::uint64_t at, RecordHead& head);

}  // namespace microparquet::write
