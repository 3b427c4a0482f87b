#include "microparquet/port/named_file.h"

#include <cerrno>

namespace microparquet {

Status NamedFile::create(const char* path, Existing existing) {
  if (const Status status = open_as(path, true); status != Status::kOk) return status;
  std::uint64_t bytes = 0;
  Status status = size(bytes);
  if (bytes == 0) return status;
  if (existing == Existing::kOverwrite) {
    status = truncate(0);
    if (status == Status::kOk) begin(0, kMaxBytes, true);
    if (status == Status::kOk) status = flush();
    if (status == Status::kOk) return status;
  } else {
    status = failed(EEXIST);
  }
  return give_up(status);
}

Status NamedFile::open_for_append(const char* path) {
  if (const Status status = open_as(path, true); status != Status::kOk) return status;
  const Status status = confirm();
  return status == Status::kOk ? status : give_up(status);
}

Status NamedFile::give_up(Status status) {
  const int error = native_error_;
  static_cast<void>(close());
  native_error_ = error;
  return status;
}

Status NamedFile::open_for_reading(const char* path) { return open_as(path, false); }

Status NamedFile::open_as(const char* path, bool writable) {
  static_cast<void>(close());
  std::uint64_t bytes = 0;
  const Status status = open_handle(path, writable, bytes);
  if (status == Status::kOk) begin(bytes, kMaxBytes, writable);
  return status;
}

Status NamedFile::write_at(std::uint64_t offset, Span<const std::byte> data) {
  const std::uint64_t end = offset + data.size();
  const Status status = may_pass_fat(end);
  return explain(status == Status::kOk ? FlushedFile::write_at(offset, data) : status);
}

Status NamedFile::reserve(std::uint64_t end) {
  const Status status = may_pass_fat(end);
  return explain(status == Status::kOk ? FlushedFile::reserve(end) : status);
}

// Finds out whether the volume is FAT before the file first passes the end of FAT's files: systems without
// exFAT take a position of 32 bits, and would write at the file's beginning instead. A volume with space for
// all but the last byte is not full.
Status NamedFile::may_pass_fat(std::uint64_t end) {
  if (end <= kMaxOnFat || end > max_bytes()) return Status::kOk;
  const Status status = FlushedFile::reserve(kMaxOnFat + 1);
  if (status == Status::kNoSpace && FlushedFile::reserve(kMaxOnFat) == Status::kOk) {
    limit_to(kMaxOnFat);
    return FlushedFile::reserve(end);
  }
  return status;
}

Status NamedFile::explain(Status status) {
  return status == Status::kNoSpace && limit_reached() ? failed(EFBIG) : status;
}

Status NamedFile::close() {
  if (!is_open()) return Status::kOk;
  const Status ended = end();
  const Status closed = close_handle();
  return ended != Status::kOk ? ended : closed;
}

Status NamedFile::too_long() {
  native_error_ = EFBIG;
  return Status::kIoError;
}

Status NamedFile::failed(int error) {
  native_error_ = error;
  switch (error) {
    case ENOSPC:
    case EFBIG: return Status::kNoSpace;
    case EIO:
    case ENODEV:
    case ENXIO:
    case EBADF: return Status::kMediumLost;
    default: return Status::kIoError;
  }
}

}  // namespace microparquet
