// Row-group records: entries of the footer, kept in the file so that memory need not hold them. FORMAT.md
// gives the bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "format/record_format.h"
#include "io/window_sink.h"
#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Through the writer's window, to `offset` of the file.
thrift::WindowSink sink_at(const detail::WriterState& state, std::uint64_t offset);

// Writes a record of the open row group, whose pages are all stored or have their places, into the slot at
// `at`. Of `entry` it is given `next` and sets the rest.
Status write_record(detail::WriterState& state, std::uint64_t at, EntrySummary& entry);

// The record at `at` is on its way for good: the open row group counts as finished.
void count_row_group(detail::WriterState& state, std::uint64_t at, const EntrySummary& entry);

// Leaves the slot at `at` empty, whatever the medium held there.
Status empty_slot(detail::WriterState& state, std::uint64_t at);

// Reads what the record at `at` says. kCorrupt when there is no record of this file.
Status read_record(const detail::WriterState& state, std::uint64_t at, EntrySummary& entry);

}  // namespace microparquet::write
