#include "open_row_group.h"

#include <algorithm>
#include <utility>

#include "microparquet/detail/format/magic.h"
#include "numbers.h"

namespace microparquet::recovery {

namespace {

std::uint32_t place_of(const TailHead& head) { return head.number % kTailPlaces; }

// The CRC at the end of a footer.
std::uint32_t crc_of_footer(File& file, const FooterTrace& trace) {
  constexpr std::uint64_t kAfterCrc = 1 + format::kFileEndBytes;  // with the stop byte
  const Bytes bytes = read_bytes(file, trace.end - kAfterCrc - sizeof(std::uint32_t), sizeof(std::uint32_t));
  return bytes.empty() ? 0 : number_at<std::uint32_t>(bytes, 0);
}

}  // namespace

std::optional<std::uint32_t> crc_before_last(const Footer& footer, std::size_t count) {
  const std::vector<Bytes>& entries = footer.entries;
  if (entries.size() < count) {
    return std::nullopt;
  }
  std::uint32_t crc = 0;
  for (std::size_t i = 0; i < entries.size() - count; ++i) {
    crc = crc_of(crc, entries[i]);
  }
  return crc;
}

bool is_followed_by_tail(const write::EntrySummary& entry, std::uint64_t at, std::uint64_t slot_bytes) {
  return entry.next == at + slot_bytes;
}

OpenRowGroup::OpenRowGroup(File& file, const FooterTrace& trace, const Footer& footer,
                           std::vector<std::uint64_t> places)
    : file_(file),
      trace_(trace),
      leaves_(trace.columns != 0 ? leaves_of(footer.fields) : std::vector<Leaf>()),
      places_(std::move(places)),
      limit_(bytes_of(file)),
      sequence_(trace.extension.sequence),
      crc_(trace.extension.entries_crc) {
  const detail::FooterExtension& extension = trace.extension;
  if (extension.open_bytes == 0) {
    states_.push_back({extension.entries_crc, 0, 0, 0});
    return;
  }
  states_.push_back({extension.finished_crc, 1, 0, 0});
  if (const auto crc = crc_before_last(footer, 2)) {
    const Bytes& stored = footer.entries[footer.entries.size() - 2];
    states_.push_back({*crc, 2, static_cast<std::uint32_t>(stored.size()), extension.finished_crc});
  }
}

void OpenRowGroup::pass(std::uint64_t at, const write::RecordTrailer& trailer, std::size_t replaces) {
  const std::uint64_t slot_bytes = trace_.extension.slot_bytes;
  const write::EntrySummary& entry = trailer.entry;
  std::uint32_t before = crc_;
  for (const State& state : states_) {
    before = replaces != 0 && state.entries == replaces ? state.crc : before;
  }
  crc_ = entry.crc;
  sequence_ = trailer.sequence;
  has_records_ = true;
  if (is_followed_by_tail(entry, at, slot_bytes)) {
    places_ = {at};
    states_ = {{before, 1, entry.bytes, entry.crc, true}};
  } else if (entry.next != 0) {  // it is finished
    places_ = {entry.next};
    states_ = {{entry.crc, 0, 0, 0}};
  } else if (replaces == 0 && states_.size() == 1 && states_.front().lacks_tail &&
             at == places_.front() + slot_bytes) {
    states_.front().entries = 2;
    states_.front().lacks_tail = false;
  } else if (replaces != 1) {
    places_ = {at - slot_bytes};
    states_ = {{before, 1, 0, 0}};
  }
}

const std::vector<TailHead>& OpenRowGroup::heads() {
  if (searched_ == places_) {
    return heads_;
  }
  searched_ = places_;
  heads_.clear();
  for (const std::uint64_t place : places_) {
    for (TailHead& head :
         heads_at(file_, place + 2 * std::uint64_t{trace_.extension.slot_bytes}, limit_, leaves_)) {
      const bool may_count = head.pages_hold && head.file_id == trace_.extension.file_id &&
                             head.sequence >= trace_.extension.sequence;
      if (may_count) {
        heads_.push_back(std::move(head));
      }
    }
  }
  std::sort(heads_.begin(), heads_.end(),
            [](const TailHead& a, const TailHead& b) { return a.number > b.number; });
  return heads_;
}

std::optional<FoundHead> OpenRowGroup::save_after_footer() {
  if (trace_.extension.open_bytes == 0) {
    return std::nullopt;
  }
  const std::uint32_t crc = crc_of_footer(file_, trace_);
  for (const TailHead& head : heads()) {
    for (const State& state : states_) {
      if (head.save && head.continues == crc && head.finished_crc == state.crc) {
        return FoundHead{head, state.entries};
      }
    }
  }
  return std::nullopt;
}

// Whether the head continues what describes the row group.
bool OpenRowGroup::is_of_state(const TailHead& head, const State& state) const {
  return state.entries != 0 && !state.lacks_tail && head.sequence >= sequence_ &&
         head.finished_crc == state.crc && head.listed_bytes == state.listed_bytes &&
         (head.listed_bytes == 0 || head.listed_crc == state.listed_crc);
}

// The newest save after the footer of which another head tells; null: there is none.
const TailHead* OpenRowGroup::save_after(const std::vector<TailHead>& heads,
                                         const TailHead& of_footer) const {
  const auto save = std::find_if(heads.begin(), heads.end(), [&](const TailHead& head) {
    return head.save && head.number > of_footer.number && head.live_place == place_of(of_footer) &&
           head.finished_crc == of_footer.finished_crc && head.listed_bytes == of_footer.listed_bytes &&
           head.listed_crc == of_footer.listed_crc && head.described_rows == of_footer.rows &&
           head.sequence >= of_footer.sequence;
  });
  return save != heads.end() ? &*save : nullptr;
}

// Whether a slot of the row group states the CRC of all entries of the head's footer: it is the record of the tail, or was
// emptied by a writer that continued that footer.
bool OpenRowGroup::is_stated(const TailHead& head, const Traces& traces) const {
  const std::uint64_t slot_bytes = trace_.extension.slot_bytes;
  return std::any_of(traces.slots.begin(), traces.slots.end(), [&](const SlotTrace& slot) {
    const bool is_here = std::any_of(places_.begin(), places_.end(), [&](std::uint64_t place) {
      return slot.end == place + slot_bytes || slot.end == place + 2 * slot_bytes;
    });
    return is_here && slot.trailer.file_id == head.file_id && slot.trailer.entry.crc == head.continues;
  });
}

std::optional<FoundHead> OpenRowGroup::head_after_records(const Traces& traces,
                                                          const RowsInLast& rows_in_last) {
  if (trace_.extension.file_id == 0) {
    return std::nullopt;
  }
  const std::vector<TailHead>& heads = this->heads();
  for (const State& state : states_) {
    for (const TailHead& head : heads) {
      if (has_records_ && head.save && is_of_state(head, state) &&
          head.described_rows == rows_in_last(state.entries)) {
        return FoundHead{head, state.entries};
      }
    }
    for (const TailHead& head : heads) {
      const bool is_lost = head.continues != trace_.extension.entries_crc;  // the footer
      if (is_lost && !head.save && head.finished_crc == state.crc && is_stated(head, traces)) {
        const TailHead* const save = save_after(heads, head);
        return FoundHead{save != nullptr ? *save : head, state.entries, true};
      }
    }
  }
  return std::nullopt;
}

}  // namespace microparquet::recovery
