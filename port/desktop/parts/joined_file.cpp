#include "microparquet/desktop/joined_file.h"

#include <algorithm>
#include <cstring>

#include "file_footer.h"
#include "microparquet/desktop/failure.h"
#include "microparquet/detail/format/magic.h"
#include "part_file.h"
#include "thrift_dom/foreign_footers.h"
#include "view.h"

namespace microparquet::desktop {

namespace {

constexpr std::size_t kMostOpen = 32;

}  // namespace

JoinedFile::JoinedFile(File& summary, int folder) : summary_(summary), folder_(folder) {
  recovery::JoinedFooter joined = recovery::join_footer(recovery::footer_text(summary));
  footer_ = std::move(joined.bytes);
  for (std::string& path : joined.paths) {
    parts_.emplace_back(std::move(path));
  }
}

JoinedFile::~JoinedFile() = default;

bool JoinedFile::has_parts() const { return !parts_.empty(); }

Status JoinedFile::size(std::uint64_t& bytes) {
  bytes = (parts_.size() + 1) * recovery::kRoomBytes + footer_.size();
  return Status::kOk;
}

Status JoinedFile::read_at(std::uint64_t offset, Span<std::byte> out) {
  const std::uint64_t room = offset / recovery::kRoomBytes;
  const std::uint64_t within = offset % recovery::kRoomBytes;
  if (room == 0) {
    return summary_.read_at(within, out);
  }
  return room > parts_.size() ? read_footer(within, out)
                              : read_part(static_cast<std::size_t>(room) - 1, within, out);
}

Status JoinedFile::read_part(std::size_t number, std::uint64_t offset, Span<std::byte> out) {
  PartFile& part = parts_[number];
  std::string trouble;
  if (!part.is_open()) {
    if (open_.size() == kMostOpen) {
      parts_[open_.front()].close();
      open_.pop_front();
    }
    trouble = part.open(folder_);
    if (part.is_open()) {
      open_.push_back(number);
    }
  }
  if (trouble.empty()) {
    trouble = part.read(offset, out);
  }
  if (trouble.empty()) {
    return Status::kOk;
  }
  failure_ = part.path() + ": " + trouble;
  return Status::kIoError;
}

Status JoinedFile::read_footer(std::uint64_t offset, Span<std::byte> out) const {
  if (offset > footer_.size() || footer_.size() - offset < out.size()) {
    return Status::kIoError;
  }
  std::copy_n(footer_.data() + offset, out.size(), out.data());
  return Status::kOk;
}

Status JoinedFile::write_at(std::uint64_t offset, Span<const std::byte> data) {
  static_cast<void>(offset);
  static_cast<void>(data);
  return Status::kUnsupported;
}

Status JoinedFile::sync(std::uint64_t size) {
  static_cast<void>(size);
  return Status::kUnsupported;
}

}  // namespace microparquet::desktop
