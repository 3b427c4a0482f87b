// Resuming a file. The writer reads and checks the last footer once and starts from it. It trusts nothing
// else in the file, and writes nothing.
#include "base/bytes.h"
#include "base/try.h"
#include "microparquet/writer.h"
#include "write/begin_file.h"
#include "write/footer.h"
#include "write/inherited_key_values.h"
#include "write/last_footer.h"
#include "write/layout_ops.h"

namespace microparquet {
namespace write {
namespace {

using detail::WriterState;

// Carries the file's key-values, as a whole list, from footer to footer: they follow the entries. Requires:
// the writer has started from that footer.
void carry_key_values(WriterState& state) {
  const detail::FooterDraft& draft = state.footer.draft;
  state.inherited.begin = state.footer.entries_begin + state.footer.entries_bytes;
  state.inherited.bytes = draft.inherited_bytes;
  state.inherited.crc = draft.inherited_crc;
  state.key_values_bytes = state.inherited.bytes;
  state.write_key_values = &put_inherited;
}

}  // namespace

Status start_behind_footer(WriterState& state) {
  Status status = read_footer(state, state.footer.now, found_bytes(state));
  const detail::Blocks* const blocks = state.plan->blocks;
  if (status == Status::kOk && blocks != nullptr && !blocks->suit(state)) status = Status::kSchemaMismatch;
  if (status != Status::kOk) {
    util::clear_bytes(&state.footer.now, sizeof state.footer.now);  // no file is open, so it has no rows
    return status;
  }
  start_from_footer(state);
  carry_key_values(state);
  return Status::kOk;
}

}  // namespace write

Status Writer::resume(File& file, Schema schema, const Options& options, Span<std::byte> arena) {
  const detail::WriterPlan* plan = nullptr;
  MICROPARQUET_TRY(write::prepare(state_, schema, options, arena, plan));
  const Status status = open_planned(file, *plan, arena.data(), detail::resume_layout(*plan));
  if (state_.fields == nullptr) state_.fields = schema.data();
  return status;
}

}  // namespace microparquet
