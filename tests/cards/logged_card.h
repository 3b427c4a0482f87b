// A card in memory, formatted as FAT32, whose disk functions hand each command on: to the models, to a trace.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cards/commands.h"
#include "support/block_layer.h"
#include "support/forwarding_file.h"
#include "support/ram_disk.h"
#include "support/volume.h"

namespace cards {

class LoggedCard final : public filesystems::BlockLayer {
 public:
  // Formats 4 GiB; the data area begins on an allocation unit of the card, as cards are sold. `to` outlives it.
  LoggedCard(Commands& to, std::uint32_t cluster_bytes);

  bool is_mounted() const { return volume_.result() == FR_OK; }
  Commands& commands() { return to_; }
  FATFS& volume() { return volume_.fatfs(); }

  // What sectors of files are written for from now on.
  void set_cause(Cause cause) { cause_ = cause; }

  bool read(std::uint32_t first, std::byte* out, std::uint32_t count) override;
  bool write(std::uint32_t first, const std::byte* data, std::uint32_t count) override;
  bool sync() override;

 private:
  Cause cause_of(std::uint32_t sector) const;

  Commands& to_;
  filesystems::RamDisk disk_;
  filesystems::Volume volume_;
  Cause cause_ = Cause::kPages;
};

// A log's file, which says what it writes.
class LoggedFile final : public support::ForwardingFile {
 public:
  LoggedFile(microparquet::File& file, LoggedCard& card) : ForwardingFile(file), card_(card) {}

  microparquet::Status write_at(std::uint64_t offset, microparquet::Span<const std::byte> data) override;
  microparquet::Status sync(std::uint64_t size) override;

  // The port's file is another one from now on.
  void begin_next();

  // Bytes of all its files.
  std::uint64_t published() const { return before_ + published_; }

 private:
  LoggedCard& card_;
  std::uint64_t before_ = 0;     // of files before
  std::uint64_t published_ = 0;  // of this one
};

}  // namespace cards
