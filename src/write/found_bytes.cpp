#include "write/found_bytes.h"

#include "base/try.h"

namespace microparquet::write {

bool FoundBytes::at_end() {
  if (next_ != end_) return false;
  const Span<std::byte> window = window_of(state_);
  const auto bytes = static_cast<std::uint32_t>(window.size());
  const std::uint32_t part = left_ < bytes ? left_ : bytes;
  if (part == 0 || status_ != Status::kOk) return true;
  next_ = window.data();
  end_ = next_ + part;
  status_ = state_.file->read_at(at_, window.subspan(0, part));
  crc = state_.options->checksum(crc, next_, part);
  at_ += part;
  left_ -= part;
  return false;
}

unsigned FoundBytes::byte() { return at_end() ? 0 : std::to_integer<unsigned>(*next_++); }

void FoundBytes::get(void* to, std::uint32_t bytes) {
  auto* at = static_cast<std::byte*>(to);
  for (; bytes != 0; --bytes) *at++ = static_cast<std::byte>(byte());
}

void FoundBytes::pass(std::uint32_t bytes) {
  begin(bytes);
  while (!at_end()) next_ = end_;
}

void FoundBytes::expect_varint(unsigned bytes, std::uint64_t value) {
  for (; bytes != 0; --bytes) {
    if (((byte() ^ static_cast<unsigned>(value)) & 0x7F) != 0) fail(Status::kCorrupt);
    value >>= 7;
  }
}

void FoundBytes::expect_crc(std::uint32_t expected, Status status) {
  if (crc != expected) fail(status);
}

Status update_crc(const detail::WriterState& state, std::uint64_t& at, std::uint32_t bytes,
                  std::uint32_t& crc) {
  FoundBytes run(state, at);
  run.crc = crc;
  run.pass(bytes);
  MICROPARQUET_TRY(run.status());
  at = run.at();
  crc = run.crc;
  return Status::kOk;
}

}  // namespace microparquet::write
