#include <cstdlib>
#include <new>

#include "gzip_stream.h"
#include "microparquet/desktop/gzip_codec.h"

namespace microparquet::desktop {

namespace {

constexpr int kGzipHeader = 16;  // added to the size of zlib's window: the header that is written

// Making a stream takes longer than compressing a small page: each thread keeps one.
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
