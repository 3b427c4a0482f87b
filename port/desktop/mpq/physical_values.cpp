#include "physical_values.h"

namespace mpq_tool {

bool is_convertible(const Column& column) {
  using microparquet::LogicalKind;
  const LogicalKind kind = column.element.logical.kind;
  Column flat = column;
  flat.element.max_repetition_level = 0;
  return why_not_drawn(flat).empty() && kind != LogicalKind::kDate && kind != LogicalKind::kTime &&
         kind != LogicalKind::kTimestamp;
}

PhysicalValues::PhysicalValues(ParquetFile& file) {
  const Facts facts = read_facts(file);
  for (const Column& column : file.columns()) {
    columns_.emplace_back();
    if (facts.converts(column.name) && is_convertible(column)) {
      columns_.back() = std::make_unique<Converted>(Converted{Channel(column, facts), 0});
    }
  }
}

Column PhysicalValues::shown(const Column& column) const {
  Column shown = column;
  if (columns_[column.number] != nullptr) {
    shown.element.type = microparquet::Type::kDouble;
    shown.element.logical = {};
  }
  return shown;
}

microparquet::Cell PhysicalValues::cell(std::uint32_t number, const microparquet::Cell& stored) const {
  Converted* const converted = columns_[number].get();
  if (converted == nullptr || stored.null()) {
    return stored;
  }
  converted->value = converted->channel.physical(stored);
  return {reinterpret_cast<const std::byte*>(&converted->value), sizeof converted->value};
}

}  // namespace mpq_tool
