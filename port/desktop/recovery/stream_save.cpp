#include "stream_save.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "format/record_format.h"
#include "format/save_head.h"
#include "microparquet/detail/sectors.h"
#include "numbers.h"
#include "view.h"

namespace microparquet::recovery {

namespace {

using detail::SectorIndex;
using write::SaveHead;

constexpr std::uint64_t kSaveHeadBytes = detail::kSectorBytes;
constexpr std::size_t kSaveCrcBytes = 4;
constexpr std::uint64_t kBytesAfterCrc = 9;  // stop byte, length and PAR1

using PlaceBounds = std::pair<std::uint64_t, std::uint64_t>;  // begin and end

struct WholeSave {
  std::uint64_t place;  // where its head begins
  SaveHead head;
  Bytes bytes;
};

// The places for saves that a footer names; none that have no space for a save's bytes.
std::vector<PlaceBounds> save_places_of(const FooterTrace& footer) {
  const detail::FooterExtension& extension = footer.extension;
  if (footer.columns != 0 || footer.torn || extension.free_begin >= extension.free_end ||
      extension.free_end.offset() > footer.begin) {
    return {};
  }
  const std::uint64_t begin = extension.free_begin.offset();
  const std::uint64_t most =
      std::uint64_t{(extension.free_end - extension.free_begin).count() / 2} * detail::kSectorBytes;
  if (most <= kSaveHeadBytes) {
    return {};
  }
  return {{begin, begin + most}, {begin + most, begin + 2 * most}};
}

// The save in a place, of whichever footer. None: it is not whole, or of another file.
std::optional<WholeSave> save_at(File& file, const PlaceBounds& place, std::uint32_t file_id) {
  const Bytes bytes = read_bytes(file, place.first, sizeof(SaveHead));
  if (bytes.empty()) {
    return std::nullopt;
  }
  SaveHead head;
  std::memcpy(&head, bytes.data(), sizeof head);
  if (head.tag != write::kSaveTag || head.version != write::kFormatVersion || head.file_id != file_id ||
      head.crc != crc_of(0, ByteView(bytes).subspan(0, sizeof head - kSaveCrcBytes)) ||
      head.bytes > place.second - place.first - kSaveHeadBytes) {
    return std::nullopt;
  }
  Bytes saved = read_bytes(file, place.first + kSaveHeadBytes, head.bytes);
  if (saved.size() != head.bytes || crc_of(0, saved) != head.bytes_crc) {
    return std::nullopt;
  }
  return WholeSave{place.first, head, std::move(saved)};
}

// Whether the save continues the footer.
bool continues_footer(File& file, const SaveHead& head, const FooterTrace& footer) {
  const detail::FooterExtension& extension = footer.extension;
  const std::uint64_t begin = SectorIndex(head.begin).offset();
  const Bytes crc = read_bytes(file, footer.end - kBytesAfterCrc - kSaveCrcBytes, kSaveCrcBytes);
  return !crc.empty() && head.continues == number_at<std::uint32_t>(crc, 0) &&
         extension.next < extension.segment_end && extension.segment_end.offset() <= footer.begin &&
         begin >= extension.next.offset() && begin + head.bytes <= extension.segment_end.offset() &&
         head.rows >= extension.rows;
}

// The traces without the records in the places for saves: one there is that of a save, which counts whole or not at all.
Traces without_saves(const Traces& traces, const FooterTrace& footer) {
  Traces others = traces;
  for (const PlaceBounds& place : save_places_of(footer)) {
    const auto is_inside = [&](const SlotTrace& slot) {
      return slot.end > place.first && slot.end <= place.second;
    };
    auto& slots = others.slots;
    slots.erase(std::remove_if(slots.begin(), slots.end(), is_inside), slots.end());
  }
  return others;
}

}  // namespace

std::vector<SavePlace> find_save_places(File& file, const FooterTrace& footer) {
  std::vector<SavePlace> found;
  for (const PlaceBounds& place : save_places_of(footer)) {
    SavePlace& here = found.emplace_back();
    here.begin = place.first;
    here.end = place.second;
    if (const auto save = save_at(file, place, footer.extension.file_id)) {
      here.saved_end = place.first + kSaveHeadBytes + save->head.bytes;
      here.rows = save->head.rows;
      here.counts = continues_footer(file, save->head, footer);
    }
  }
  return found;
}

std::vector<StreamSave> find_stream_saves(File& file, const FooterTrace& footer) {
  std::vector<WholeSave> found;
  for (const PlaceBounds& place : save_places_of(footer)) {
    auto save = save_at(file, place, footer.extension.file_id);
    if (save && continues_footer(file, save->head, footer)) {
      found.push_back(std::move(*save));
    }
  }
  if (found.size() == 2 && static_cast<std::int32_t>(found[1].head.number - found[0].head.number) > 0) {
    std::swap(found[0], found[1]);
  }
  std::vector<StreamSave> saves;
  for (auto& [place, head, bytes] : found) {
    saves.push_back({place,
                     SectorIndex(head.begin).offset(),
                     std::move(bytes),
                     head.rows,
                     {head.row_groups, head.entries_crc}});
  }
  return saves;
}

std::optional<History> read_history_to_save(File& shown, const Traces& traces, const FooterTrace& trace,
                                            bool even_void, const SavedEntries& saved) {
  auto history = read_history(shown, without_saves(traces, trace), trace, even_void, saved);
  if (!history || !history->has_saved) {
    return std::nullopt;
  }
  // What is written after this continues above all numbers.
  history->last_sequence = Histories(traces, trace.extension.file_id).last_sequence();
  return history;
}

std::optional<History> read_saved_history(File& file, const Traces& traces, const FooterTrace& trace,
                                          bool even_void) {
  auto without = read_history(file, without_saves(traces, trace), trace, even_void);
  for (StreamSave& save : find_stream_saves(file, trace)) {
    TakenSave taken = {save.place, save.rows - trace.extension.rows, {save.begin, save.bytes.size()}};
    View shown(file, {{0, bytes_of(file)}});
    shown.replace(save.begin, std::move(save.bytes));
    auto history = read_history_to_save(shown, traces, trace, even_void, save.entries);
    if (!history || history->rows() < save.rows) {
      continue;
    }
    if (without && without->rows() >= history->rows()) {
      taken.belongs = {};
      history = std::move(without);
    }
    history->save = taken;
    return history;
  }
  return without;
}

}  // namespace microparquet::recovery
