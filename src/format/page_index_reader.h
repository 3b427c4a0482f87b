// Reading OffsetIndex and ColumnIndex (parquet.thrift) from any writer, in one pass.
#pragma once

#include <cstdint>

#include "microparquet/detail/format/fields.h"
#include "thrift/compact_reader.h"

namespace microparquet::format {

struct PageLocation {
  std::uint64_t offset = 0;
  std::uint64_t first_row = 0;
  std::uint32_t bytes = 0;  // includes the header
};

// Reads the next OffsetIndex. It calls `take_size(pages)` once, then `take(page)` for each page until one
// call returns false.
template <typename TakeSize, typename Take>
inline void read_offset_index(thrift::CompactReader& in, const TakeSize& take_size, const Take& take) {
  for (thrift::FieldHeader field; in.next(field);) {
    if (field.id != OffsetIndexField::kPageLocations) {
      in.skip(field);
      continue;
    }
    std::uint32_t left = in.list(field, thrift::CompactType::kStruct);
    if (!take_size(left)) return;
    for (; left != 0 && in.ok(); --left) {
      PageLocation page;
      for (thrift::FieldHeader member; in.next(member);) {
        switch (member.id) {
          case PageLocationField::kOffset: page.offset = in.count(member); break;
          case PageLocationField::kCompressedPageSize: page.bytes = in.count32(member); break;
          case PageLocationField::kFirstRowIndex: page.first_row = in.count(member); break;
          default: in.skip(member); break;
        }
      }
      if (!in.ok() || !take(page)) return;
    }
  }
}

// Reads the next ColumnIndex, of `pages` pages. The functions of `parts` receive the page's number, and read
// or pass the value, which is next. kCorrupt: a list has another length.
//   null_page(i, bool), null_count(i, n), nan_count(i, n), min(i, bytes), max(i, bytes): `bytes` are next
template <typename Parts>
inline void read_column_index(thrift::CompactReader& in, std::uint32_t pages, const Parts& parts) {
  const auto each = [&](std::uint32_t size, const auto& take) {
    if (size != pages) in.fail(Status::kCorrupt);
    for (std::uint32_t i = 0; i < pages && in.ok(); ++i) take(i);
  };
  for (thrift::FieldHeader field; in.next(field);) {
    switch (field.id) {
      case ColumnIndexField::kNullPages:
        each(in.list_of_booleans(field), [&](std::uint32_t i) { parts.null_page(i, in.element_boolean()); });
        break;
      case ColumnIndexField::kMinValues:
        each(in.list(field, thrift::CompactType::kBinary),
             [&](std::uint32_t i) { parts.min(i, in.element_binary()); });
        break;
      case ColumnIndexField::kMaxValues:
        each(in.list(field, thrift::CompactType::kBinary),
             [&](std::uint32_t i) { parts.max(i, in.element_binary()); });
        break;
      case ColumnIndexField::kNullCounts:
        each(in.list(field, thrift::CompactType::kI64),
             [&](std::uint32_t i) { parts.null_count(i, in.element_count()); });
        break;
      case ColumnIndexField::kNanCounts:
        each(in.list(field, thrift::CompactType::kI64),
             [&](std::uint32_t i) { parts.nan_count(i, in.element_count()); });
        break;
      default: in.skip(field); break;
    }
  }
}

// Reads the next OffsetIndex. If it has the lengths of each page's texts, it calls `take(size)`, which must
// read or pass `size` numbers.
template <typename Take>
inline void read_text_bytes(thrift::CompactReader& in, const Take& take) {
  for (thrift::FieldHeader field; in.next(field);) {
    if (field.id == OffsetIndexField::kUnencodedByteArrayDataBytes) {
      take(in.list(field, thrift::CompactType::kI64));
    } else {
      in.skip(field);
    }
  }
}

// Reads the next ColumnIndex. If it has the numbers of items of each level, page after page, it calls
// `definition(size)` and `repetition(size)`.
template <typename Definition, typename Repetition>
inline void read_level_counts(thrift::CompactReader& in, const Definition& definition,
                              const Repetition& repetition) {
  for (thrift::FieldHeader field; in.next(field);) {
    switch (field.id) {
      case ColumnIndexField::kRepetitionLevelHistograms:
        repetition(in.list(field, thrift::CompactType::kI64));
        break;
      case ColumnIndexField::kDefinitionLevelHistograms:
        definition(in.list(field, thrift::CompactType::kI64));
        break;
      default: in.skip(field); break;
    }
  }
}

}  // namespace microparquet::format
