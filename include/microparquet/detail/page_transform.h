// Transforms of pages after their values are encoded, and notes on chunks. The first column that names a
// compressor, or an encoder of several encodings, links them.
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

// Writes the open row group as an element of FileMetaData.row_groups. Returns WindowSink::position() after
// it: more may follow in the record's slot.
using WriteRowGroup = std::uint32_t(thrift::WindowSink& sink, const WriterState& state);

// Writes columns in PLAIN, uncompressed, and others whose pages have one encoding.
WriteRowGroup write_row_group;

// Transforms the body of a page, from column.values to column.cursor before and after the call, with space
// for the header before it. It changes the fields of `page`, and returns by how much that makes the header
// longer.
using TransformPage = std::uint32_t(WriterState& state, ColumnWriter& column, SealingPage& page);
TransformPage note_page_encoding;
TransformPage transform_page;
TransformPage transform_split_page;

// Describes how dictionaries and compression change the column's chunk. Returns by how many bytes, modulo
// 2^64, its pages are smaller than before compression.
using DescribeChunk = std::uint64_t(const WriterState& state, const ColumnWriter& column, ChunkForm& form);
DescribeChunk describe_dictionary;
DescribeChunk describe_transformed;

// Compresses the body of a dictionary page, if the column names a compressor.
using CompressDictionary = void(const WriterState& state, const ColumnWriter& column,
                                Span<const std::byte>& body);
CompressDictionary compress_dictionary;

// Returns the space in its extent with which a column begins a page; 0: its pages are not compressed.
using LeastCompressedPage = std::uint32_t(const WriterState& state, const ColumnWriter& column);
LeastCompressedPage least_compressed_page;

WriteRowGroup write_encoded_row_group;
// Writes a row group, and after it the proof that the dictionary pages it names are its own.
WriteRowGroup write_row_group_with_dictionaries;

struct PageTransform {
  static constexpr std::uint32_t kEncodedChunkBytes = 8;
  static constexpr std::uint32_t kDictionaryChunkBytes = 24;
  static constexpr std::uint32_t kTransformedChunkBytes = 32;
  static constexpr std::uint32_t kSplitChunkBytes = 40;

  TransformPage* transform_page;
  DescribeChunk* describe_chunk;            // null: there is nothing to describe
  CompressDictionary* compress_dictionary;  // null: no column names a compressor, and no least_page
  LeastCompressedPage* least_page;
  std::uint32_t chunk_bytes;  // length of a chunk's notes: a transform that can do more has longer ones
  WriteRowGroup* write_row_group = &write_encoded_row_group;
};
// Transform for pages of several encodings, which changes nothing else.
inline constexpr PageTransform kPageEncodings{&note_page_encoding, nullptr, nullptr, nullptr,
                                              PageTransform::kEncodedChunkBytes};
// Transform for pages with a dictionary.
inline constexpr PageTransform kDictionaryEncodings{&note_page_encoding,
                                                    &describe_dictionary,
                                                    nullptr,
                                                    nullptr,
                                                    PageTransform::kDictionaryChunkBytes,
                                                    &write_row_group_with_dictionaries};
// Transform for columns of which some are compressed.
inline constexpr PageTransform kPageTransform{&transform_page, &describe_transformed, &compress_dictionary,
                                              &least_compressed_page, PageTransform::kTransformedChunkBytes};
// Transform for values that may be split into streams of bytes before compression.
inline constexpr PageTransform kSplitPages{&transform_split_page, &describe_transformed, &compress_dictionary,
                                           &least_compressed_page, PageTransform::kSplitChunkBytes};

// Functions for dictionary pages. The first column whose encoder has a dictionary links them.
struct DictionaryPages {
  // Begins the dictionaries of a row group that the layout has begun: each takes the head of its extent, if
  // there are extents.
  void (*begin)(WriterState& state);
  // Ends the dictionaries that have not ended, after all pages so far are stored. In place it stores their
  // pages; in the forward layout their lengths are known then, and write() writes each one before its
  // column's chunk.
  Status (*end)(WriterState& state);
  Status (*write)(WriterState& state, ColumnWriter& column);
  // Returns the bytes of the page that are, or will be, stored: 0 before it ends, and if there is none.
  std::uint32_t (*stored_bytes)(const WriterState& state, const ColumnWriter& column);
  // Returns the length of the head of an extent.
  std::uint32_t (*head_bytes)(const WriterState& state, const ColumnWriter& column);
};
extern const DictionaryPages
    kDictionaryPages;  // NOLINT(readability-identifier-naming, bugprone-dynamic-static-initializers)

// Transforms of all columns, if one of them needs any.
struct ColumnTransforms {
  const PageTransform* functions;
  const Compressor* const* compressors;  // compressor of each column; null: it is stored uncompressed, or all
                                         // columns are
  std::uint32_t memory;                  // begin of TransformPlan in the arena
};

}  // namespace microparquet::detail
