#include "card_state.h"

#include "sd_card.h"

const char* to_string(CardState state) {
  switch (state) {
    case CardState::kLogging: return "logging";
    case CardState::kNoCard: return "no card";
    case CardState::kWriteProtected: return "write-protected";
    case CardState::kUnknownFileSystem: return "unknown file system";
    case CardState::kFull: return "full";
    case CardState::kFails: return "fails";
    case CardState::kLosesWrites: return "loses writes";
    case CardState::kOtherCard: return "another card";
  }
  return "";
}

CardState why(FRESULT result) {
  switch (result) {
    case FR_NOT_READY: return CardState::kNoCard;
    case FR_WRITE_PROTECTED: return CardState::kWriteProtected;
    case FR_NO_FILESYSTEM: return CardState::kUnknownFileSystem;
    default: break;
  }
  return sd_card::problem() == sd_card::Problem::kLostWrite ? CardState::kLosesWrites : CardState::kFails;
}

bool is_led_on(CardState state, std::uint32_t ms) {
  constexpr std::uint32_t kFlashMs = 200;  // also the length of the dark after it
  constexpr std::uint32_t kPauseFlashes = 4;
  const auto flashes = static_cast<std::uint32_t>(state);
  const std::uint32_t half = ms / kFlashMs % ((flashes + kPauseFlashes) * 2);
  return half < flashes * 2 && half % 2 == 0;
}
