// Reading SizeStatistics (parquet.thrift) from any writer.
#pragma once

#include <cstdint>

#include "microparquet/detail/format/fields.h"
#include "thrift/compact_reader.h"

namespace microparquet::format {

// Reads the size statistics of the next column chunk, if it has any. The functions of `parts` are
//
//   byte_array_bytes(n)
//   definition(size), repetition(size): read or pass the next `size` numbers
template <typename Parts>
inline void read_size_statistics(thrift::CompactReader& in, const Parts& parts) {
  const auto read_structure = [&](const thrift::FieldHeader& structure) {
    in.begin_struct(structure);
    for (thrift::FieldHeader field; in.next(field);) {
      switch (field.id) {
        case SizeStatisticsField::kUnencodedByteArrayDataBytes:
          parts.byte_array_bytes(in.count(field));
          break;
        case SizeStatisticsField::kRepetitionLevelHistogram:
          parts.repetition(in.list(field, thrift::CompactType::kI64));
          break;
        case SizeStatisticsField::kDefinitionLevelHistogram:
          parts.definition(in.list(field, thrift::CompactType::kI64));
          break;
        default: in.skip(field); break;
      }
    }
  };
  for (thrift::FieldHeader field; in.next(field);) {
    if (field.id != ColumnChunkField::kMetaData) {
      in.skip(field);
      continue;
    }
    in.begin_struct(field);
    for (thrift::FieldHeader member; in.next(member);) {
      if (member.id == ColumnMetaDataField::kSizeStatistics) {
        read_structure(member);
      } else {
        in.skip(member);
      }
    }
  }
}

}  // namespace microparquet::format
