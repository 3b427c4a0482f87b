#include "microparquet/port/memory_file.h"

#include <cstring>

namespace microparquet {

FileAbilities MemoryFile::abilities() const {
  FileAbilities abilities;
  abilities.seek = true;
  abilities.read_back = true;
  abilities.shrink = true;
  return abilities;
}

Status MemoryFile::size(std::uint64_t& bytes) {
  bytes = size_;
  return Status::kOk;
}

Status MemoryFile::read_at(std::uint64_t offset, Span<std::byte> out) {
  if (offset > size_ || out.size() > size_ - offset) {
    return Status::kIoError;
  }
  if (!out.empty()) {
    std::memcpy(out.data(), memory_.data() + offset, out.size());
  }
  return Status::kOk;
}

Status MemoryFile::write_at(std::uint64_t offset, Span<const std::byte> data) {
  if (offset > memory_.size() || data.size() > memory_.size() - offset) {
    return Status::kNoSpace;
  }
  if (data.empty()) {
    return Status::kOk;
  }
  const std::size_t begin = static_cast<std::size_t>(offset);
  if (begin > size_) {
    std::memset(memory_.data() + size_, 0, begin - size_);
  }
  std::memcpy(memory_.data() + begin, data.data(), data.size());
  if (begin + data.size() > size_) {
    size_ = begin + data.size();
  }
  return Status::kOk;
}

Status MemoryFile::reserve(std::uint64_t end) {
  return end <= memory_.size() ? Status::kOk : Status::kNoSpace;
}

Status MemoryFile::sync(std::uint64_t size) { return shrink(size); }

Status MemoryFile::shrink(std::uint64_t size) {
  if (size > size_) {
    return Status::kInvalidArgument;
  }
  size_ = static_cast<std::size_t>(size);
  return Status::kOk;
}

}  // namespace microparquet
