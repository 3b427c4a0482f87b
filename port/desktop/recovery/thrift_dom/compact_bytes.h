// Thrift's compact protocol to and from memory.
#pragma once

#include <cstddef>

#include "byte_views.h"
#include "microparquet/detail/compact_writer.h"
#include "microparquet/detail/window.h"

namespace microparquet::recovery {

// What a BasicCompactWriter writes to.
class BytesSink {
 public:
  explicit BytesSink(Bytes& bytes) : bytes_(bytes) {}
  void put_byte(unsigned byte) { bytes_.push_back(static_cast<std::byte>(byte)); }
  void put(const void* data, std::size_t size) {
    append(bytes_, {static_cast<const std::byte*>(data), size});
  }

 private:
  Bytes& bytes_;
};

using BytesWriter = thrift::BasicCompactWriter<BytesSink>;

// The header of a field, in the long form where its id is too far from that of the field before.
inline void write_field_header(BytesWriter& out, int id, thrift::CompactType type, int& last_id) {
  if (id > last_id && id - last_id <= 15) {
    out.byte(thrift::field_byte(id, type, last_id));
  } else {
    out.byte(static_cast<unsigned>(type));
    out.element_i32(id);
  }
  last_id = id;
}

// A window that shows `bytes`, whose positions count from its first one. Reading does not change them.
inline detail::Window window_on(ByteView bytes) {
  detail::Window window = {};
  window.view_memory(const_cast<std::byte*>(bytes.data()), static_cast<std::uint32_t>(bytes.size()));
  return window;
}

}  // namespace microparquet::recovery
