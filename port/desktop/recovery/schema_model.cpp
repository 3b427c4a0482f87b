#include "schema_model.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "chunk_pages.h"
#include "microparquet/desktop/failure.h"
#include "open_file.h"
#include "thrift_dom/row_group_parts.h"
#include "view.h"

namespace microparquet::recovery {

namespace {

constexpr std::uint32_t kMostGroups = 8;  // row groups that are read

// Some writers end a page only after that many bytes, by their own estimate, of which half is believed, or rows, 0 for any number.
// DuckDB and fastparquet do so whatever is asked of them; of parquet-java, which Spark is one with, these are the limits that it
// has when nothing is asked.
struct LargePages {
  std::string_view writer;
  std::uint64_t bytes;
  std::uint64_t rows;
};
constexpr LargePages kLargePages[] = {
    {"DuckDB", 100'000'000, 0}, {"fastparquet", 500 << 20, 0}, {"parquet-mr", 1 << 20, 20'000}};

LargePages large_pages(Reader& reader) {
  char buffer[256];
  std::string_view text;
  if (reader.created_by(Span<char>(buffer, sizeof buffer), text) != Status::kOk) {
    return {};
  }
  for (const LargePages& large : kLargePages) {
    if (text.substr(0, large.writer.size()) == large.writer) {
      return {large.writer, large.bytes / 2, large.rows};
    }
  }
  return {};
}

// The data pages of a chunk.
std::vector<format::PageHeader> data_pages(File& file, const ColumnChunkInfo& chunk, Bytes& memory) {
  std::vector<format::PageHeader> headers;
  find_pages(file, chunk, {}, memory, [&](const SeenPage& page) {
    if (page.header != nullptr && page.header->type != format::PageType::kDictionary) {
      headers.push_back(*page.header);
    }
  });
  return headers;
}

// Whether a page that another one follows is smaller than this writer makes it when nothing is asked.
bool smaller(const std::vector<format::PageHeader>& pages, const LargePages& large) {
  return pages.size() > 1 && std::any_of(pages.begin(), pages.end() - 1, [&](const format::PageHeader& page) {
           return page.values < large.rows && page.uncompressed_bytes < large.bytes;
         });
}

// Adds what the pages of a chunk show.
class HabitOfColumn {
 public:
  void add(const std::vector<format::PageHeader>& pages) {
    for (std::size_t i = 0; i + 1 < pages.size(); ++i) {
      differs_ = differs_ || (full_ != 0 && full_ != pages[i].values);
      full_ = pages[i].values;
    }
    if (pages.size() == 1) {
      alone_ = std::max<std::uint64_t>(alone_, pages[0].values);
    }
  }

  PageHabit habit() const { return {differs_ ? 0 : full_, full_ == 0 ? alone_ : 0}; }

 private:
  std::uint64_t full_ = 0;
  std::uint64_t alone_ = 0;
  bool differs_ = false;
};

}  // namespace

PageHabits learn_page_habits(File& file, Reader& reader) {
  PageHabits habits;
  LargePages large = large_pages(reader);
  std::vector<HabitOfColumn> columns(reader.columns());
  std::vector<std::uint64_t> groups;
  Bytes memory;
  Status status = Status::kOk;
  for (; status == Status::kOk && groups.size() <= kMostGroups; status = reader.next_row_group()) {
    groups.push_back(reader.row_group_rows());
    for (std::uint32_t i = 0; i < columns.size(); ++i) {
      ColumnChunkInfo info;
      if (reader.column_chunk(i, info) != Status::kOk || begin_of(info) > bytes_of(file) ||
          info.compressed_bytes > bytes_of(file) - begin_of(info)) {
        return {};
      }
      if (reader.max_repetition_level(i) == 0) {
        const std::vector<format::PageHeader> pages = data_pages(file, info, memory);
        columns[i].add(pages);
        large = smaller(pages, large) ? LargePages() : large;
      }
    }
  }
  habits.page_bytes = large.bytes;
  habits.page_rows = large.rows;
  for (const HabitOfColumn& column : columns) {
    habits.columns.push_back(column.habit());
  }
  // The last one is not full, if it is among those that were looked at.
  const std::size_t full = status == Status::kEnd ? groups.size() - 1 : groups.size();
  const bool alike =
      full != 0 && std::all_of(groups.begin(), groups.begin() + static_cast<std::ptrdiff_t>(full),
                               [&](std::uint64_t rows) { return rows == groups[0]; });
  habits.group_rows = alike ? groups[0] : 0;
  habits.most_group_rows = *std::max_element(groups.begin(), groups.end());
  return habits;
}

const LeafGroup* common_group(const ColumnModel& a, const ColumnModel& b) {
  const LeafGroup* common = nullptr;
  for (std::size_t i = 0; i < std::min(a.groups.size(), b.groups.size()); ++i) {
    if (a.groups[i].node != b.groups[i].node) {
      break;
    }
    common = &a.groups[i];
  }
  return common;
}

bool can_be_null_in(const ColumnModel& column, const LeafGroup* group) {
  const int definition = group != nullptr ? group->definition : 0;
  const int repetition = group != nullptr ? group->repetition : 0;
  for (const LeafGroup& inner : column.groups) {
    if (inner.definition > definition && (group == nullptr || inner.node > group->node)) {
      return inner.repetition == repetition;
    }
  }
  return column.element.max_definition_level > definition &&
         column.element.max_repetition_level == repetition;
}

SchemaModel read_schema_model(File& file, const std::string& name) {
  View view(file, {{0, bytes_of(file)}});
  OpenFile open;
  std::vector<Leaf> leaves;
  if (open.open(view) != Status::kOk || open.read_leaves(leaves) != Status::kOk ||
      open.reader().next_row_group() != Status::kOk) {
    throw desktop::Failure(name + ": --schema wants a whole Parquet file with rows in it");
  }
  SchemaModel model;
  for (std::uint32_t i = 0; i < leaves.size(); ++i) {
    ColumnChunkInfo info;
    if (open.reader().column_chunk(i, info) != Status::kOk) {
      throw desktop::Failure(name + " is damaged");
    }
    model.columns.push_back({leaves[i].name, leaves[i].element, leaves[i].node, leaves[i].groups, info.codec,
                             info.compressed_bytes, info.values});
  }
  const std::uint32_t bytes = open.reader().footer_bytes();
  const auto footer = parse_footer(read_bytes(view, view.bytes() - 8 - bytes, bytes));
  auto row_group = footer ? parse_row_group(footer->entries.front()) : std::nullopt;
  if (!row_group) {
    throw desktop::Failure(name + " is damaged");
  }
  model.row_group = std::move(*row_group);
  model.own = footer->has_extension;
  model.fields = schema_fields(*footer);
  view.set_end({});
  model.habits = learn_page_habits(view, open.reader());
  return model;
}

}  // namespace microparquet::recovery
