// What the writer gets for a file: its columns and options.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "csv_settings.h"
#include "microparquet/writer.h"
#include "output_file.h"
#include "table_plan.h"

namespace csv_log {

// The library keeps no more of a page free for what compression may add than 64 KiB.
inline constexpr std::uint32_t kMostCompressedPageBytes = 8'000'000;

// A page, in whole sectors, that takes a text of this many bytes.
std::uint32_t page_bytes_for(std::size_t text_bytes, const Settings& settings);

// The names are those in `plan`, which must stay.
std::vector<microparquet::Field> fields_of(const TablePlan& plan, const Settings& settings);

microparquet::Options options_of(const TablePlan& plan, const Settings& settings, const Output& output);

}  // namespace csv_log
