// FileMetaData taken apart and put together again (parquet.thrift; the extension in src/FORMAT.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "byte_views.h"
#include "microparquet/detail/compact_writer.h"
#include "microparquet/detail/footer_state.h"
#include "microparquet/reader.h"

namespace microparquet::recovery {

// A field as it stands in the footer, without its header.
struct FooterField {
  int id;
  thrift::CompactType type;
  Bytes value;
};

struct Footer {
  std::vector<FooterField> fields;  // all but the row groups, what counts them, and our extension
  std::vector<Bytes> entries;       // RowGroup structures
  std::uint64_t rows = 0;           // rows that the footer counts
  bool has_extension = false;       // ours
};

// The facts in the extension of a footer of ours that do not follow from its entries.
struct OwnFile {
  std::uint32_t file_id;
  std::uint32_t sequence;
  std::uint32_t slot_bytes;
  std::uint32_t columns;                        // columns that the extension has a place for; 0 in forward
                                                // mode
  std::uint32_t block_bytes;                    // Options::block_bytes, as far as it shows
  detail::SectorIndex next = detail::kNowhere;  // begin of the next row group; kNowhere in forward mode
};

// FileMetaData, without the length and PAR1 after it. None when it is malformed.
std::optional<Footer> parse_footer(ByteView bytes);

// A footer up to and with its PAR1. Rows are what the entries say. With `own` it has our extension, which
// tells of no segment, as that of a closed file.
Bytes build_footer(const std::vector<FooterField>& fields, const std::vector<Bytes>& entries,
                   const std::optional<OwnFile>& own);

// Bytes of the count of row groups, which stands before them in a footer of ours.
constexpr std::size_t kRowGroupCountBytes = 6;
constexpr std::byte kRowGroupList{0xFC};  // the first of them: a list of structures, of more than fourteen

// Whether `bytes` are that of `row_groups` row groups.
bool counts_row_groups(ByteView bytes, std::uint64_t row_groups);

// A RowGroup structure taken apart.
struct RowGroupParts {
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;        // total_byte_size
  std::vector<ByteView> columns;  // ColumnChunk structures, in `entry`
};

// None when `entry` is malformed or bytes follow it.
std::optional<RowGroupParts> take_apart(ByteView entry);

// Rows of a RowGroup structure; none when it is malformed or bytes follow it.
std::optional<std::uint64_t> rows_of(ByteView entry);

using TextPair = std::pair<std::string, std::string>;

// The key-values among the fields of a footer, in its order; of what is malformed none.
std::vector<TextPair> key_values_of(const std::vector<FooterField>& fields);

// Bytes that the key-values take in the footer; key_values_of() takes many times as much memory.
std::size_t key_value_bytes(const std::vector<FooterField>& fields);

// Replaces all key-values.
void set_key_values(std::vector<FooterField>& fields, const std::vector<TextPair>& pairs);

// The fields of a file that has this column alone, of any writer's pages. The column is in as many optional groups as give it its levels.
std::vector<FooterField> fields_of_column(const SchemaElement& element);

// A RowGroup structure of the ColumnChunk structure `chunk`.
Bytes row_group_of(ByteView chunk, std::uint64_t rows);

// A ColumnChunk structure of pages that follow PAR1, the dictionary's first. `info` is that of the chunk which
// they come from.
Bytes chunk_of_pages(const SchemaElement& element, const ColumnChunkInfo& info, std::uint64_t values,
                     std::uint64_t data_bytes, std::uint64_t dictionary_bytes);

}  // namespace microparquet::recovery
