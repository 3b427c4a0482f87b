// The row groups of a file of ours, by all its footers and records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "byte_views.h"
#include "tail_heads.h"
#include "thrift_dom/footer_parts.h"
#include "traces.h"
#include "view.h"

namespace microparquet::recovery {

// The sequences of one file among the traces, and where in them one history was continued by another
// (src/FORMAT.md, "Sequences and interruptions").
class Histories {
 public:
  Histories(const Traces& traces, std::uint32_t file_id);

  // Number of the history that `sequence` belongs to: 0 is the first.
  std::size_t of(std::uint32_t sequence) const;

  // The last one found, of footers, records and emptied slots; 0 without any.
  std::uint32_t last_sequence() const { return last_sequence_; }

 private:
  std::vector<std::uint32_t> begins_;  // begins of all histories but the first
  std::uint32_t last_sequence_ = 0;
};

// The description of a row group of ours: the last footer that can be believed, a record after it, or the head of a tail
// (src/FORMAT.md).
enum class Source : std::uint8_t { kFooter, kOpenInFooter, kRecord, kHead };

// A row group that something believed describes.
struct Described {
  Bytes entry;  // of a head: empty until gather_saved_rows() has made it
  Source source = Source::kFooter;
  std::uint64_t rows = 0;
  std::uint64_t at = 0;  // offset of the footer or slot
  // CRC of the CRCs of the row group's dictionary pages, if a record has it.
  std::optional<std::uint32_t> dictionaries_crc = std::nullopt;
  std::shared_ptr<const TailHead> head = nullptr;  // the head, if that is the source
};

// A row group, and what else describes it with fewer rows, should the first not hold: one row group, or the stored pages
// and the tail.
struct RowGroupHistory {
  Described described;
  std::vector<RowGroupHistory> before;
};

// What a save counts, with its own row group (src/FORMAT.md, "Saves of a stream").
struct SavedEntries {
  std::uint32_t row_groups = 0;
  std::uint32_t crc = 0;  // of their entries
};

// The save of a stream that counts.
struct TakenSave {
  std::uint64_t place = 0;  // where its head begins
  std::uint64_t rows = 0;   // rows it has made safe, beyond the footer
  Piece belongs;            // where its bytes belong; no bytes: the rows are there without it
};

struct History {
  FooterTrace trace;
  Footer footer;
  std::vector<RowGroupHistory> row_groups;
  // The same otherwise, and with fewer rows: by some of footer, records and heads. Should the row groups above not hold,
  // these may.
  std::vector<std::vector<RowGroupHistory>> otherwise;
  std::uint32_t records = 0;        // records that the footer does not describe
  bool has_head = false;            // a head has more rows than footer and records describe
  std::uint32_t last_sequence = 0;  // largest sequence of the file, believed or not
  bool later_record = false;        // one of the last history is not among those believed
  bool may_be_void =
      false;  // a later history may have begun at an earlier footer: nothing proves where it did
  std::uint64_t rows() const;
  bool has_saved = false;  // the records lead to the entries that a save counts
  std::optional<TakenSave> save;
  // Rows of a save that neither footer nor records describe, or those.
  std::uint64_t rows_saved() const;
};

// The files whose footers are among the traces, by file id, in the order of their places.
std::vector<std::uint32_t> file_ids(const Traces& traces);

// The footers of file `file_id`, the last one first.
std::vector<FooterTrace> footers_of(const Traces& traces, std::uint32_t file_id);

// The history that ends with the footer `trace` and the records after it; none when the footer is malformed
// or void: emptied slots or the first record of a later history say that this began at an earlier footer. `even_void` takes
// such a footer, without records. A save that continues the footer proves the records that lead to it, `saved`, wherever a later
// history began. The first byte of the file is byte 0 of `file`.
std::optional<History> read_history(File& file, const Traces& traces, const FooterTrace& trace,
                                    bool even_void = false,
                                    const std::optional<SavedEntries>& saved = std::nullopt);

// The records of a file, from that of its first row group on, when no footer can be believed.
std::vector<RowGroupHistory> records_from_beginning(File& file, const Traces& traces);

}  // namespace microparquet::recovery
