#include "salvage.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

#include "history.h"
#include "microparquet/desktop/failure.h"
#include "page_list.h"
#include "page_placing.h"
#include "row_ranges.h"
#include "schema_model.h"
#include "sliced_rows.h"
#include "thrift_dom/chunk_places.h"
#include "thrift_dom/row_group_parts.h"

namespace microparquet::recovery {

namespace {

constexpr std::size_t kMostNames = 8;

class Salvage {
 public:
  Salvage(View& view, SchemaModel model, bool own, const SalvageOptions& options, const Progress& progress)
      : view_(view),
        model_(std::move(model)),
        own_(own),
        options_(options),
        list_(list_pages(view, progress)),
        trial_(view, list_.pages, model_.columns),
        slices_(view, list_, trial_, model_) {}

  Salvaged run() {
    Placing placing = place_pages(trial_, list_.pages, model_, options_.group_rows, options_.same_settings);
    own_ ? judge_own(placing) : judge_checksums(placing);
    Found& found = salvaged_.found;
    found.fields = model_.fields;
    found.basis = "no footer; " + std::to_string(list_.pages.size()) + " pages up to " +
                  std::to_string(list_.end) + " of " + std::to_string(view_.bytes()) + " bytes";
    if (placing.by_habit != 0 && options_.same_settings) {
      found.basis += "; " + std::to_string(placing.by_habit) +
                     " pages are placed by the sizes of pages and row groups in the other file";
    }
    std::vector<Known> known;
    for (const PlacedRowGroup& group : placing.row_groups) {
      known.push_back(known_of(group));
    }
    if (options_.partial) {
      make_optional(known);
    }
    for (std::size_t i = 0; i < placing.row_groups.size(); ++i) {
      settle(placing.row_groups[i], known[i]);
      if (known[i].lacks) {
        report(placing.row_groups[i], i, known[i]);
      }
    }
    report_pages(placing);
    return std::move(salvaged_);
  }

 private:
  bool has_checksum(const PlacedPage& page, const PlacedColumn& column) const {
    const bool with_entries = list_.pages[page.page].uses_dictionary() && column.dictionary < kLostPage;
    return list_.pages[page.page].header.has_crc &&
           (!with_entries || list_.pages[column.dictionary].header.has_crc);
  }

  // Judges a file of ours: pages that no record describes may have been there before the file.
  void judge_own(Placing& placing) {
    if (options_.unchecked) {
      salvaged_.unproved =
          "no footer and no record describes these pages: they may be those of an earlier file";
      salvaged_.unsure = true;
      return;
    }
    for (PlacedRowGroup& group : placing.row_groups) {
      for (PlacedColumn& column : group.columns) {
        column.pages.clear();
      }
    }
    salvaged_.incomplete.emplace_back(
        "no footer and no record describes the pages, so they may be those of an earlier file; --unchecked "
        "keeps "
        "what decodes");
  }

  // Judges pages without a checksum: reports them, and keeps or drops them.
  void judge_checksums(Placing& placing) {
    const bool damaged = list_.gaps != 0 || !placing.damaged.empty();
    std::size_t pages = 0;
    std::size_t without = 0;
    for (PlacedRowGroup& group : placing.row_groups) {
      for (PlacedColumn& column : group.columns) {
        std::vector<PlacedPage> checked;
        std::copy_if(column.pages.begin(), column.pages.end(), std::back_inserter(checked),
                     [&](const PlacedPage& page) { return has_checksum(page, column); });
        pages += column.pages.size();
        without += column.pages.size() - checked.size();
        if (damaged && !options_.unchecked) {
          column.pages = std::move(checked);
        }
      }
    }
    if (without == 0) {
      return;
    }
    const std::string text =
        std::to_string(without) + " of " + std::to_string(pages) + " pages have no checksum";
    if (!damaged) {
      salvaged_.unproved = text + ": were bytes of them changed, nothing might tell";
    } else if (options_.unchecked) {
      salvaged_.unproved = text + ", and the file is damaged: values of them may be wrong ones";
      salvaged_.unsure = true;
    } else {
      salvaged_.incomplete.push_back(
          text +
          ", and the file is damaged: nothing tells which of them hold; --unchecked keeps what decodes");
    }
  }

