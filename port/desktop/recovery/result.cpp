#include "result.h"

namespace microparquet::recovery {

std::size_t Result::row_groups() const {
  std::size_t count = 0;
  for (const ResultPart& part : parts) {
    count += part.rows ? part.rows->entries.size() : 1;
  }
  return count;
}

Result make_result(View& view, const Found& found, const Progress& progress) {
  Result result;
  std::uint64_t done = 0;
  for (const KeptRowGroup& kept : found.proof.kept) {
    const std::uint64_t rows = rows_in(kept.rows);
    if (kept.whole) {
      result.parts.push_back({kept.entry, std::nullopt, kept.mended});
      result.rows += rows;
      continue;
    }
    if (progress) {
      progress(++done);
    }
    auto written = write_again(view, found.fields, kept);
    if (!written) {
      result.rows_given_up += rows;
      continue;
    }
    result.parts.push_back({{}, std::move(written)});
    result.rows += rows;
  }
  return result;
}

}  // namespace microparquet::recovery
