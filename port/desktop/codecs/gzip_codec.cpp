#include "microparquet/desktop/gzip_codec.h"

#define ZLIB_CONST  // input is constant
#include <zlib.h>

#include <cstdlib>
#include <new>

namespace microparquet::desktop {

namespace {

// Added to the size of zlib's window: the header to be written, or to be found out.
constexpr int kGzipHeader = 16;
constexpr int kAnyHeader = 32;

// Has `stream` read `in` and write `out`.
void connect(z_stream& stream, Span<const std::byte> in, Span<std::byte> out) {
  static Bytef nothing;  // buffer of an empty page, since zlib takes no null
  stream.next_in = in.empty() ? &nothing : reinterpret_cast<const Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = out.empty() ? &nothing : reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
}

// Making a stream takes longer than undoing a small page: each thread keeps one.
struct Inflating {
  Inflating() {
    if (inflateInit2(&stream, MAX_WBITS + kAnyHeader) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  Inflating(const Inflating&) = delete;
  Inflating& operator=(const Inflating&) = delete;
  ~Inflating() { inflateEnd(&stream); }

  z_stream stream = {};
};

struct Deflating {
  Deflating() {
    constexpr int kMemory = 8;  // zlib's usual, of 1 to 9
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzipHeader, kMemory,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  Deflating(const Deflating&) = delete;
  Deflating& operator=(const Deflating&) = delete;
  ~Deflating() { deflateEnd(&stream); }

  z_stream stream = {};
};

}  // namespace

Status GzipDecompressor::decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte>) const {
  thread_local Inflating inflating;
  z_stream& stream = inflating.stream;
  connect(stream, in, out);
  while (stream.avail_in != 0) {
    if (inflateReset(&stream) != Z_OK || inflate(&stream, Z_FINISH) != Z_STREAM_END) {
      return Status::kCorrupt;
    }
  }
  return stream.avail_out == 0 ? Status::kOk : Status::kCorrupt;
}

// A member ends in the CRC-32 of what it holds. Where that is stored as it is, the CRC-32 over it and then over its own CRC
// does not depend on it any more: all pages of such values, of one length, would have the same checksum. So the
// member's time, which nobody reads in a page, is that CRC, too.
std::uint32_t GzipCompressor::compress_page(Span<const std::byte> in, Span<std::byte> out,
                                            Span<std::byte>) const {
  constexpr int kUnknownSystem = 255;
  thread_local Deflating deflating;
  z_stream& stream = deflating.stream;
  connect(stream, in, out);
  gz_header header = {};
  header.time = crc32(0, stream.next_in, stream.avail_in);
  header.os = kUnknownSystem;
  if (deflateReset(&stream) != Z_OK || deflateSetHeader(&stream, &header) != Z_OK ||
      deflate(&stream, Z_FINISH) != Z_STREAM_END) {
    std::abort();  // more than growth() says, which zlib's own bound excludes
  }
  return static_cast<std::uint32_t>(out.size() - stream.avail_out);
}

}  // namespace microparquet::desktop
