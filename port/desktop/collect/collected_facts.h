// What a lake notes of a file that it takes in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "candidates.h"
#include "collected.h"
#include "thrift_dom/footer_key_values.h"
#include "view.h"

namespace mpq_tool {

// Device, firmware, session, split, start, and rows that the device dropped: by the names that the key-values have.
void take_key_values(const std::vector<microparquet::recovery::TextPair>& pairs, Collected& file);

// How many of the `rows` that were found the footer at the end of the file does not tell of.
std::uint64_t recovered_rows(microparquet::recovery::View& view, const microparquet::recovery::Found& found,
                             std::uint64_t rows);

// Schema and times, of the file at `path`. Throws Failure.
void take_timing(const std::string& path, Collected& file);

}  // namespace mpq_tool
