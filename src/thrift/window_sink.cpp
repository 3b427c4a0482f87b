#include "thrift/window_sink.h"

namespace microparquet::thrift {

void WindowSink::put(std::byte byte) {
  if (full_) return;
  if (skip_ != 0) {
    --skip_;
    return;
  }
  window_[used_++] = byte;
  if (used_ == window_.size()) drain();
}

void WindowSink::put(const void* data, std::size_t bytes) {
  const auto* from = static_cast<const std::byte*>(data);
  while (bytes-- != 0) put(*from++);
}

void WindowSink::put_zeros(std::uint32_t bytes) {
  while (bytes-- != 0) put(std::byte{0});
}

void WindowSink::copy(std::uint64_t offset, std::uint32_t bytes) {
  const std::uint32_t skipped = skip_ < bytes ? skip_ : bytes;
  skip_ -= skipped;
  offset += skipped;
  bytes -= skipped;
  while (bytes != 0 && status_ == Status::kOk && !full_) {
    std::uint32_t part = static_cast<std::uint32_t>(window_.size()) - used_;
    if (part > bytes) part = bytes;
    status_ = file_.read_at(offset, window_.subspan(used_, part));
    offset += part;
    bytes -= part;
    used_ += part;
    if (used_ == window_.size()) drain();
  }
}

void WindowSink::begin_crc(std::uint32_t seed) {
  summed_ = used_;
  crc_ = seed;
}

std::uint32_t WindowSink::crc() {
  crc_ = crc_function_(crc_, window_.data() + summed_, used_ - summed_);
  summed_ = used_;
  return crc_;
}

Status WindowSink::flush() {
  if (used_ != 0) drain();
  return status_;
}

void WindowSink::drain() {
  crc();
  if (status_ == Status::kOk) status_ = file_.write_at(offset_, window_.subspan(0, used_));
  offset_ += used_;
  used_ = 0;
  summed_ = 0;
  full_ = stops_;
}

}  // namespace microparquet::thrift
