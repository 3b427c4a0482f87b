// Opening and closing a file. src/README.md describes a row's path through the writer.
//
// After an error the same call continues where it stopped: a sealed page stays sealed until it is stored, and
// a row group is ended step by step.
#include "microparquet/writer.h"

#include <algorithm>
#include <new>
#include <numeric>

#include "base/bytes.h"
#include "base/try.h"
#include "format/record_format.h"
#include "microparquet/detail/check.h"
#include "microparquet/detail/desktop.h"
#include "write/begin_file.h"
#include "write/footer.h"
#include "write/layout_ops.h"
#include "write/row_group.h"

namespace microparquet {

using detail::ColumnWriter;
using detail::WriterPhase;
using detail::WriterState;

namespace {

// Divides the arena, and zeroes all of it but key-values and pages: zeros mean empty to every part.
// Key-values are counted, and may outlast a change of the file.
void divide_arena(WriterState& state, std::byte* memory) {
  const detail::WriterPlan& plan = *state.plan;
  const detail::ArenaPlan& arena = plan.arena;
  util::clear_bytes(memory, arena.key_values);
  state.columns = reinterpret_cast<ColumnWriter*>(memory);
  state.columns_end = state.columns + plan.columns_count;
  state.layout = plan.layout;

  auto* levels = reinterpret_cast<detail::LevelEncoder*>(memory + arena.levels);
  auto* states = reinterpret_cast<std::byte*>(state.columns_end) + arena.sort_bytes;
  const detail::ColumnPlan* column_plan = plan.columns;
  for (ColumnWriter& column : columns_of(state)) {
    column.plan = column_plan++;
    if (column.plan->levels != nullptr) column.levels = levels++;
    column.state = states;
    states += column.plan->encoder->state_bytes;
    column.bounds_state = states;
    states += column.plan->shape.state_bytes;
  }
  state.layout_state = states;
}

// noinline, the following functions: their variables are off the stack when the file is opened.

[[gnu::noinline]] Status check(Schema schema, const Options& options, Span<std::byte> arena) {
  for (const Field& field : schema) {
    if (field.encoder == nullptr || field.bounds == nullptr) return Status::kInvalidArgument;
    if ((field.encoder->most_bytes != nullptr) != (field.type == Type::kByteArray))
      return Status::kInvalidArgument;
    if (detail::is_optional(field) != (field.levels != nullptr)) return Status::kInvalidArgument;
    if (field.bounds == &kFloat16Bounds && field.type_length != 2) return Status::kInvalidArgument;
  }
  const bool sound = detail::fields_are_sound(schema) && detail::options_are_sound(schema, options);
  if (!sound || reinterpret_cast<std::uintptr_t>(arena.data()) % 8 != 0) return Status::kInvalidArgument;
  return arena.size() < Writer::required_bytes(schema, options) ? Status::kOutOfMemory : Status::kOk;
}

// On desktops compares names by sorting, since a table may have thousands of columns. Requires: the arena is as long as the schema
// requires.
bool names_differ(Schema schema, [[maybe_unused]] Span<std::byte> arena) {
  if constexpr (!detail::kDesktop) return detail::names_differ(schema);
  auto* const begin = reinterpret_cast<std::uint32_t*>(arena.data());
  auto* const end = begin + schema.size();
  std::iota(begin, end, 0);
  const auto name = [&](std::uint32_t column) { return schema[column].name; };
  std::sort(begin, end, [&](std::uint32_t left, std::uint32_t right) { return name(left) < name(right); });
  return std::adjacent_find(begin, end, [&](std::uint32_t left, std::uint32_t right) {
           return name(left) == name(right);
         }) == end;
}

// noinline: none has the variables of another on the stack.
[[gnu::noinline]] void make_transforms(Schema schema, const Options& options, std::byte* arena) {
  if (detail::plan_transform(schema, options).functions == nullptr) return;
  auto* const transforms =
      reinterpret_cast<detail::ColumnTransforms*>(arena + detail::place_plan(schema, options).transforms);
  auto* const compressors = reinterpret_cast<const Compressor**>(transforms + 1);
  new (transforms) detail::ColumnTransforms(detail::plan_column_transforms(schema, options, compressors));
  for (std::size_t i = 0; i < schema.size(); ++i) compressors[i] = schema[i].compressor;
}

// Makes a plan at the head of the arena, laid out by place_plan().
[[gnu::noinline]] const detail::WriterPlan& make_plan(Schema schema, const Options& options,
                                                      std::byte* arena) {
  const detail::PlanPlaces places = detail::place_plan(schema, options);
  auto* const columns = reinterpret_cast<detail::ColumnPlan*>(arena + places.columns);
  const std::uint32_t extension_bytes = detail::footer_extension_bytes(schema.size(), options);
  std::byte* const head = arena + places.footer_head;
  std::byte* const tail = arena + places.footer_tail;
  const auto plan_column = [&](std::uint32_t i, std::uint32_t begin, std::uint32_t end) {
    const Span<const std::byte> path(head + begin, end - begin);
    new (columns + i) detail::ColumnPlan(detail::plan_column(schema[i], options, path));
  };
  auto* const transforms = reinterpret_cast<detail::ColumnTransforms*>(arena + places.transforms);
  const Span<const std::byte> head_bytes(head, format::write_footer_head(schema, head, plan_column));
  const Span<const std::byte> tail_bytes(tail,
                                         format::write_footer_tail(schema.size(), extension_bytes, tail));
  return *new (arena)
      detail::WriterPlan(detail::plan_writer(schema, options, columns, transforms, head_bytes, tail_bytes));
}

}  // namespace

Status write::begin_file(WriterState& state, File& file, const detail::WriterPlan& plan, std::byte* arena) {
  const Options& options = *plan.options;
  const FileAbilities abilities = file.abilities();
  const bool in_place = options.layout->in_place;
  const bool reads = abilities.read_back || (!in_place && options.max_row_groups_in_memory != 0);
  const bool suits = reads && (abilities.seek || !in_place);
  if (!suits || abilities.block_bytes > options.block_bytes) return Status::kInvalidArgument;
  std::uint64_t found = 0;
  const Status status = file.size(found);
  if (status != Status::kOk && status != Status::kUnsupported) return status;
  util::clear_bytes(&state, sizeof state);
  found_bytes(state) = found;
  state.reads_back = abilities.read_back;
  state.shrinks = abilities.shrink;
  state.file = &file;
  state.plan = &plan;
  state.options = &options;
  state.bytes_per_row = plan.bytes_per_row;
  divide_arena(state, arena);
  if (plan.forecast != nullptr) plan.forecast->predict(state);
  detail::FooterExtension& now = state.footer.now;
  now.tag = kFooterTag;
  now.version = kFormatVersion;
  now.file_id = options.file_id;
  now.slot_bytes = plan.arena.record_bytes;
  now.entries_offset = static_cast<std::uint32_t>(plan.footer_head.size()) + kCountsBytes;
  return Status::kOk;
}

[[gnu::noinline]] Status write::prepare(WriterState& state, Schema schema, const Options& options,
                                        Span<std::byte>& arena, const detail::WriterPlan*& plan) {
  plan = state.plan;
  if (state.phase != WriterPhase::kIdle) return Status::kOk;
  MICROPARQUET_TRY(check(schema, options, arena));
  state.plan = nullptr;  // the last file's plan may lie there
  if (!names_differ(schema, arena)) return Status::kInvalidArgument;
  make_transforms(schema, options, arena.data());
  plan = &make_plan(schema, options, arena.data());
  const std::size_t used = detail::place_plan(schema, options).bytes;
  arena = arena.subspan(used, arena.size() - used);
  return Status::kOk;
}

Status Writer::open(File& file, Schema schema, const Options& options, Span<std::byte> arena) {
  const detail::WriterPlan* plan = nullptr;
  MICROPARQUET_TRY(write::prepare(state_, schema, options, arena, plan));
  const Status status = open_planned(file, *plan, arena.data());
  if (state_.fields == nullptr) state_.fields = schema.data();
  return status;
}

Status Writer::open_planned(File& file, const detail::WriterPlan& plan, std::byte* arena,
                            detail::ResumeLayout resume_layout) {
  if (state_.phase == WriterPhase::kIdle) {
    MICROPARQUET_TRY(write::begin_file(state_, file, plan, arena));
    if (write::found_bytes(state_) == 0) {
      state_.phase = WriterPhase::kOpening;
    } else if (resume_layout != nullptr) {
      return resume_layout(state_);
    }
  }
  if (state_.phase != WriterPhase::kOpening || state_.file != &file) return Status::kWrongState;
  MICROPARQUET_TRY(state_.layout->open(state_));
  state_.phase = WriterPhase::kOpen;
  return Status::kOk;
}

namespace {

// Returns whether closing failed. If the medium is full, a resumed file stays as it is, without rows added
// since: that is no failure. Testing a bit of the status takes less code than two comparisons.
bool is_failure(Status closed, bool resumed) {
  constexpr unsigned kBit = 3;
  static_assert(static_cast<unsigned>(Status::kNoSpace) == 1U << kBit);
  return (static_cast<unsigned>(closed) & ~(static_cast<unsigned>(resumed) << kBit)) != 0;
}

}  // namespace

Status Writer::end_row_group() {
  if (state_.phase != WriterPhase::kOpen) return Status::kWrongState;
  return write::end_row_group(state_);
}

Status Writer::tick(std::uint32_t now_ms) {
  if (state_.phase != WriterPhase::kOpen) return Status::kWrongState;
  state_.now_ms = now_ms;
  const std::uint32_t most =
      state_.options->row_group_ms - 1;  // 0, which means no limit, becomes the largest number
  if (state_.row_group_open && now_ms - state_.began_ms > most)
    MICROPARQUET_TRY(write::end_row_group(state_));
  return state_.layout->tick(state_);
}

Status Writer::checkpoint() {
  if (state_.phase != WriterPhase::kOpen) return Status::kWrongState;
  return state_.layout->checkpoint(state_);
}

Status Writer::close() {
  if (state_.phase == WriterPhase::kOpen) {
    state_.closes = true;
    MICROPARQUET_TRY(write::end_row_group(state_));
    const bool footer_begun = state_.footer.draft.contents.sequence != 0;
    if (state_.resumed && !state_.inherited.changed && !footer_begun) {
      state_.phase = WriterPhase::kIdle;  // nothing has been added
      return Status::kOk;
    }
    state_.phase = WriterPhase::kClosing;
  }
  if (state_.phase != WriterPhase::kClosing) return Status::kWrongState;
  const Status status = state_.layout->close(state_);
  if (is_failure(status, state_.resumed)) return status;
  state_.phase = WriterPhase::kIdle;
  return Status::kOk;
}

// A full medium leaves a resumed file as it was, however far another footer had come: then its last footer is not the draft.
std::uint64_t Writer::file_bytes() const {
  const detail::FooterState& footer = state_.footer;
  const detail::FooterDraft& draft = footer.draft;
  const std::uint64_t begin = footer.entries_begin - footer.now.entries_offset;
  if (!state_.resumed || begin == draft.offset) return draft.offset + draft.written;
  const std::uint32_t before = footer.now.entries_offset + footer.entries_bytes + draft.inherited_bytes;
  const detail::WriterPlan& plan = *state_.plan;
  return begin + before + plan.footer_tail.size() + plan.arena.extension_bytes + format::kFooterRestBytes;
}

}  // namespace microparquet
