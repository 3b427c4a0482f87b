// Rows that a head tells of, as a row group: stored pages and the open one of a column lie in different places.
#pragma once

#include <vector>

#include "history.h"
#include "thrift_dom/footer_parts.h"
#include "view.h"

namespace microparquet::recovery {

// Copies the pages of heads together, after the pieces of `view`, and makes their entries. What is not whole is left out:
// then what describes fewer of the rows takes its place. `fields` are those of the footer.
void gather_saved_rows(View& view, const std::vector<FooterField>& fields,
                       std::vector<RowGroupHistory>& row_groups);

}  // namespace microparquet::recovery
