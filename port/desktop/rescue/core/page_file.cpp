#include "page_file.h"

#include <algorithm>
#include <cstring>

#include "page_calls.h"

namespace microparquet::rescue {

namespace {

constexpr std::uint64_t kBlockBytes = 1 << 18;

FileAbilities only_read() {
  FileAbilities abilities;
  abilities.read_back = true;
  return abilities;
}

bool is_within(std::uint64_t offset, std::uint64_t bytes, std::uint64_t size) {
  return offset <= size && bytes <= size - offset;
}

}  // namespace

FileAbilities DroppedFile::abilities() const { return only_read(); }

Status DroppedFile::size(std::uint64_t& bytes) {
  bytes = bytes_;
  return Status::kOk;
}

Status DroppedFile::fetch(std::uint64_t offset, Span<std::byte> out) {
  if (page_read(static_cast<double>(offset), out.data(), static_cast<std::uint32_t>(out.size())) == 0) {
    return Status::kOk;
  }
  unread_ = unread_.value_or(offset);
  return Status::kIoError;
}

// Null: it cannot be read.
const DroppedFile::Block* DroppedFile::block(std::uint64_t number) {
  Block& block = blocks_[number % kBlocks];
  if (block.number != number || block.bytes.empty()) {
    const std::uint64_t begin = number * kBlockBytes;
    block.number = number;
    block.bytes.resize(static_cast<std::size_t>(std::min(kBlockBytes, bytes_ - begin)));
    if (fetch(begin, block.bytes) != Status::kOk) {
      block.bytes.clear();
      return nullptr;
    }
  }
  return &block;
}

Status DroppedFile::read_at(std::uint64_t offset, Span<std::byte> out) {
  if (!is_within(offset, out.size(), bytes_)) {
    return Status::kIoError;
  }
  if (out.size() >= kBlockBytes) {
    return fetch(offset, out);
  }
  while (!out.empty()) {
    const Block* const from = block(offset / kBlockBytes);
    if (from == nullptr) {
      return Status::kIoError;
    }
    const auto inside = static_cast<std::size_t>(offset % kBlockBytes);
    const std::size_t part = std::min(out.size(), from->bytes.size() - inside);
    std::memcpy(out.data(), from->bytes.data() + inside, part);
    offset += part;
    out = out.subspan(part, out.size() - part);
  }
  return Status::kOk;
}

RescuedFile::RescuedFile(File& dropped) : dropped_(dropped) { page_create(); }

void RescuedFile::write(const void* data, std::size_t bytes) {
  page_write(data, static_cast<std::uint32_t>(bytes));
  created_.bytes += bytes;
}

void RescuedFile::take(File& from, std::uint64_t begin, std::uint64_t bytes) {
  if (&from != &dropped_) {
    recovery::copy_bytes(from, begin, bytes, *this);
    return;
  }
  page_take(static_cast<double>(begin), static_cast<double>(bytes));
  created_.bytes += bytes;
}

FileAbilities RescuedFile::Created::abilities() const { return only_read(); }

Status RescuedFile::Created::size(std::uint64_t& size) {
  size = bytes;
  return Status::kOk;
}

Status RescuedFile::Created::read_at(std::uint64_t offset, Span<std::byte> out) {
  return is_within(offset, out.size(), bytes) &&
                 page_read_created(static_cast<double>(offset), out.data(),
                                   static_cast<std::uint32_t>(out.size())) == 0
             ? Status::kOk
             : Status::kIoError;
}

}  // namespace microparquet::rescue
