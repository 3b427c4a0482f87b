#include "history.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "byte_views.h"
#include "format/record_format.h"
#include "microparquet/detail/format/magic.h"
#include "open_row_group.h"
#include "view.h"

namespace microparquet::recovery {

Histories::Histories(const Traces& traces, std::uint32_t file_id) {
  std::vector<std::uint32_t> found;
  for (const FooterTrace& trace : traces.footers) {
    if (trace.extension.file_id == file_id) {
      found.push_back(trace.extension.sequence);
    }
  }
  for (const SlotTrace& slot : traces.slots) {
    if (slot.trailer.file_id == file_id) {
      found.push_back(slot.trailer.sequence);
    }
  }
  if (found.empty()) {
    return;
  }
  std::sort(found.begin(), found.end());
  last_sequence_ = found.back();
  for (std::size_t i = 1; i < found.size(); ++i) {
    if (found[i] - found[i - 1] >= write::kHistoryGap) {
      begins_.push_back(found[i]);
    }
  }
}

std::size_t Histories::of(std::uint32_t sequence) const {
  const auto next = std::upper_bound(begins_.begin(), begins_.end(), sequence);
  return static_cast<std::size_t>(next - begins_.begin());
}

namespace {

// The state from which the records after a footer continue.
struct ChainBegin {
  std::uint32_t file_id;
  std::uint32_t sequence;
  std::uint32_t slot_bytes;
  std::uint64_t next;                         // offset of slot A
  std::uint32_t crc;                          // CRC of all entries
  std::optional<std::uint32_t> finished_crc;  // CRC of all entries but the open one
  std::optional<std::uint32_t> tailed_crc =
      std::nullopt;             // CRC of all entries but the last two: the open one may be a tail
  std::uint64_t otherwise = 0;  // other possible offset of slot A; 0: there is none
};

struct Record {
  Described described;
  write::RecordTrailer trailer;
  std::size_t replaces = 0;  // entries of the footer: the open one, or the stored pages and the tail
};

// Follows slots A, and slot B where they end.
class Chain {
 public:
  Chain(File& file, const Traces& traces, const Histories& histories, const ChainBegin& begin, bool in_place)
      : file_(file),
        traces_(traces),
        histories_(histories),
        begin_(begin),
        in_place_(in_place),
        crcs_{begin.crc} {}

  std::vector<Record> follow() {
    std::vector<Record> records;
    while (auto record = next_record()) {
      begin_.next = record->trailer.entry.next;
      begin_.otherwise = 0;
      begin_.crc = record->trailer.entry.crc;
      begin_.finished_crc.reset();
      begin_.tailed_crc.reset();
      begin_.sequence = record->trailer.sequence;
      crcs_.push_back(begin_.crc);
      records.push_back(std::move(*record));
    }
    return records;
  }

  // CRCs of the entries at the beginning and after each record.
  const std::vector<std::uint32_t>& crcs() const { return crcs_; }

 private:
  std::optional<Record> next_record() const {
    std::optional<Record> record;
    for (const std::uint64_t place : {begin_.next, begin_.otherwise}) {
      if (!record && place != 0) {
        record = slot_at(place + begin_.slot_bytes);
      }
      if (!record && place != 0 && in_place_) {
        record = slot_at(place + 2 * std::uint64_t{begin_.slot_bytes});
      }
    }
    return record ? std::move(record) : next_anywhere();
  }

  std::optional<Record> slot_at(std::uint64_t end) const {
    const auto slot = slot_before(file_, end);
    return slot ? believed(*slot) : std::nullopt;
  }

