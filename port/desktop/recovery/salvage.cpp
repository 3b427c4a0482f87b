#include "salvage.h"

#include <algorithm>
#include <numeric>

#include "history.h"
#include "page_list.h"
#include "page_placing.h"
#include "row_ranges.h"
#include "schema_model.h"
#include "sliced_rows.h"

namespace microparquet::recovery {

namespace {

constexpr std::size_t kMostNames = 8;

class Salvage {
 public:
  Salvage(View& view, SchemaModel model, const SalvageOptions& options, const Progress& progress)
      : view_(view),
        model_(std::move(model)),
        options_(options),
        list_(list_pages(view, progress)),
        trial_(view, list_.pages, model_.columns),
        slices_(view, list_, trial_, model_) {}

  Salvaged run() {
    const Placing placing = place_pages(trial_, list_.pages, model_.columns, options_.group_rows);
    Found& found = salvaged_.found;
    found.fields = model_.fields;
    found.basis = "no footer; " + std::to_string(list_.pages.size()) + " pages up to " +
                  std::to_string(list_.end) + " of " + std::to_string(view_.bytes()) + " bytes";
    for (std::size_t i = 0; i < placing.row_groups.size(); ++i) {
      settle(placing.row_groups[i], i);
    }
    report_pages(placing);
    return std::move(salvaged_);
  }

 private:
  void settle(const PlacedRowGroup& group, std::size_t number) {
    Result& result = salvaged_.result;
    if (auto entry = slices_.as_it_is(group)) {
      result.parts.push_back({std::move(*entry), std::nullopt});
      result.rows += group.rows;
      return;
    }
    std::vector<RowRanges> known;
    for (std::size_t i = 0; i < group.columns.size(); ++i) {
      known.push_back(slices_.rows_of(group.columns[i], model_.columns[i]));
    }
    const RowRanges complete = std::accumulate(known.begin() + 1, known.end(), known.front(), in_both);
    const RowRanges kept = options_.partial ? rows_of_any(known) : complete;
    report(group, number, known, complete);
    if (options_.partial) {
      share_in_fields(known);
    }
    WrittenRows written{std::make_unique<MemoryMedium>(), {}};
    for (const RowRange& rows : kept) {
      if (slices_.add(group, known, rows, written)) {
        result.rows += rows.end - rows.begin;
      } else {
        result.rows_given_up += rows.end - rows.begin;
      }
    }
    if (!written.entries.empty()) {
      result.parts.push_back({{}, std::move(written)});
    }
  }

  // Rows that some column has, and every column that cannot be null.
  RowRanges rows_of_any(const std::vector<RowRanges>& known) const {
    RowRanges rows = in_any(known);
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (model_.columns[i].element.max_definition_level == 0) {
        rows = in_both(rows, known[i]);
      }
    }
    return rows;
  }

  // The leaves of a group say together where it is null, so what one of them lost the others lose.
  void share_in_fields(std::vector<RowRanges>& known) const {
    const std::vector<ColumnModel>& columns = model_.columns;
    for (std::size_t begin = 0, end = 0; begin < known.size(); begin = end) {
      RowRanges shared = known[begin];
      for (end = begin + 1; end < known.size() && columns[end].field == columns[begin].field; ++end) {
        shared = in_both(shared, known[end]);
      }
      std::fill(known.begin() + static_cast<std::ptrdiff_t>(begin),
                known.begin() + static_cast<std::ptrdiff_t>(end), shared);
    }
  }

  static RowRanges in_any(const std::vector<RowRanges>& known) {
    std::vector<RowRange> all;
    for (const RowRanges& ranges : known) {
      all.insert(all.end(), ranges.begin(), ranges.end());
    }
    std::sort(all.begin(), all.end(), [](const RowRange& a, const RowRange& b) { return a.begin < b.begin; });
    RowRanges result;
    for (const RowRange& range : all) {
      if (result.empty() || range.begin > result.back().end) {
        result.push_back(range);
      } else {
        result.back().end = std::max(result.back().end, range.end);
      }
    }
    return result;
  }

