#include "logger.h"

using microparquet::Status;

// Repeats no part that is done when another one is answered with kIoError.
Status Logger::open() {
  Status status = has_file_ ? Status::kOk : file_.open_for_append(kPath);
  has_file_ = status == Status::kOk;
  if (status == Status::kOk) {
    const microparquet::KeyValue dropped = dropped_.key_value(queue_.dropped());
    status = writer_.resume(file_, {microparquet::Span<const microparquet::KeyValue>(&dropped, 1)});
  }
  is_logging_ = status == Status::kOk;
  return status;
}

Status Logger::step(std::uint32_t now_ms) {
  Status status = is_logging_ ? Status::kOk : open();
  if (status == Status::kOk) status = queue_.drain(writer_);
  if (status == Status::kOk) status = dropped_.update(writer_, queue_.dropped());
  return status == Status::kOk ? writer_.tick(now_ms) : status;
}

Status Logger::close() {
  Status status = is_complete_ || is_logging_ ? Status::kOk : open();
  if (status == Status::kOk && !is_complete_) status = queue_.drain(writer_);
  if (status == Status::kOk && !is_complete_) status = dropped_.close(writer_, queue_.dropped());
  is_complete_ = is_complete_ || status == Status::kOk;
  return is_complete_ ? file_.close() : status;
}
