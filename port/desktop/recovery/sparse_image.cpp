#include "sparse_image.h"

#include <cstring>

namespace microparquet::recovery {

SparseImage::SparseImage(File& image, const std::string& path)
    : image_(image), descriptor_(desktop::open_file(path, desktop::Access::kRead)) {}

Status SparseImage::read_at(std::uint64_t offset, Span<std::byte> out) {
  if (!is_hole(offset, offset + out.size())) {
    return image_.read_at(offset, out);
  }
  std::memset(out.data(), 0, out.size());
  return Status::kOk;
}

bool SparseImage::is_hole(std::uint64_t begin, std::uint64_t end) {
  constexpr std::uint64_t kLarge = 1 << 20;  // a question takes as long as a short read
  if (begin < hole_begin_ || end > hole_end_) {
    if (!descriptor_.is_open() || end - begin < kLarge) {
      return false;
    }
    const std::uint64_t data = desktop::end_of_hole(descriptor_.number(), begin);
    if (data == 0) {
      return false;
    }
    hole_begin_ = begin;
    hole_end_ = data;
  }
  return end <= hole_end_;
}

}  // namespace microparquet::recovery
