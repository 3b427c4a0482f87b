// A file of the lake while it is made: nobody relies on it before it has its place, so that it is put on the disk once.
#pragma once

#include <string>

#include "microparquet/desktop/descriptor.h"
#include "microparquet/file.h"

namespace mpq_tool {

class WorkFile final : public microparquet::File {
 public:
  // An empty file at `path`, or with `keeps` the one that is there. kIoError: error() says why.
  microparquet::Status open(const std::string& path, bool keeps);
  // All that was written is on the disk.
  microparquet::Status flush();
  // errno of the call that failed last.
  int error() const { return error_; }

  microparquet::FileAbilities abilities() const override;
  microparquet::Status size(std::uint64_t& bytes) override;
  microparquet::Status read_at(std::uint64_t offset, microparquet::Span<std::byte> out) override;
  microparquet::Status write_at(std::uint64_t offset, microparquet::Span<const std::byte> data) override;
  microparquet::Status sync(std::uint64_t size) override;
  microparquet::Status shrink(std::uint64_t size) override;

 private:
  microparquet::Status failed(int error);

  microparquet::desktop::Descriptor descriptor_;
  int error_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace mpq_tool
