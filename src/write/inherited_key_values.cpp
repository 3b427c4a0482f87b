#include "write/inherited_key_values.h"

namespace microparquet::write {

// A CRC is linear apart from the inversion before and after it: appending bytes shifts the first CRC as zeros
// would. There are few bytes, so they go one at a time.
std::uint32_t join_crc(Crc32 checksum, std::uint32_t first, std::uint32_t second,
                       std::uint32_t second_bytes) {
  constexpr std::byte kZero{0};
  first = ~first;
  for (; second_bytes != 0; --second_bytes) first = checksum(first, &kZero, 1);
  return ~first ^ second;
}

void put_inherited(thrift::WindowSink& sink, detail::WriterState& state) {
  begin_inherited(sink, state);
  sink.copy(state.inherited.begin, state.inherited.bytes);
  end_inherited(sink, state, state.inherited.bytes);
}

}  // namespace microparquet::write
