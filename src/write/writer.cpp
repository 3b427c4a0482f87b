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

void construct_columns(WriterState& state, const detail::ArenaPlan& plan, std::byte* arena) {
  const Options& options = *state.options;
  std::byte* levels = arena + plan.levels;
  std::byte* statistics = arena + plan.statistics;
  for (std::uint32_t i = 0; i < state.columns_count; ++i) {
    const Field& field = state.fields[i];
    ColumnWriter& column = *new (&state.columns[i]) ColumnWriter{};
    column.field = &field;
    column.page_bytes = detail::page_bytes_of(field, options);
    column.header_bytes = static_cast<std::uint16_t>(detail::header_room(field, options));
    column.shape = {value_bytes(field.type, field.type_length), options.statistics_bytes, truncation_of(field)};
    if (detail::is_optional(field)) {
      column.levels = new (levels) detail::LevelEncoder{};
      column.levels->bit_width = 1;
      levels += (sizeof(detail::LevelEncoder) + 7) & ~std::size_t{7};
    }
    column.statistics = statistics;
    statistics += detail::statistics_state_bytes(field, options);
    write::expect_bytes_per_row(column);
  }
}

void divide_arena(WriterState& state, Span<std::byte> arena) {
  const detail::ArenaPlan plan = detail::plan_arena(Schema(state.fields, state.columns_count), *state.options);
  std::byte* const base = arena.data();
  state.columns = reinterpret_cast<ColumnWriter*>(base + plan.columns);
  state.store = state.options->layout->construct(base + plan.store);
  state.key_values = reinterpret_cast<KeyValue*>(base + plan.key_values);
  state.sort = state.options->sorting.columns.empty() ? nullptr : new (base + plan.sort) detail::SortState{};
  state.window = base + plan.window;
  state.window_bytes = detail::window_bytes(*state.options);
  state.kept = state.options->row_groups_kept != 0 ? base + plan.kept : nullptr;
  state.pages = base + plan.pages;
  state.pool_bytes = static_cast<std::uint32_t>(plan.end - plan.pages);
  construct_columns(state, plan, base);
}

}  // namespace

Status Writer::open(File& file, Schema schema, const Options& options, Span<std::byte> arena) {
  for (const Field& field : schema) {
    if (field.encoding == nullptr || field.statistics == nullptr) return Status::kInvalidArgument;
    if (detail::is_optional(field) != (field.levels != nullptr)) return Status::kInvalidArgument;
  }
  const bool sound = detail::schema_is_sound(schema) && detail::options_are_sound(schema, options);
  if (!sound) return Status::kInvalidArgument;
  if (arena.size() < required_bytes(schema, options)) return Status::kOutOfMemory;
  return open_sound(file, schema, options, arena);
}

Status Writer::open_sound(File& file, Schema schema, const Options& options, Span<std::byte> arena) {
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
    divide_arena(state_, arena);
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

Status Writer::set_key_value(std::string_view key, std::string_view value) {
  if (state_.phase != WriterPhase::kOpen) return Status::kWrongState;
  std::uint8_t i = 0;
  while (i < state_.key_values_count && state_.key_values[i].key != key) ++i;
  if (i == state_.options->key_values) return Status::kOutOfMemory;
  new (&state_.key_values[i]) KeyValue{key, value};
  if (i == state_.key_values_count) ++state_.key_values_count;
  return Status::kOk;
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
