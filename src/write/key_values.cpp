// Apart from the rest, since a program that sets no key-values does not link them.
#include "microparquet/detail/fields.h"
#include "microparquet/writer.h"
#include "thrift/compact_writer.h"
#include "thrift/window_sink.h"
#include "util/try.h"
#include "write/carried.h"
#include "write/footer.h"

namespace microparquet {
namespace {

using detail::WriterState;
using format::FileMetaDataField;

constexpr std::uint32_t kShortList = 15;

void write_key_values(thrift::WindowSink& sink, WriterState& state) {
  thrift::CompactWriter out(sink, FileMetaDataField::kRowGroups);
  out.field_list(FileMetaDataField::kKeyValueMetadata, thrift::CompactType::kStruct,
                 state.carried_count + state.key_values_count);
  if (state.carried_count != 0) write::put_carried(sink, state);
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

// Of a list of those of the state and `carried` others.
std::uint32_t key_values_bytes(const WriterState& state, std::uint32_t carried) {
  constexpr std::uint32_t kStop = 1;
  const std::uint32_t count = carried + state.key_values_count;
  std::uint32_t bytes = 2 + (count < kShortList ? 0 : detail::varint_bytes(count));
  for (std::uint32_t i = 0; i < state.key_values_count; ++i) {
    bytes += field_bytes(state.key_values[i].key) + field_bytes(state.key_values[i].value) + kStop;
  }
  return bytes;
}

// Bytes of the header of the list that the file has, and how many there are in it.
std::uint32_t list_header(const std::byte* header, std::uint32_t& count) {
  std::uint32_t used = 2;
  count = std::to_integer<std::uint32_t>(header[1]) >> 4;
  if (count != kShortList) return used;
  count = 0;
  for (unsigned shift = 0; shift < 32; shift += 7) {
    const auto byte = std::to_integer<std::uint32_t>(header[used++]);
    count |= (byte & 0x7F) << shift;
    if (byte < 0x80) break;
  }
  return used;
}

// The list to come has more, so its header is no longer carried on.
Status open_carried(WriterState& state) {
  constexpr std::uint32_t kMostBytes = 2 + 5;
  std::byte header[kMostBytes] = {};
  const std::uint32_t bytes = state.carried_bytes < kMostBytes ? state.carried_bytes : kMostBytes;
  MICROPARQUET_TRY(state.file->read_at(state.carried_begin, Span<std::byte>(header, bytes)));
  std::uint32_t count = 0;
  const std::uint32_t used = list_header(header, count);
  if (used > bytes || count == 0) return Status::kCorrupt;
  // What the rest must come to for both to come to what the file had; a header that was misread is found out
  // by that.
  const std::uint32_t header_crc = state.options->crc32(0, header, used);
  state.carried_begin += used;
  state.carried_bytes -= used;
  state.carried_crc ^= write::join_crc(state.options->crc32, header_crc, 0, state.carried_bytes);
  state.carried_count = count;
  return Status::kOk;
}

}  // namespace

Status Writer::set_key_value(std::string_view key, std::string_view value) {
  if (state_.phase != detail::WriterPhase::kOpen) return Status::kWrongState;
  if (state_.footer.draft.may_be_live) return Status::kWrongState;
  if (state_.carried_bytes != 0 && state_.carried_count == 0) MICROPARQUET_TRY(open_carried(state_));
  std::uint8_t i = 0;
  while (i < state_.key_values_count && state_.key_values[i].key != key) ++i;
  if (i == state_.options->key_values) return Status::kOutOfMemory;
  state_.key_values[i] = KeyValue{key, value};
  if (i == state_.key_values_count) ++state_.key_values_count;
  state_.own_key_values_bytes = key_values_bytes(state_, 0);
  state_.key_values_bytes = key_values_bytes(state_, state_.carried_count) + state_.carried_bytes;
  state_.write_key_values = &write_key_values;
  write::restart_footer(state_.footer.draft);  // with this in it
  return Status::kOk;
}

}  // namespace microparquet
