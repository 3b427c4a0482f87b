// Apart from the rest, since a program that sets no key-values does not link them.
#include "format/fields.h"
#include "microparquet/writer.h"
#include "thrift/compact_writer.h"

namespace microparquet {
namespace {

using detail::WriterState;

void write_key_values(thrift::CompactWriter& out, const WriterState& state) {
  out.field_list(format::FileMetaDataField::kKeyValueMetadata, thrift::CompactType::kStruct, state.key_values_count);
  for (std::uint8_t i = 0; i < state.key_values_count; ++i) {
    out.element_struct();
    out.field_string(format::KeyValueField::kKey, state.key_values[i].key);
    out.field_string(format::KeyValueField::kValue, state.key_values[i].value);
    out.end_struct();
  }
}

}  // namespace

Status Writer::set_key_value(std::string_view key, std::string_view value) {
  if (state_.phase != detail::WriterPhase::kOpen) return Status::kWrongState;
  std::uint8_t i = 0;
  while (i < state_.key_values_count && state_.key_values[i].key != key) ++i;
  if (i == state_.options->key_values) return Status::kOutOfMemory;
  state_.key_values[i] = KeyValue{key, value};
  if (i == state_.key_values_count) ++state_.key_values_count;
  state_.write_key_values = &write_key_values;
  return Status::kOk;
}

}  // namespace microparquet
