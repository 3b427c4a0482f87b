// A frame of a CAN bus, as the interrupt queues it and as a row, and the columns of that.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "microparquet/encoders.h"
#include "microparquet/typed.h"

// Bits of CanFrame::flags.
namespace can_flags {
inline constexpr std::uint8_t kExtended = 1;     // an id of 29 bits, else of 11
inline constexpr std::uint8_t kRemote = 2;       // asks for data, and has none
inline constexpr std::uint8_t kError = 4;        // tells of an error of the bus
inline constexpr std::uint8_t kFd = 8;           // CAN FD
inline constexpr std::uint8_t kFaster = 16;      // its data came at the higher rate (BRS)
inline constexpr std::uint8_t kErrorState = 32;  // its sender is error passive (ESI)
}  // namespace can_flags

// `kDataBytes`: 8, or 64 for CAN FD. The bytes of `data` from `length` on are 0.
template <std::size_t kDataBytes>
struct QueuedFrame {
  std::uint32_t time_us;  // of a timer of 32 bits, which begins again after 71 minutes
  std::uint32_t id;
  std::uint8_t bus;
  std::uint8_t flags;
  std::uint8_t length;
  std::array<std::uint8_t, kDataBytes> data;
};

template <std::size_t kDataBytes>
struct CanFrame : QueuedFrame<kDataBytes> {
  std::int64_t time;  // microseconds
};

// The data have a fixed width: each row fits in its page, whatever it holds, and `length` says how many bytes count. Readers have
// them as bytes. Those of CAN FD get longer pages, which a card takes in fewer commands.
template <std::size_t kDataBytes>
inline constexpr auto kCanSchema = [] {
  using Frame = CanFrame<kDataBytes>;
  using microparquet::column;
  using microparquet::kDeltaBinaryPacked;
  constexpr std::uint32_t kDataPage = kDataBytes > 8 ? 8192 : 0;  // 0: as the options say
  return microparquet::schema(
      microparquet::timestamp_us_column("time", &Frame::time).with_encoder(kDeltaBinaryPacked),
      column<Frame>("bus", [](auto& frame) -> auto& { return frame.bus; }).with_encoder(kDeltaBinaryPacked),
      column<Frame>("id", [](auto& frame) -> auto& { return frame.id; }).with_encoder(kDeltaBinaryPacked),
      column<Frame>("flags", [](auto& frame) -> auto& { return frame.flags; })
          .with_encoder(kDeltaBinaryPacked),
      column<Frame>("length", [](auto& frame) -> auto& { return frame.length; })
          .with_encoder(kDeltaBinaryPacked),
      column<Frame>("data", [](auto& frame) -> auto& { return frame.data; }).with_page_bytes(kDataPage));
}();

// Gives frames their time, as long as one comes in 71 minutes.
template <std::size_t kDataBytes>
class FrameTimes {
 public:
  CanFrame<kDataBytes> row_of(const QueuedFrame<kDataBytes>& frame) {
    time_us_ += frame.time_us - static_cast<std::uint32_t>(time_us_);
    return {frame, static_cast<std::int64_t>(time_us_)};
  }

 private:
  std::uint64_t time_us_ = 0;
};
