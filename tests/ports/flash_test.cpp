// The ports of systems whose FAT lies on flash, told so; see erase_sweep.h.
#include "microparquet/port/vfs_file.h"
#include "microparquet/port/zephyr_file.h"
#include "support/erase_sweep.h"

namespace {

using filesystems::ImuInBlocks;
using filesystems::kSectorBytes;
using filesystems::sweep_blocks;
using microparquet::Options;
using microparquet::Status;

template <typename File>
struct Port {
  explicit Port(const char* path) : path_(path) {}
  Status resume() { return file.open_for_append(path_); }
  Status open() { return file.open_for_reading(path_); }
  Status close() { return file.close(); }
  File file{kSectorBytes};

 private:
  const char* path_;
};

struct EspIdf : Port<microparquet::VfsFile> {
  static constexpr const char* kPort = "ESP-IDF";
  EspIdf() : Port("/sd/LOG.PQT") {}
};
struct Zephyr : Port<microparquet::ZephyrFile> {
  static constexpr const char* kPort = "Zephyr";
  Zephyr() : Port("/SD:/LOG.PQT") {}
};

constexpr Options forward(Options options) {
  options.layout = &microparquet::kForward;
  options.row_group_bytes = 8 << 10;
  options.row_group_rows = 16;  // for a write each
  return options;
}
struct ForwardInBlocks : ImuInBlocks {
  static constexpr const char* kName = "imu, forward,";
  static constexpr Options kOptions = forward(ImuInBlocks::kOptions);
};

}  // namespace

TEST("told the blocks of its flash, ESP-IDF's file loses no durable row inside an erase") {
  sweep_blocks<ImuInBlocks, EspIdf>();
  sweep_blocks<ForwardInBlocks, EspIdf>();
}

TEST("told the blocks of its flash, Zephyr's file loses no durable row inside an erase") {
  sweep_blocks<ImuInBlocks, Zephyr>();
  sweep_blocks<ForwardInBlocks, Zephyr>();
}

TEST("ports say what they were given") {
  CHECK_EQ(unsigned{EspIdf().file.abilities().block_bytes}, 4096U);
  CHECK_EQ(unsigned{Zephyr().file.abilities().block_bytes}, 4096U);
  CHECK_EQ(unsigned{microparquet::VfsFile().abilities().block_bytes}, 512U);
}
