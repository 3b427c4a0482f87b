// Rows of lists by their numbers, over damaged pages, and into structs.
#pragma once

#include <cstddef>
#include <cstdint>

// Reads the bytes as a file; ends the program where what comes is not right.
void seek_items_every_way(const std::uint8_t* data, std::size_t size);
