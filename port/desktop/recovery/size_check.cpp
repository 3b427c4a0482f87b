#include "size_check.h"

#include <cstring>
#include <string_view>

namespace microparquet::recovery {

SizeCheck::SizeCheck(const SchemaElement& element)
    : texts_(element.type == Type::kByteArray),
      knows_nulls_(element.max_definition_level <= 1),
      definition_(element.max_definition_level + 1U),
      repetition_(element.max_repetition_level + 1U) {}

void SizeCheck::read(Reader& reader) {
  Counts memory(definition_.size() + repetition_.size());
  SizeStatistics told;
  if (size_statistics(reader, 0, memory, told) == Status::kOk) {
    expect(told);
  }
}

void SizeCheck::expect(const SizeStatistics& told) {
  has_text_bytes_ = texts_ && told.has_byte_array_bytes;
  told_text_bytes_ = told.byte_array_bytes;
  told_definition_.assign(told.definition.begin(), told.definition.end());
  told_repetition_.assign(told.repetition.begin(), told.repetition.end());
}

void SizeCheck::count(const std::uint8_t* levels, std::size_t items, Counts& counts) {
  if (counts.size() == 1) {
    counts[0] += items;
    return;
  }
  for (std::size_t i = 0; i < items; ++i) {
    ++counts[levels[i]];
  }
}

void SizeCheck::add(const AnyBatch& items) {
  if (!told_definition_.empty()) {
    count(items.definition_levels, items.level_count, definition_);
  }
  if (!told_repetition_.empty()) {
    count(items.repetition_levels, items.level_count, repetition_);
  }
  for (std::size_t i = 0; has_text_bytes_ && i < items.value_count; ++i) {
    std::string_view text;
    std::memcpy(&text, static_cast<const std::byte*>(items.values) + i * sizeof(std::string_view),
                sizeof(std::string_view));
    text_bytes_ += text.size();
  }
}

void SizeCheck::add_nulls(std::uint64_t rows) {
  definition_.front() += rows;
  repetition_.front() += rows;
  if (!knows_nulls_ && rows != 0) {
    told_definition_.clear();
  }
}

void SizeCheck::add_values(std::uint64_t rows) {
  definition_.back() += rows;
  repetition_.front() += rows;
}

void SizeCheck::compare(const char* name, const Counts& told, const Counts& found,
                        std::vector<std::string>& sentences) {
  for (std::size_t level = 0; level < told.size(); ++level) {
    if (told[level] != found[level]) {
      sentences.push_back("size statistics: " + std::to_string(told[level]) + " items of " + name +
                          " level " + std::to_string(level) + ", the pages have " +
                          std::to_string(found[level]));
    }
  }
}

std::vector<std::string> SizeCheck::contradictions() const {
  std::vector<std::string> sentences;
  if (has_text_bytes_ && told_text_bytes_ != text_bytes_) {
    sentences.push_back("size statistics: " + std::to_string(told_text_bytes_) +
                        " bytes of values, the pages have " + std::to_string(text_bytes_));
  }
  compare("definition", told_definition_, definition_, sentences);
  compare("repetition", told_repetition_, repetition_, sentences);
  return sentences;
}

}  // namespace microparquet::recovery
