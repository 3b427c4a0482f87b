// Apart from the rest, since a program that sets no key-values does not link them.
#include "write/writer_key_values.h"
#include "base/try.h"
#include "io/window_sink.h"
#include "microparquet/detail/fields.h"
#include "microparquet/writer.h"
#include "thrift/compact_writer.h"
#include "write/footer.h"
#include "write/inherited_key_values.h"
#include "write/left_out.h"

namespace microparquet {
namespace write {
namespace {

using detail::WriterState;
using format::FileMetaDataField;

constexpr std::uint32_t kShortList = 15;

std::uint32_t field_bytes(std::string_view text) {
  const auto bytes = static_cast<std::uint32_t>(text.size());
  return 1 + detail::varint_bytes(bytes) + bytes;
}

// Of a list of those of the state and `inherited` others.
std::uint32_t key_values_bytes(const WriterState& state, std::uint32_t inherited) {
  constexpr std::uint32_t kStop = 1;
  const std::uint32_t count = inherited + state.key_values_count;
  std::uint32_t bytes = 2 + (count < kShortList ? 0 : detail::varint_bytes(count));
  for (const KeyValue& pair : set_key_values(state))
    bytes += field_bytes(pair.key) + field_bytes(pair.value) + kStop;
  return bytes;
}

// Those of the file that are inherited.
std::uint32_t others_bytes(const WriterState& state) {
  return state.inherited.bytes == 0 ? 0
                                    : state.key_values_bytes - key_values_bytes(state, state.inherited.count);
}

// Functions of their own, so that what they keep on the stack is gone while others are copied.
[[gnu::noinline]] void put_list(thrift::WindowSink& sink, std::uint32_t count) {
  thrift::CompactWriter out(sink, FileMetaDataField::kRowGroups);
  out.field_list(FileMetaDataField::kKeyValueMetadata, thrift::CompactType::kStruct, count);
}

[[gnu::noinline]] void end_others(thrift::WindowSink& sink, WriterState& state, std::uint32_t bytes) {
  end_inherited(sink, state, bytes);
}

[[gnu::noinline]] void put_pair(thrift::WindowSink& sink, const KeyValue& pair) {
  thrift::CompactWriter out(sink);
  out.field_string(format::KeyValueField::kKey, pair.key);
  out.field_string(format::KeyValueField::kValue, pair.value);
  out.end_struct(FileMetaDataField::kKeyValueMetadata);
}

void write_key_values(thrift::WindowSink& sink, WriterState& state) {
  put_list(sink, state.inherited.count + state.key_values_count);
  begin_inherited(sink, state);
  const std::uint32_t others = others_bytes(state);
  for (InheritedRun run{0, 0}; run.begin + run.bytes != state.inherited.bytes;) {
    sink.fail(next_others(state, others, run));
    sink.copy(state.inherited.begin + run.begin, run.bytes);
  }
  end_others(sink, state, others);
  for (const KeyValue& pair : set_key_values(state)) put_pair(sink, pair);
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
  // With this in it; but one that was found is not on its way.
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
