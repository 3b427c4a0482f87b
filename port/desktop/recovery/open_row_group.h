// The row group that was open when a file was cut off, and the heads in its places that tell more of it than footers and
// records do.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "tail_heads.h"
#include "thrift_dom/footer_parts.h"
#include "traces.h"

namespace microparquet::recovery {

// A head that is believed.
struct FoundHead {
  TailHead head;
  std::size_t entries;         // number of the last entries that it replaces
  bool proves_footer = false;  // a footer that is lost was on the medium, with all records before it
};

// Rows of the last `entries` row groups.
using RowsInLast = std::function<std::uint64_t(std::size_t entries)>;

// CRC of the entries of a footer but the last `count`; none: it has fewer.
std::optional<std::uint32_t> crc_before_last(const Footer& footer, std::size_t count);

// Whether a record in the slot at `at` is of the stored pages alone: that of the tail is in the slot after it.
bool is_followed_by_tail(const write::EntrySummary& entry, std::uint64_t at, std::uint64_t slot_bytes);

class OpenRowGroup {
 public:
  // As the footer of `trace` leaves it. `places` are those where its slots may be.
  OpenRowGroup(File& file, const FooterTrace& trace, const Footer& footer, std::vector<std::uint64_t> places);

  // A record of the chain after the footer, in the slot at `at`. It replaces the last `replaces` entries of the footer.
  void pass(std::uint64_t at, const write::RecordTrailer& trailer, std::size_t replaces);

  // The newest save that continues the footer.
  std::optional<FoundHead> save_after_footer();

  // The newest head after the records: a save after a footer that is lost; or the head of such a footer, if a slot states
  // its CRC. A file id of 0 was not chosen: an earlier file may have had it.
  std::optional<FoundHead> head_after_records(const Traces& traces, const RowsInLast& rows_in_last);

 private:
  // What is known of the row group.
  struct State {
    std::uint32_t crc;           // CRC of the entries before it
    std::size_t entries;         // number of entries that describe it
    std::uint32_t listed_bytes;  // length of the entry of its stored pages, if a tail follows; otherwise 0
    std::uint32_t listed_crc;    // CRC of all entries up to that one
    bool lacks_tail = false;     // the stored pages are known, the tail is not
  };
  const std::vector<TailHead>& heads();
  bool is_of_state(const TailHead& head, const State& state) const;
  const TailHead* save_after(const std::vector<TailHead>& heads, const TailHead& of_footer) const;
  bool is_stated(const TailHead& head, const Traces& traces) const;

  File& file_;
  const FooterTrace& trace_;
  std::vector<Leaf> leaves_;
  std::vector<std::uint64_t> places_;    // places where its slots may be
  std::vector<std::uint64_t> searched_;  // those that `heads_` are of
  std::vector<TailHead> heads_;
  std::uint64_t limit_;     // no place reaches beyond it
  std::uint32_t sequence_;  // the last one
  std::uint32_t crc_;       // of all entries
  std::vector<State> states_;
  bool has_records_ = false;
};

}  // namespace microparquet::recovery
