#include "candidates.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "format/record_format.h"
#include "history.h"
#include "microparquet/desktop/failure.h"
#include "microparquet/detail/format/magic.h"
#include "saved_rows.h"
#include "stream_save.h"
#include "thrift_dom/foreign_footers.h"
#include "traces.h"

namespace microparquet::recovery {

namespace {

using format::kMagicBytes;

std::string basis_of(const History& history) {
  std::string text = "the footer at " + std::to_string(history.trace.begin) + " (sequence " +
                     std::to_string(history.trace.extension.sequence) + ", " +
                     std::to_string(history.trace.extension.rows) + " rows)";
  if (history.records != 0) {
    text += " and " + std::to_string(history.records) +
            (history.records == 1 ? " record after it" : " records after it");
  }
  if (history.has_head) {
    text += " and the head of a tail, whose rows no footer describes";
  }
  return text;
}

// Proves the row groups of a history; or those that it may have otherwise, where these have more rows that hold.
Proof prove_either(View& view, const std::vector<FooterField>& fields, History& history, Unproved unproved,
                   const Progress& progress) {
  gather_saved_rows(view, fields, history.row_groups);
  Proof proof = prove(view, fields, history.row_groups, Origin::kOwn, unproved, progress);
  for (std::size_t i = 0; i < history.otherwise.size() && !proof.lost.empty(); ++i) {
    gather_saved_rows(view, fields, history.otherwise[i]);
    Proof other = prove(view, fields, history.otherwise[i], Origin::kOwn, unproved, progress);
    if (other.rows_kept() > proof.rows_kept()) {
      proof = std::move(other);
    }
  }
  return proof;
}

// Whether a save continues the footer at the end of the file, and has more rows than `found`: a footer before the end, with
// a higher number, was not published then.
bool ends_in_save(View& view, const Traces& traces, const FooterTrace& last, const Found& found) {
  view.set_end({});
  const auto history = read_history(view, traces, last, true);
  return history && history->has_head && history->rows() > found.proof.rows_kept();
}

// Rows that one footer leads to.
struct FoundByFooter {
  Found found;
  bool may_be_void = false;
  bool shows_save = false;  // the view shows a save where it belongs
};

std::optional<FoundByFooter> find_by_footer(View& view, const Traces& traces, const FooterTrace& trace,
                                            std::uint32_t file_id, bool even_void, Unproved unproved,
                                            const Progress& progress,
                                            const std::optional<SavedEntries>& saved = std::nullopt) {
  view.set_end({});
  auto history = saved ? read_history_to_save(view, traces, trace, even_void, *saved)
                       : read_history(view, traces, trace, even_void);
  if (!history) {
    return std::nullopt;
  }
  FoundByFooter by_footer;
  by_footer.shows_save = saved.has_value();
  Found& found = by_footer.found;
  by_footer.may_be_void = history->may_be_void;
  found.fields = std::move(history->footer.fields);
  found.proof = prove_either(view, found.fields, *history, unproved, progress);
  if (found.proof.first_contradicts) {
    return std::nullopt;  // this footer is of a file that had these sectors before
  }
  const detail::FooterExtension& extension = trace.extension;
  found.own = OwnFile{file_id, write::next_history(history->last_sequence), extension.slot_bytes,
                      trace.columns, block_bytes_of(traces, file_id)};
  found.basis = basis_of(*history);
  found.footer_end = trace.end;
  found.records = history->records + (history->has_head ? 1U : 0U);
  if (history->later_record) {
    found.missing =
        "rows of which there is a record, but not the footer that leads to it; or it is of a deleted file "
        "that "
        "had this place and number before, and no row is missing";
    found.may_be_remains = true;
  }
  return by_footer;
}

// Whether more rows hold than in `other`; or as many, and none is lost.
bool is_better(const Proof& proof, const Proof& other) {
  return proof.rows_kept() > other.rows_kept() ||
         (proof.rows_kept() == other.rows_kept() && proof.lost.empty() && !other.lost.empty());
}

// The same, or with what a stream has saved after that footer, if more rows hold then: the view shows it where it
// belongs. What was written after the save may be lost: it was not safe.
std::optional<FoundByFooter> find_by_footer_or_save(View& view, const Traces& traces,
                                                    const FooterTrace& trace, std::uint32_t file_id,
                                                    bool even_void, Unproved unproved,
                                                    const Progress& progress) {
  auto found = find_by_footer(view, traces, trace, file_id, even_void, unproved, progress);
  if (!found) {
    return found;
  }
  for (StreamSave& save : find_stream_saves(view, trace)) {
    if (save.rows <= found->found.proof.rows_kept() && found->found.proof.lost.empty()) {
      continue;
    }
    view.replace(save.begin, std::move(save.bytes));
    auto saved = find_by_footer(view, traces, trace, file_id, even_void, unproved, progress, save.entries);
    if (saved && !saved->may_be_void && is_better(saved->found.proof, found->found.proof)) {
      saved->found.basis += " and a save, whose rows no footer describes";
      return saved;
    }
    view.take_back();
  }
  return found;
}

// The rows of the footer before that of a stream, with its records and its save, if they hold and are more than those of `found`, of
// which some are lost: before a size publishes a footer, a medium may keep it and not its rows. `before`: the footers before it,
// the last one first.
std::optional<Found> find_rows_before(View& view, const Traces& traces, Span<const FooterTrace> before,
                                      std::uint32_t file_id, Unproved unproved, const Progress& progress,
                                      const Found& found) {
  for (const FooterTrace& trace : before) {
    auto earlier = find_by_footer_or_save(view, traces, trace, file_id, false, unproved, progress);
    if (!earlier) {
      continue;
    }
    const bool holds = !earlier->may_be_void && (earlier->shows_save || earlier->found.proof.lost.empty());
    if (holds && earlier->found.proof.rows_kept() > found.proof.rows_kept()) {
      return std::move(earlier->found);
    }
    if (earlier->shows_save) {
      view.take_back();
    }
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Found> find_own_rows(View& view, const Traces& traces, const std::vector<FooterTrace>& footers,
                                   std::uint32_t file_id, bool even_void, Unproved unproved,
                                   const Progress& progress) {
  std::optional<Found> best;
  for (const FooterTrace& trace : footers) {
    auto by_footer = find_by_footer_or_save(view, traces, trace, file_id, even_void, unproved, progress);
    if (!by_footer) {
      continue;
    }
    Found found = std::move(by_footer->found);
    // A later history may have been written over its rows, or, if no size was published for it, over its tail: then
    // an earlier footer may have more of them.
    const bool holds = found.proof.lost.empty();
    if (!by_footer->may_be_void && (holds || trace.extension.open_bytes == 0)) {
      if (!best || best->proof.rows_kept() <= found.proof.rows_kept()) {
        const Span<const FooterTrace> all(footers.data(), footers.size());
        const auto place = static_cast<std::size_t>(&trace - footers.data()) + 1;
        const bool may_be_unpublished = !holds && !by_footer->shows_save && trace.columns == 0;
        auto earlier = may_be_unpublished
                           ? find_rows_before(view, traces, all.subspan(place, footers.size() - place),
                                              file_id, unproved, progress, found)
                           : std::nullopt;
        return earlier ? std::move(earlier) : std::move(found);
      }
      if (by_footer->shows_save) {
        view.take_back();
      }
      return best;
    }
    if (!best || found.proof.rows_kept() > best->proof.rows_kept()) {
      best = std::move(found);
    }
    if (holds) {
      return best;
    }
  }
  return best;
}

std::optional<Found> find_own_rows(View& view, const Traces& traces, std::uint32_t file_id, bool even_void,
                                   Unproved unproved, const Progress& progress) {
  const std::vector<FooterTrace> footers = footers_of(traces, file_id);
  auto found = find_own_rows(view, traces, footers, file_id, even_void, unproved, progress);
  const auto last = std::find_if(footers.begin(), footers.end(),
                                 [&](const FooterTrace& trace) { return trace.end == view.bytes(); });
  if (!found || last == footers.end() || found->footer_end == view.bytes() ||
      !ends_in_save(view, traces, *last, *found)) {
    return found;
  }
  auto other = find_own_rows(view, traces, {*last}, file_id, true, unproved, progress);
  return other && other->proof.rows_kept() > found->proof.rows_kept() ? std::move(other) : std::move(found);
}

// Throws Failure when what the footer says cannot be read.
Found rows_of_foreign(View& view, const ForeignFooter& from, const Progress& progress) {
  const Footer& footer = from.footer;
  const bool at_end = from.end == view.bytes();
  std::vector<RowGroupHistory> row_groups;
  std::uint64_t rows = 0;
  for (const Bytes& entry : footer.entries) {
    row_groups.push_back({{entry, Source::kFooter, rows_of(entry).value_or(0), from.end}, {}});
    rows += row_groups.back().described.rows;
  }
  Found found;
  found.fields = footer.fields;
  found.proof = prove(view, found.fields, row_groups, Origin::kOtherWriter, Unproved::kLeftOut, progress);
  const std::string rows_text = " (" + std::to_string(footer.rows) + " rows)";
  found.basis = at_end ? "the footer at the end" + rows_text
                       : "the footer at " + std::to_string(from.begin) + rows_text +
                             ", whose end is torn or followed by other bytes";
  found.footer_end = from.end;
  if (rows < footer.rows) {
    found.missing =
        std::to_string(footer.rows - rows) + " rows that the footer counts, and no row group of it has";
  }
  return found;
}

// Leaves footers with microparquet's extension to its own rules, if any of them is genuine.
std::optional<Found> find_foreign_rows(View& view, const Traces& traces, const Progress& progress) {
  constexpr int kMostFooters = 16;  // footers whose pages are read
  std::optional<Found> best;
  std::exception_ptr failure;
  // Whether all that the footer describes is there.
  const auto consider = [&](const ForeignFooter& footer) {
    try {
      Found found = rows_of_foreign(view, footer, progress);
      const bool all = found.proof.lost.empty() && found.missing.empty();
      if (!best || found.proof.rows_kept() > best->proof.rows_kept()) {
        best = std::move(found);
      }
      return all;
    } catch (const desktop::Failure&) {
      failure = std::current_exception();
      return false;
    }
  };
  view.set_end({});
  View file(view);
  const auto is_foreign = [&](const ForeignFooter& each) {
    return traces.footers.empty() || !each.footer.has_extension;
  };
  const auto at_end = foreign_footer_at_end(file);
  if (at_end && is_foreign(*at_end) && consider(*at_end)) {
    return best;
  }
  // Its end may be torn, or other bytes follow it; and what reads as a footer may be some of a file's values.
  int left = kMostFooters;
  const VisitFooter visit = [&](const ForeignFooter& footer) {
    const bool is_new =
        !(at_end && footer.begin == at_end->begin) && is_foreign(footer) && footer.places_hold();
    return !is_new || ((!consider(footer) || best->proof.rows_kept() == 0) && --left != 0);
  };
  find_foreign_footers(file, visit, progress);
  if (!best && failure) {
    std::rethrow_exception(failure);
  }
  return best;
}

// The id of the file whose first footer is at the beginning.
std::optional<std::uint32_t> file_id_at_beginning(const Traces& traces) {
  const auto first = std::find_if(traces.footers.begin(), traces.footers.end(),
                                  [](const FooterTrace& trace) { return trace.begin == kMagicBytes; });
  return first != traces.footers.end() ? std::optional(first->extension.file_id) : std::nullopt;
}

bool is_whole(const std::optional<Found>& found) {
  return found && found->proof.lost.empty() && found->missing.empty() && found->proof.rows_kept() != 0;
}

}  // namespace

std::optional<Found> find_own_rows(View& view, const Traces& traces, std::uint32_t file_id, Unproved unproved,
                                   const Progress& progress) {
  auto found = find_own_rows(view, traces, file_id, false, unproved, progress);
  return found ? std::move(found) : find_own_rows(view, traces, file_id, true, unproved, progress);
}

std::optional<Found> find_own_rows_of_beginning(View& view, const Traces& traces, Unproved unproved,
                                                const Progress& progress) {
  const auto id = file_id_at_beginning(traces);
  auto found = id ? find_own_rows(view, traces, *id, unproved, progress) : std::nullopt;
  return found && (found->proof.rows_kept() != 0 || !found->proof.lost.empty()) ? std::move(found)
                                                                                : std::nullopt;
}

std::optional<Found> find_rows(View& view, const Traces& traces, std::optional<std::uint32_t> wanted,
                               Unproved unproved, const Progress& progress) {
  if (traces.later_version && !wanted) {
    auto later = find_foreign_rows(view, Traces(), progress);
    if (later && is_whole(later) && later->footer_end == view.bytes()) {
      return later;  // whatever version its extension is of
    }
  }
  const auto id = wanted ? wanted : file_id_of(view, traces);
  auto own = id ? find_own_rows(view, traces, *id, unproved, progress) : std::nullopt;
  if (wanted || file_id_at_beginning(traces) || is_whole(own)) {
    return own;
  }
  // Files of microparquet may be among the values of another file, or what follows it on a medium.
  auto foreign = find_foreign_rows(view, traces, progress);
  if (!id && !traces.footers.empty() && !is_whole(foreign)) {
    throw SeveralFiles();
  }
  const bool more = foreign && (!own || foreign->proof.rows_kept() > own->proof.rows_kept());
  return more ? std::move(foreign) : std::move(own);
}

std::optional<std::uint32_t> file_id_of(const View& view, const Traces& traces) {
  if (const auto first = file_id_at_beginning(traces)) {
    return first;
  }
  for (const FooterTrace& trace : traces.footers) {
    if (trace.end == view.bytes()) {
      return trace.extension.file_id;
    }
  }
  const std::vector<std::uint32_t> ids = file_ids(traces);
  return ids.size() == 1 ? std::optional(ids.front()) : std::nullopt;
}

ImageContents find_image_rows(File& image, const std::optional<std::uint32_t>& wanted, Unproved unproved,
                              const ProgressOf& progress) {
  ImageFiles found_files = find_image_files(image, progress("looking for footers"));
  std::list<ImageRows> best;
  for (ImageFile& file : found_files.files) {
    if (wanted && file.file_id != *wanted) {
      continue;
    }
    auto found = find_own_rows(file.view, file.traces, file.file_id, unproved, progress("checking pages"));
    if (!found) {
      continue;
    }
    const auto same = std::find_if(best.begin(), best.end(), [&file](const ImageRows& other) {
      return !file.is_certain && other.file.file_id == file.file_id &&
             (file.name.empty() || other.file.view.place(0) == file.view.place(0));
    });
    if (same == best.end()) {
      best.push_back({std::move(file), std::move(*found)});
    } else if (found->proof.rows_kept() > same->found.proof.rows_kept()) {
      best.insert(same, {std::move(file), std::move(*found)});
      best.erase(same);
    }
  }
  return {std::move(best), std::move(found_files.notes)};
}

}  // namespace microparquet::recovery
