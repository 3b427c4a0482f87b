// The way of a value to the card:
//
//   Writer::append            takes a row if every column can take its value; else make_room() first
//   ColumnWriter::put         a value with its levels; its Encoding writes it into the open page
//   seal_page                 a full page gets statistics, levels, CRC and header
//   PageStore::store_page     RoomStore: File::write_at, into the column's extent
//                             ForwardStore: stays in the arena until the row group is whole
//   PageStore::end_row_group  the row group's entry of the footer, as a record
//   write_footer              at a new room and at close(): all entries, copied from footer and records
//
// An error leaves everything so that the same call goes on where it stopped: a sealed page stays sealed until
// it is stored, and a row group is ended step by step.
#include "microparquet/writer.h"

#include <new>

#include "format/schema.h"
#include "microparquet/detail/check.h"
#include "util/bytes.h"
#include "util/try.h"
#include "write/extents.h"
#include "write/page.h"
#include "write/rows.h"

namespace microparquet {

using detail::ColumnWriter;
using detail::WriterPhase;
using detail::WriterState;

namespace {

Truncation truncation_of(const Field& field) {
  if (field.type != Type::kByteArray) return Truncation::kNone;
  if (field.logical.kind == LogicalKind::kNone) return Truncation::kBytes;
  return field.logical.kind == LogicalKind::kString ? Truncation::kUtf8 : Truncation::kNone;
}

// Hands out the arena part by part, in the order of detail::plan_arena().
class Arena {
 public:
  explicit Arena(std::byte* at) : at_(at) {}

  template <typename T>
  T* take(std::uint32_t bytes) {
    std::byte* const part = at_;
    at_ += (bytes + 7) & ~7U;
    return reinterpret_cast<T*>(part);
  }

 private:
  std::byte* at_;
};

void set_up_columns(WriterState& state, Arena& arena) {
  for (std::uint32_t i = 0; i < state.columns_count; ++i) {
    const Field& field = state.fields[i];
    ColumnWriter& column = state.columns[i];
    column.field = &field;
    column.page_bytes = detail::page_bytes_of(field, *state.options);
    column.header_bytes = detail::header_room(field, *state.options);
    column.shape = {value_bytes(field.type, field.type_length), state.options->statistics_bytes, truncation_of(field)};
    if (detail::is_optional(field)) {
      column.levels = arena.take<detail::LevelEncoder>(sizeof(detail::LevelEncoder));
      column.levels->bit_width = 1;
    }
    column.statistics = arena.take<void>(detail::statistics_state_bytes(field, *state.options));
    write::expect_bytes_per_row(column);
  }
}

// All of the arena but the pages begins as zeros, which is what each part takes for empty.
void divide_arena(WriterState& state, const detail::ArenaPlan& plan, std::byte* memory) {
  const Options& options = *state.options;
  util::clear_bytes(memory, plan.pages);
  Arena arena(memory);
  state.columns = arena.take<ColumnWriter>(state.columns_count * sizeof(ColumnWriter));
  state.store = options.layout->construct(arena.take<void>(static_cast<std::uint32_t>(options.layout->store_bytes)));
  set_up_columns(state, arena);
  state.key_values = arena.take<KeyValue>(options.key_values * sizeof(KeyValue));
  if (!options.sorting.columns.empty()) {
    state.sort = arena.take<detail::SortState>(static_cast<std::uint32_t>(detail::sort_state_bytes(options)));
  }
  state.window_bytes = detail::window_bytes(options);
  state.window = arena.take<std::byte>(state.window_bytes);
  state.record_bytes = plan.record_bytes;
  if (options.row_groups_kept != 0) state.kept = memory + plan.kept;
  state.pages = memory + plan.pages;
  state.pool_bytes = static_cast<std::uint32_t>(plan.bytes - plan.pages);
}

}  // namespace

Status Writer::open(File& file, Schema schema, const Options& options, Span<std::byte> arena) {
  for (const Field& field : schema) {
    if (field.encoding == nullptr || field.statistics == nullptr) return Status::kInvalidArgument;
    if (detail::is_optional(field) != (field.levels != nullptr)) return Status::kInvalidArgument;
  }
  const bool sound = detail::schema_is_sound(schema) && detail::options_are_sound(schema, options);
  if (!sound || reinterpret_cast<std::uintptr_t>(arena.data()) % 8 != 0) return Status::kInvalidArgument;
  const detail::ArenaPlan plan = detail::plan_arena(schema, options);
  if (arena.size() < plan.bytes) return Status::kOutOfMemory;
  return open_sound(file, schema, options, plan, arena.data());
}

Status Writer::open_sound(File& file, Schema schema, const Options& options, const detail::ArenaPlan& plan,
                          std::byte* arena) {
  if (state_.phase == WriterPhase::kIdle) {
    const FileAbilities abilities = file.abilities();
    if (!abilities.read_back && options.row_groups_kept == 0) return Status::kInvalidArgument;
    if (options.layout->in_place && !(abilities.seek && abilities.read_back)) return Status::kInvalidArgument;
    std::uint64_t size = 0;
    const Status status = file.size(size);
    if (status != Status::kOk && status != Status::kUnsupported) return status;
    if (size != 0) return Status::kWrongState;
    util::clear_bytes(&state_, sizeof state_);
    state_.file = &file;
    state_.options = &options;
    state_.fields = schema.data();
    state_.columns_count = static_cast<std::uint32_t>(schema.size());
    state_.write_schema = &format::write_schema;
    divide_arena(state_, plan, arena);
    state_.phase = WriterPhase::kOpening;
  }
  if (state_.phase != WriterPhase::kOpening || state_.file != &file) return Status::kWrongState;
  MICROPARQUET_TRY(state_.store->open(state_));
  state_.phase = WriterPhase::kOpen;
  return Status::kOk;
}

Status Writer::end_row_group() {
  if (state_.phase != WriterPhase::kOpen) return Status::kWrongState;
  return write::end_row_group(state_);
}

Status Writer::tick(std::uint32_t now_ms) {
  if (state_.phase != WriterPhase::kOpen) return Status::kWrongState;
  state_.now_ms = now_ms;
  const std::uint32_t limit = state_.options->row_group_ms;
  if (limit == 0 || !state_.row_group_open || now_ms - state_.began_ms < limit) return Status::kOk;
  return write::end_row_group(state_);
}

Status Writer::close() {
  if (state_.phase == WriterPhase::kOpen) {
    MICROPARQUET_TRY(write::end_row_group(state_));
    state_.phase = WriterPhase::kClosing;
  }
  if (state_.phase != WriterPhase::kClosing) return Status::kWrongState;
  MICROPARQUET_TRY(state_.store->close(state_));
  state_.phase = WriterPhase::kIdle;
  return Status::kOk;
}

}  // namespace microparquet
