#include "microparquet/port/uart_file.h"

namespace microparquet {

Status UartFile::size(std::uint64_t& bytes) {
  bytes = size_;
  return Status::kOk;
}

Status UartFile::read_at(std::uint64_t, Span<std::byte>) { return Status::kUnsupported; }

Status UartFile::write_at(std::uint64_t offset, Span<const std::byte> data) {
  if (offset != size_ || data.size() < sent_) return Status::kInvalidArgument;
  while (sent_ < data.size()) {
    const std::size_t sent = line_.write(data.subspan(sent_, data.size() - sent_));
    if (sent == 0) return Status::kIoError;
    sent_ += sent;
  }
  size_ += data.size();
  sent_ = 0;
  return Status::kOk;
}

Status UartFile::sync(std::uint64_t size) {
  static_cast<void>(size);  // all sent bytes belong to the file
  return line_.flush() ? Status::kOk : Status::kIoError;
}

}  // namespace microparquet
