// The parts of a file that only microparquet writes, and what was written over.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "byte_views.h"
#include "file_map.h"
#include "history.h"
#include "traces.h"
#include "view.h"

namespace microparquet::recovery {

// Finds for each RowGroup structure the bytes of its column chunks that lie in chunks of those after it,
// ascending in each chunk. Throws Failure when one is malformed.
std::vector<std::vector<Piece>> find_overwritten(const std::vector<Bytes>& entries);

// Whether the bytes up to `end` are reserved.
struct Reserved {
  bool reserved;
  std::uint64_t end;
};

// The parts of a file that only microparquet writes (src/FORMAT.md): older footers, the slots of records, places for saves, space
// that is reserved, and pages that nothing describes.
class OwnParts {
 public:
  // `last` is the footer at the end of `file`, which must stay.
  OwnParts(File& file, const FooterTrace& last, const Progress& progress);

  // The row groups of the last footer, and those of the records after it.
  const std::vector<RowGroupHistory>& row_groups() const { return row_groups_; }

  // Where in a save the bytes are that belong at `offset`; none: they are there.
  std::optional<std::uint64_t> place_in_save(std::uint64_t offset) const;

  // Adds footers, slots and saves, in no order. `parts` has the column chunks.
  void add_parts(std::vector<FilePart>& parts) const;

  // Adds the pages in [begin, end), where nothing is that has a name.
  void add_stray_pages(std::uint64_t begin, std::uint64_t end, std::vector<FilePart>& parts);

  Reserved reserved_at(std::uint64_t offset) const;

 private:
  struct RowGroupBegin {
    std::uint64_t begin;
    std::uint32_t number;
    std::uint64_t rows;
  };
  std::vector<RowGroupBegin> begins(const std::vector<FilePart>& parts) const;
  void add_saves(std::vector<FilePart>& parts) const;
  void add_heads(std::vector<FilePart>& parts) const;
  void add_slot(std::uint64_t end, PartKind kind, const std::vector<RowGroupBegin>& begins,
                std::vector<FilePart>& parts) const;
  void add_unused_slots(const std::vector<RowGroupBegin>& row_groups, std::vector<FilePart>& parts) const;
  bool has_slot(std::uint64_t end) const;
  bool is_in_place_for_tails(std::uint64_t offset) const;
  std::uint64_t stray_page_end(std::uint64_t begin, std::uint64_t end);

  File& file_;
  FooterTrace last_;
  Traces traces_;
  std::vector<RowGroupHistory> row_groups_;
  std::uint64_t rows_ = 0;         // of those row groups
  std::optional<TakenSave> save_;  // of a stream
  std::vector<TailHead> heads_;    // all that are whole, in the order of their places
  std::uint64_t bytes_to_sum_;
};

}  // namespace microparquet::recovery
