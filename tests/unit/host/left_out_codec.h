// Tests of a codec that may have been built without its library.
#pragma once

#include <string>

#include "microparquet/desktop/codecs.h"
#include "support/check.h"

// Whether it was: then all that is left to test is that this is said.
inline bool is_left_out(const microparquet::desktop::NamedCodec& codec) {
  const bool out = codec.decompressor == nullptr;
  CHECK(!out || built_without("it", codec).find(codec.library) != std::string::npos);
  return out;
}
