// The traces of microparquet in a file beside its rows, and what they show without a footer.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "format/record_format.h"
#include "microparquet/detail/footer_state.h"
#include "microparquet/file.h"
#include "view.h"

namespace microparquet::recovery {

constexpr std::uint32_t kTrailerBytes = sizeof(write::RecordTrailer) + 4;  // trailer with its CRC

// A genuine footer of ours: its CRCs are right. They cover all but its last nine bytes, which say nothing of rows.
struct FooterTrace {
  std::uint64_t begin;
  std::uint64_t end;      // after its PAR1, or where that would end
  std::uint32_t columns;  // columns whose free extents the extension lists; 0 in forward mode
  detail::FooterExtension extension;
  bool torn = false;      // its length or PAR1 is not there
  std::uint64_t tag = 0;  // place of the extension's tag
};

// The slot of a record that ends at `end`; its trailer's CRC is right. What stands before it is not looked
// at.
struct SlotTrace {
  std::uint64_t end;
  write::RecordTrailer trailer;

  bool empty() const { return trailer.entry.bytes == 0; }
};

// Traces of microparquet in a file beside its rows: footers, records and emptied slots (src/FORMAT.md).
struct Traces {
  std::vector<FooterTrace> footers;  // footers in the order of their offsets
  std::vector<SlotTrace> slots;
  std::vector<std::uint64_t>
      tails;  // places of the tags of heads, whole or not; not known of files in pieces
  std::vector<std::uint64_t> unexplained;  // places of tags that are none of these
  bool later_version = false;  // there are footers or records of a version that this library does not know
};

// Told how many bytes have been passed.
using Progress = std::function<void(std::uint64_t bytes)>;

// Looks at every byte of `file`. Sectors that cannot be read are passed over.
Traces find_traces(File& file, const Progress& progress);

// Bytes that footers may still cost which are none, or have lost their length: few are so, and bytes may be made to claim it.
struct SearchBudget {
  explicit SearchBudget(std::uint64_t bytes);

  std::uint64_t to_sum;
  std::uint64_t to_search;
};

// The traces of a medium, and of files that lie on it in pieces: of these only what crosses from one piece to the next is read.
class MediumTraces {
 public:
  // Looks at every byte of `medium`.
  MediumTraces(File& medium, const Progress& progress);

  const Traces& all() const { return all_; }
  // The traces of a file, as find_traces() would find them. `file` is a view of `pieces`, which do not touch each other.
  Traces of(View& file, const std::vector<Piece>& pieces);

 private:
  Traces all_;
  SearchBudget budget_;  // for all files together
};

// The footer at the end of `file`.
std::optional<FooterTrace> last_footer(File& file);

// The CRC of the dictionary pages that the entry names in the slot that begins at `begin`: see write::DictionaryProof. None: the
// record's writer has no dictionaries, or did not say it.
std::optional<std::uint32_t> dictionaries_crc(File& file, const SlotTrace& slot, std::uint64_t begin);

// The slot that ends at `end`.
std::optional<SlotTrace> slot_before(File& file, std::uint64_t end);

// 512; or, where footers of file `file_id` lie as only larger blocks make them, the largest size on which
// they all end.
std::uint32_t block_bytes_of(const Traces& traces, std::uint32_t file_id);

}  // namespace microparquet::recovery
