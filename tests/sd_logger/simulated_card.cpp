#include "simulated_card.h"

#include <algorithm>

namespace {

constexpr std::uint8_t kNothing = 0xFF;
constexpr std::uint8_t kToken = 0xFE;
constexpr std::uint8_t kNextToken = 0xFC;
constexpr std::uint8_t kStopToken = 0xFD;
constexpr std::uint8_t kIdle = 1;
constexpr std::uint8_t kIllegal = 4;
constexpr std::uint8_t kBrokenCommand = 8;
constexpr std::uint8_t kAccepted = 0xE5;
constexpr std::uint8_t kBrokenBlock = 0xEB;
constexpr std::uint8_t kRefusedBlock = 0xED;
constexpr std::uint8_t kFailed = 4;  // in the status
constexpr unsigned kStop = 12;
constexpr unsigned kStatus = 13;
constexpr unsigned kApplication = 100;

// Bit by bit, as the specification defines it. `polynomial` is of `width` bits.
std::uint32_t crc_of(const std::uint8_t* data, std::size_t bytes, unsigned width, std::uint32_t polynomial) {
  std::uint32_t crc = 0;
  for (std::size_t i = 0; i < bytes * 8; ++i) {
    const std::uint32_t bit = data[i / 8] >> (7 - i % 8) & 1U;
    crc = (crc << 1) ^ ((crc >> (width - 1) & 1U) != bit ? polynomial : 0U);
  }
  return crc & ((1U << width) - 1);
}

std::uint32_t crc16(const std::uint8_t* data, std::size_t bytes) { return crc_of(data, bytes, 16, 0x1021); }
std::uint32_t crc7(const std::uint8_t* data, std::size_t bytes) { return crc_of(data, bytes, 7, 0x09); }

// Whether one of the faults to come is here.
bool is_due(unsigned& faults) {
  if (faults == 0) return false;
  --faults;
  return true;
}

}  // namespace

void SimulatedCard::set_data_bit(unsigned bit) {
  data_[15 - bit / 8] = static_cast<std::uint8_t>(data_[15 - bit / 8] | 1U << bit % 8);
}

std::uint8_t SimulatedCard::state() const {
  constexpr unsigned kStarts = 3;
  return !starts || start_requests_ < kStarts ? kIdle : 0;
}

std::uint8_t SimulatedCard::exchange(std::uint8_t byte) {
  ++bytes;
  if (!selected_ || is_cut_) return kNothing;
  if (out_.empty() && mode_ == Mode::kReadsSeveral) send_block(place_++);
  std::uint8_t out = kNothing;
  if (!out_.empty()) {
    out = out_.front();
    out_.pop_front();
  }
  if (command_.empty() && takes_data(byte)) return out;
  if (!command_.empty() || (byte & 0xC0) == 0x40) command_.push_back(byte);
  if (command_.size() == 6) {
    take_command();
    command_.clear();
  }
  return out;
}

void SimulatedCard::take_command() {
  const unsigned number = command_[0] & 0x3FU;
  const bool is_whole = !is_due(broken_commands) && command_[5] == (crc7(command_.data(), 5) << 1 | 1);
  std::uint32_t argument = 0;
  for (std::size_t i = 1; i < 5; ++i) argument = argument << 8 | command_[i];
  const bool application = is_application_;
  is_application_ = false;
  commands.push_back(number + (application ? kApplication : 0));
  if (stops && number != 0) return;
  if (mode_ == Mode::kWritesSeveral && number != kStop) ++interruptions;
  if (mode_ == Mode::kReadsSeveral && sends_broken_ && !out_.empty()) ++broken_reads;  // nobody reads it
  out_ = {kNothing, kNothing};                                                         // it takes its time
  if (!is_whole && (has_crc_ || number == 0 || number == 8)) {
    out_.push_back(static_cast<std::uint8_t>(state() | kBrokenCommand));
  } else if (application) {
    answer_application(number, argument);
  } else {
    answer(number, argument);
  }
}

void SimulatedCard::say(std::initializer_list<std::uint8_t> bytes) {
  const bool repeats = repeats_refusals && has_refused_;
  out_.insert(out_.end(), bytes);
  has_refused_ = (*bytes.begin() & kIllegal) != 0;
  if (repeats) out_[out_.size() - bytes.size()] |= kIllegal;
}

void SimulatedCard::answer_application(unsigned command, std::uint32_t argument) {
  if (command == 41) ++start_requests_;
  const bool knows = command == 41 || command == 22 || (command == 23 && erases_ahead);
  say({knows ? state() : kIllegal});
  if (command == 23 && knows) announced.push_back(argument);
  if (command != 22) return;
  const std::uint8_t count[4] = {0, 0, static_cast<std::uint8_t>(written_ >> 8),
                                 static_cast<std::uint8_t>(written_)};
  send_data(count, sizeof count, false);
}

