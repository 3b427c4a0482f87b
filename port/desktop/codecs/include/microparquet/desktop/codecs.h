// The compressions that programs of the desktop read and write by name: those of the library, and those of the
// distribution's libraries that were there when this was built.
//
//   options.decompressors = mpq::desktop::decompressors();
//   ... field.with_compressor(*mpq::desktop::find_codec("zstd")->compressor)
#pragma once

#include <string>
#include <string_view>

#include "microparquet/codec_id.h"
#include "microparquet/compressor.h"
#include "microparquet/decompressor.h"
#include "microparquet/span.h"

namespace microparquet::desktop {

// Its objects stay as long as the program, and are thread-safe.
struct NamedCodec {
  CodecId id;
  const char* name;                  // name on command lines: "zstd"
  const char* library;               // the Debian package that it needs; null: none
  const Decompressor* decompressor;  // null: built without the library
  const Compressor* compressor;      // null: that, or nobody should write it any more
};

// Every compression of the format, in the order of their numbers, also those that were built without their library.
Span<const NamedCodec> codecs();

// The one of that number, or of that name; null: the format has none.
const NamedCodec* find_codec(CodecId id);
const NamedCodec* find_codec(std::string_view name);

// For ReaderOptions::decompressors: all that were built. They take their memory from the heap, each as much as its
// library needs for any page, and keep some of it for the thread's next page; a page itself stays in the reader's.
Span<const Decompressor* const> decompressors();

// Names, for people, the library that a program was built without: "this mpq was built without zstd (Debian:
// libzstd-dev)".
std::string built_without(std::string_view program, const NamedCodec& codec);

}  // namespace microparquet::desktop
