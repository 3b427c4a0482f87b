#include "part_file.h"

#include <algorithm>
#include <cerrno>

#include "microparquet/desktop/files.h"
#include "microparquet/desktop/joined_file.h"

namespace microparquet::desktop {

namespace {

constexpr char kTooShort[] =
    "it is shorter than the summary says; it was changed after the summary was written: write that anew";

std::string why_not_opened(int error) {
  switch (error) {
    case ENOENT:
      return "no such file; it was moved or removed after the summary was written: put it back, or write the "
             "summary anew";
    case ELOOP:
      return "a symbolic link is on the way to it, and those are not followed: put the file itself there";
    case ENOTDIR:
      return "a folder on the way to it is none, or a symbolic link, and those are not followed: put the "
             "file itself there";
    default: return error_text(error);
  }
}

// Opens `path` name by name, so that none leads out of `folder`: neither "..", nor a link that was put there
// after a check. `error` is 0 or errno.
Descriptor open_within(int folder, const std::string& path, int& error) {
  Descriptor at(-1);
  std::size_t begin = 0;
  while (begin < path.size()) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string name = path.substr(begin, end - begin);
    const FileKind kind = end == path.size() ? FileKind::kFile : FileKind::kFolder;
    Descriptor next = open_inside(at.is_open() ? at.number() : folder, name, kind);
    if (!next.is_open()) {
      error = errno;
      return next;
    }
    at = std::move(next);
    begin = end + 1;
  }
  error = 0;
  return at;
}

// Whether each name of `path` is one of something below the folder it begins in.
bool leads_down(const std::string& path) {
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string name = path.substr(begin, end - begin);
    if (name.empty() || name == "." || name == "..") {
      return false;
    }
    begin = end + 1;
  }
  return path.find('\0') == std::string::npos;
}

}  // namespace

std::string PartFile::open(int folder) {
  if (!leads_down(path_)) {
    return "it is not in the folder of the summary, and nothing else is opened: bring it there, and write "
           "the summary anew";
  }
  int error = 0;
  const Descriptor descriptor = open_within(folder, path_, error);
  if (error != 0) {
    return why_not_opened(error);
  }
  if (state_of(descriptor.number()).kind != FileKind::kFile) {
    return "it is no file, but a folder, a pipe or a device: put the file there";
  }
  auto file = std::make_unique<NativeFile>();
  if (file->open_for_reading(path_of(descriptor.number()).c_str()) != Status::kOk) {
    return why_failed(*file);
  }
  file_ = std::move(file);
  return {};
}

bool PartFile::is_shorter_than(std::uint64_t bytes) const {
  std::uint64_t found = 0;
  return file_->size(found) == Status::kOk && found < bytes;
}

std::string PartFile::read(std::uint64_t offset, Span<std::byte> out) {
  if (file_->read_at(offset, out) == Status::kOk) {
    return {};
  }
  return is_shorter_than(offset + out.size()) ? kTooShort : why_failed(*file_);
}

std::string why_no_part(int folder, const std::string& path, std::uint64_t bytes) {
  PartFile part(path);
  const std::string why = part.open(folder);
  return why.empty() && part.is_shorter_than(bytes) ? kTooShort : why;
}

}  // namespace microparquet::desktop
