#include <new>

#include "gzip_stream.h"
#include "microparquet/desktop/gzip_codec.h"

namespace microparquet::desktop {

namespace {

constexpr int kAnyHeader = 32;  // added to the size of zlib's window: the header is to be found out

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

}  // namespace microparquet::desktop
