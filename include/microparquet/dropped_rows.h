// The number of rows that a full queue dropped, in the file's key-values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/options.h"
#include "microparquet/status.h"

namespace microparquet {

// Keeps a key-value of a Writer or StaticWriter at the number of rows dropped since the program began, which
// tells in the file itself how many are missing. It takes one of Options::max_key_values. It must stay as
// long as the writer, with the key, since the writer reads its text. In a resumed file it replaces the number
// of the last boot. Only the writer's thread may use it.
class DroppedRows {
 public:
  // Takes the key, which is not copied.
  constexpr explicit DroppedRows(std::string_view key = {kUsualKey, sizeof kUsualKey - 1}) : key_(key) {}
  DroppedRows(const DroppedRows&) = delete;
  DroppedRows& operator=(const DroppedRows&) = delete;

  // Returns the key-value for a FileStart, to be passed to each open() and resume(): the first footer has it
  // then.
  KeyValue key_value(std::uint32_t dropped) {
    put(dropped);
    count_ = dropped;
    return {key_, std::string_view(text_, text_size_)};
  }

  // Sets the key-value after open() or resume(), as an alternative to key_value(). Statuses as
  // set_key_value().
  template <typename AnyWriter>
  Status begin(AnyWriter& writer, std::uint32_t dropped) {
    put(dropped);
    const Status status = writer.set_key_value(key_, std::string_view(text_, text_size_));
    if (status == Status::kOk) {
      count_ = dropped;
    } else {
      put(count_);  // the writer may have the last number
    }
    return status;
  }

  // Updates the number; call it before each tick() and checkpoint(). It leaves a footer on its way as it is,
  // and a later call updates the next one. Statuses as set_key_value().
  template <typename AnyWriter>
  Status update(AnyWriter& writer, std::uint32_t dropped) {
    return dropped == count_ || writer.checkpoint_in_progress() ? Status::kOk : begin(writer, dropped);
  }

  // Closes the writer with the last number in the last footer; call it instead of close(). Statuses as
  // close(); repeat it as you would close().
  template <typename AnyWriter>
  Status close(AnyWriter& writer, std::uint32_t dropped) {
    Status status = writer.checkpoint_in_progress() ? writer.checkpoint() : Status::kOk;
    if (status == Status::kOk) status = update(writer, dropped);
    const bool repeat = status == Status::kIoError || status == Status::kMediumLost;
    return repeat ? status : writer.close();  // close() reports any other failure
  }

 private:
  void put(std::uint32_t number) {
    char digits[kMaxDigits];
    std::size_t first = kMaxDigits;
    do {
      digits[--first] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    for (text_size_ = 0; first != kMaxDigits; ++first) text_[text_size_++] = digits[first];
  }

  static constexpr std::size_t kMaxDigits = 10;
  // With its length: where a constant object begins with one that must be counted, GCC 14 warns for Arm.
  static constexpr char kUsualKey[] = "rows_dropped";

  std::string_view key_;
  std::uint32_t count_ = 0;
  std::size_t text_size_ = 0;
  char text_[kMaxDigits] = {};
};

}  // namespace microparquet
