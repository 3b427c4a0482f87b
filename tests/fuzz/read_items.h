// Functions that several fuzzers share for nested columns.
#pragma once

#include <cstddef>
#include <cstdint>

// Bytes as a file, read item by item, in batches of items and by records. As read_every_way(): all ways say the same.
void read_items_every_way(const std::uint8_t* data, std::size_t size);