  // The known rows of a row group.
  struct Known {
    std::vector<RowRanges> columns;
    RowRanges complete;  // rows that all columns have
    RowRanges any;       // rows that some column has
    bool lacks = false;  // a column has not all of its rows
  };

  Known known_of(const PlacedRowGroup& group) const {
    Known known;
    for (std::size_t i = 0; i < group.columns.size(); ++i) {
      known.columns.push_back(slices_.rows_of(group.columns[i], model_.columns[i]));
    }
    const std::vector<RowRanges>& columns = known.columns;
    known.complete = std::accumulate(columns.begin() + 1, columns.end(), columns.front(), in_both);
    known.any = in_any(columns);
    known.lacks = group.rows == 0 || rows_in(known.complete) != group.rows;
    return known;
  }

  // Columns that lost rows and cannot be null may be so in the new file: alone where they have no levels, else with their
  // field. Where that is a list of the old kind, without a group around it, the rows are not kept.
  void make_optional(std::vector<Known>& known) {
    std::vector<MadeOptional> optional(model_.columns.size(), MadeOptional::kNothing);
    std::set<std::uint32_t> nodes;
    for (Known& each : known) {
      share_in_fields(each.columns);
    }
    for (std::size_t i = 0; i < optional.size(); ++i) {
      const ColumnModel& column = model_.columns[i];
      if (can_be_null_in(column, nullptr) || std::all_of(known.begin(), known.end(), [i](const Known& each) {
            return rows_in(each.columns[i]) == rows_in(each.any);
          })) {
        continue;
      }
      if (column.element.max_definition_level == 0) {
        optional[i] = MadeOptional::kLeaf;
        nodes.insert(column.node);
      } else if (!column.groups.empty() && column.groups.front().repetition == 0) {
        nodes.insert(column.groups.front().node);
      } else {
        for (Known& each : known) {
          each.any = in_both(each.any, each.columns[i]);
        }
      }
    }
    for (std::size_t i = 0; i < optional.size(); ++i) {
      const std::vector<LeafGroup>& groups = model_.columns[i].groups;
      if (!groups.empty() && nodes.count(groups.front().node) != 0) {
        nodes.erase(model_.columns[i].node);
        optional[i] = MadeOptional::kField;
      }
    }
    if (!nodes.empty()) {
      recovery::make_optional(salvaged_.found.fields, {nodes.begin(), nodes.end()});
      slices_.make_optional(std::move(optional));
      rewrites_ = true;
    }
  }

  // Whether a null of `column` can be said next to a value of `other`.
  bool can_be_null_beside(std::size_t column, std::size_t other) const {
    const LeafGroup* const common = common_group(model_.columns[column], model_.columns[other]);
    const bool alone = model_.columns[column].element.max_definition_level == 0;
    return common == nullptr || alone || can_be_null_in(model_.columns[column], common);
  }

  void share_in_fields(std::vector<RowRanges>& known) const {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < known.size(); ++i) {
        for (std::size_t j = 0; j < known.size(); ++j) {
          if (i == j || can_be_null_beside(i, j)) {
            continue;
          }
          const RowRanges shared = in_both(known[i], known[j]);
          changed = changed || rows_in(shared) != rows_in(known[j]);
          known[j] = shared;
        }
      }
    }
  }

