// Rows of a file that lost its footer, or never had one, with the columns of a file that has one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "candidates.h"
#include "result.h"
#include "traces.h"
#include "view.h"

namespace microparquet::recovery {

struct SalvageOptions {
  std::string schema_name;       // the name of the file with the same columns, for people
  std::uint64_t group_rows = 0;  // rows of a row group; 0: nobody knows
  bool same_settings = false;    // the other file was written with the same ones
  bool partial = false;          // rows of which some columns are lost are kept too, with nulls for these
  bool unchecked =
      false;  // of a damaged file also pages without a checksum are kept, of ours what nothing proves
};

struct Salvaged {
  Found found;
  Result result;
  std::vector<std::string> incomplete;  // a sentence for each row group of which something is missing
  std::string unproved;                 // a sentence, when nothing proves some of what is kept
  bool unsure = false;                  // something speaks against that
};

// Walks the pages of `view` from its beginning, and shares them out among the columns of the other file, `schema`, as row groups are
// laid out: column by column in the schema's order, all of one number of rows. What is the same in all such readings is
// found. In a file of microparquet its footers and records are believed instead, and pages that none of them describes only
// with SalvageOptions::unchecked: they may be those of an earlier file.
// A file that was cut has whole pages up to its end. Where there is anything else, it is damaged, and nothing tells which of
// the pages without a checksum hold. Changes what is after the end of `view`. Throws Failure.
Salvaged salvage(View& view, const Traces& traces, File& schema, const SalvageOptions& options,
                 const Progress& progress);

}  // namespace microparquet::recovery
