#include "microparquet/writer.h"
#include "write/page_transform.h"

namespace microparquet {

DictionaryCounts Writer::dictionary_counts(std::uint32_t column) const {
  const detail::WriterPlan* const plan = state_.plan;
  if (plan == nullptr || plan->columns[column].encoder->dictionary == nullptr) return {};
  const detail::DictionaryChunk& chunk = write::dictionary_chunk_of(state_, state_.columns[column]);
  return {chunk.fallbacks + (write::falls_back(chunk) ? 1U : 0U), chunk.left_out};
}

}  // namespace microparquet
