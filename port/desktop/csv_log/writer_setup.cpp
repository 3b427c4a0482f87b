#include "writer_setup.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "column_type.h"
#include "microparquet/compatible.h"

namespace csv_log {

namespace mpq = microparquet;

namespace {

constexpr std::uint32_t kSectorBytes = 512;
constexpr std::uint32_t kPageOverhead = 96;  // at most, for header, levels and a string's length
constexpr std::uint32_t kGrowthShare = 128;  // compression makes a page larger by no more than this part

// Row groups that a sink which cannot be read back may come to.
std::uint16_t max_row_groups_in_memory(const Settings& settings) {
  constexpr std::uint16_t kMax = 32'767;
  constexpr std::uint16_t kUsual = 4'096;
  return settings.rows_per_group != 0 ? kMax : kUsual;
}

}  // namespace

std::uint32_t page_bytes_for(std::size_t text_bytes, const Settings& settings) {
  constexpr std::size_t kMax = std::size_t{1} << 28;
  std::size_t bytes = std::min(text_bytes, kMax - kMax / kGrowthShare) + kPageOverhead;
  if (compressor_of(settings) != nullptr || settings.v2_pages) {
    bytes += kSectorBytes + bytes / kGrowthShare;
  }
  return static_cast<std::uint32_t>((bytes + kSectorBytes - 1) / kSectorBytes * kSectorBytes);
}

std::vector<mpq::Field> fields_of(const TablePlan& plan, const Settings& settings) {
  std::vector<mpq::Field> fields;
  for (const ColumnPlan& column : plan.columns) {
    mpq::Field field = encoded(field_of(column.name, column.type), settings);
    if (column.optional) {
      field = field.as_optional();
    }
    if (settings.page_bytes == 0 && field.type == mpq::Type::kByteArray &&
        page_bytes_for(column.longest, settings) > page_bytes_of(settings)) {
      field = field.with_page_bytes(page_bytes_for(column.longest, settings));
      if (field.page_bytes > kMostCompressedPageBytes) {
        field.compressor = nullptr;
      }
    }
    fields.push_back(field);
  }
  return fields;
}

mpq::Options options_of(const TablePlan& plan, const Settings& settings, const Output& output) {
  constexpr std::uint32_t kForwardRowGroup = 8 << 20;
  mpq::Options options;
  options.page_bytes = page_bytes_of(settings);
  options.whole_sectors = options.page_bytes % kSectorBytes == 0;
  options.row_group_rows = settings.rows_per_group;
  options.max_key_values =
      static_cast<std::uint8_t>(settings.key_values.size() + plan.units.size() + 1);  // and why it stopped
  options.file_id = std::random_device()();
  if (settings.checkpoint_seconds) {
    constexpr double kMsPerSecond = 1000;
    const double ms = std::ceil(*settings.checkpoint_seconds * kMsPerSecond);
    options.checkpoint_ms = static_cast<std::uint32_t>(ms);
    options.max_loss_ms = options.checkpoint_ms;  // as told, whatever it costs
  }
  if (settings.compatible || !output.can_seek()) {
    options = mpq::compatible(options);
    options.row_group_bytes = kForwardRowGroup;
  }
  if (!output.can_seek()) {
    options.max_row_groups_in_memory = max_row_groups_in_memory(settings);
  }
  if (settings.row_group_bytes != 0) {
    options.row_group_bytes = settings.row_group_bytes;
  }
  return options;
}

}  // namespace csv_log