  // A footer that is lost may have said where the next record is; but it shows itself by continuing the
  // entries' CRC. Those of earlier histories may be void. A file id of 0 was not chosen: another file may
  // have had it.
  std::optional<Record> next_anywhere() const {
    std::optional<Record> best;
    const std::size_t last = last_history();
    for (const SlotTrace& slot : traces_.slots) {
      if (begin_.file_id == 0 || histories_.of(slot.trailer.sequence) != last) {
        continue;
      }
      // Slot A, which says what is next, before slot B; the later one of them.
      auto record = believed(slot);
      const auto rank = [](const Record& each) {
        return std::pair(each.trailer.entry.next != 0, each.trailer.sequence);
      };
      if (record && (!best || rank(*best) < rank(*record))) {
        best = std::move(record);
      }
    }
    return best;
  }

  std::size_t last_history() const {
    std::size_t last = histories_.of(begin_.sequence);
    for (const SlotTrace& slot : traces_.slots) {
      if (slot.trailer.file_id == begin_.file_id) {
        last = std::max(last, histories_.of(slot.trailer.sequence));
      }
    }
    return last;
  }

  // The record in `slot`, when it continues what is known.
  std::optional<Record> believed(const SlotTrace& slot) const {
    if (slot.empty() || slot.trailer.file_id != begin_.file_id || slot.trailer.sequence <= begin_.sequence ||
        slot.end < begin_.slot_bytes || slot.trailer.entry.bytes > begin_.slot_bytes - kTrailerBytes) {
      return std::nullopt;
    }
    Record record;
    record.trailer = slot.trailer;
    record.described.at = slot.end - begin_.slot_bytes;
    record.described.source = Source::kRecord;
    record.described.entry = read_bytes(file_, record.described.at, slot.trailer.entry.bytes);
    const ByteView entry(record.described.entry);
    const auto rows = rows_of(entry);
    if (entry.empty() || !rows) {
      return std::nullopt;
    }
    record.described.rows = *rows;
    record.described.dictionaries_crc = dictionaries_crc(file_, slot, record.described.at);
    const auto continues = [&](const std::optional<std::uint32_t>& crc) {
      return crc && crc_of(*crc, entry) == slot.trailer.entry.crc;
    };
    record.replaces = continues(begin_.finished_crc) ? 1 : continues(begin_.tailed_crc) ? 2 : 0;
    return record.replaces != 0 || continues(begin_.crc) ? std::optional(std::move(record)) : std::nullopt;
  }

