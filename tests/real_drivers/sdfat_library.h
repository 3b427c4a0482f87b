// SdFat itself as the library of a Logger, on the card of the test.
#pragma once

#include <SdFat.h>

#include <cstdint>

#include "real_sdfat.h"
#include "support/volume.h"

namespace real_sdfat {

template <typename AnyVolume>
struct RealSdFat {
  using Volume = AnyVolume;
  static constexpr const char* kName = "SdFat";
  static Volume& volume() {
    static Volume volume;
    return volume;
  }
  // The card of the test, in the drive of FatFs, which looks at what is on it.
  static bool start() {
    constexpr std::uint8_t kNoTableOfPartitions = 0;
    static Blocks* blocks = nullptr;
    delete blocks;
    blocks = new Blocks(*filesystems::RamDisk::inserted());
    return volume().begin(blocks, true, kNoTableOfPartitions);
  }
};

}  // namespace real_sdfat
