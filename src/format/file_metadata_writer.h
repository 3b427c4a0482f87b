// FileMetaData (parquet.thrift) for a writer that copies its row groups: the parts between these and the
// constants of a schema (detail/format/footer_constants.h), and the file's end.
#pragma once

#include <cstdint>

#include "io/window_sink.h"
#include "microparquet/detail/compact_writer.h"
#include "microparquet/detail/format/fields.h"
#include "microparquet/detail/format/footer_constants.h"
#include "microparquet/detail/format/magic.h"

namespace microparquet::format {

// Writes a varint of fixed length, with continuation bytes of zeros.
[[gnu::noinline]] static inline void put_fixed_varint(thrift::WindowSink& sink, unsigned bytes,
                                                      std::uint64_t value) {
  for (; bytes > 1; --bytes) {
    sink.put_byte(static_cast<unsigned>(value) | 0x80);
    value >>= 7;
  }
  sink.put_byte(static_cast<unsigned>(value));
}

// Writes num_rows after its field's header, and the header of row_groups: kCountsBytes in all.
static inline void put_counts(thrift::WindowSink& sink, std::uint64_t rows, std::uint32_t row_groups) {
  constexpr auto kRowGroups = thrift::field_byte(FileMetaDataField::kRowGroups, thrift::CompactType::kList,
                                                 FileMetaDataField::kNumRows);
  put_fixed_varint(sink, kRowsBytes, rows << 1);
  sink.put_byte(kRowGroups);
  sink.put_byte(thrift::list_byte(thrift::CompactType::kStruct, 15));  // the number follows
  put_fixed_varint(sink, kRowGroupsBytes, row_groups);
}

// Checks that `source` has the bytes that put_counts() writes; it has byte() and expect_varint(bytes, value).
template <typename Source>
[[gnu::always_inline]] inline void expect_counts(Source& source, std::uint64_t rows,
                                                 std::uint32_t row_groups) {
  source.expect_varint(kRowsBytes, rows << 1);
  source.byte();
  source.byte();
  source.expect_varint(kRowGroupsBytes, row_groups);
}

// Returns the byte before created_by, the beginning of the footer's tail, if field `id` came last.
constexpr unsigned created_by_after(int id) {
  return thrift::field_byte(FileMetaDataField::kCreatedBy, thrift::CompactType::kBinary, id);
}
inline constexpr unsigned kCreatedByAfterRowGroups = created_by_after(FileMetaDataField::kRowGroups);
inline constexpr unsigned kCreatedByAfterKeyValues = created_by_after(FileMetaDataField::kKeyValueMetadata);

// Ends the file after the last field: FileMetaData's stop byte, its length and the magic. `footer_bytes`
// counts everything from the head to the magic, and one magic more.
static inline void put_file_end(thrift::WindowSink& sink, std::uint32_t footer_bytes) {
  sink.put_byte(0);
  const std::uint32_t end[] = {footer_bytes - 2 * kMagicBytes, kMagic};
  sink.put(end, sizeof end);
}

// The file's end, read back.
struct FileEnd {
  static constexpr std::uint32_t kBytes = 1 + kFileEndBytes;

  unsigned stop;
  struct {
    std::uint32_t metadata_bytes;
    std::uint32_t magic;
  } tail;

  // Reads from `source`, which has byte() and get(to, bytes).
  template <typename Source>
  [[gnu::always_inline]] void take(Source& source) {
    stop = source.byte();
    source.get(&tail, sizeof tail);
  }
  std::uint32_t footer_bytes() const { return tail.metadata_bytes + 2 * kMagicBytes; }
};

}  // namespace microparquet::format