  File& file_;
  const Traces& traces_;
  const Histories& histories_;
  ChainBegin begin_;
  bool in_place_;
  std::vector<std::uint32_t> crcs_;
};

// Whether some history of the file is later than a footer; after how many records of the footer's chain, whose entries have
// `crcs`, it began, if it did there; and whether it is proved to have begun at an earlier footer.
struct Later {
  bool any = false;
  std::optional<std::size_t> began_behind;
  bool began_before = false;
};

// Whether the record in `slot` is the first one after `footer`. Rows that were open then are finished as they were.
bool continues(File& file, const SlotTrace& slot, const detail::FooterExtension& footer) {
  if (slot.end < footer.slot_bytes || footer.slot_bytes < kTrailerBytes ||
      slot.trailer.entry.bytes > footer.slot_bytes - kTrailerBytes) {
    return false;
  }
  const Bytes entry = read_bytes(file, slot.end - footer.slot_bytes, slot.trailer.entry.bytes);
  return !entry.empty() && crc_of(footer.entries_crc, entry) == slot.trailer.entry.crc;
}

Later find_later(File& file, const Traces& traces, const Histories& histories, std::uint32_t file_id,
                 std::uint32_t sequence, const std::vector<std::uint32_t>& crcs) {
  Later later;
  const auto is_later = [&](std::uint32_t id, std::uint32_t other) {
    return id == file_id && histories.of(other) > histories.of(sequence);
  };
  const auto begins_at_an_earlier_one = [&](const SlotTrace& slot) {
    return std::any_of(traces.footers.begin(), traces.footers.end(), [&](const FooterTrace& trace) {
      const detail::FooterExtension& footer = trace.extension;
      return footer.file_id == file_id && footer.sequence < sequence &&
             (slot.empty() ? slot.trailer.entry.crc == footer.entries_crc : continues(file, slot, footer));
    });
  };
  for (const FooterTrace& trace : traces.footers) {
    later.any |= is_later(trace.extension.file_id, trace.extension.sequence);
  }
  for (const SlotTrace& slot : traces.slots) {
    if (is_later(slot.trailer.file_id, slot.trailer.sequence)) {
      later.any = true;
      const auto here = std::find(crcs.begin(), crcs.end(), slot.trailer.entry.crc);
      if (slot.empty() && here != crcs.end()) {
        later.began_behind = static_cast<std::size_t>(here - crcs.begin());
      } else if (!later.began_before) {
        later.began_before = begins_at_an_earlier_one(slot);
      }
    }
  }
  return later;
}

// The first footer of a file in place names no place, and one that closed the file stands inside the segment that it names: the
// next segment begins with the next block. A footer that stood there may have given way to another segment.
std::uint64_t segment_behind(const Traces& traces, const FooterTrace& trace) {
  for (const std::uint64_t block : {512U, 1024U, 2048U, 4096U}) {
    const std::uint64_t begin = (trace.end + block - 1) / block * block;
    const std::uint64_t slot_bytes = trace.extension.slot_bytes;
    for (const SlotTrace& slot : traces.slots) {
      const bool is_there = slot.end == begin + slot_bytes || slot.end == begin + 2 * slot_bytes;
      if (is_there && slot.trailer.file_id == trace.extension.file_id) {
        return begin;
      }
    }
  }
  return trace.end;
}

// Reads a footer's row groups, without the records after it.
std::optional<History> read_footer(File& file, const FooterTrace& trace) {
  const detail::FooterExtension& extension = trace.extension;
  // The stop byte is in no checksum.
  Bytes bytes = read_bytes(file, trace.begin,
                           static_cast<std::size_t>(trace.end - trace.begin - 1 - format::kFileEndBytes));
  bytes.push_back(std::byte{0});
  auto footer = parse_footer(bytes);
  const std::size_t described = extension.row_groups + (extension.open_bytes != 0 ? 1u : 0u);
  if (!footer || footer->entries.size() != described || footer->rows != extension.rows) {
    return std::nullopt;
  }
  History history;
  history.trace = trace;
  history.footer = std::move(*footer);
  for (const Bytes& entry : history.footer.entries) {
    const auto rows = rows_of(entry);
    if (!rows) {
      return std::nullopt;
    }
    const bool open = extension.open_bytes != 0 && &entry == &history.footer.entries.back();
    history.row_groups.push_back(
        {{entry, open ? Source::kOpenInFooter : Source::kFooter, *rows, trace.begin}, {}});
  }
  return history.rows() == extension.rows ? std::optional(std::move(history)) : std::nullopt;
}

// The state from which the records after a history's footer continue.
ChainBegin chain_begin(const Traces& traces, const History& history) {
  const FooterTrace& trace = history.trace;
  const detail::FooterExtension& extension = trace.extension;
  ChainBegin begin{extension.file_id, extension.sequence,    extension.slot_bytes,
                   trace.end,         extension.entries_crc, std::nullopt};
  const bool in_place = trace.columns != 0;
  if (extension.next != detail::kNowhere) {
    begin.next = extension.next.offset();
  } else if (in_place) {
    begin.next = segment_behind(traces, trace);
  }
  if (in_place && extension.segment_end.offset() >= trace.end) {
    begin.otherwise = segment_behind(traces, trace);
  }
  if (extension.open_bytes != 0) {
    begin.finished_crc = extension.finished_crc;
    begin.tailed_crc = crc_before_last(history.footer, 2);
  }
  return begin;
}

// Length of a slot, by the record of the first row group: no entry was summed up before its own. 0: it is not
// the first.
std::uint32_t slot_bytes_of_first(File& file, const SlotTrace& slot) {
  constexpr std::uint32_t kMostPadding = 64 << 10;  // slots are whole blocks
  const std::uint32_t entry_bytes = slot.trailer.entry.bytes;
  if (slot.end < kTrailerBytes || entry_bytes > slot.end - kTrailerBytes) {
    return 0;
  }
  const auto most = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(slot.end, std::uint64_t{entry_bytes} + kTrailerBytes + kMostPadding));
  const Bytes bytes = read_bytes(file, slot.end - most, most);
  for (std::uint32_t size = entry_bytes + kTrailerBytes; size <= most && !bytes.empty(); ++size) {
    const ByteView entry = ByteView(bytes).subspan(most - size, entry_bytes);
    if (rows_of(entry) && crc_of(0, entry) == slot.trailer.entry.crc) {
      return size;
    }
  }
  return 0;
}

// Adds the CRCs of dictionaries, by the records of row groups that a footer describes.
void add_dictionaries(File& file, const Traces& traces, History& history) {
  const detail::FooterExtension& extension = history.trace.extension;
  std::unordered_multimap<std::uint32_t, const SlotTrace*> records;  // records by the CRC of all entries up
                                                                     // to theirs
  for (const SlotTrace& slot : traces.slots) {
    if (!slot.empty() && slot.trailer.file_id == extension.file_id && slot.end >= extension.slot_bytes) {
      records.emplace(slot.trailer.entry.crc, &slot);
    }
  }
  std::uint32_t crc = 0;
  for (RowGroupHistory& row_group : history.row_groups) {
    Described& described = row_group.described;
    crc = crc_of(crc, described.entry);
    const auto [begin, end] = records.equal_range(crc);
    bool agreed = true;  // one slot of a row group may be left of an earlier boot
    for (auto record = begin; record != end; ++record) {
      const SlotTrace& slot = *record->second;
      if (slot.trailer.entry.bytes != described.entry.size()) {
        continue;
      }
      if (const auto said = dictionaries_crc(file, slot, slot.end - extension.slot_bytes)) {
        agreed = agreed && described.dictionaries_crc.value_or(*said) == *said;
        described.dictionaries_crc = said;
      }
    }
    if (!agreed) {
      described.dictionaries_crc.reset();
    }
  }
}

// Puts what describes the last `count` row groups with more rows in their place.
void replace_last(History& history, std::size_t count, Described&& described) {
  auto& row_groups = history.row_groups;
  const auto first = row_groups.end() - static_cast<std::ptrdiff_t>(count);
  RowGroupHistory replaced{std::move(described), {}};
  std::move(first, row_groups.end(), std::back_inserter(replaced.before));
  row_groups.erase(first, row_groups.end());
  row_groups.push_back(std::move(replaced));
}

std::uint64_t rows_in_last(const History& history, std::size_t count) {
  count = std::min(count, history.row_groups.size());
  return std::accumulate(
      history.row_groups.end() - static_cast<std::ptrdiff_t>(count), history.row_groups.end(),
      std::uint64_t{0},
      [](std::uint64_t rows, const RowGroupHistory& each) { return rows + each.described.rows; });
}

// Adds the records after the footer to its history, and has the open row group pass them.
void add_records(History& history, OpenRowGroup& open, std::vector<Record> records) {
  constexpr std::size_t kPagesAndTail = 2;  // entries of the footer
  // The footer has more rows of the row group than the record before, which is of the stored pages alone.
  bool footer_has_tail = false;
  for (Record& record : records) {
    Described& described = record.described;
    open.pass(described.at, record.trailer, record.replaces);
    ++history.records;
    const std::size_t replaces = footer_has_tail ? 1 : record.replaces;
    footer_has_tail = false;
    if (replaces == 0 || replaces > history.row_groups.size()) {
      history.row_groups.push_back({std::move(described), {}});
      continue;
    }
    if (history.row_groups.back().described.source != Source::kOpenInFooter) {
      continue;
    }
    // An open row group only grows.
    if (described.rows >= rows_in_last(history, replaces)) {
      replace_last(history, replaces, std::move(described));
    } else {
      footer_has_tail =
          record.replaces == kPagesAndTail &&
          is_followed_by_tail(record.trailer.entry, described.at, history.trace.extension.slot_bytes);
    }
  }
}

// Replaces the entries of which a head says more.
void add_head(History& history, FoundHead&& found) {
  Described described;
  described.source = Source::kHead;
  described.rows = found.head.rows;
  described.at = found.head.place.begin;
  described.head = std::make_shared<const TailHead>(std::move(found.head));
  replace_last(history, found.entries, std::move(described));
  history.has_head = true;
}

// The same history by a head that tells of the open row group.
History with_head(const History& history, FoundHead&& found) {
  History other = history;
  if (found.entries <= other.row_groups.size()) {
    add_head(other, std::move(found));
  }
  return other;
}

// The history by footer and records, and by the heads of the row group that they leave open. Takes the one with the most
// rows; before heads, footer and records.
void add_all(File& file, const Traces& traces, History& history, std::vector<Record>&& records,
             const std::vector<std::uint64_t>& places) {
  const bool heads = !places.empty();
  std::vector<History> all;
  OpenRowGroup open(file, history.trace, history.footer, places);
  if (auto save = heads ? open.save_after_footer() : std::nullopt) {
    all.push_back(with_head(history, std::move(*save)));
  }
  add_records(history, open, std::move(records));
  const auto rows = [&](std::size_t entries) { return rows_in_last(history, entries); };
  if (auto head = heads ? open.head_after_records(traces, rows) : std::nullopt) {
    all.push_back(with_head(history, std::move(*head)));
  }
  all.push_back(std::move(history));
  std::stable_sort(all.begin(), all.end(), [](const History& a, const History& b) {
    return a.rows() != b.rows() ? a.rows() > b.rows() : a.has_head < b.has_head;
  });
  history = std::move(all.front());
  for (std::size_t i = 1; i < all.size(); ++i) {
    history.otherwise.push_back(std::move(all[i].row_groups));
  }
}

// Whether a head proves the records after a footer, though a later history began after a footer that is lost.
bool proved_by_head(File& file, const Traces& traces, const History& by_footer,
                    const std::vector<Record>& records, const std::vector<std::uint64_t>& places) {
  History history = by_footer;
  OpenRowGroup open(file, by_footer.trace, by_footer.footer, places);
  add_records(history, open, records);
  const auto rows = [&](std::size_t entries) { return rows_in_last(history, entries); };
  const auto head = open.head_after_records(traces, rows);
  return head && head->proves_footer;
}

// The number of records after a footer that lead to the entries that a save counts; none if they do not. `crcs` are those of the
// entries at the footer and after each record.
std::optional<std::size_t> records_to_save(const detail::FooterExtension& footer,
                                           const std::optional<SavedEntries>& saved,
                                           const std::vector<std::uint32_t>& crcs) {
  if (!saved || footer.open_bytes != 0 || saved->row_groups < footer.row_groups) {
    return std::nullopt;
  }
  const std::size_t count = saved->row_groups - footer.row_groups;
  return count < crcs.size() && crcs[count] == saved->crc ? std::optional(count) : std::nullopt;
}

}  // namespace

