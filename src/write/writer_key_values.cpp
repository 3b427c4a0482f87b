// Key-values set by the program. They are a file of their own, and a program that sets none does not link
// them.
#include "write/writer_key_values.h"
#include "base/try.h"
#include "format/key_value_writer.h"
#include "io/window_sink.h"
#include "microparquet/writer.h"
#include "write/footer.h"
#include "write/inherited_key_values.h"
#include "write/left_out.h"

namespace microparquet {
namespace write {
namespace {

using detail::WriterState;

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

}  // namespace microparquet
