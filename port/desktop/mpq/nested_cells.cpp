#include "nested_cells.h"

#include <algorithm>

#include "read_failure.h"
#include "value_text.h"

namespace mpq_tool {

namespace {

using microparquet::Event;
using microparquet::EventKind;

}  // namespace

NestedRows::NestedRows(ParquetFile& file, const std::vector<Column>& leaves,
                       const std::vector<Column>& chosen, RowStyle style, const PhysicalValues* physical)
    : file_(file), physical_(physical), as_json_(style.format == RowFormat::kJson) {
  if (style.format == RowFormat::kCsv && !style.lists_as_json) {
    refuse_lists(leaves);
  }
  read_schema();
  for (const std::uint32_t leaf : leaf_nodes_) {
    nodes_[leaf] = physical_ != nullptr ? physical_->shown(nodes_[leaf]) : nodes_[leaf];
  }
  file_.choose_items(chosen);
  begin_records();
  for (const Column& leaf : leaves) {
    place_cell(leaf);
  }
  unprinted_.resize(nodes_.size());
  for (std::size_t i = leaves.size(); i < chosen.size(); ++i) {
    unprinted_[leaf_nodes_[chosen[i].number]] = true;
  }
  cells_.resize(columns_.size());
}

void NestedRows::refuse_lists(const std::vector<Column>& leaves) const {
  for (const Column& leaf : leaves) {
    if (leaf.element.max_repetition_level != 0) {
      throw WrongRequest(
          file_.name() + ": column " + leaf.name +
          " holds lists, for which CSV has no form; print JSON by --json, have JSON in the cells by "
          "--lists json, or name the columns you want with --columns");
    }
  }
}

void NestedRows::read_schema() {
  std::vector<std::uint32_t> path;
  file_.visit_schema([&](const microparquet::SchemaElement& element) {
    path.resize(element.depth);
    const std::uint32_t parent = path.empty() ? 0 : path.back();
    path.push_back(static_cast<std::uint32_t>(nodes_.size()));
    Column node;
    node.element = element;
    node.element.name = {};
    node.number = element.column;
    own_names_.emplace_back(element.name);
    if (element.depth != 0) {
      node.name = (parent == 0 ? "" : nodes_[parent].name + ".") + own_names_.back();
    }
    if (element.leaf) {
      leaf_nodes_.push_back(static_cast<std::uint32_t>(nodes_.size()));
    }
    nodes_.push_back(std::move(node));
    parents_.push_back(parent);
  });
  cell_of_.assign(nodes_.size(), kNoCell);
}

void NestedRows::begin_records() {
  const microparquet::Reader& reader = file_.reader();
  std::size_t longest = 0;
  for (const std::string& name : own_names_) {
    longest = std::max(longest, name.size());
  }
  const std::size_t bytes =
      microparquet::Records::required_bytes(reader.schema_elements(), reader.chosen(), longest + 256);
  memory_.resize(bytes / sizeof(std::uint64_t) + 1);
  auto* const memory = reinterpret_cast<std::byte*>(memory_.data());
  records_ = std::make_unique<microparquet::Records>(
      file_.reader(), microparquet::Span<std::byte>(memory, memory_.size() * sizeof(std::uint64_t)));
  file_.begin(*records_);
}

// The values of a leaf are in the cell of its field or, but for JSON, in that of the first node down to it that is no
// struct.
void NestedRows::place_cell(const Column& leaf) {
  std::uint32_t cell = leaf_nodes_[leaf.number];
  for (std::uint32_t node = cell; node != 0; node = parents_[node]) {
    if (as_json_ ? parents_[node] == 0 : records_->kind_of(node) != EventKind::kBeginStruct) {
      cell = node;
    }
  }
  if (cell_of_[cell] == kNoCell) {
    cell_of_[cell] = columns_.size();
    columns_.push_back(nodes_[cell]);
  }
}

void NestedRows::pass_rows(std::uint64_t rows) {
  if (rows != 0) {
    file_.pass_rows(*records_, rows);
  }
}

bool NestedRows::next() {
  std::fill(cells_.begin(), cells_.end(), std::nullopt);
  Event event;
  while (file_.next(*records_, event)) {
    if (event.kind == EventKind::kEndRow) {
      return true;
    }
    take(event);
  }
  return false;
}

// Takes an event. An element that is in no cell is a struct whose members have cells.
void NestedRows::take(Event event) {
  if (unprinted_[event.element]) {
    return;
  }
  if (physical_ != nullptr && event.kind == EventKind::kValue) {
    event.cell = physical_->cell(nodes_[event.element].number, event.cell);
  }
  if (!json_) {
    cell_ = cell_of_[event.element];
    if (cell_ == kNoCell || event.kind == EventKind::kNull || event.kind == EventKind::kEnd) {
      return;
    }
    if (event.kind == EventKind::kValue && !as_json_) {
      cells_[cell_] = value_text(nodes_[event.element].element, {event.cell.data, event.cell.bytes});
      return;
    }
    json_.emplace(nodes_, own_names_);
  }
  json_->add(event);
  if (json_->complete()) {
    cells_[cell_] = json_->text();
    json_.reset();
  }
}

}  // namespace mpq_tool
