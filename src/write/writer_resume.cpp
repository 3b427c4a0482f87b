// Going on with a file: its last footer is read once, checked, and becomes what the writer starts from. It is
// the only thing believed, and nothing is written.
#include "base/try.h"
#include "microparquet/writer.h"
#include "write/begin_file.h"
#include "write/footer.h"
#include "write/inherited_key_values.h"
#include "write/last_footer.h"

namespace microparquet {
namespace write {
namespace {

using detail::WriterState;

// The key-values of the file, list and all, go from footer to footer. Requires: the footer is as it was read.
void carry_key_values(WriterState& state) {
  const detail::FooterDraft& draft = state.footer.draft;
  const detail::FooterExtension& now = state.footer.now;
  state.inherited.begin = draft.offset + now.entries_offset + now.entries_bytes + now.open_bytes;
  state.inherited.bytes = draft.written - footer_bytes(state, now);
  state.inherited.crc = draft.inherited_crc;
  state.key_values_bytes = state.inherited.bytes;
  state.write_key_values = &put_inherited;
}

}  // namespace

// A file of no bytes is left to open(). A function of its own, so that what it keeps on the stack is gone
// then.
[[gnu::noinline]] Status start_behind_footer(WriterState& state, File& file, const detail::WriterPlan& plan,
                                             std::byte* arena, detail::ResumeLayout resume_layout) {
  std::uint64_t size = 0;
  MICROPARQUET_TRY(begin_file(state, file, plan, arena, size));
  if (size == 0) return Status::kOk;
  MICROPARQUET_TRY(read_footer(state, state.footer.now, size));
  if (plan.blocks != nullptr && !plan.blocks->suit(state)) return Status::kSchemaMismatch;
  carry_key_values(state);
  start_from_footer(state);
  resume_layout(state, size);
  return Status::kOk;
}

}  // namespace write

Status Writer::resume(File& file, Schema schema, const Options& options, Span<std::byte> arena) {
  const bool begins = state_.phase == detail::WriterPhase::kIdle;
  const detail::WriterPlan* plan = nullptr;
  MICROPARQUET_TRY(write::prepare(state_, schema, options, arena, plan));
  const Status status = resume_planned(file, *plan, arena.data(), detail::resume_layout(*options.layout));
  if (begins) state_.fields = schema.data();
  return status;
}

Status Writer::resume_planned(File& file, const detail::WriterPlan& plan, std::byte* arena,
                              detail::ResumeLayout resume_layout) {
  if (state_.phase == detail::WriterPhase::kIdle) {
    MICROPARQUET_TRY(write::start_behind_footer(state_, file, plan, arena, resume_layout));
    if (state_.phase == detail::WriterPhase::kOpen) return Status::kOk;
  }
  return open_planned(file, plan, arena);
}

}  // namespace microparquet
