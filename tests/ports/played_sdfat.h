// The stand-in for SdFat as the library of a Logger, on the card of the test.
#pragma once

#include <SdFat.h>

namespace ports {

struct PlayedSdFat {
  using Volume = SdFs;
  static constexpr const char* kName = "SdFat's stand-in";
  static SdFs& volume() {
    static SdFs volume;
    return volume;
  }
  static bool start() { return volume().begin(10); }
};

}  // namespace ports
