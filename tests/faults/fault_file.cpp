#include "fault_file.h"

#include <cstring>

#include "support/file_view.h"

namespace faults {

using mpq::Status;

const char* to_string(Call call) {
  constexpr const char* kNames[kCalls] = {"size",    "read_at", "write_at", "reserve",
                                          "barrier", "sync",    "shrink"};
  return kNames[static_cast<std::size_t>(call)];
}

const char* to_string(Extent extent) {
  constexpr const char* kNames[] = {"nothing", "part", "all"};
  return kNames[static_cast<std::size_t>(extent)];
}

void FaultFile::complain(const std::string& text) {
  if (breach_.empty()) breach_ = text;
}

bool FaultFile::fails(Call call) {
  const unsigned number = calls_[static_cast<std::size_t>(call)]++;
  return call == fault_.call && (number == fault_.nth || (fault_.permanent && number > fault_.nth));
}

Status FaultFile::answer(Call call, Status status) {
  if (status != Status::kOk && failure_ == Status::kOk) {
    failure_ = status;
    failed_call_ = call;
    read_again_ = false;
  }
  return status;
}

Status FaultFile::refuse(Call call, std::uint64_t end) {
  if (end < least_refused_) least_refused_ = end;
  return answer(call, Status::kNoSpace);
}

Status FaultFile::take_failure() {
  const Status failure = failure_;
  failure_ = Status::kOk;
  return failure;
}

void FaultFile::start_with(mpq::Span<const std::byte> bytes) {
  bytes_.assign(bytes.begin(), bytes.end());
  published_ = bytes_.size();
  next_write_ = bytes_.size();
  if (capacity_ < bytes_.size()) capacity_ = bytes_.size();
}

Status FaultFile::size(std::uint64_t& bytes) {
  bytes = bytes_.size();
  return answer(Call::kSize, fails(Call::kSize) ? fault_.status : Status::kOk);
}

Status FaultFile::read_at(std::uint64_t offset, mpq::Span<std::byte> out) {
  if (!abilities_.read_back) {
    complain("read_at of a file that cannot be read back");
    return Status::kUnsupported;
  }
  if (fails(Call::kReadAt)) {
    // Callers must not rely on the buffer after a failed read.
    if (fault_.extent != Extent::kNothing) std::memset(out.data(), 0xA5, out.size());
    failed_read_ = offset;
    failed_bytes_ = out.size();
    return answer(Call::kReadAt, fault_.status);
  }
  if (offset > bytes_.size() || out.size() > bytes_.size() - offset) {
    complain("read_at past the end");
    return Status::kIoError;
  }
  std::memcpy(out.data(), bytes_.data() + offset, out.size());
  if (offset == failed_read_ && out.size() == failed_bytes_) read_again_ = true;
  return Status::kOk;
}

void FaultFile::check_place(std::uint64_t offset, std::size_t bytes) {
  if (bytes == 0) complain("write_at of no bytes");
  if (!abilities_.seek && offset != next_write_) complain("write_at elsewhere in a file that cannot seek");
  if (!abilities_.seek || published_ == 0) return;
  // In place, only the next footer lies after the end that is published, and it has been reserved.
  if (offset + bytes > published_ && reserved_ != 0 && offset + bytes > reserved_) {
    complain("write_at past what was reserved");
  }
}

void FaultFile::store(std::uint64_t offset, mpq::Span<const std::byte> data, std::size_t bytes) {
  if (bytes == 0) return;
  if (offset + bytes > bytes_.size()) bytes_.resize(static_cast<std::size_t>(offset) + bytes);
  std::memcpy(bytes_.data() + offset, data.data(), bytes);
}

Status FaultFile::write_at(std::uint64_t offset, mpq::Span<const std::byte> data) {
  check_place(offset, data.size());
  std::size_t bytes = data.size();
  Status status = Status::kOk;
  if (fails(Call::kWriteAt)) {
    status = fault_.status;
    if (fault_.extent == Extent::kNothing) bytes = 0;
    if (fault_.extent == Extent::kPart) bytes = calls(Call::kWriteAt) * 2654435761U % bytes;
  }
  const std::uint64_t end = offset + data.size();
  if (end > capacity_) {
    store(offset, data, offset < capacity_ ? static_cast<std::size_t>(capacity_ - offset) : 0);
    return refuse(Call::kWriteAt, end);
  }
  store(offset, data, bytes);
  if (status == Status::kOk) next_write_ = end;
  return answer(Call::kWriteAt, status);
}

Status FaultFile::reserve(std::uint64_t end) {
  const bool failing = fails(Call::kReserve);
  if (end > capacity_) return refuse(Call::kReserve, end);
  if (failing && fault_.extent == Extent::kNothing) return answer(Call::kReserve, fault_.status);
  if (end > reserved_) reserved_ = end;
  return answer(Call::kReserve, failing ? fault_.status : Status::kOk);
}

Status FaultFile::barrier() {
  return answer(Call::kBarrier, fails(Call::kBarrier) ? fault_.status : Status::kOk);
}

Status FaultFile::sync(std::uint64_t size) {
  const bool failing = fails(Call::kSync);
  if (failing && fault_.extent == Extent::kNothing) return answer(Call::kSync, fault_.status);
  if (size < published_ || size > bytes_.size()) complain("sync to a size that cannot be");
  bytes_.resize(static_cast<std::size_t>(size));
  if (abilities_.seek && !view::File(contents()).whole())
    complain("sync of a file that does not end in a footer");
  published_ = bytes_.size();
  return answer(Call::kSync, failing ? fault_.status : Status::kOk);
}

Status FaultFile::shrink(std::uint64_t size) {
  if (!abilities_.shrink || size > bytes_.size())
    complain("shrink to a larger size, or of a file that cannot");
  const bool failing = fails(Call::kShrink);
  if (failing && fault_.extent == Extent::kNothing) return answer(Call::kShrink, fault_.status);
  bytes_.resize(static_cast<std::size_t>(size));
  published_ = bytes_.size();
  if (!view::File(contents()).whole()) complain("shrink to a size that does not end in a footer");
  return answer(Call::kShrink, failing ? fault_.status : Status::kOk);
}

}  // namespace faults
