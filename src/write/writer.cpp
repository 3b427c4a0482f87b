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
#include "format/key_value_writer.h"
#include "format/record_format.h"
#include "io/window_sink.h"
#include "microparquet/detail/check.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/file_start.h"
#include "write/begin_file.h"
#include "write/file_start.h"
#include "write/footer.h"
#include "write/layout_ops.h"
#include "write/row_group.h"
#include "write/writer_key_values.h"
#include "write/writer_resume.h"

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
  if (!sound || (reinterpret_cast<std::uintptr_t>(arena.data()) & (options.transfer_align - 1U)) != 0)
    return Status::kInvalidArgument;
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

// Makes a plan at the head of the memory, laid out by place_plan(), and leaves the rest of it in `memory`.
[[gnu::noinline]] const detail::WriterPlan& make_plan(Schema schema, const Options& options,
                                                      Span<std::byte>& memory) {
  const detail::PlanPlaces places = detail::place_plan(schema, options);
  std::byte* const arena = memory.data();
  memory = memory.subspan(places.bytes, memory.size() - places.bytes);
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

[[gnu::noinline]] Status write::prepare(WriterState& state, const Schema& schema, const Options& options,
                                        Span<std::byte>& arena, const detail::WriterPlan*& plan) {
  plan = state.plan;
  if (state.phase != WriterPhase::kIdle) return Status::kOk;
  MICROPARQUET_TRY(check(schema, options, arena));
  state.plan = nullptr;  // the last file's plan may lie there
  if (!names_differ(schema, arena)) return Status::kInvalidArgument;
  make_transforms(schema, options, arena.data());
  plan = &make_plan(schema, options, arena);
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

// FileStart: what a program sets before a file is opened. It is apart from open() and resume(), since most
// programs do without.

// noinline: its variables are off the stack when footers are written.
[[gnu::noinline]] Status write::begin_with_id(detail::WriterState& state, File& file,
                                              const detail::WriterPlan& plan, std::byte* arena,
                                              std::uint32_t file_id, detail::ResumeLayout resume_layout) {
  MICROPARQUET_TRY(begin_file(state, file, plan, arena));
  if (found_bytes(state) != 0) return resume_layout != nullptr ? resume_layout(state) : Status::kWrongState;
  if (file_id != 0) state.footer.now.file_id = file_id;
  state.phase = detail::WriterPhase::kOpening;
  return Status::kOk;
}

namespace write {
namespace {

// noinline, as the one above.
[[gnu::noinline]] Status put_key_values(detail::WriterState& state, const FileStart& start) {
  for (const KeyValue& pair : start.key_values) MICROPARQUET_TRY(put_key_value(state, pair));
  return Status::kOk;
}

}  // namespace
}  // namespace write

Status Writer::open_planned(File& file, const detail::WriterPlan& plan, std::byte* arena,
                            const FileStart& start, detail::ResumeLayout resume_layout) {
  return write::open_with(
      *this, file, plan, arena, start.file_id, resume_layout,
      [&start](detail::WriterState& state) { return write::put_key_values(state, start); });
}

Status Writer::open(File& file, Schema schema, const Options& options, Span<std::byte> arena,
                    const FileStart& start) {
  const detail::WriterPlan* plan = nullptr;
  MICROPARQUET_TRY(write::prepare(state_, schema, options, arena, plan));
  const Status status = open_planned(file, *plan, arena.data(), start);
  if (state_.fields == nullptr) state_.fields = schema.data();
  return status;
}

Status Writer::resume(File& file, Schema schema, const Options& options, Span<std::byte> arena,
                      const FileStart& start) {
  const detail::WriterPlan* plan = nullptr;
  MICROPARQUET_TRY(write::prepare(state_, schema, options, arena, plan));
  const Status status = open_planned(file, *plan, arena.data(), start, detail::resume_layout(*plan));
  if (state_.fields == nullptr) state_.fields = schema.data();
  return status;
}

// Key-values set by the program.

namespace write {
namespace {

// Returns the bytes of a list with the state's key-values and the headers for `inherited` others.
std::uint32_t key_values_bytes(const WriterState& state, std::uint32_t inherited) {
  std::uint32_t bytes = format::key_values_header_bytes(inherited + state.key_values_count);
  for (const KeyValue& pair : set_key_values(state)) bytes += format::key_value_bytes(pair);
  return bytes;
}

// Returns the bytes of inherited key-values.
std::uint32_t others_bytes(const WriterState& state) {
  return state.inherited.bytes == 0 ? 0
                                    : state.key_values_bytes - key_values_bytes(state, state.inherited.count);
}

// noinline: its variables are off the stack while others are copied.
[[gnu::noinline]] void end_others(thrift::WindowSink& sink, WriterState& state, std::uint32_t bytes) {
  end_inherited(sink, state, bytes);
}

void write_key_values(thrift::WindowSink& sink, WriterState& state) {
  format::put_key_values_header(sink, state.inherited.count + state.key_values_count);
  begin_inherited(sink, state);
  const std::uint32_t others = others_bytes(state);
  for (InheritedRun run{0, 0}; run.begin + run.bytes != state.inherited.bytes;) {
    sink.fail(next_others(state, others, run));
    sink.copy(state.inherited.begin + run.begin, run.bytes);
  }
  end_others(sink, state, others);
  for (const KeyValue& pair : set_key_values(state)) format::put_key_value(sink, pair);
}

}  // namespace

Status put_key_value(WriterState& state, const KeyValue& pair) {
  std::uint8_t i = 0;
  KeyValue* const pairs = set_key_values(state).data();
  while (i < state.key_values_count && pairs[i].key != pair.key) ++i;
  if (i == state.options->max_key_values) return Status::kOutOfMemory;
  std::uint32_t others = 0;
  if (i < state.key_values_count) {
    others = others_bytes(state);
    state.inherited.changed = true;
  } else {
    MICROPARQUET_TRY(leave_out(state, pair, others));
    ++state.key_values_count;
  }
  pairs[i] = pair;
  state.own_key_values_bytes = key_values_bytes(state, 0);
  state.key_values_bytes = key_values_bytes(state, state.inherited.count) + others;
  state.write_key_values = &write_key_values;
  // A draft must begin again with this key-value in it; a footer found in the file is no draft.
  if (state.footer.draft.contents.sequence != 0) restart_footer(state.footer.draft);
  return Status::kOk;
}

}  // namespace write

Status Writer::set_key_value(std::string_view key, std::string_view value) {
  if (state_.phase != detail::WriterPhase::kOpen) return Status::kWrongState;
  if (state_.may_be_live) return Status::kWrongState;
  return write::put_key_value(state_, {key, value});
}

Status Writer::count_inherited(std::string_view prefix, std::uint32_t& count) {
  if (state_.phase != detail::WriterPhase::kOpen) return Status::kWrongState;
  return write::count_inherited(state_, prefix, count);
}

namespace {

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