std::uint64_t History::rows() const {
  std::uint64_t rows = 0;
  for (const RowGroupHistory& row_group : row_groups) {
    rows += row_group.described.rows;
  }
  return rows;
}

std::uint64_t History::rows_saved() const {
  if (!has_head) {
    return save ? save->rows : 0;
  }
  std::uint64_t rows = row_groups.back().described.rows;
  for (const RowGroupHistory& before : row_groups.back().before) {
    rows -= before.described.rows;
  }
  return rows;
}

std::vector<std::uint32_t> file_ids(const Traces& traces) {
  std::vector<std::uint32_t> ids;
  for (const FooterTrace& trace : traces.footers) {
    if (std::find(ids.begin(), ids.end(), trace.extension.file_id) == ids.end()) {
      ids.push_back(trace.extension.file_id);
    }
  }
  return ids;
}

std::vector<FooterTrace> footers_of(const Traces& traces, std::uint32_t file_id) {
  std::vector<FooterTrace> footers;
  for (const FooterTrace& trace : traces.footers) {
    if (trace.extension.file_id == file_id) {
      footers.push_back(trace);
    }
  }
  std::stable_sort(footers.begin(), footers.end(), [](const FooterTrace& a, const FooterTrace& b) {
    return a.extension.sequence > b.extension.sequence;
  });
  return footers;
}

