// A file on a medium whose driver moves whole sectors by DMA.
#pragma once

#include "microparquet/detail/desktop.h"
#include "support/forwarding_file.h"
#include "support/transfers.h"

namespace support {

// Fails where memory for whole sectors is not on a word, and spoils what lies beside it in the lines of a cache.
class DriverFile final : public ForwardingFile {
 public:
  // `line` 4: the core has no cache.
  DriverFile(microparquet::File& file, std::size_t line) : ForwardingFile(file), line_(line) {}

  microparquet::Status read_at(std::uint64_t offset, microparquet::Span<std::byte> out) override {
    const auto transfer = Transfer::of(offset, out.data(), out.size());
    // A library for desktops copies footers by long reads, since no driver there wants more of memory.
    if (microparquet::detail::kDesktop && out.size() > kSectorBytes)
      return ForwardingFile::read_at(offset, out);
    if (!takes(transfer)) return microparquet::Status::kIoError;
    const microparquet::Status status = ForwardingFile::read_at(offset, out);
    spoil_lines(transfer, line_);
    return status;
  }
  microparquet::Status write_at(std::uint64_t offset, microparquet::Span<const std::byte> data) override {
    const bool taken = takes(Transfer::of(offset, data.data(), data.size()));
    return taken ? ForwardingFile::write_at(offset, data) : microparquet::Status::kIoError;
  }

  // Number of transfers of whole sectors, and of those whose memory does not begin and end on a line.
  unsigned transfers() const { return transfers_; }
  unsigned misaligned() const { return misaligned_; }

 private:
  bool takes(const Transfer& transfer) {
    if (transfer.begin != transfer.end) ++transfers_;
    if (!transfer.is_on(line_)) ++misaligned_;
    return transfer.is_on(kWordBytes);
  }

  std::size_t line_;
  unsigned transfers_ = 0;
  unsigned misaligned_ = 0;
};

}  // namespace support
