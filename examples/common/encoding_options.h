// How a program for desktops makes its files small: what its command line says of encoders, compressors and sizes.
#pragma once

#include <cstdint>
#include <optional>

#include "microparquet/compressor.h"
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
  std::uint32_t dictionary_bytes = 512;  // of a column, with kAuto
  std::uint32_t page_bytes = 0;          // 0: as page_bytes_of() has it
  std::uint32_t row_group_bytes = 0;     // 0: the library's choice
  bool page_index = false;               // of all pages
};

// Adds --encoding, --codec, --dictionary-bytes, --row-group-bytes and --page-index. `app` and `options` must stay until they are parsed.
void add_encoding_options(CLI::App& app, EncodingOptions& options);

// What was asked for, or pages of 512 bytes with kPlain and kDelta, as a device has them, and of 4,096 with the others:
// that is what small files take, and a desktop has the memory.
std::uint32_t page_bytes_of(const EncodingOptions& options);

// What was asked for, or LZ4_RAW with kAuto, but for pages of a sector, in which what it saves would be padding. Null: no
// compression.
const microparquet::Compressor* compressor_of(const EncodingOptions& options);

// The layout of `options` with an index of the pages of all row groups that they may make.
microparquet::IndexedLayout with_index_of_all_pages(microparquet::Schema schema,
                                                    const microparquet::Options& options);

// The field with its encoder and compressor.
microparquet::Field encoded(const microparquet::Field& field, const EncodingOptions& options);