  // Which columns have how much of a row group.
  void report(const PlacedRowGroup& group, std::size_t number, const std::vector<RowRanges>& known,
              const RowRanges& complete) {
    std::uint64_t most = group.rows;
    for (const RowRanges& ranges : known) {
      most = std::max(most, ranges.empty() ? 0 : ranges.back().end);
    }
    std::string text = "row group " + std::to_string(number) + " of " +
                       (group.rows != 0 ? std::to_string(group.rows) : "at least " + std::to_string(most)) +
                       " rows: " + std::to_string(rows_in(complete)) + " in all columns";
    std::size_t named = 0;
    for (std::size_t i = 0; i < known.size(); ++i) {
      const std::uint64_t rows = rows_in(known[i]);
      if (rows == most) {
        continue;
      }
      if (++named <= kMostNames) {
        text += "; " + model_.columns[i].name + ": " + (rows != 0 ? std::to_string(rows) : "none");
      }
    }
    if (named > kMostNames) {
      text += "; and less than all of " + std::to_string(named - kMostNames) + " columns more";
    }
    salvaged_.incomplete.push_back(std::move(text));
  }

  void report_pages(const Placing& placing) {
    Found& found = salvaged_.found;
    if (!placing.damaged.empty()) {
      salvaged_.incomplete.push_back(pages_text(placing.damaged) +
                                     ", which fit no column: they are damaged, or of another schema");
    }
    if (!placing.unplaced.empty()) {
      std::string text = pages_text(placing.unplaced) + ", of which it is not certain where they belong";
      if (!placing.rows_possible.empty()) {
        std::string rows;
        for (std::size_t i = 0; i < std::min(placing.rows_possible.size(), kMostNames); ++i) {
          rows += (i == 0 ? "" : ", ") + std::to_string(placing.rows_possible[i]);
        }
        text += ": the row group may have " + rows +
                (placing.rows_possible.size() > kMostNames ? " or more" : "") +
                " rows; say which by --rows-per-group";
      }
      found.missing = std::move(text);
    } else if (!salvaged_.incomplete.empty()) {
      found.missing = "what the file had after its last whole page";
    } else if (list_.gaps != 0) {
      found.missing = "what stood in " + std::to_string(list_.gaps) + " places between pages";
    } else if (list_.cut) {
      found.missing = "the page at " + std::to_string(list_.end) + ", which is cut, and what came after it";
    } else if (list_.end != view_.bytes()) {
      found.missing = "what comes after " + std::to_string(list_.end) + ", which is no page";
    }
  }

  static std::string pages_text(const std::vector<Piece>& pages) {
    std::uint64_t bytes = 0;
    for (const Piece& page : pages) {
      bytes += page.bytes;
    }
    return std::to_string(pages.size()) + (pages.size() == 1 ? " page" : " pages") + " of " +
           std::to_string(bytes) + " bytes, the first at " + std::to_string(pages.front().begin);
  }

  View& view_;
  SchemaModel model_;
  const SalvageOptions& options_;
  PageList list_;
  PageTrial trial_;
  SlicedRows slices_;
  Salvaged salvaged_;
};

}  // namespace

Salvaged salvage(View& view, const Traces& traces, const SalvageOptions& options, const Progress& progress) {
  SchemaModel model = read_schema_model(options.schema_path);
  const std::vector<RowGroupHistory> records = records_from_beginning(view, traces);
  if (records.empty()) {
    return Salvage(view, std::move(model), options, progress).run();
  }
  Salvaged salvaged;
  Found& found = salvaged.found;
  found.fields = std::move(model.fields);
  found.proof = prove(view, found.fields, records, Origin::kForward, progress);
  found.records = static_cast<std::uint32_t>(records.size());
  found.basis = std::to_string(records.size()) + " records of row groups, from the beginning on";
  salvaged.result = make_result(view, found, progress);
  return salvaged;
}

}  // namespace microparquet::recovery
