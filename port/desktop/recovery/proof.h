// Proves which rows of the row groups that something describes are there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "chunk_check.h"
#include "history.h"
#include "row_ranges.h"
#include "thrift_dom/footer_parts.h"
#include "traces.h"
#include "view.h"

namespace microparquet::recovery {

// A row group that holds, or those of its rows that do.
struct KeptRowGroup {
  Bytes entry;
  RowRanges rows;
  bool whole = true;               // all that the entry describes
  std::vector<Piece> overwritten;  // parts of it that later row groups have overwritten
  std::size_t row_group = 0;       // counted from 0, among those described
  bool mended = false;             // the view shows a page header that differs from the medium's
  bool unproved = false;           // a dictionary may be that of an earlier file
  bool gathered = false;           // the view has the pages after its pieces
};

struct LostRows {
  std::size_t row_group = 0;  // counted from 0, among those described
  RowRanges rows;
  std::uint64_t bytes = 0;  // bytes of its pages
  std::string why;
  bool unproved =
      false;  // nothing speaks against the rows, and a dictionary of theirs may be that of an earlier file
};

// The writer of a file. In files of microparquet each page has a checksum, and statistics are of just those
// values.
enum class Origin : std::uint8_t { kOtherWriter, kOwn };

// The treatment of rows that nothing contradicts and nothing proves.
enum class Unproved : std::uint8_t { kLeftOut, kKept };

// The row groups of a footer and of records, after a comparison with the pages.
struct Proof {
  std::vector<KeptRowGroup> kept;
  std::vector<LostRows> lost;
  bool first_contradicts = false;  // the pages of the first row group hold, but are not those described

  std::uint64_t rows_kept() const;
  std::uint64_t rows_unproved() const;  // rows among the kept ones that nothing proves
  bool could_keep_more() const;         // Unproved::kKept would keep more rows
};

// Proves row groups of a file with these footer fields. Changes what is after the end of `view`. Throws
// Failure when the fields make no footer that can be read, also without row groups.
Proof prove(View& view, const std::vector<FooterField>& fields,
            const std::vector<RowGroupHistory>& row_groups, Origin origin, Unproved unproved,
            const Progress& progress);

}  // namespace microparquet::recovery
