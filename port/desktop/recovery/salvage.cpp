#include "salvage.h"

#include <algorithm>

#include "format/found_row_group.h"
#include "history.h"
#include "page_list.h"
#include "page_sharing.h"
#include "schema_model.h"

namespace microparquet::recovery {

namespace {

class Salvage {
 public:
  Salvage(View& view, SchemaModel model, std::uint64_t group_rows, const Progress& progress)
      : view_(view), model_(std::move(model)), group_rows_(group_rows), pages_(list_pages(view, progress)) {}

  Found run() {
    Found found;
    found.fields = model_.fields;
    std::size_t at = 0;
    std::size_t number = 0;
    while (at < pages_.size()) {
      const auto group = choose(row_group_readings(pages_, model_.columns, at), found);
      if (!group) {
        break;
      }
      settle(*group, number++, found.proof);
      at = group->end();
    }
    const std::uint64_t reached = at == 0 ? 4 : pages_[at - 1].end;
    found.basis = "no footer; pages up to " + std::to_string(pages_.empty() ? 4 : pages_.back().end) +
                  " of " + std::to_string(view_.bytes()) + " bytes, and whole row groups up to " +
                  std::to_string(reached);
    if (found.missing.empty() && reached != view_.bytes()) {
      found.missing = "what comes after " + std::to_string(reached) + ", which is no whole row group";
    }
    return found;
  }

 private:
  std::optional<RowGroupPages> choose(std::vector<RowGroupPages> readings, Found& found) {
    const auto drop = [&](auto condition) {
      readings.erase(std::remove_if(readings.begin(), readings.end(), condition), readings.end());
    };
    // Should the checksum of a page not hold, its values cannot speak against a reading.
    drop([&](const RowGroupPages& group) { return intact(group) && !decodes(group); });
    if (group_rows_ != 0) {
      const bool full = std::any_of(readings.begin(), readings.end(),
                                    [&](const RowGroupPages& group) { return group.rows == group_rows_; });
      drop([&](const RowGroupPages& group) {
        return full ? group.rows != group_rows_ : group.rows > group_rows_;
      });
    }
    if (readings.size() > 1) {
      std::string rows;
      for (const RowGroupPages& group : readings) {
        rows += (rows.empty()       ? ""
                 : rows.size() > 40 ? ""
                                    : ", ") +
                (rows.size() > 40 ? "" : std::to_string(group.rows));
      }
      found.missing = "all from byte " + std::to_string(pages_[readings.front().chunks.front().begin].begin) +
                      " on: the row group there may have " + rows + " rows; say which by --rows-per-group";
      return std::nullopt;
    }
    return readings.empty() ? std::nullopt : std::optional(std::move(readings.front()));
  }

  bool intact(const RowGroupPages& group) const {
    return std::all_of(pages_.begin() + static_cast<std::ptrdiff_t>(group.chunks.front().begin),
                       pages_.begin() + static_cast<std::ptrdiff_t>(group.end()),
                       [](const ListedPage& page) { return page.checksum_holds; });
  }

  bool decodes(const RowGroupPages& group) {
    const RowGroupHistory history{{entry_of(group), Source::kFooter, group.rows, 0}, std::nullopt};
    return prove(view_, model_.fields, {history}, Origin::kOtherWriter, {}).lost.empty();
  }

  void settle(const RowGroupPages& group, std::size_t number, Proof& proof) {
    if (intact(group)) {
      proof.kept.push_back({entry_of(group), {{0, group.rows}}, true, {}});
      return;
    }
    const std::uint64_t bytes = pages_[group.end() - 1].end - pages_[group.chunks.front().begin].begin;
    proof.lost.push_back({number, {{0, group.rows}}, bytes, "a page does not have its checksum"});
  }

  Bytes entry_of(const RowGroupPages& group) const {
    std::vector<FoundChunk> chunks;
    for (const SharedPages& range : group.chunks) {
      chunks.push_back(found_chunk(range));
    }
    return describe_row_group(model_.row_group, chunks, group.rows);
  }

  FoundChunk found_chunk(const SharedPages& range) const {
    FoundChunk chunk;
    chunk.begin = pages_[range.begin].begin;
    chunk.end = pages_[range.end - 1].end;
    std::size_t first_data = range.begin;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const ListedPage& page = pages_[i];
      chunk.uncompressed_bytes += std::uint64_t{page.header.header_bytes} + page.header.uncompressed_bytes;
      chunk.encodings |= 1U << page.header.encoding;
      chunk.values += page.dictionary() ? 0 : page.header.values;
      first_data += page.dictionary() ? 1U : 0U;
    }
    chunk.data_begin = pages_[first_data].begin;
    return chunk;
  }

  View& view_;
  SchemaModel model_;
  std::uint64_t group_rows_;
  std::vector<ListedPage> pages_;
};

}  // namespace

Found salvage(View& view, const Traces& traces, const std::string& schema_path, std::uint64_t group_rows,
              const Progress& progress) {
  SchemaModel model = read_schema_model(schema_path);
  const std::vector<RowGroupHistory> records = records_from_beginning(view, traces);
  if (records.empty()) {
    return Salvage(view, std::move(model), group_rows, progress).run();
  }
  Found found;
  found.fields = std::move(model.fields);
  found.proof = prove(view, found.fields, records, Origin::kForward, progress);
  found.records = static_cast<std::uint32_t>(records.size());
  found.basis = std::to_string(records.size()) + " records of row groups, from the beginning on";
  return found;
}

}  // namespace microparquet::recovery
