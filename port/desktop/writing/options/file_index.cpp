#include <algorithm>

#include "encoding_options.h"

namespace mpq = microparquet;

namespace {

mpq::IndexedLayout with_index_of_all_pages(mpq::Schema schema, const mpq::Options& options) {
  constexpr std::uint64_t kUsualRowGroup = 64 << 20;
  constexpr std::uint64_t kMostValue = 64;
  constexpr std::uint64_t kMostPages = 1 << 22;
  constexpr std::uint64_t kMorePages = 64;  // pages of a column that checkpoints cut
  std::uint64_t bytes = options.row_group_bytes != 0 ? options.row_group_bytes : kUsualRowGroup;
  if (options.row_group_rows != 0) {
    bytes = options.row_group_rows * kMostValue * schema.size();
  }
  const std::uint64_t pages = 2 * bytes / options.page_bytes + kMorePages * schema.size();
  return mpq::with_page_index(
      *options.layout,
      mpq::page_index_bytes(schema, options, static_cast<std::uint32_t>(std::min(pages, kMostPages))));
}

bool has_name(const EncodingOptions& options, std::string_view name) {
  return std::find(options.bloom.begin(), options.bloom.end(), name) != options.bloom.end();
}

}  // namespace

std::string FileIndex::watch(mpq::Span<mpq::Field> fields, const EncodingOptions& options) {
  for (const std::string& name : options.bloom) {
    const auto* const field = std::find_if(fields.begin(), fields.end(),
                                           [&](const mpq::Field& column) { return column.name == name; });
    if (field == fields.end()) {
      return "--bloom " + name + ": there is no such column";
    }
    if (field->type == mpq::Type::kBoolean) {
      return "--bloom " + name + ": a column of true and false gains nothing from a filter";
    }
  }
  for (mpq::Field& field : fields) {
    const bool has_filter = has_name(options, field.name);
    if (!has_filter && field.type != mpq::Type::kByteArray) {
      continue;
    }
    Column column;
    if (has_filter) {
      column.filter.resize(mpq::desktop::bloom_filter_bytes(options.bloom_values, options.bloom_wrong));
    }
    column.noted = std::make_unique<mpq::desktop::NotedColumn>(*field.encoder, column.filter);
    field = field.with_encoder(*column.noted);
    columns_.push_back(std::move(column));
  }
  return {};
}

const mpq::Layout& FileIndex::over(mpq::Schema schema, const mpq::Options& options) {
  layout_ = mpq::desktop::with_full_index(with_index_of_all_pages(schema, options), schema);
  return layout_;
}
