// An image that is a sparse file, as dumps of large cards are: what the disk does not have of it is not read from it.
#pragma once

#include <cstdint>
#include <string>

#include "microparquet/desktop/files.h"
#include "microparquet/file.h"

namespace microparquet::recovery {

// Reads `image`, which is the file at `path` and must stay. Holes are zeros without a read. Where the system tells of none,
// every byte is read.
class SparseImage final : public File {
 public:
  SparseImage(File& image, const std::string& path);
  SparseImage(const SparseImage&) = delete;
  SparseImage& operator=(const SparseImage&) = delete;

  FileAbilities abilities() const override { return image_.abilities(); }
  Status size(std::uint64_t& bytes) override { return image_.size(bytes); }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;
  Status write_at(std::uint64_t, Span<const std::byte>) override { return Status::kUnsupported; }
  Status sync(std::uint64_t) override { return Status::kUnsupported; }

 private:
  bool is_hole(std::uint64_t begin, std::uint64_t end);

  File& image_;
  desktop::Descriptor descriptor_;
  std::uint64_t hole_begin_ = 0;  // the hole that was found last
  std::uint64_t hole_end_ = 0;
};

}  // namespace microparquet::recovery
