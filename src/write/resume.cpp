// Going on with a file: its last footer is read once, checked, and becomes what the writer starts from. It is
// the only thing believed, and nothing is written.
#include "microparquet/writer.h"
#include "util/try.h"
#include "write/begin_file.h"
#include "write/carried.h"
#include "write/footer.h"
#include "write/found_footer.h"

namespace microparquet {
namespace write {
namespace {

using detail::WriterState;

// The key-values of the file, list and all, go from footer to footer. Requires: the footer is as it was read.
void carry_key_values(WriterState& state) {
  const detail::FooterDraft& draft = state.footer.draft;
  const detail::FooterExtension& now = state.footer.now;
  state.carried_begin = draft.at + now.entries_offset + now.entries_bytes + now.open_bytes;
  state.carried_bytes = draft.written - footer_bytes(state, now);
  state.carried_crc = draft.carried_crc;
  state.key_values_bytes = state.carried_bytes;
  state.write_key_values = &put_carried;
}

}  // namespace
}  // namespace write

Status Writer::resume(File& file, Schema schema, const Options& options, Span<std::byte> arena) {
  const bool begins = state_.phase == detail::WriterPhase::kIdle;
  const detail::WriterPlan* plan = nullptr;
  MICROPARQUET_TRY(write::prepare(state_, schema, options, arena, plan));
  const bool rooms = options.layout->in_place;
  const Status status = resume_planned(file, *plan, arena.data(),
                                       rooms ? &detail::resume_room_store : &detail::resume_forward_store);
  if (begins) state_.fields = schema.data();
  return status;
}

Status Writer::resume_planned(File& file, const detail::WriterPlan& plan, std::byte* arena,
                              detail::ResumeStore resume_store) {
  if (state_.phase != detail::WriterPhase::kIdle) return open_planned(file, plan, arena);
  std::uint64_t size = 0;
  MICROPARQUET_TRY(write::begin_file(state_, file, plan, arena, size));
  if (size == 0) return open_planned(file, plan, arena);
  MICROPARQUET_TRY(write::read_footer(state_, state_.footer.now, size));
  if (plan.blocks != nullptr && !plan.blocks->suit(state_)) return Status::kSchemaMismatch;
  write::carry_key_values(state_);
  write::start_from_footer(state_);
  resume_store(state_, size);
  return Status::kOk;
}

}  // namespace microparquet
