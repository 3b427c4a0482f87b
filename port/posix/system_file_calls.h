// Bodies of SystemFile, for the source that instantiates it for its system.
#pragma once

#include "microparquet/port/system_file.h"

#include <algorithm>
#include <cstring>

namespace microparquet {

namespace detail {

inline bool MappedBytes::insert_front(std::size_t zeros) {
  const std::size_t before = bytes_;
  if (!resize(before + zeros)) return false;
  std::memmove(data_ + zeros, data_, before);
  std::memset(data_, 0, zeros);
  return true;
}

}  // namespace detail

template <typename System>
void SystemFile<System>::end() {
  if (reserved_ > published_) static_cast<void>(system().cut(published_));  // frees the space after the end
  flush_error_ = 0;
  writable_ = false;
  keeps_back_ = false;
  published_ = 0;
  reserved_ = 0;
  kept_.clear();
}

template <typename System>
FileAbilities SystemFile<System>::abilities() const {
  FileAbilities abilities;
  abilities.seek = true;
  abilities.read_back = true;
  abilities.shrink = true;
  abilities.gathers = true;
  return abilities;
}

template <typename System>
Status SystemFile<System>::size(std::uint64_t& bytes) {
  if (!system().is_open()) {
    return Status::kWrongState;
  }
  bytes = kept_.empty() ? published_ : kept_begin_ + kept_.size();
  return Status::kOk;
}

template <typename System>
Status SystemFile<System>::read_at(std::uint64_t offset, Span<std::byte> out) {
  if (!system().is_open()) {
    return Status::kWrongState;
  }
  std::size_t done = 0;
  while (done < out.size()) {
    const std::uint64_t at = offset + done;
    std::size_t bytes = out.size() - done;
    if (at < published_) {
      std::size_t moved = 0;
      if (const int error = system().read_some(at, {out.data() + done, bytes}, moved); error != 0) {
        return failed(error);
      }
      if (moved == 0) return failed(too_short_);  // another program has cut the file
      bytes = moved;
    } else if (!kept_.empty() && at < kept_begin_) {
      bytes = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, kept_begin_ - at));
      std::memset(out.data() + done, 0, bytes);
    } else if (!kept_.empty() && at - kept_begin_ < kept_.size()) {
      const std::size_t begin = static_cast<std::size_t>(at - kept_begin_);
      bytes = std::min(bytes, kept_.size() - begin);
      std::memcpy(out.data() + done, kept_.data() + begin, bytes);
    } else {
      return failed(too_short_);
    }
    done += bytes;
  }
  return Status::kOk;
}

template <typename System>
Status SystemFile<System>::write_at(std::uint64_t offset, Span<const std::byte> data) {
  if (!system().is_open() || !writable_) {
    return Status::kWrongState;
  }
  if (data.empty()) {
    return Status::kOk;
  }
  if (!keeps_back_) {
    return write_out(offset, data);
  }
  std::size_t inside = 0;
  if (offset < published_) {
    inside = static_cast<std::size_t>(std::min<std::uint64_t>(data.size(), published_ - offset));
    if (const Status status = write_out(offset, data.subspan(0, inside)); status != Status::kOk) {
      return status;
    }
  }
  if (inside == data.size()) return Status::kOk;
  return keep_back(offset + inside, data.subspan(inside, data.size() - inside));
}

template <typename System>
Status SystemFile<System>::write_out(std::uint64_t offset, Span<const std::byte> data) {
  std::size_t done = 0;
  while (done < data.size()) {
    std::size_t moved = 0;
    const int error = system().write_some(offset + done, data.subspan(done, data.size() - done), moved);
    if (error != 0 || moved == 0) {
      return failed(error != 0 ? error : too_short_);
    }
    done += moved;
    published_ = std::max(published_, offset + done);
  }
  return Status::kOk;
}

template <typename System>
Status SystemFile<System>::keep_back(std::uint64_t offset, Span<const std::byte> data) {
  if (offset > kept_begin_ + kept_.size() || offset + data.size() < kept_begin_) {
    kept_.clear();
  }
  if (kept_.empty()) {
    kept_begin_ = offset;
  } else if (offset < kept_begin_) {
    if (!kept_.insert_front(static_cast<std::size_t>(kept_begin_ - offset))) return out_of_memory();
    kept_begin_ = offset;
  }
  const std::size_t begin = static_cast<std::size_t>(offset - kept_begin_);
  if (kept_.size() < begin + data.size() && !kept_.resize(begin + data.size())) return out_of_memory();
  std::memcpy(kept_.data() + begin, data.data(), data.size());
  return Status::kOk;
}

template <typename System>
Status SystemFile<System>::reserve(std::uint64_t end) {
  if (!system().is_open() || !writable_) {
    return Status::kWrongState;
  }
  const std::uint64_t begin = std::max(reserved_, published_);
  if (end > begin) {
    if (const int error = system().allocate(begin, end, allocates_); error != 0) {
      return failed(error);
    }
    reserved_ = end;
  }
  keeps_back_ = true;
  return Status::kOk;
}

template <typename System>
Status SystemFile<System>::barrier() {
  if (!system().is_open()) {
    return Status::kWrongState;
  }
  return flush();
}

template <typename System>
Status SystemFile<System>::sync(std::uint64_t size) {
  if (!system().is_open()) {
    return Status::kWrongState;
  }
  if (!kept_.empty()) {
    const std::uint64_t bytes = size > kept_begin_ ? size - kept_begin_ : 0;
    static_cast<void>(kept_.resize(std::min(kept_.size(), static_cast<std::size_t>(bytes))));
  }
  if (const Status status = publish(); status != Status::kOk) {
    return status;
  }
  return flush();
}

// Publishes kept bytes in one write, which leaves the file with its old end or with the new one. After a
// failed write it removes the bytes that went out: the file still ends in the footer before.
template <typename System>
Status SystemFile<System>::publish() {
  if (kept_.empty()) {
    return Status::kOk;
  }
  const std::uint64_t before = published_;
  const Status status = write_out(kept_begin_, {kept_.data(), kept_.size()});
  if (status == Status::kOk) {
    kept_.clear();
  } else if (system().cut(before) == 0) {
    published_ = before;
    reserved_ = before;
  }
  return status;
}

// Flushes the file. A second fsync after a failed one may succeed and mean nothing.
template <typename System>
Status SystemFile<System>::flush() {
  if (flush_error_ == 0) {
    flush_error_ = system().put_on_medium();
  }
  if (flush_error_ != 0) {
    native_error_ = flush_error_;
    return Status::kMediumLost;
  }
  return Status::kOk;
}

template <typename System>
Status SystemFile<System>::shrink(std::uint64_t size) {
  if (!system().is_open() || !writable_) {
    return Status::kWrongState;
  }
  std::uint64_t now = 0;
  static_cast<void>(this->size(now));
  if (size > now) {
    return Status::kInvalidArgument;
  }
  if (kept_.empty() || size <= kept_begin_) {
    kept_.clear();
    if (const int error = system().cut(size); error != 0) {
      return failed(error);
    }
    published_ = size;
    reserved_ = size;
  } else {
    static_cast<void>(kept_.resize(static_cast<std::size_t>(size - kept_begin_)));
  }
  return sync(size);
}

}  // namespace microparquet
