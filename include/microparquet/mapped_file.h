// A file that lies in memory: mapped by the system, in flash that is executed in place, or in an array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "microparquet/file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// Base class of ports whose medium is memory; they implement view() alone. Reader::open() reads such a file
// without copying.
class MappedFile : public File {
 public:
  // Returns all of the file's bytes. They must stay in place and unchanged until the last call of a reader
  // that has opened the file. Empty: the file is empty, or cannot be shown just now.
  virtual Span<const std::byte> view() = 0;

  // Other functions of File, for a file that is only read. A port that cannot always show its bytes overrides
  // size() and read_at().
  FileAbilities abilities() const override {
    FileAbilities abilities;
    abilities.seek = true;
    abilities.read_back = true;
    return abilities;
  }

  Status size(std::uint64_t& bytes) override {
    bytes = view().size();
    return Status::kOk;
  }

  // Copies bytes of the view.
  // - kIoError: past the end
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    const Span<const std::byte> bytes = view();
    if (offset > bytes.size() || out.size() > bytes.size() - offset) return Status::kIoError;
    if (!out.empty()) std::memcpy(out.data(), bytes.data() + static_cast<std::size_t>(offset), out.size());
    return Status::kOk;
  }

  // Refuses, since the file is only read.
  // - kUnsupported: always
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    static_cast<void>(offset);
    static_cast<void>(data);
    return Status::kUnsupported;
  }
  Status sync(std::uint64_t size) override {
    static_cast<void>(size);
    return Status::kUnsupported;
  }

 protected:
  ~MappedFile() = default;
};

}  // namespace microparquet