  void settle(const PlacedRowGroup& group, const Known& known) {
    Result& result = salvaged_.result;
    if (auto entry = rewrites_ ? std::nullopt : slices_.as_it_is(group)) {
      result.parts.push_back({std::move(*entry), std::nullopt});
      result.rows += group.rows;
      return;
    }
    WrittenRows written{std::make_unique<MemoryMedium>(), {}};
    for (const RowRange& rows : options_.partial ? known.any : known.complete) {
      if (slices_.add(group, known.columns, rows, written)) {
        result.rows += rows.end - rows.begin;
      } else {
        result.rows_given_up += rows.end - rows.begin;
      }
    }
    if (!written.entries.empty()) {
      result.parts.push_back({{}, std::move(written)});
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

  // Reports how much of a row group each column has.
  void report(const PlacedRowGroup& group, std::size_t number, const Known& all) {
    const std::vector<RowRanges>& known = all.columns;
    std::uint64_t most = group.rows;
    for (const RowRanges& ranges : known) {
      most = std::max(most, ranges.empty() ? 0 : ranges.back().end);
    }
    std::string text = "row group " + std::to_string(number) + " of " +
                       (group.rows != 0 ? std::to_string(group.rows) : "at least " + std::to_string(most)) +
                       " rows: " + std::to_string(rows_in(all.complete)) + " in all columns";
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
                                     ", which fit no column: they are damaged, or of another schema" +
                                     misfit_text(placing));
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
      if (options_.same_settings && placing.other_settings) {
        text +=
            "; --same-settings places none: the first page is not as long as the first ones of the other "
            "file";
      } else if (!options_.same_settings && placing.by_habit != 0) {
        text += "; if the other file was written with the same settings, --same-settings places " +
                std::to_string(placing.by_habit);
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

  // Describes the page where the other file has something else.
  std::string misfit_text(const Placing& placing) const {
    if (!placing.misfit) {
      return {};
    }
    const ListedPage& page = list_.pages[placing.misfit->page];
    std::string wanted;
    for (const std::uint32_t column : placing.misfit->columns) {
      wanted += (wanted.empty() ? "" : " or ") + model_.columns[column].name;
    }
    return "; at " + std::to_string(page.begin) + ", where the other file has " + wanted + ", is a " +
           (page.dictionary() ? "dictionary" : "page") + " of " + std::to_string(page.header.values) +
           " values in " + std::to_string(page.header.uncompressed_bytes) + " bytes";
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
  bool own_;
  const SalvageOptions& options_;
  PageList list_;
  PageTrial trial_;
  SlicedRows slices_;
  Salvaged salvaged_;
  bool rewrites_ = false;  // the new file's schema is another one
};

// Checks that the records have the columns of the other file.
void compare_columns(const SchemaModel& model, const std::vector<RowGroupHistory>& records,
                     const std::string& path) {
  for (const RowGroupHistory& record : records) {
    const auto parts = take_apart(record.described.entry);
    const std::size_t columns = parts ? parts->columns.size() : 0;
    if (!parts || columns != model.columns.size()) {
      throw desktop::Failure(path + " has " + std::to_string(model.columns.size()) +
                             " columns, the records name " + std::to_string(columns) +
                             "; give a file with the same columns");
    }
    for (std::size_t i = 0; i < columns; ++i) {
      const std::string name = column_name_of(parts->columns[i]);
      if (name != model.columns[i].name) {
        throw desktop::Failure(path + ": its column " + std::to_string(i) + " is " + model.columns[i].name +
                               ", that of the records is " + name + "; give a file with the same columns");
      }
    }
  }
}

std::string records_text(std::size_t records) {
  return std::to_string(records) + (records == 1 ? " record of a row group" : " records of row groups") +
         ", from the beginning on";
}

}  // namespace

Salvaged salvage(View& view, const Traces& traces, File& schema, const SalvageOptions& options,
                 const Progress& progress) {
  SchemaModel model = read_schema_model(schema, options.schema_name);
  const Unproved unproved = options.unchecked ? Unproved::kKept : Unproved::kLeftOut;
  Salvaged salvaged;
  Found& found = salvaged.found;
  if (auto own = find_own_rows_of_beginning(view, traces, unproved, progress)) {
    found = std::move(*own);
  } else {
    const std::vector<RowGroupHistory> records = records_from_beginning(view, traces);
    if (records.empty()) {
      const bool is_own =
          model.own || !traces.footers.empty() || !traces.slots.empty() || traces.later_version;
      return Salvage(view, std::move(model), is_own, options, progress).run();
    }
    compare_columns(model, records, options.schema_name);
    found.fields = std::move(model.fields);
    found.proof = prove(view, found.fields, records, Origin::kOwn, unproved, progress);
    found.records = static_cast<std::uint32_t>(records.size());
    found.basis = records_text(records.size());
  }
  salvaged.result = make_result(view, found, progress);
  salvaged.unsure = found.proof.rows_unproved() != 0;
  return salvaged;
}

}  // namespace microparquet::recovery
