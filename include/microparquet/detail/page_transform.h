// What is done to pages after their values are encoded, and what chunks say of it: linked with the first
// column that names a compressor, or an encoder of several encodings.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {
class Compressor;
}

namespace microparquet::thrift {
class WindowSink;
}

namespace microparquet::detail {

struct ChunkForm;
struct ColumnWriter;
struct SealingPage;
struct WriterState;

// Writes the open row group as an element of FileMetaData.row_groups. Returns WindowSink::position() after it: more may
// follow in the record's slot.
using WriteRowGroup = std::uint32_t(thrift::WindowSink& sink, const WriterState& state);

// Of columns in PLAIN, uncompressed, and others whose pages have one encoding.
WriteRowGroup write_row_group;

// The body of a page lies from column.values to column.cursor, before and after it, with space for the header
// before it. Changes what `page` says of it; returns by how much that makes the header longer.
using TransformPage = std::uint32_t(WriterState& state, ColumnWriter& column, SealingPage& page);
TransformPage note_page_encoding;
TransformPage transform_page;
TransformPage transform_split_page;

// Says what dictionaries and compression change of the column's chunk; returns by how many bytes, modulo 2^64, its
// pages are smaller than before compression.
using DescribeChunk = std::uint64_t(const WriterState& state, const ColumnWriter& column, ChunkForm& form);
DescribeChunk describe_dictionary;
DescribeChunk describe_transformed;

// Compresses the body of a dictionary page, if the column names a compressor.
using CompressDictionary = void(const WriterState& state, const ColumnWriter& column,
                                Span<const std::byte>& body);
CompressDictionary compress_dictionary;

// How much of its extent a column must have left that a page is begun; 0: its pages are not compressed.
using LeastCompressedPage = std::uint32_t(const WriterState& state, const ColumnWriter& column);
LeastCompressedPage least_compressed_page;

WriteRowGroup write_encoded_row_group;
// The same, and after it what tells the dictionary pages that it names from others.
WriteRowGroup write_row_group_with_dictionaries;

struct PageTransform {
  static constexpr std::uint32_t kEncodedChunkBytes = 8;
  static constexpr std::uint32_t kDictionaryChunkBytes = 24;
  static constexpr std::uint32_t kTransformedChunkBytes = 32;
  static constexpr std::uint32_t kSplitChunkBytes = 40;

  TransformPage* transform_page;
  DescribeChunk* describe_chunk;            // null: there is nothing to say
  CompressDictionary* compress_dictionary;  // null: no column names a compressor, and no least_page
  LeastCompressedPage* least_page;
  std::uint32_t chunk_bytes;  // what is kept of a chunk: more by each that can do more
  WriteRowGroup* write_row_group = &write_encoded_row_group;
};
// Where pages have several encodings, and nothing else is done to them,
inline constexpr PageTransform kPageEncodings{&note_page_encoding, nullptr, nullptr, nullptr,
                                              PageTransform::kEncodedChunkBytes};
// or where there are dictionaries before them;
inline constexpr PageTransform kDictionaryEncodings{&note_page_encoding,
                                                    &describe_dictionary,
                                                    nullptr,
                                                    nullptr,
                                                    PageTransform::kDictionaryChunkBytes,
                                                    &write_row_group_with_dictionaries};
// where some columns are compressed,
inline constexpr PageTransform kPageTransform{&transform_page, &describe_transformed, &compress_dictionary,
                                              &least_compressed_page, PageTransform::kTransformedChunkBytes};
// and their values split into streams of bytes before it, or not.
inline constexpr PageTransform kSplitPages{&transform_split_page, &describe_transformed, &compress_dictionary,
                                           &least_compressed_page, PageTransform::kSplitChunkBytes};

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

// Of all columns, where one of them needs it.
struct ColumnTransforms {
  const PageTransform* functions;
  const Compressor* const* compressors;  // of each column; null: it is stored as it is, or they all are
  std::uint32_t memory;                  // TransformPlan: where in the arena it begins
};

}  // namespace microparquet::detail
