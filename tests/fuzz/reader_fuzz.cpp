// libFuzzer: any bytes as a file.
#include "read_every_way.h"
#include "read_items.h"
#include "seek_items.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_every_way(data, size);
  read_items_every_way(data, size);
  seek_items_every_way(data, size);
  return 0;
}