void SimulatedCard::answer(unsigned command, std::uint32_t argument) {
  const bool several = command == 18 || command == 25;
  const bool asks_register = command == 9 || command == 10;
  if ((several && !takes_several) || (asks_register && !tells_registers) ||
      (command == kStatus && !tells_status) || (command == 59 && !checks_crc)) {
    return say({static_cast<std::uint8_t>(state() | kIllegal)});
  }
  switch (command) {
    case 0:
      start_requests_ = 0;
      has_crc_ = false;
      mode_ = Mode::kCommands;
      return say({kIdle});
    case 8: return say({state(), 0, 0, 1, 0xAA});
    case 9: say({state()}); return send_data(data_.data(), data_.size(), breaks_data_crc);
    case 10: say({state()}); return send_data(identification.data(), identification.size(), false);
    case kStop: return stop();
    case kStatus:
      say({state(), status_});
      status_ = 0;
      return;
    case 55: is_application_ = true; return say({state()});
    case 16: return say({state()});
    case 56:
      if (argument != general_argument) return say({static_cast<std::uint8_t>(state() | kIllegal)});
      say({state()});
      return send_data(general.data(), general.size(), false);
    case 17: say({state()}); return send_block(block_of(argument));
    case 18:
      mode_ = Mode::kReadsSeveral;
      place_ = block_of(argument);
      return say({state()});
    case 24: return begin_write(Mode::kWritesOne, argument);
    case 25: return begin_write(Mode::kWritesSeveral, argument);
    case 58: return say({state(), static_cast<std::uint8_t>(takes_blocks ? 0xC0 : 0x80), 0xFF, 0x80, 0});
    case 59: has_crc_ = (argument & 1) != 0; return say({state()});
    default: return say({static_cast<std::uint8_t>(state() | kIllegal)});
  }
}

// What it was sending may continue for a byte; then it is at work for a while.
void SimulatedCard::stop() {
  if (mode_ == Mode::kWritesSeveral) end_write();
  mode_ = Mode::kCommands;
  out_ = {0x3F, kNothing};
  say({state(), 0, 0, kNothing});
}

void SimulatedCard::send_data(const std::uint8_t* data, std::size_t bytes, bool breaks_crc) {
  const std::uint32_t crc = crc16(data, bytes) ^ (breaks_crc ? 1U : 0U);
  out_.insert(out_.end(), {kNothing, kToken});
  out_.insert(out_.end(), data, data + bytes);
  out_.insert(out_.end(), {static_cast<std::uint8_t>(crc >> 8), static_cast<std::uint8_t>(crc)});
}

// A bit of the block is wrong where a fault is to come.
void SimulatedCard::send_block(std::uint32_t block) {
  sends_broken_ = is_due(broken_reads);
  send_data(blocks[block].data(), Block().size(), false);
  if (sends_broken_) out_[out_.size() - 100] ^= 0x10;
}

void SimulatedCard::begin_write(Mode mode, std::uint32_t argument) {
  ++writes;
  mode_ = mode;
  place_ = block_of(argument);
  written_ = 0;
  received_.clear();
  say({state()});
}

// Whether a byte belongs to a write: a token, a block and its CRC, or the token that ends the write.
bool SimulatedCard::takes_data(std::uint8_t byte) {
  if (mode_ != Mode::kWritesOne && mode_ != Mode::kWritesSeveral) return false;
  const std::uint8_t token = mode_ == Mode::kWritesOne ? kToken : kNextToken;
  if (received_.empty() && byte == kStopToken && mode_ == Mode::kWritesSeveral) {
    mode_ = Mode::kCommands;
    end_write();
    out_ = {kNothing, 0, 0, kNothing};
    return true;
  }
  if (received_.empty() && byte != token) return byte == kNothing;
  received_.push_back(byte);
  if (received_.size() == 1 + Block().size() + 2) {
    take_block();
    received_.clear();
  }
  return true;
}

// It says whether it takes the block, and then is at work.
void SimulatedCard::take_block() {
  const std::uint8_t* const data = received_.data() + 1;
  const std::uint32_t crc = static_cast<std::uint32_t>(data[Block().size()] << 8 | data[Block().size() + 1]);
  const bool one = mode_ == Mode::kWritesOne;
  if (one) mode_ = Mode::kCommands;
  const bool breaks = !is_due(breaks_after) && is_due(broken_blocks);
  if (has_crc_ && (breaks || crc != crc16(data, Block().size()))) {
    for (; slips != 0 && !accepted_.empty(); --slips) accepted_.erase(std::prev(accepted_.end()));
    out_ = {kBrokenBlock, kNothing};
    return;
  }
  if (is_due(refused_blocks)) {
    out_ = {kRefusedBlock, kNothing};
    status_ = kFailed;
    return;
  }
  std::copy_n(data, Block().size(), accepted_[place_++].begin());
  if (one) end_write();
  if (resets_in_write) start_requests_ = 0;
  out_ = {kAccepted, 0, 0, 0, kNothing};
}

void SimulatedCard::power_on() {
  is_cut_ = has_crc_ = is_application_ = has_refused_ = false;
  mode_ = Mode::kCommands;
  start_requests_ = 0;
  status_ = 0;
  command_.clear();
  received_.clear();
  accepted_.clear();
  out_.clear();
}

void SimulatedCard::end_write() {
  is_cut_ = cuts_in_write == 1;
  if (cuts_in_write != 0) --cuts_in_write;
  while (is_cut_ && accepted_.size() > written_at_cut) accepted_.erase(std::prev(accepted_.end()));
  written_ = static_cast<std::uint32_t>(accepted_.size());
  const bool loses = loses_in_write == 1;
  if (loses_in_write != 0) --loses_in_write;
  if (loses) status_ = kFailed;
  for (const auto& [place, block] : accepted_) {
    if (!loses) blocks[place] = block;
  }
  accepted_.clear();
}
