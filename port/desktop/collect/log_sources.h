// Sources that may hold logs, and the media that they are read from.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "microparquet/desktop/files.h"
#include "microparquet/file.h"

namespace mpq_tool {

// Told of a place that cannot be looked at, and why.
using TellProblem = std::function<void(const std::string& what)>;

// Files and devices that `paths` name, and in place of a folder the logs in it and in the folders below, in the order of
// their names: those called *.parquet or *.PQT, in letters of any size, and images of media, *.img. Links are not followed below a
// folder, and nothing in `lake` is named.
std::vector<std::string> log_sources(const std::vector<std::string>& paths, const std::string& lake,
                                     const TellProblem& problem);

// Reads only.
class SourceMedium final : public microparquet::File {
 public:
  // Throws Failure.
  explicit SourceMedium(const std::string& path);
  SourceMedium(const SourceMedium&) = delete;
  SourceMedium& operator=(const SourceMedium&) = delete;

  // The size when the source was opened.
  std::uint64_t bytes() const { return bytes_; }
  // Whether it begins as a Parquet file does.
  bool is_parquet();
  // The checksum of all bytes. Those that cannot be read, as bad sectors of a card, count as zeros.
  std::uint32_t sum();
  // Whether it is still as it was when it was opened.
  bool is_unchanged() const;
  // Whether a call has failed, and why the last one that did, with what to do.
  bool could_not_read() const { return error_ != 0; }
  std::string why() const;

  microparquet::FileAbilities abilities() const override;
  microparquet::Status size(std::uint64_t& bytes) override;
  microparquet::Status read_at(std::uint64_t offset, microparquet::Span<std::byte> out) override;
  microparquet::Status write_at(std::uint64_t offset, microparquet::Span<const std::byte> data) override;
  microparquet::Status sync(std::uint64_t size) override;

 private:
  // Logs are read a page of half a kilobyte at a time, column by column.
  static constexpr std::uint64_t kBlockBytes = 32 << 10;
  static constexpr std::size_t kBlocks = 64;
  struct Block {
    std::uint64_t number = UINT64_MAX;  // number of the block in the file; none
    std::vector<std::byte> bytes;
  };

  microparquet::Status read_now(std::uint64_t offset, microparquet::Span<std::byte> out);
  const Block* block(std::uint64_t number);

  microparquet::desktop::Descriptor source_;
  std::array<Block, kBlocks> blocks_;  // blocks that were read last, each at the index that its number gives
  int error_ = 0;
  std::uint64_t bytes_ = 0;
  std::int64_t changed_ns_ = 0;
};

}  // namespace mpq_tool
