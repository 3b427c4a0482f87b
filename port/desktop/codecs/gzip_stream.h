// What both directions of zlib share.
#pragma once

#define ZLIB_CONST  // input is constant
#include <zlib.h>

#include <cstddef>

#include "microparquet/span.h"

namespace microparquet::desktop {

// Has `stream` read `in` and write `out`.
inline void connect(z_stream& stream, Span<const std::byte> in, Span<std::byte> out) {
  static Bytef nothing;  // buffer of an empty page, since zlib takes no null
  stream.next_in = in.empty() ? &nothing : reinterpret_cast<const Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = out.empty() ? &nothing : reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
}

}  // namespace microparquet::desktop
