// Files that pass every call on to another one: what a test watches, counts or makes fail derives from one of
// them and overrides just that.
#pragma once

#include <cstdint>

#include "microparquet/file.h"

namespace support {

// Over a file of somebody else's, which outlives it.
class ForwardingFile : public microparquet::File {
 public:
  explicit ForwardingFile(microparquet::File& file) : file_(&file) {}

  microparquet::FileAbilities abilities() const override { return file_->abilities(); }
  microparquet::Status size(std::uint64_t& bytes) override { return file_->size(bytes); }
  microparquet::Status read_at(std::uint64_t offset, microparquet::Span<std::byte> out) override {
    return file_->read_at(offset, out);
  }
  microparquet::Status write_at(std::uint64_t offset, microparquet::Span<const std::byte> data) override {
    return file_->write_at(offset, data);
  }
  microparquet::Status reserve(std::uint64_t end) override { return file_->reserve(end); }
  microparquet::Status barrier() override { return file_->barrier(); }
  microparquet::Status sync(std::uint64_t size) override { return file_->sync(size); }
  microparquet::Status shrink(std::uint64_t size) override { return file_->shrink(size); }

 protected:
  ~ForwardingFile() = default;

  microparquet::File& file() const { return *file_; }
  // Forwards to another file from now on.
  void forward_to(microparquet::File& file) { file_ = &file; }

 private:
  microparquet::File* file_;
};

// A base stands before the file that refers to it.
template <typename Inner>
struct Owned {
  Inner inner;
};

// Over a file of its own.
template <typename Inner>
class OwningFile : private Owned<Inner>, public ForwardingFile {
 public:
  template <typename... Arguments>
  explicit OwningFile(Arguments&&... arguments)
      : Owned<Inner>{Inner(static_cast<Arguments&&>(arguments)...)}, ForwardingFile(this->inner) {}

 protected:
  ~OwningFile() = default;
  Inner& inner_file() { return this->inner; }
  const Inner& inner_file() const { return this->inner; }
};

}  // namespace support
