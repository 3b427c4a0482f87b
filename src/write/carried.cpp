#include "write/carried.h"

namespace microparquet::write {

// A checksum is linear but for the register's being turned round before and after: bytes that follow shift
// what came before as zeros would. They are few, so one at a time.
std::uint32_t join_crc(Crc32 crc32, std::uint32_t first, std::uint32_t second, std::uint32_t second_bytes) {
  constexpr std::byte kZero{0};
  first = ~first;
  for (; second_bytes != 0; --second_bytes) first = crc32(first, &kZero, 1);
  return ~first ^ second;
}

void put_carried(thrift::WindowSink& sink, detail::WriterState& state) {
  std::uint32_t& before = state.footer.draft.carried_crc;
  if (sink.reaches()) before = sink.crc();
  sink.copy(state.carried_begin, state.carried_bytes);
  if (!sink.reaches()) return;
  const std::uint32_t joined = join_crc(state.options->crc32, before, state.carried_crc, state.carried_bytes);
  if (sink.crc() != joined) sink.fail(Status::kCorrupt);
}

}  // namespace microparquet::write
