// Options of desktop programs that make files small: encoders, compressors and sizes, as the command line
// gives them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "microparquet/compressor.h"
#include "microparquet/desktop/full_index.h"
#include "microparquet/indexed_layout.h"
#include "microparquet/options.h"
#include "microparquet/schema.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own
class App;
}

enum class Encoding { kPlain, kDelta, kDeltaLength, kDeltaByteArray, kAuto };

struct EncodingOptions {
  Encoding encoding = Encoding::kAuto;
  // Null: no compression. None: as compressor_of() has it.
  std::optional<const microparquet::Compressor*> compressor;
  std::uint32_t dictionary_bytes = 512;  // bytes of a column's dictionary, with kAuto
  std::uint32_t page_bytes = 0;          // 0: as page_bytes_of() has it
  std::uint32_t row_group_bytes = 0;     // 0: the library's choice
  bool page_index = false;               // index of all pages
  std::vector<std::string> bloom;        // columns that have bloom filters, and so a page index
  std::uint64_t bloom_values = 100'000;  // values that a row group is expected to have
  double bloom_wrong = 0.01;             // share of absent values that pass
  bool compatible = false;               // PLAIN and forward, as compatible.h has it
  bool v2_pages = false;                 // data pages of version 2
};

// Adds --encoding, --codec, --data-pages, --dictionary-bytes, --row-group-bytes, --page-index, --compatible and those of bloom filters.
// `app` and `options` must stay until they are parsed.
void add_encoding_options(CLI::App& app, EncodingOptions& options);

// The size that was asked for; otherwise 512 bytes with kPlain and kDelta, as a device has them, and 4,096
// with the others, which makes small files and suits a desktop's memory.
std::uint32_t page_bytes_of(const EncodingOptions& options);

// The compressor that was asked for; otherwise LZ4_RAW with kAuto, except for pages of a sector, whose saved
// bytes would be padding. Null: no compression.
const microparquet::Compressor* compressor_of(const EncodingOptions& options);

// The index of the pages of a file, with what is kept of its values. It must stay as long as the writer.
class FileIndex {
 public:
  // Lets it see the values of the fields that it says something of, and takes memory for their filters. Returns an empty
  // string, or what is wrong with EncodingOptions::bloom, for people.
  std::string watch(microparquet::Span<microparquet::Field> fields, const EncodingOptions& options);

  // The layout of `options` with an index of the pages of all row groups that they may make.
  const microparquet::Layout& over(microparquet::Schema schema, const microparquet::Options& options);

 private:
  struct Column {
    std::vector<std::byte> filter;
    std::unique_ptr<microparquet::desktop::NotedColumn> noted;
  };
  std::vector<Column> columns_;
  microparquet::desktop::FullIndexLayout layout_ = {};
};

// The field with its encoder and compressor.
microparquet::Field encoded(const microparquet::Field& field, const EncodingOptions& options);
