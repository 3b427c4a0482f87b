// What a program says of a file before it is opened. Apart from open() and resume(), since most say nothing.
#include "microparquet/file_start.h"

#include "base/try.h"
#include "microparquet/writer.h"
#include "write/begin_file.h"
#include "write/writer_key_values.h"

namespace microparquet {
namespace write {
namespace {

using detail::WriterState;

Status put_key_values(WriterState& state, Span<const KeyValue> pairs) {
  for (const KeyValue& pair : pairs) MICROPARQUET_TRY(put_key_value(state, pair));
  return Status::kOk;
}

// A function of its own, so that what it keeps on the stack is gone when footers are written.
[[gnu::noinline]] Status begin(WriterState& state, File& file, const detail::WriterPlan& plan,
                               std::byte* arena, const FileStart& start, detail::ResumeLayout resume_layout) {
  MICROPARQUET_TRY(begin_file(state, file, plan, arena));
  if (found_bytes(state) != 0) return resume_layout != nullptr ? resume_layout(state) : Status::kWrongState;
  if (start.file_id != 0) state.footer.now.file_id = start.file_id;
  return Status::kOk;
}

}  // namespace
}  // namespace write

Status Writer::open_planned(File& file, const detail::WriterPlan& plan, std::byte* arena,
                            const FileStart& start, detail::ResumeLayout resume_layout) {
  if (state_.phase == detail::WriterPhase::kIdle) {
    MICROPARQUET_TRY(write::begin(state_, file, plan, arena, start, resume_layout));
    const bool resumed = state_.phase == detail::WriterPhase::kOpen;
    state_.phase = detail::WriterPhase::kIdle;  // when the file cannot say what it is to
    MICROPARQUET_TRY(write::put_key_values(state_, start.key_values));
    state_.phase = resumed ? detail::WriterPhase::kOpen : detail::WriterPhase::kOpening;
    if (resumed) return Status::kOk;
  }
  return open_planned(file, plan, arena);
}

Status Writer::open(File& file, Schema schema, const Options& options, Span<std::byte> arena,
                    const FileStart& start) {
  const bool begins = state_.phase == detail::WriterPhase::kIdle;
  const detail::WriterPlan* plan = nullptr;
  MICROPARQUET_TRY(write::prepare(state_, schema, options, arena, plan));
  const Status status = open_planned(file, *plan, arena.data(), start);
  if (begins) state_.fields = schema.data();
  return status;
}

Status Writer::resume(File& file, Schema schema, const Options& options, Span<std::byte> arena,
                      const FileStart& start) {
  const bool begins = state_.phase == detail::WriterPhase::kIdle;
  const detail::WriterPlan* plan = nullptr;
  MICROPARQUET_TRY(write::prepare(state_, schema, options, arena, plan));
  const detail::ResumeLayout resume_layout = detail::resume_layout(*options.layout);
  const Status status = open_planned(file, *plan, arena.data(), start, resume_layout);
  if (begins) state_.fields = schema.data();
  return status;
}

}  // namespace microparquet
