// Texts of the footer that concern the whole file: key-values and created_by.
#include "base/try.h"
#include "format/key_value_reader.h"
#include "microparquet/cursors.h"
#include "microparquet/detail/reader_access.h"
#include "microparquet/reader.h"

namespace microparquet {

namespace {

using detail::ReaderState;
using format::TextPlace;

void seek(ReaderState& state, std::uint64_t begin) {
  state.footer.seek(begin, state.footer_begin + state.footer_bytes);
}

Status read_text(ReaderState& state, const TextPlace& place, char* out, std::string_view& text) {
  text = {out, place.bytes};
  if (place.bytes == 0) return Status::kOk;
  seek(state, place.begin);
  thrift::CompactReader in(state.footer);
  in.copy(out, place.bytes);
  return in.status();
}

Status check_space(ReaderState& state, std::uint64_t bytes, Span<char> buffer) {
  if (bytes <= buffer.size()) return Status::kOk;
  state.needed_bytes = bytes;
  return Status::kOutOfMemory;
}

Status equals(ReaderState& state, const TextPlace& place, std::string_view text, bool& equal) {
  equal = false;
  if (place.bytes != text.size()) return Status::kOk;
  seek(state, place.begin);
  thrift::CompactReader in(state.footer);
  equal = in.passes(text, place.bytes);
  return in.status();
}

}  // namespace

Status KeyValueCursor::next(Span<char> buffer, KeyValue& result) {
  ReaderState& state = detail::ReaderAccess::state(reader_);
  if (state.file == nullptr) return Status::kWrongState;
  if (index_ == state.key_values) return Status::kEnd;
  seek(state, index_ != 0 ? next_ : state.key_values_begin);
  thrift::CompactReader in(state.footer);
  TextPlace key;
  TextPlace value;
  format::read_key_value(in, key, value);
  const std::uint64_t behind = state.footer.position();
  MICROPARQUET_TRY(in.status());
  MICROPARQUET_TRY(check_space(state, std::uint64_t{key.bytes} + value.bytes, buffer));
  MICROPARQUET_TRY(read_text(state, key, buffer.data(), result.key));
  MICROPARQUET_TRY(read_text(state, value, buffer.data() + key.bytes, result.value));
  next_ = behind;
  ++index_;
  return Status::kOk;
}

Status KeyValueCursor::skip(std::uint32_t count) {
  ReaderState& state = detail::ReaderAccess::state(reader_);
  seek(state, state.key_values_begin);
  thrift::CompactReader in(state.footer);
  for (; index_ < count && in.ok(); ++index_) in.skip_struct();
  next_ = state.footer.position();
  return in.status();
}

Status Reader::key_value(std::uint32_t index, Span<char> buffer, KeyValue& result) {
  if (state_.file == nullptr) return Status::kWrongState;
  if (index >= state_.key_values) return Status::kInvalidArgument;
  KeyValueCursor cursor(*this);
  MICROPARQUET_TRY(cursor.skip(index));
  return cursor.next(buffer, result);
}

Status Reader::find_key_value(std::string_view key, Span<char> buffer, std::string_view& value) {
  if (state_.file == nullptr) return Status::kWrongState;
  std::uint64_t next = state_.key_values_begin;
  for (std::uint32_t i = 0; i < state_.key_values; ++i) {
    seek(state_, next);
    thrift::CompactReader in(state_.footer);
    TextPlace found_key;
    TextPlace found_value;
    format::read_key_value(in, found_key, found_value);
    next = state_.footer.position();
    bool equal = false;
    Status status = in.status();
    if (status == Status::kOk) status = equals(state_, found_key, key, equal);
    if (status == Status::kOk && !equal) continue;
    if (status == Status::kOk) status = check_space(state_, found_value.bytes, buffer);
    return status == Status::kOk ? read_text(state_, found_value, buffer.data(), value) : status;
  }
  return Status::kInvalidArgument;
}

Status Reader::created_by(Span<char> buffer, std::string_view& text) {
  if (state_.file == nullptr) return Status::kWrongState;
  text = {};
  if (state_.created_by_begin == 0) return Status::kOk;
  seek(state_, state_.created_by_begin);
  thrift::CompactReader in(state_.footer);
  const TextPlace place = format::read_created_by(in);
  Status status = in.status();
  if (status == Status::kOk) status = check_space(state_, place.bytes, buffer);
  return status == Status::kOk ? read_text(state_, place, buffer.data(), text) : status;
}

}  // namespace microparquet
