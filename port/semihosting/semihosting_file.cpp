#include "microparquet/port/semihosting_file.h"

#include "microparquet/port/semihosting.h"

namespace microparquet {

namespace {

constexpr std::uint64_t kMaxBytes = 0x7FFFFFFF;  // kFileLength returns a signed word

// Returns why a write moved fewer bytes than it should have.
Status write_error() {
  constexpr std::int32_t kNoSpaceLeft = 28;  // ENOSPC of newlib, Linux, macOS and Windows alike
  return semihosting::last_error() == kNoSpaceLeft ? Status::kNoSpace : Status::kIoError;
}

}  // namespace

Status SemihostingFile::open_as(const char* path, semihosting::OpenMode mode) {
  if (const Status status = close(); status != Status::kOk) {
    return status;
  }
  handle_plus_one_ = semihosting::open(path, mode) + 1;
  return is_open() ? Status::kOk : Status::kIoError;
}

bool SemihostingFile::holds_bytes(const char* path) {
  std::uint64_t bytes = 0;
  const bool there = open_for_reading(path) == Status::kOk;
  const bool empty = there && size(bytes) == Status::kOk && bytes == 0;
  static_cast<void>(close());
  return there && !empty;
}

Status SemihostingFile::create(const char* path, Existing existing) {
  if (existing == Existing::kRefuse && holds_bytes(path)) return Status::kIoError;
  return open_as(path, semihosting::OpenMode::kCreate);
}

Status SemihostingFile::open_for_append(const char* path) {
  const Status status = open_as(path, semihosting::OpenMode::kReadWrite);  // opens an existing file only
  return status == Status::kOk ? status : open_as(path, semihosting::OpenMode::kCreate);
}

Status SemihostingFile::open_for_reading(const char* path) {
  return open_as(path, semihosting::OpenMode::kRead);
}

Status SemihostingFile::close() {
  if (!is_open()) {
    return Status::kOk;
  }
  const std::int32_t result = semihosting::close(handle());
  handle_plus_one_ = 0;
  return result == 0 ? Status::kOk : Status::kIoError;
}

FileAbilities SemihostingFile::abilities() const {
  FileAbilities abilities;
  abilities.seek = true;
  abilities.read_back = true;
  return abilities;
}

Status SemihostingFile::size(std::uint64_t& bytes) {
  if (!is_open()) {
    return Status::kWrongState;
  }
  const std::int32_t handle_word = handle();
  const std::int32_t length = semihosting::call(semihosting::Operation::kFileLength, &handle_word);
  if (length < 0) {
    return Status::kIoError;
  }
  bytes = static_cast<std::uint64_t>(length);
  return Status::kOk;
}

Status SemihostingFile::seek(std::uint64_t offset) const {
  return semihosting::seek(handle(), static_cast<std::uint32_t>(offset)) == 0 ? Status::kOk
                                                                              : Status::kIoError;
}

Status SemihostingFile::read_at(std::uint64_t offset, Span<std::byte> out) {
  if (!is_open()) {
    return Status::kWrongState;
  }
  if (offset > kMaxBytes || out.size() > kMaxBytes - offset) {
    return Status::kIoError;
  }
  if (const Status status = seek(offset); status != Status::kOk) {
    return status;
  }
  const std::uint32_t missing =
      semihosting::read(handle(), out.data(), static_cast<std::uint32_t>(out.size()));
  return missing == 0 ? Status::kOk : Status::kIoError;
}

Status SemihostingFile::write_at(std::uint64_t offset, Span<const std::byte> data) {
  if (!is_open()) {
    return Status::kWrongState;
  }
  if (offset > kMaxBytes || data.size() > kMaxBytes - offset) {
    return Status::kNoSpace;
  }
  if (const Status status = seek(offset); status != Status::kOk) {
    return status;
  }
  const std::uint32_t missing =
      semihosting::write(handle(), data.data(), static_cast<std::uint32_t>(data.size()));
  return missing == 0 ? Status::kOk : write_error();
}

Status SemihostingFile::reserve(std::uint64_t end) {
  if (!is_open()) {
    return Status::kWrongState;
  }
  return end <= kMaxBytes ? Status::kOk : Status::kNoSpace;
}

Status SemihostingFile::sync(std::uint64_t size) {
  static_cast<void>(size);  // the host's file has all written bytes; it cannot be cut
  return is_open() ? Status::kOk : Status::kWrongState;
}

}  // namespace microparquet
