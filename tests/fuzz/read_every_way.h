// Functions that several fuzzers share.
#pragma once

#include <cstddef>
#include <cstdint>

// Bytes as a file, read by every way the reader has. It must neither crash nor hang, nor read outside what it was
// given; what it says of the file does not matter here, but that all ways say the same.
void read_every_way(const std::uint8_t* data, std::size_t size);
