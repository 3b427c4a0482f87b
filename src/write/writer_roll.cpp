#include "base/try.h"
#include "microparquet/writer.h"
#include "write/begin_file.h"

namespace microparquet {
namespace {

using detail::WriterPhase;
using detail::WriterState;

// Begins the next file. Key-values that belong to the old file alone end with it. A repeated call finds the
// old file's id. noinline: its variables are off the stack while files are closed and opened.
[[gnu::noinline]] Status begin_next(WriterState& state, File& next) {
  const detail::CallerInput input = state;
  const std::uint32_t file_id = state.footer.now.file_id;
  MICROPARQUET_TRY(write::begin_file(state, next, *state.plan, arena_of(state)));
  static_cast<detail::CallerInput&>(state) = input;
  state.key_values_bytes = input.own_key_values_bytes;
  state.footer.now.file_id = file_id;
  if (write::found_bytes(state) != 0) return Status::kWrongState;
  ++state.footer.now.file_id;
  state.phase = WriterPhase::kOpening;
  return Status::kOk;
}

}  // namespace

Status Writer::roll(File& next) {
  if (state_.plan == nullptr) return Status::kWrongState;
  if (state_.file != &next || state_.phase == WriterPhase::kClosing || state_.phase == WriterPhase::kIdle) {
    if (state_.phase != WriterPhase::kIdle) MICROPARQUET_TRY(close());
    MICROPARQUET_TRY(begin_next(state_, next));
  }
  return open_planned(next, *state_.plan, nullptr);
}

}  // namespace microparquet
