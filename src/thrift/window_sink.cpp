#include "thrift/window_sink.h"

#include "util/bytes.h"

namespace microparquet::thrift {

void WindowSink::put(std::byte byte) {
  window_[used_++] = byte;
  if (used_ == window_.size()) drain();
}

void WindowSink::put(const void* data, std::size_t bytes) {
  const auto* from = static_cast<const std::byte*>(data);
  while (bytes-- != 0) put(*from++);
}

void WindowSink::put_zeros(std::uint32_t bytes) {
  while (bytes != 0) {
    auto part = static_cast<std::uint32_t>(window_.size()) - used_;
    if (part > bytes) part = bytes;
    util::clear_bytes(window_.data() + used_, part);
    used_ += part;
    bytes -= part;
    if (used_ == window_.size()) drain();
  }
}

void WindowSink::copy(File& source, std::uint64_t offset, std::uint64_t bytes) {
  while (bytes != 0 && status_ == Status::kOk) {
    std::size_t part = window_.size() - used_;
    if (part > bytes) part = static_cast<std::size_t>(bytes);
    status_ = source.read_at(offset, window_.subspan(used_, part));
    if (status_ != Status::kOk) return;
    offset += part;
    bytes -= part;
    used_ += static_cast<std::uint32_t>(part);
    if (used_ == window_.size()) drain();
  }
}

void WindowSink::begin_crc(std::uint32_t seed) {
  summed_ = used_;
  crc_ = seed;
}

std::uint32_t WindowSink::crc() {
  sum_up();
  return crc_;
}

Status WindowSink::flush() {
  if (used_ != 0) drain();
  return status_;
}

void WindowSink::drain() {
  sum_up();
  if (file_ != nullptr && status_ == Status::kOk) {
    const std::uint64_t end = offset_ + used_;
    std::uint64_t from = offset_;
    if (written_to_ != nullptr && *written_to_ > from) from = *written_to_ < end ? *written_to_ : end;
    if (from != end) {
      const auto skip = static_cast<std::uint32_t>(from - offset_);
      status_ = file_->write_at(from, window_.subspan(skip, used_ - skip));
      if (written_to_ != nullptr && status_ == Status::kOk) *written_to_ = end;
    }
  }
  offset_ += used_;
  used_ = 0;
  summed_ = 0;
}

void WindowSink::sum_up() {
  crc_ = crc_function_(crc_, window_.data() + summed_, used_ - summed_);
  summed_ = used_;
}

}  // namespace microparquet::thrift
