// What a program says of a file before it is opened. Apart from open() and resume(), since most say nothing.
#include "microparquet/file_start.h"

#include "base/try.h"
#include "microparquet/writer.h"
#include "write/begin_file.h"
#include "write/writer_key_values.h"

namespace microparquet {
namespace write {
namespace {

using detail::WriterPhase;
using detail::WriterState;

Status put_key_values(WriterState& state, Span<const KeyValue> pairs) {
  for (const KeyValue& pair : pairs) MICROPARQUET_TRY(put_key_value(state, pair));
  return Status::kOk;
}

// A file of no bytes, of which nothing is written yet. A function of its own, so that what it keeps on the
// stack is gone when footers are written.
[[gnu::noinline]] Status begin_new(WriterState& state, File& file, const detail::WriterPlan& plan,
                                   std::byte* arena, const FileStart& start) {
  std::uint64_t size = 0;
  MICROPARQUET_TRY(begin_file(state, file, plan, arena, size));
  if (size != 0) return Status::kWrongState;
  if (start.file_id != 0) state.footer.now.file_id = start.file_id;
  return Status::kOk;
}

[[gnu::always_inline]] inline Status start_new(WriterState& state, File& file, const detail::WriterPlan& plan,
                                               std::byte* arena, const FileStart& start) {
  MICROPARQUET_TRY(begin_new(state, file, plan, arena, start));
  MICROPARQUET_TRY(put_key_values(state, start.key_values));
  state.phase = WriterPhase::kOpening;
  return Status::kOk;
}

}  // namespace
}  // namespace write

Status Writer::open_planned(File& file, const detail::WriterPlan& plan, std::byte* arena,
                            const FileStart& start) {
  if (state_.phase == detail::WriterPhase::kIdle)
    MICROPARQUET_TRY(write::start_new(state_, file, plan, arena, start));
  return open_planned(file, plan, arena);
}

Status Writer::resume_planned(File& file, const detail::WriterPlan& plan, std::byte* arena,
                              detail::ResumeLayout resume_layout, const FileStart& start) {
  if (state_.phase == detail::WriterPhase::kIdle) {
    MICROPARQUET_TRY(write::start_behind_footer(state_, file, plan, arena, resume_layout));
    if (state_.phase == detail::WriterPhase::kOpen) {
      const Status status = write::put_key_values(state_, start.key_values);
      if (status != Status::kOk) state_.phase = detail::WriterPhase::kIdle;
      return status;
    }
    MICROPARQUET_TRY(write::start_new(state_, file, plan, arena, start));
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
  const Status status = resume_planned(file, *plan, arena.data(), resume_layout, start);
  if (begins) state_.fields = schema.data();
  return status;
}

}  // namespace microparquet
