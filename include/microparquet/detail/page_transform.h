// What is done to pages after their values are encoded, and what chunks say of it: linked with the first
// column that names a compressor, or an encoder of several encodings.
#pragma once

#include <cstdint>

#include "microparquet/status.h"

namespace microparquet {
class Compressor;
}

namespace microparquet::format {
struct PageFields;
}

namespace microparquet::thrift {
class WindowSink;
}

namespace microparquet::detail {

struct ColumnWriter;
struct WriterState;

// Writes the open row group as an element of FileMetaData.row_groups.
using WriteRowGroup = void(thrift::WindowSink& sink, const WriterState& state);

// Of columns in PLAIN, uncompressed, and others whose pages have one encoding.
WriteRowGroup write_row_group;

// The body of a page lies from column.values to column.cursor, before and after it, with space for the header
// before it. Changes what `fields` says of it; returns by how much that makes the header longer.
using TransformPage = std::uint32_t(WriterState& state, ColumnWriter& column, format::PageFields& fields);
TransformPage transform_page;
WriteRowGroup write_transformed_row_group;
TransformPage note_page_encoding;
WriteRowGroup write_encoded_row_group;

struct PageTransform {
  static constexpr std::uint32_t kEncodedChunkBytes = 8;
  static constexpr std::uint32_t kTransformedChunkBytes = 24;

  TransformPage* transform_page;
  WriteRowGroup* write_row_group;
  std::uint32_t chunk_bytes;  // what is kept of a chunk
};
inline constexpr PageTransform kPageTransform{&transform_page, &write_transformed_row_group,
                                              PageTransform::kTransformedChunkBytes};
// Where pages have several encodings, and nothing else is done to them.
inline constexpr PageTransform kPageEncodings{&note_page_encoding, &write_encoded_row_group,
                                              PageTransform::kEncodedChunkBytes};

// What is done about dictionary pages: linked with the first column whose encoder has one.
struct DictionaryPages {
  // The layout has begun a row group, and dictionaries begin with it: where there are extents, each gives its
  // head to the dictionary.
  void (*begin)(WriterState& state);
  // All pages so far are stored: ends the dictionaries that have not ended. In place their pages are stored;
  // forward it is known then how large they are, and write() writes the one of a column before its chunk.
  Status (*end)(WriterState& state);
  Status (*write)(WriterState& state, ColumnWriter& column);
  // Bytes of it that are stored, or are to be: 0 before it ends, and where there is none.
  std::uint32_t (*stored_bytes)(const WriterState& state, const ColumnWriter& column);
  // Bytes at the head of an extent.
  std::uint32_t (*head_bytes)(const WriterState& state, const ColumnWriter& column);
};
extern const DictionaryPages
    kDictionaryPages;  // NOLINT(readability-identifier-naming, bugprone-dynamic-static-initializers)

// Of each column, where one of them needs it.
struct ColumnTransform {
  const PageTransform* functions;
  const Compressor* compressor;  // null: the column is stored as it is
};

}  // namespace microparquet::detail
