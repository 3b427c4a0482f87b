// Column chunks of many pages put together by hand: numbers, numbers of which some are missing, and 100 to 103 from a
// dictionary.
#pragma once

#include <cstddef>
#include <cstdint>

#include "made_file.h"

namespace made {

inline constexpr std::int32_t kChunkRows = 120;
inline constexpr std::int32_t kPageRows[] = {7, 11, 16};  // of each column
inline constexpr std::int32_t kRleDictionary = 8;

// The value of column `column` in row `row`; -1: null, which only the second column may have.
using ValueOf = std::int32_t(std::size_t column, std::int32_t row);

inline Bytes page_body(ValueOf& value_of, std::size_t column, std::int32_t first, std::int32_t rows) {
  Bytes levels;
  Bytes values;
  for (std::int32_t row = first; row < first + rows; ++row) {
    const std::int32_t value = value_of(column, row);
    levels.varint(1 << 1).byte(value == -1 ? 0 : 1);
    if (column == 2) {
      values.byte(1 << 1).byte(static_cast<unsigned>(value - 100));
    } else if (value != -1) {
      values.little(static_cast<std::uint32_t>(value), 4);
    }
  }
  if (column == 1) return Bytes().little(levels.size(), 4).append(levels).append(values);
  return column == 2 ? Bytes().byte(2).append(values) : values;
}

// The chunk of column `number`. Calls begin_page() before each data page.
template <typename BeginPage>
void make_pages(File& made, ValueOf& value_of, std::size_t number, Column& column, BeginPage begin_page) {
  column.repetition = number == 1 ? kOptional : kRequired;
  column.values = kChunkRows;
  made.begin_column(column);
  if (number == 2) {
    column.dictionary = column.begin;
    Page dictionary;
    dictionary.type = kDictionaryPage;
    dictionary.values = 4;
    Bytes values;
    for (std::uint32_t i = 0; i < 4; ++i) values.little(100 + i, 4);
    made.page(dictionary, values.view());
  }
  for (std::int32_t first = 0; first < kChunkRows; first += kPageRows[number]) {
    begin_page();
    Page page;
    page.values = kPageRows[number] < kChunkRows - first ? kPageRows[number] : kChunkRows - first;
    page.encoding = number == 2 ? kRleDictionary : kPlain;
    made.page(page, page_body(value_of, number, first, static_cast<std::int32_t>(page.values)).view());
  }
  made.end_column(column);
}

}  // namespace made
