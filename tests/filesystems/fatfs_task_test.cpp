// FatFs as a system of tasks has it: the card is touched by those only who hold its volume, and a volume that
// another task holds too long is not a lost one.
#include <cstdio>

#include "microparquet/port/fatfs_file.h"
#include "support/boot.h"
#include "support/check.h"
#include "support/volume.h"

namespace {

using filesystems::Boot;
using filesystems::Imu;
using filesystems::RamDisk;
using filesystems::Volume;
using microparquet::FatFsFile;
using microparquet::Status;

bool is_held = false;
bool is_anothers = false;

constexpr microparquet::Options forward() {
  microparquet::Options options = filesystems::imu_options();
  options.layout = &microparquet::kForward;
  return options;
}

struct ForwardImu : Imu {
  static constexpr microparquet::Options kOptions = forward();
};

template <typename Kind>
void log(const filesystems::Format& format) {
  RamDisk disk(format.sectors);
  REQUIRE(filesystems::format(disk, format));
  Volume volume(disk);
  unsigned accesses = 0;
  unsigned unguarded = 0;
  disk.set_watch([&](RamDisk::Access, std::uint32_t, const std::byte*) {
    ++accesses;
    unguarded += is_held ? 0U : 1U;
    return true;
  });
  FatFsFile file;
  Boot<Kind> boot(0);
  CHECK(file.create("LOG.PQT") == Status::kOk);
  CHECK(boot.resume(file) == Status::kOk);
  CHECK(boot.log({500, 60, 0, true}) == Status::kOk);
  CHECK(file.close() == Status::kOk);
  CHECK_EQ(unguarded, 0U);
  CHECK(accesses > 100);
}

}  // namespace

extern "C" int ff_mutex_create(int) { return 1; }
extern "C" void ff_mutex_delete(int) {}
extern "C" int ff_mutex_take(int volume) {
  if (is_anothers) return 0;
  is_held = is_held || volume == 0;
  return 1;
}
extern "C" void ff_mutex_give(int volume) { is_held = is_held && volume != 0; }

TEST("whoever touches the card holds its volume") {
  for (const auto& format : {filesystems::kFat16, filesystems::kFat32, filesystems::kExfat}) {
    log<Imu>(format);
    log<ForwardImu>(format);
  }
}

TEST("a volume that another task holds is waited for by repeating the call") {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  Volume volume(disk);
  FatFsFile file;
  REQUIRE(file.create("LOG.PQT") == Status::kOk);
  std::array<std::byte, 700> data = {};
  const auto repeated = [](auto call) {
    is_anothers = true;
    CHECK_EQ(to_string(call()), to_string(Status::kIoError));
    is_anothers = false;
    CHECK_EQ(to_string(call()), to_string(Status::kOk));
  };
  repeated([&] { return file.write_at(0, data); });
  repeated([&] { return file.sync(data.size()); });
  repeated([&] { return file.write_at(data.size(), data); });
  repeated([&] { return file.barrier(); });
  repeated([&] { return file.read_at(0, data); });
  repeated([&] { return file.shrink(data.size()); });
  CHECK(file.close() == Status::kOk);
}