std::optional<History> read_history(File& file, const Traces& traces, const FooterTrace& trace,
                                    bool even_void, const std::optional<SavedEntries>& saved) {
  auto history = read_footer(file, trace);
  if (!history) {
    return std::nullopt;
  }
  add_dictionaries(file, traces, *history);
  const detail::FooterExtension& extension = trace.extension;
  const ChainBegin begin = chain_begin(traces, *history);
  const bool in_place = trace.columns != 0;
  std::vector<std::uint64_t> places;
  if (in_place) {
    places.push_back(begin.next);
  }
  if (begin.otherwise != 0) {
    places.push_back(begin.otherwise);
  }
  const Histories histories(traces, extension.file_id);
  Chain chain(file, traces, histories, begin, in_place);
  std::vector<Record> records = chain.follow();
  const std::size_t this_history = histories.of(extension.sequence);
  const auto gone_on = std::find_if(records.begin(), records.end(), [&](const Record& record) {
    return histories.of(record.trailer.sequence) > this_history;
  });
  const Later later =
      find_later(file, traces, histories, extension.file_id, extension.sequence, chain.crcs());
  const std::optional<std::size_t> to_save = records_to_save(extension, saved, chain.crcs());
  history->has_saved = to_save.has_value();
  const bool begins_here = !later.any || later.began_behind || gone_on != records.end();
  if (!begins_here && !(in_place && proved_by_head(file, traces, *history, records, places))) {
    if (later.began_before && !even_void) {
      return std::nullopt;
    }
    // The next history began either at this footer, which makes the records after it void, or at an earlier
    // one, which makes this footer void. A save names this footer: the next history began at the save, or after it.
    const bool by_save = to_save && !later.began_before;
    records.resize(by_save ? *to_save : 0);
    history->may_be_void = !by_save;
  }
  if (later.began_behind && gone_on == records.end()) {
    records.resize(std::min(records.size(), *later.began_behind));
  }
  const std::uint32_t believed_to = records.empty() ? extension.sequence : records.back().trailer.sequence;
  add_all(file, traces, *history, std::move(records), places);
  history->last_sequence = histories.last_sequence();
  history->later_record = std::any_of(traces.slots.begin(), traces.slots.end(), [&](const SlotTrace& slot) {
    return !slot.empty() && slot.trailer.file_id == extension.file_id &&
           slot.trailer.sequence > believed_to &&
           histories.of(slot.trailer.sequence) == histories.of(history->last_sequence);
  });
  return history;
}

std::vector<RowGroupHistory> records_from_beginning(File& file, const Traces& traces) {
  constexpr std::size_t kMostTried = 16;
  for (std::size_t i = 0; i < std::min(traces.slots.size(), kMostTried); ++i) {
    const SlotTrace& first = traces.slots[i];
    const std::uint32_t slot_bytes = first.empty() ? 0 : slot_bytes_of_first(file, first);
    if (slot_bytes == 0) {
      continue;
    }
    std::vector<RowGroupHistory> row_groups;
    const ChainBegin begin{first.trailer.file_id, 0, slot_bytes, first.end - slot_bytes, 0, std::nullopt};
    const Histories histories(traces, begin.file_id);
    for (Record& record : Chain(file, traces, histories, begin, true).follow()) {
      row_groups.push_back({std::move(record.described), {}});
    }
    return row_groups;
  }
  return {};
}

}  // namespace microparquet::recovery
