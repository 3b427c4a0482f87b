// Apart from the rest, since a program that sets no key-values does not link them.
#include "microparquet/detail/fields.h"
#include "microparquet/writer.h"
#include "thrift/compact_writer.h"

namespace microparquet {
namespace {

using detail::WriterState;
using format::FileMetaDataField;

void write_key_values(thrift::WindowSink& sink, const WriterState& state) {
  thrift::CompactWriter out(sink, FileMetaDataField::kRowGroups);
  out.field_list(FileMetaDataField::kKeyValueMetadata, thrift::CompactType::kStruct, state.key_values_count);
  for (std::uint8_t i = 0; i < state.key_values_count; ++i) {
    out.element_struct();
    out.field_string(format::KeyValueField::kKey, state.key_values[i].key);
    out.field_string(format::KeyValueField::kValue, state.key_values[i].value);
    out.end_struct(FileMetaDataField::kKeyValueMetadata);
  }
}

std::uint32_t field_bytes(std::string_view text) {
  const auto bytes = static_cast<std::uint32_t>(text.size());
  return 1 + detail::varint_bytes(bytes) + bytes;
}

std::uint32_t key_values_bytes(const WriterState& state) {
  constexpr std::uint32_t kShortList = 15;
  constexpr std::uint32_t kStop = 1;
  const std::uint32_t count = state.key_values_count;
  std::uint32_t bytes = 2 + (count < kShortList ? 0 : detail::varint_bytes(count));
  for (std::uint32_t i = 0; i < count; ++i) {
    bytes += field_bytes(state.key_values[i].key) + field_bytes(state.key_values[i].value) + kStop;
  }
  return bytes;
}

}  // namespace

Status Writer::set_key_value(std::string_view key, std::string_view value) {
  if (state_.phase != detail::WriterPhase::kOpen) return Status::kWrongState;
  std::uint8_t i = 0;
  while (i < state_.key_values_count && state_.key_values[i].key != key) ++i;
  if (i == state_.options->key_values) return Status::kOutOfMemory;
  state_.key_values[i] = KeyValue{key, value};
  if (i == state_.key_values_count) ++state_.key_values_count;
  state_.key_values_bytes = key_values_bytes(state_);
  state_.write_key_values = &write_key_values;
  return Status::kOk;
}

}  // namespace microparquet
