// The dropped file, and the rescued one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "byte_sink.h"
#include "microparquet/file.h"

namespace microparquet::rescue {

// Read by large blocks, some of which stay: a question to the browser takes as long as a hundred small reads.
class DroppedFile final : public File {
 public:
  explicit DroppedFile(std::uint64_t bytes) : bytes_(bytes) {}

  // The first place that could not be read.
  std::optional<std::uint64_t> unread() const { return unread_; }

  FileAbilities abilities() const override;
  Status size(std::uint64_t& bytes) override;
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;
  Status write_at(std::uint64_t, Span<const std::byte>) override { return Status::kUnsupported; }
  Status sync(std::uint64_t) override { return Status::kUnsupported; }

 private:
  struct Block {
    std::uint64_t number = 0;
    std::vector<std::byte> bytes;
  };

  Status fetch(std::uint64_t offset, Span<std::byte> out);
  const Block* block(std::uint64_t number);

  static constexpr std::size_t kBlocks = 16;

  std::uint64_t bytes_;
  std::array<Block, kBlocks> blocks_;
  std::optional<std::uint64_t> unread_;
};

// The page puts it together out of bytes, and of places in the dropped file, which are not copied.
class RescuedFile final : public recovery::ByteSink {
 public:
  explicit RescuedFile(File& dropped);

  void write(const void* data, std::size_t bytes) override;
  void take(File& from, std::uint64_t begin, std::uint64_t bytes) override;
  std::uint64_t bytes() const override { return created_.bytes; }
  File& written() override { return created_; }

 private:
  class Created final : public File {
   public:
    FileAbilities abilities() const override;
    Status size(std::uint64_t& size) override;
    Status read_at(std::uint64_t offset, Span<std::byte> out) override;
    Status write_at(std::uint64_t, Span<const std::byte>) override { return Status::kUnsupported; }
    Status sync(std::uint64_t) override { return Status::kUnsupported; }

    std::uint64_t bytes = 0;
  };

  File& dropped_;
  Created created_;
};

}  // namespace microparquet::rescue
