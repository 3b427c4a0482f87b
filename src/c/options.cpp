// Options for C, with the defaults of C++.
#include "microparquet/c/options.h"

#include "microparquet/layout.h"
#include "microparquet/options.h"
#include "microparquet/sorting.h"

using microparquet::Options;

struct mpq_layout {
  microparquet::Layout layout;
};

const mpq_layout mpq_in_place = {microparquet::kInPlace};
const mpq_layout mpq_in_place_no_checkpoints = {microparquet::kInPlaceNoCheckpoints};
const mpq_layout mpq_forward = {microparquet::kForward};

const mpq_sort_checker* const mpq_row_sort_checker =
    reinterpret_cast<const mpq_sort_checker*>(&microparquet::kRowSortChecker);

namespace {

constexpr Options kDefaults;

}  // namespace

const mpq_options mpq_default_options = {kDefaults.page_bytes,
                                         kDefaults.whole_sectors,
                                         &mpq_in_place,
                                         kDefaults.row_group_rows,
                                         kDefaults.row_group_bytes,
                                         kDefaults.row_group_ms,
                                         kDefaults.checkpoint_ms,
                                         kDefaults.max_loss_ms,
                                         kDefaults.checkpoint_ratio,
                                         kDefaults.max_row_groups_in_memory,
                                         kDefaults.max_bound_bytes,
                                         kDefaults.max_key_values,
                                         kDefaults.block_bytes,
                                         {},
                                         kDefaults.file_id,
                                         &mpq_crc32_fast};

std::uint32_t mpq_crc32_fast(std::uint32_t crc, const void* data, std::size_t bytes) {
  return microparquet::crc32_portable(crc, data, bytes);
}

std::uint32_t mpq_crc32_small(std::uint32_t crc, const void* data, std::size_t bytes) {
  return microparquet::crc32_small(crc, data, bytes);
}
