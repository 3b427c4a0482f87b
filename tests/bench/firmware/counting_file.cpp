#include "counting_file.h"

namespace microparquet::bench {
namespace {

// Compiled with -fno-tree-loop-distribute-patterns: else this would call memcpy.
void copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) to[i] = from[i];
}

}  // namespace

FileAbilities CountingFile::abilities() const {
  FileAbilities abilities;
  abilities.seek = true;
  abilities.read_back = true;
  return abilities;
}

Status CountingFile::size(std::uint64_t& bytes) {
  bytes = size_;
  return Status::kOk;
}

Status CountingFile::read_at(std::uint64_t offset, Span<std::byte> out) {
  if (offset + out.size() > size_) return Status::kIoError;
  copy(out.data(), memory_.data() + static_cast<std::uint32_t>(offset), out.size());
  return Status::kOk;
}

Status CountingFile::write_at(std::uint64_t offset, Span<const std::byte> data) {
  if (!holds(offset, data.size())) return Status::kNoSpace;
  const auto begin = static_cast<std::uint32_t>(offset);
  const auto bytes = static_cast<std::uint32_t>(data.size());
  copy(memory_.data() + begin, data.data(), bytes);
  if (begin + bytes > size_) size_ = begin + bytes;
  ++writes_;
  written_bytes_ += bytes;
  return Status::kOk;
}

Status CountingFile::sync(std::uint64_t) { return Status::kOk; }

bool CountingFile::holds(std::uint64_t offset, std::size_t bytes) const {
  return offset <= memory_.size() && bytes <= memory_.size() - static_cast<std::uint32_t>(offset);
}

}  // namespace microparquet::bench
