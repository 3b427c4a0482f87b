// A RowGroup structure for other pages or another place than it was written for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "byte_views.h"
#include "open_file.h"
#include "thrift_dom/footer_parts.h"
#include "thrift_dom/thrift_value.h"
#include "view.h"

namespace microparquet::recovery {

// Place of the pages of a column chunk, and the sums of their headers.
struct FoundChunk {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t data_begin = 0;  // begin of the first page that is no dictionary
  std::uint64_t values = 0;
  std::uint64_t uncompressed_bytes = 0;  // bytes with page headers
  std::uint32_t encodings = 0;           // encodings of pages, a bit each
};

// A RowGroup structure, by that of the other file, `model`, which has as many column chunks as `chunks`.
Bytes describe_row_group(const ThriftValue& model, const std::vector<FoundChunk>& chunks, std::uint64_t rows);

// A RowGroup structure of these columns, for describe_row_group(); none: it cannot name them.
std::optional<ThriftValue> model_of(const std::vector<Leaf>& leaves);

// Places of the column chunks of the RowGroup structure `entry`. Throws Failure when it is malformed.
std::vector<Piece> chunks_of(const Bytes& entry);

struct MovedRowGroup {
  Bytes entry;                // at the new place
  std::vector<Piece> pieces;  // pieces to be copied there, one after another
};

// The RowGroup structure `entry` with its pages from `to` on. Indexes and Bloom filters are left out. Throws
// Failure when it is malformed.
MovedRowGroup move_row_group(const Bytes& entry, std::uint64_t to);

// The RowGroup structure `entry` where nothing says where its indexes and Bloom filters are. Throws Failure when it is
// malformed.
Bytes without_indexes(const Bytes& entry);

// The fields of a footer for another file with the same columns; of the key-values only what belongs to the schema, since the others
// tell of the file they are in.
std::vector<FooterField> schema_fields(const Footer& footer);

// Makes the elements `nodes` of the schema among `fields` optional. What Arrow says of the schema would contradict it, and
// is left out. Throws Failure when they are malformed.
void make_optional(std::vector<FooterField>& fields, const std::vector<std::uint32_t>& nodes);

// None when the RowGroup structure `entry` is malformed or has no columns.
std::optional<ThriftValue> parse_row_group(ByteView entry);

}  // namespace microparquet::recovery
