#include "candidates.h"

#include <algorithm>
#include <cstring>

#include "block_size.h"
#include "format/record_format.h"
#include "history.h"
#include "microparquet/detail/format/magic.h"

namespace microparquet::recovery {

namespace {

using format::kMagicBytes;
constexpr std::uint64_t kEndBytes = format::kFileEndBytes;

std::string basis_of(const History& history) {
  std::string text = "the footer at " + std::to_string(history.trace.begin) + " (sequence " +
                     std::to_string(history.trace.extension.sequence) + ", " +
                     std::to_string(history.trace.extension.rows) + " rows)";
  if (history.records != 0) {
    text += " and " + std::to_string(history.records) +
            (history.records == 1 ? " record after it" : " records after it");
  }
  return text;
}

std::optional<Found> find_own_rows(View& view, const Traces& traces, std::uint32_t file_id, bool even_void,
                                   const Progress& progress) {
  for (const FooterTrace& trace : footers_of(traces, file_id)) {
    view.set_end({});
    auto history = read_history(view, traces, trace, even_void);
    if (!history) {
      continue;
    }
    Found found;
    found.fields = std::move(history->footer.fields);
    const Origin origin = trace.columns == 0 ? Origin::kForward : Origin::kInPlace;
    found.proof = prove(view, found.fields, history->row_groups, origin, progress);
    if (found.proof.first_contradicts) {
      continue;  // this footer is of a file that had these sectors before
    }
    const detail::FooterExtension& extension = trace.extension;
    found.own = OwnFile{file_id, write::next_history(history->last_sequence), extension.slot_bytes,
                        trace.columns, block_bytes_of(traces, file_id)};
    found.basis = basis_of(*history);
    found.footer_end = trace.end;
    found.records = history->records;
    if (history->later_record) {
      found.missing = "rows of which there is a record, but not the footer that leads to it";
    }
    return found;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Found> find_own_rows(View& view, const Traces& traces, std::uint32_t file_id,
                                   const Progress& progress) {
  auto found = find_own_rows(view, traces, file_id, false, progress);
  return found ? std::move(found) : find_own_rows(view, traces, file_id, true, progress);
}

std::optional<Found> find_foreign_rows(View& view, const Progress& progress) {
  view.set_end({});
  const std::uint64_t size = view.bytes();
  const Bytes tail = size > kMagicBytes + kEndBytes ? read_bytes(view, size - kEndBytes, kEndBytes) : Bytes();
  if (tail.empty() ||
      std::memcmp(tail.data() + format::kFooterLengthBytes, format::kMagicText.data(), kMagicBytes) != 0) {
    return std::nullopt;
  }
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, tail.data(), sizeof bytes);
  if (bytes > size - kEndBytes - kMagicBytes) {
    return std::nullopt;
  }
  const auto footer = parse_footer(read_bytes(view, size - kEndBytes - bytes, bytes));
  if (!footer) {
    return std::nullopt;
  }
  std::vector<RowGroupHistory> row_groups;
  std::uint64_t rows = 0;
  for (const Bytes& entry : footer->entries) {
    row_groups.push_back({{entry, Source::kFooter, rows_of(entry).value_or(0), size}, std::nullopt});
    rows += row_groups.back().described.rows;
  }
  Found found;
  found.fields = footer->fields;
  found.proof = prove(view, found.fields, row_groups, Origin::kOtherWriter, progress);
  found.basis = "the footer at the end (" + std::to_string(footer->rows) + " rows)";
  found.footer_end = size;
  if (rows < footer->rows) {
    found.missing =
        std::to_string(footer->rows - rows) + " rows that the footer counts, and no row group of it has";
  }
  return found;
}

std::optional<std::uint32_t> file_id_of(const View& view, const Traces& traces) {
  for (const FooterTrace& trace : traces.footers) {
    if (trace.begin == kMagicBytes) {
      return trace.extension.file_id;
    }
  }
  for (const FooterTrace& trace : traces.footers) {
    if (trace.end == view.bytes()) {
      return trace.extension.file_id;
    }
  }
  const std::vector<std::uint32_t> ids = file_ids(traces);
  return ids.size() == 1 ? std::optional(ids.front()) : std::nullopt;
}

}  // namespace microparquet::recovery
