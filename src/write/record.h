// Row-group records: entries of the footer, kept in the file instead of memory. FORMAT.md gives the bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "format/record_format.h"
#include "io/window_sink.h"
#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Returns a sink that writes at `offset` of the file through the writer's window.
thrift::WindowSink sink_at(const detail::WriterState& state, std::uint64_t offset);

// Writes a record of the open row group into the slot at `at`. The row group's pages are stored, or have
// their places. The caller sets `next` of `entry`; the function sets the rest.
Status write_record(detail::WriterState& state, std::uint64_t at, EntrySummary& entry);

// Counts the open row group as finished. Its record at `at` has been written.
void count_row_group(detail::WriterState& state, std::uint64_t at, const EntrySummary& entry);

// Overwrites the slot at `at`, so that it holds no record.
Status empty_slot(detail::WriterState& state, std::uint64_t at);

// Reads the summary in the record at `at`. kCorrupt: there is no record of this file.
Status read_record(const detail::WriterState& state, std::uint64_t at, EntrySummary& entry);

}  // namespace microparquet::write
