// A log that writes into pages with durable bytes, or reads between its footers, is found; another one is not.
#include "cards/order_check.h"

#include "support/check.h"

namespace {

using cards::Cause;
using cards::OrderCheck;

constexpr std::uint32_t kFirst = 16384;  // sector of the files, the first one of a block
constexpr std::uint32_t kBlockBytes = 16 << 10;
constexpr std::uint32_t kBlock = kBlockBytes / cards::kSectorBytes;

// A row group, and a footer that ends with a block.
void log_one(OrderCheck& check, std::uint32_t& at) {
  check.write(at, 20, Cause::kPages);
  check.write(at + 20, kBlock - 20, Cause::kFooters);
  check.write(0, 1, Cause::kDirectory);
  check.publish();
  at += kBlock;
}

TEST("blocks that are written once are in order") {
  OrderCheck check(kBlockBytes);
  std::uint32_t at = kFirst;
  for (int i = 0; i < 5; ++i) log_one(check, at);
  CHECK_EQ(check.overwrites(), 0U);
  CHECK_EQ(check.reads(), 0U);
}

TEST("a block is written again until a sync makes it durable") {
  OrderCheck check(kBlockBytes);
  check.write(kFirst, 1, Cause::kPages);
  check.write(kFirst + 1, 1, Cause::kRecords);
  check.write(kFirst + 2, 1, Cause::kFooters);
  check.publish();
  CHECK_EQ(check.overwrites(), 0U);
  for (const Cause cause : {Cause::kPages, Cause::kRecords, Cause::kFooters}) {
    check.write(kFirst + 3, 1, cause);
  }
  CHECK_EQ(check.overwrites(), 3U);
}

TEST("a command that only ends in a durable block is found") {
  OrderCheck check(kBlockBytes);
  check.write(kFirst + kBlock, 1, Cause::kPages);
  check.publish();
  check.write(kFirst, kBlock, Cause::kPages);
  CHECK_EQ(check.overwrites(), 0U);
  check.write(kFirst, kBlock + 1, Cause::kPages);
  CHECK_EQ(check.overwrites(), 1U);
}

TEST("the smaller the block, the less is forbidden") {
  OrderCheck check(cards::kSectorBytes);
  check.write(kFirst, 3, Cause::kPages);
  check.publish();
  check.write(kFirst + 3, 3, Cause::kPages);
  CHECK_EQ(check.overwrites(), 0U);
  check.write(kFirst + 2, 1, Cause::kPages);
  CHECK_EQ(check.overwrites(), 1U);
}

TEST("sectors of the file system may be written again") {
  OrderCheck check(kBlockBytes);
  for (int i = 0; i < 3; ++i) {
    check.write(0, 1, Cause::kTable);
    check.write(64, 1, Cause::kDirectory);
    check.publish();
  }
  CHECK_EQ(check.overwrites(), 0U);
}

TEST("reads of files count while no footer is on its way") {
  OrderCheck check(kBlockBytes);
  check.read(kFirst, 1);  // before anything is written
  check.write(kFirst, 4, Cause::kPages);
  check.read(kFirst - 1, 1);  // of the file system
  CHECK_EQ(check.reads(), 0U);
  check.read(kFirst + 5, 1);  // of what is not yet written
  CHECK_EQ(check.reads(), 1U);
  check.write(kFirst + 5, 1, Cause::kFooters);
  check.read(kFirst, 1);
  CHECK_EQ(check.reads(), 1U);
  check.publish();
  check.read(kFirst, 1);
  CHECK_EQ(check.reads(), 2U);
}

}  // namespace
