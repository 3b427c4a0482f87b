#include "io/window_sink.h"

#include "base/bytes.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/detail/sectors.h"

namespace microparquet::thrift {

void WindowSink::put_byte(unsigned byte) {
  if (skip_ != 0) {
    --skip_;
    return;
  }
  std::byte* at = at_;  // a local copy, since a compiler must assume that storing a byte changes the member
  *at++ = static_cast<std::byte>(byte);
  at_ = at;
  if (at == end_) drain();
}

// Calls `take(bytes)` for each part that has a place in the window. Passed-over bytes go in one step, since a
// footer of many columns is generated once for each of its windows. On desktops only: on devices the loops of
// put() and put_zeros() test at their end, which saves an instruction for each byte of a footer.
template <typename Take, typename Pass>
void WindowSink::put_parts(std::uint32_t bytes, const Take& take, const Pass& pass) {
  while (bytes != 0) {
    const std::uint32_t most = skip_ != 0 ? skip_ : static_cast<std::uint32_t>(end_ - at_);
    const std::uint32_t part = most < bytes ? most : bytes;
    bytes -= part;
    if (skip_ != 0) {
      skip_ -= part;
      pass(part);
      continue;
    }
    take(part);
    at_ += part;
    if (at_ == end_) drain();
  }
}

void WindowSink::put(const void* data, std::size_t bytes) {
  const auto* from = static_cast<const std::byte*>(data);
  if constexpr (detail::kDesktop) {
    return put_parts(
        static_cast<std::uint32_t>(bytes),
        [&](std::uint32_t part) {
          util::move_bytes(at_, from, part);
          from += part;
        },
        [&](std::uint32_t part) { from += part; });
  }
  if (bytes == 0) return;
  const std::byte* const end = from + bytes;
  do {
    put_byte(std::to_integer<unsigned>(*from++));
  } while (from != end);
}

void WindowSink::put_zeros(std::uint32_t bytes) {
  if constexpr (detail::kDesktop) {
    return put_parts(bytes, [&](std::uint32_t part) { util::clear_bytes(at_, part); }, [](std::uint32_t) {});
  }
  if (bytes == 0) return;
  do {
    put_byte(0);
  } while (--bytes != 0);
}

void WindowSink::copy(std::uint64_t offset, std::uint32_t bytes) {
  const std::uint32_t passed = skip_ < bytes ? skip_ : bytes;
  pass(passed);
  offset += passed;
  bytes -= passed;
  while (bytes != 0 && status_ == Status::kOk) {
    // The file has these bytes at another distance from a sector's beginning than the window. A whole sector
    // must not go to memory that a driver cannot take: parts end in the window where sectors do. Desktops have
    // no such drivers, but long footers.
    auto part = static_cast<std::uint32_t>(end_ - at_);
    if constexpr (!detail::kDesktop) part = detail::kSectorBytes - detail::bytes_to_sector(part);
    if (part > bytes) part = bytes;
    status_ = file_.read_at(offset, Span<std::byte>(at_, part));
    offset += part;
    bytes -= part;
    at_ += part;
    if (at_ != end_) continue;
    drain();
    if (!reaches()) return;
  }
}

void WindowSink::sum_up() {
  if (crc_ != nullptr) *crc_ = crc_function_(*crc_, summed_, static_cast<std::size_t>(at_ - summed_));
  summed_ = at_;
}

void WindowSink::sum_into(std::uint32_t* crc) {
  sum_up();
  crc_ = crc;
}

std::uint32_t WindowSink::crc() {
  sum_up();
  return *crc_;
}

Status WindowSink::flush() {
  if (at_ != window_) drain();
  return status_;
}

void WindowSink::drain() {
  sum_up();
  const auto used = static_cast<std::uint32_t>(at_ - window_);
  if (status_ == Status::kOk) status_ = file_.write_at(offset_, Span<const std::byte>(window_, used));
  offset_ += used;
  window_ = memory_;
  at_ = memory_;
  summed_ = memory_;
  skip_ = 0U - (stops_ ? 1U : 0U);
}

}  // namespace microparquet::thrift
