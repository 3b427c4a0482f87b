#include "base/try.h"
#include "microparquet/writer.h"
#include "write/begin_file.h"

namespace microparquet {

using detail::WriterPhase;

// The key-values stand in the arena and outlast the change; what the old file had of its own does not.
Status Writer::roll(File& next) {
  if (state_.plan == nullptr) return Status::kWrongState;
  if (state_.file != &next || state_.phase == WriterPhase::kClosing || state_.phase == WriterPhase::kIdle) {
    if (state_.phase != WriterPhase::kIdle) MICROPARQUET_TRY(close());
    const std::uint8_t key_values = state_.key_values_count;
    const auto write_key_values = state_.write_key_values;
    const std::uint32_t key_values_bytes = state_.own_key_values_bytes;
    const Field* const fields = state_.fields;
    const std::uint32_t now_ms = state_.now_ms;
    const std::uint32_t file_id = state_.footer.now.file_id;
    const detail::WriterPlan* const plan = state_.plan;
    detail::ColumnWriter* const columns = state_.columns;
    const Status status = write::begin_file(state_, next, *plan, reinterpret_cast<std::byte*>(columns));
    // After an error, too, so that the call can be repeated.
    state_.plan = plan;
    state_.columns = columns;
    state_.fields = fields;
    state_.now_ms = now_ms;
    state_.footer.now.file_id = file_id;
    if (key_values != 0) {
      state_.key_values_count = key_values;
      state_.key_values_bytes = key_values_bytes;
      state_.own_key_values_bytes = key_values_bytes;
      state_.write_key_values = write_key_values;
    }
    MICROPARQUET_TRY(status);
    if (write::found_bytes(state_) != 0) return Status::kWrongState;
    ++state_.footer.now.file_id;
    state_.phase = WriterPhase::kOpening;
  }
  return open_planned(next, *state_.plan, nullptr);
}

}  // namespace microparquet
