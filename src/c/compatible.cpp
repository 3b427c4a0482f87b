// Options that suit every reader, for C.
#include "microparquet/compatible.h"

#include "c/schema_objects.h"
#include "microparquet/c/compatible.h"
#include "microparquet/span.h"

namespace microparquet::c {
namespace {

constexpr Options kCompatible = compatible();
static_assert(kCompatible.layout == &kForward);

bool is_compatible_column(const mpq_column& column) {
  if (column.type == nullptr) return false;
  Field field = column.type->field;
  if (column.encoding != nullptr) column.encoding->apply(field);
  return is_compatible(field);
}

}  // namespace
}  // namespace microparquet::c

using microparquet::c::kCompatible;

const mpq_options mpq_compatible_options = {kCompatible.page_bytes,
                                            kCompatible.whole_sectors,
                                            &mpq_forward,
                                            kCompatible.row_group_rows,
                                            kCompatible.row_group_bytes,
                                            kCompatible.row_group_ms,
                                            kCompatible.checkpoint_ms,
                                            kCompatible.max_loss_ms,
                                            kCompatible.checkpoint_ratio,
                                            kCompatible.max_row_groups_in_memory,
                                            kCompatible.max_bound_bytes,
                                            kCompatible.max_key_values,
                                            kCompatible.block_bytes,
                                            {},
                                            kCompatible.file_id,
                                            &mpq_crc32_fast};

bool mpq_is_compatible(const mpq_column* columns, size_t column_count) {
  if (columns == nullptr) return false;
  for (const mpq_column& column : microparquet::Span<const mpq_column>(columns, column_count)) {
    if (!microparquet::c::is_compatible_column(column)) return false;
  }
  return true;
}
