#include "simulated_card.h"

#include <algorithm>

namespace {

constexpr std::uint8_t kNothing = 0xFF;
constexpr std::uint8_t kToken = 0xFE;
constexpr std::uint8_t kIdle = 1;
constexpr std::uint8_t kIllegal = 4;

// Bit by bit, as the specification defines it.
std::uint16_t crc16(const std::uint8_t* data, std::size_t bytes) {
  std::uint32_t crc = 0;
  for (std::size_t i = 0; i < bytes * 8; ++i) {
    const std::uint32_t bit = data[i / 8] >> (7 - i % 8) & 1U;
    crc = (crc << 1) ^ ((crc >> 15 & 1U) != bit ? 0x1021U : 0U);
  }
  return static_cast<std::uint16_t>(crc);
}

}  // namespace

void SimulatedCard::set_data_bit(unsigned bit) {
  data_[15 - bit / 8] = static_cast<std::uint8_t>(data_[15 - bit / 8] | 1U << bit % 8);
}

std::uint8_t SimulatedCard::exchange(std::uint8_t byte) {
  ++bytes;
  if (!selected_) return kNothing;
  if (receives_) {
    take_data(byte);
    if (!receives_) return kNothing;  // its answer begins with the next byte
  } else if (!command_.empty() || (byte & 0xC0) == 0x40) {
    command_.push_back(byte);
  }
  if (command_.size() == 6) {
    std::uint32_t argument = 0;
    for (int i = 1; i < 5; ++i) argument = argument << 8 | command_[static_cast<std::size_t>(i)];
    out_ = {kNothing, kNothing};  // it takes its time
    answer(command_[0] & 0x3F, argument);
    command_.clear();
    return kNothing;
  }
  if (out_.empty()) return kNothing;
  const std::uint8_t out = out_.front();
  out_.pop_front();
  return out;
}

void SimulatedCard::answer(std::uint8_t command, std::uint32_t argument) {
  constexpr unsigned kStarts = 3;
  const bool application = is_application_;
  is_application_ = command == 55;
  if (stops && command != 0) return;
  if (application && command == 41) ++start_requests_;
  const std::uint8_t state = !starts || start_requests_ < kStarts ? kIdle : 0;
  const bool repeats = repeats_refusals && has_refused_;
  has_refused_ = false;
  const auto say = [&](std::initializer_list<std::uint8_t> bytes) {
    out_.insert(out_.end(), bytes);
    has_refused_ = (*bytes.begin() & kIllegal) != 0;
    if (repeats) out_[out_.size() - bytes.size()] |= kIllegal;
  };
  if (application) {
    return say({command != 41 ? kIllegal : state});
  }
  switch (command) {
    case 0: start_requests_ = 0; return say({kIdle});
    case 8: return say({state, 0, 0, 1, 0xAA});
    case 9:
      if (!tells_registers) return say({kIllegal});
      say({state});
      return send_data(data_.data(), data_.size(), breaks_data_crc);
    case 10:
      if (!tells_registers) return say({kIllegal});
      say({state});
      return send_data(identification.data(), identification.size(), false);
    case 13:
      if (!tells_status) return say({kIllegal});
      return say({state, 0});
    case 16:
    case 55: return say({state});
    case 17: say({state}); return send_data(blocks[block_of(argument)].data(), Block().size(), false);
    case 24:
      ++writes;
      place_ = block_of(argument);
      receives_ = true;
      received_.clear();
      return say({state});
    case 58: return say({state, static_cast<std::uint8_t>(takes_blocks ? 0xC0 : 0x80), 0xFF, 0x80, 0});
    default: return say({static_cast<std::uint8_t>(state | kIllegal)});
  }
}

void SimulatedCard::send_data(const std::uint8_t* data, std::size_t bytes, bool breaks_crc) {
  const auto crc = static_cast<std::uint16_t>(crc16(data, bytes) ^ (breaks_crc ? 1 : 0));
  out_.insert(out_.end(), {kNothing, kToken});
  out_.insert(out_.end(), data, data + bytes);
  out_.insert(out_.end(), {static_cast<std::uint8_t>(crc >> 8), static_cast<std::uint8_t>(crc)});
}

// Token, block and CRC; then the card says that it has them, and is busy.
void SimulatedCard::take_data(std::uint8_t byte) {
  constexpr std::uint8_t kAccepted = 5;
  if (received_.empty() && byte != kToken) return;
  received_.push_back(byte);
  if (received_.size() != 1 + Block().size() + 2) return;
  std::copy_n(received_.begin() + 1, Block().size(), blocks[place_].begin());
  receives_ = false;
  if (resets_in_write) start_requests_ = 0;
  out_ = {kAccepted, 0, 0, 0, kNothing};
}
