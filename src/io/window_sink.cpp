#include "io/window_sink.h"

namespace microparquet::thrift {

void WindowSink::put_byte(unsigned byte) {
  if (skip_ != 0) {
    --skip_;
    return;
  }
  std::byte* at = at_;  // read once: the byte stored could be the member itself, for all a compiler knows
  *at++ = static_cast<std::byte>(byte);
  at_ = at;
  if (at == end_) drain();
}

// Here and in put_zeros() the loop ends with its test: one instruction less for each byte of a footer.
void WindowSink::put(const void* data, std::size_t bytes) {
  if (bytes == 0) return;
  const auto* from = static_cast<const std::byte*>(data);
  const std::byte* const end = from + bytes;
  do {
    put_byte(std::to_integer<unsigned>(*from++));
  } while (from != end);
}

void WindowSink::put_zeros(std::uint32_t bytes) {
  if (bytes == 0) return;
  do {
    put_byte(0);
  } while (--bytes != 0);
}

void WindowSink::copy(std::uint64_t offset, std::uint32_t bytes) {
  const std::uint32_t passed = skip_ < bytes ? skip_ : bytes;
  pass(passed);
  offset += passed;
  bytes -= passed;
  while (bytes != 0 && status_ == Status::kOk && reaches()) {
    auto part = static_cast<std::uint32_t>(end_ - at_);
    if (part > bytes) part = bytes;
    status_ = file_.read_at(offset, Span<std::byte>(at_, part));
    offset += part;
    bytes -= part;
    at_ += part;
    if (at_ == end_) drain();
  }
}

void WindowSink::sum_up() {
  if (crc_ != nullptr) *crc_ = crc_function_(*crc_, summed_, static_cast<std::size_t>(at_ - summed_));
  summed_ = at_;
}

void WindowSink::sum_into(std::uint32_t* crc) {
  sum_up();
  crc_ = crc;
}

std::uint32_t WindowSink::crc() {
  sum_up();
  return *crc_;
}

Status WindowSink::flush() {
  if (at_ != window_) drain();
  return status_;
}

void WindowSink::drain() {
  sum_up();
  const auto used = static_cast<std::uint32_t>(at_ - window_);
  if (status_ == Status::kOk) status_ = file_.write_at(offset_, Span<const std::byte>(window_, used));
  offset_ += used;
  at_ = window_;
  summed_ = window_;
  skip_ = skip_when_full_;
}

}  // namespace microparquet::thrift
