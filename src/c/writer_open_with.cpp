// Opening and resuming files with an id and key-values. Most programs do without and do not link this file.
#include <cstddef>

#include "base/try.h"
#include "c/c_writer.h"
#include "microparquet/c/file_start.h"
#include "write/begin_file.h"
#include "write/file_start.h"
#include "write/writer_key_values.h"

namespace microparquet::c {
namespace {

bool is_whole(const mpq_file_start& start) {
  if (start.key_value_count != 0 && start.key_values == nullptr) return false;
  for (const mpq_key_value& pair : Span<const mpq_key_value>(start.key_values, start.key_value_count)) {
    if (pair.key == nullptr || pair.value == nullptr) return false;
  }
  return true;
}

// Puts the key-values one by one, since no memory holds them in the form of C++.
[[gnu::noinline]] Status put_pairs(detail::WriterState& state, const mpq_file_start& start) {
  for (const mpq_key_value& pair : Span<const mpq_key_value>(start.key_values, start.key_value_count))
    MICROPARQUET_TRY(write::put_key_value(state, {view_of(pair.key), view_of(pair.value)}));
  return Status::kOk;
}

// Function that chooses how to resume a file. It is passed as a parameter, so that a program which only opens
// files does not link it.
using LayoutToResume = detail::ResumeLayout(const detail::WriterPlan& plan);

// Opens or resumes a file as Writer does; `layout` null: the file must be empty.
Status open_with_start(CWriter& writer, File& file, const mpq_file_start& start, LayoutToResume* layout) {
  detail::WriterState& state = detail::WriterAccess::state(writer.writer);
  Span<std::byte> arena = writer.arena;
  const detail::WriterPlan* plan = nullptr;
  MICROPARQUET_TRY(write::prepare(state, writer.schema(), writer.options(), arena, plan));
  const Status status = write::open_with(
      writer.writer, file, *plan, arena.data(), start.file_id, layout != nullptr ? layout(*plan) : nullptr,
      [&start](detail::WriterState& begun) { return put_pairs(begun, start); });
  if (state.fields == nullptr) state.fields = writer.fields;
  return status;
}

mpq_status begin_with(mpq_writer* writer, mpq_file* file, const mpq_setup* setup, const mpq_file_start* start,
                      LayoutToResume* layout) {
  if (start == nullptr || !is_whole(*start)) return MPQ_INVALID_ARGUMENT;
  const mpq_status status = begin(writer, file, setup);
  return status == MPQ_OK ? to_c(open_with_start(from_c(*writer), from_c(*file), *start, layout)) : status;
}

}  // namespace
}  // namespace microparquet::c

mpq_status mpq_writer_open_with(mpq_writer* writer, mpq_file* file, const mpq_setup* setup,
                                const mpq_file_start* start) {
  return microparquet::c::begin_with(writer, file, setup, start, nullptr);
}

mpq_status mpq_writer_resume_with(mpq_writer* writer, mpq_file* file, const mpq_setup* setup,
                                  const mpq_file_start* start) {
  return microparquet::c::begin_with(writer, file, setup, start, &microparquet::detail::resume_layout);
}
