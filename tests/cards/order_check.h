// What a log must not do to a card whose page a power cut tears as a whole: write into one that has durable bytes. And what
// ends a stream between two footers: read. Sectors of the file system, which tear one by one, are left out.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "cards/commands.h"

namespace cards {

// Over the commands of one log at a time.
class OrderCheck final : public Commands {
 public:
  explicit OrderCheck(std::uint32_t block_bytes) : sectors_in_block_(block_bytes / kSectorBytes) {}

  void write(std::uint32_t sector, std::uint32_t count, Cause cause) override;
  void read(std::uint32_t sector, std::uint32_t count) override;
  void sync() override {}
  void begin_call(std::uint32_t /*ms*/) override {}
  void publish() override;

  // Number of times that a block with durable bytes was written.
  std::uint64_t overwrites() const { return overwrites_; }
  // Number of reads of files' sectors while no footer was on its way.
  std::uint64_t reads() const { return reads_; }

 private:
  std::uint32_t sectors_in_block_;
  std::uint32_t first_data_ = ~std::uint32_t{0};  // the first sector of files; what lies before is not theirs
  bool in_footer_ = false;
  std::vector<std::uint32_t> written_;  // blocks, since the last sync
  std::unordered_set<std::uint32_t> durable_;
  std::uint64_t overwrites_ = 0;
  std::uint64_t reads_ = 0;
};

}  // namespace cards
