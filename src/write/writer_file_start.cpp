// FileStart: what a program sets before a file is opened. It is apart from open() and resume(), since most
// programs do without.
#include "microparquet/file_start.h"

#include "base/try.h"
#include "microparquet/writer.h"
#include "write/begin_file.h"
#include "write/file_start.h"
#include "write/writer_key_values.h"

namespace microparquet {

// noinline: its variables are off the stack when footers are written.
[[gnu::noinline]] Status write::begin_with_id(detail::WriterState& state, File& file,
                                              const detail::WriterPlan& plan, std::byte* arena,
                                              std::uint32_t file_id, detail::ResumeLayout resume_layout) {
  MICROPARQUET_TRY(begin_file(state, file, plan, arena));
  if (found_bytes(state) != 0) return resume_layout != nullptr ? resume_layout(state) : Status::kWrongState;
  if (file_id != 0) state.footer.now.file_id = file_id;
  state.phase = detail::WriterPhase::kOpening;
  return Status::kOk;
}

namespace write {
namespace {

// noinline, as the one above.
[[gnu::noinline]] Status put_key_values(detail::WriterState& state, const FileStart& start) {
  for (const KeyValue& pair : start.key_values) MICROPARQUET_TRY(put_key_value(state, pair));
  return Status::kOk;
}

}  // namespace
}  // namespace write

Status Writer::open_planned(File& file, const detail::WriterPlan& plan, std::byte* arena,
                            const FileStart& start, detail::ResumeLayout resume_layout) {
  return write::open_with(
      *this, file, plan, arena, start.file_id, resume_layout,
      [&start](detail::WriterState& state) { return write::put_key_values(state, start); });
}

Status Writer::open(File& file, Schema schema, const Options& options, Span<std::byte> arena,
                    const FileStart& start) {
  const detail::WriterPlan* plan = nullptr;
  MICROPARQUET_TRY(write::prepare(state_, schema, options, arena, plan));
  const Status status = open_planned(file, *plan, arena.data(), start);
  if (state_.fields == nullptr) state_.fields = schema.data();
  return status;
}

Status Writer::resume(File& file, Schema schema, const Options& options, Span<std::byte> arena,
                      const FileStart& start) {
  const detail::WriterPlan* plan = nullptr;
  MICROPARQUET_TRY(write::prepare(state_, schema, options, arena, plan));
  const Status status = open_planned(file, *plan, arena.data(), start, detail::resume_layout(*plan));
  if (state_.fields == nullptr) state_.fields = schema.data();
  return status;
}

}  // namespace microparquet
