#include "sparse_image.h"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

namespace microparquet::recovery {

SparseImage::SparseImage(File& image, const std::string& path)
    : image_(image), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}

SparseImage::~SparseImage() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

Status SparseImage::read_at(std::uint64_t offset, Span<std::byte> out) {
  if (!is_hole(offset, offset + out.size())) {
    return image_.read_at(offset, out);
  }
  std::memset(out.data(), 0, out.size());
  return Status::kOk;
}

bool SparseImage::is_hole(std::uint64_t begin, std::uint64_t end) {
#if defined(SEEK_HOLE) && defined(SEEK_DATA)
  constexpr std::uint64_t kLarge = 1 << 20;  // a question takes as long as a short read
  if (begin < hole_begin_ || end > hole_end_) {
    if (descriptor_ < 0 || end - begin < kLarge) {
      return false;
    }
    const auto at = static_cast<off_t>(begin);
    if (::lseek(descriptor_, at, SEEK_HOLE) != at) {
      return false;
    }
    off_t data = ::lseek(descriptor_, at, SEEK_DATA);
    if (data < 0 && errno == ENXIO) {  // the last hole
      data = ::lseek(descriptor_, 0, SEEK_END);
    }
    if (data <= at) {
      return false;
    }
    hole_begin_ = begin;
    hole_end_ = static_cast<std::uint64_t>(data);
  }
  return end <= hole_end_;
#else
  static_cast<void>(begin);
  static_cast<void>(end);
  return false;
#endif
}

}  // namespace microparquet::recovery
