// FatFsFile on flash; see erase_sweep.h.
#include "microparquet/port/fatfs_file.h"
#include "support/erase_sweep.h"

namespace {

using filesystems::EraseSweep;
using filesystems::ImuInBlocks;
using filesystems::ImuInSectors;
using filesystems::kFlash;
using filesystems::sweep_blocks;
using filesystems::TextsInBlocks;
using microparquet::Status;

constexpr char kPath[] = "LOG.PQT";

struct Port {
  static constexpr const char* kPort = "FatFs";
  Status resume() { return file.open_for_append(kPath); }
  Status open() { return file.open_for_reading(kPath); }
  Status close() { return file.close(); }
  microparquet::FatFsFile file;
};

}  // namespace

TEST("a file in blocks of its flash loses no durable row inside an erase") {
  sweep_blocks<ImuInBlocks, Port>();
  sweep_blocks<TextsInBlocks, Port>();
}

// Shows the need for blocks: the same medium, declared to tear no more than 512 bytes, loses rows.
TEST("a file in sectors on such flash does") {
  EraseSweep<ImuInSectors, Port> sweep;
  CHECK(sweep.run().wrong > 0);
}

TEST("a volume in sectors of 4 KiB is refused to options of smaller blocks") {
  filesystems::RamDisk disk(kFlash.sectors);
  REQUIRE(filesystems::format(disk, kFlash));
  const filesystems::Volume volume(disk);
  Port port;
  REQUIRE(port.resume() == Status::kOk);
  CHECK_EQ(unsigned{port.file.abilities().block_bytes}, 4096U);
  CHECK(filesystems::Boot<ImuInSectors>(0).resume(port.file) == Status::kInvalidArgument);
  CHECK(port.close() == Status::kOk);
}
