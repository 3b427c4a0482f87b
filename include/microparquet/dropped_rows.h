// The number of rows that a full queue dropped, in the file's key-values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/options.h"
#include "microparquet/status.h"

namespace microparquet {

// Keeps a key-value of a Writer or StaticWriter at the number of rows that were dropped since the program
// began, so that the file itself says how many are missing. Takes one of Options::max_key_values. It must
// stay as long as the writer, with the key: its text is what the writer reads. In a resumed file it replaces
// the number of the boot before. Used by the writer's thread.
class DroppedRows {
 public:
  // The key is not copied.
  constexpr explicit DroppedRows(std::string_view key = "rows_dropped") : key_(key) {}
  DroppedRows(const DroppedRows&) = delete;
  DroppedRows& operator=(const DroppedRows&) = delete;

  // Before each open() and resume(), which are given it (FileStart): so also the first footer has it.
  KeyValue key_value(std::uint32_t dropped) {
    put(dropped);
    count_ = dropped;
    return {key_, std::string_view(text_, text_size_)};
  }

  // Or after each: sets the key-value. Statuses as set_key_value().
  template <typename AnyWriter>
  Status begin(AnyWriter& writer, std::uint32_t dropped) {
    put(dropped);
    const Status status = writer.set_key_value(key_, std::string_view(text_, text_size_));
    if (status == Status::kOk) {
      count_ = dropped;
    } else {
      put(count_);  // which the writer may have
    }
    return status;
  }

  // Before each tick() and checkpoint(). A footer on its way stays as it was begun, and a later call does it.
  // Statuses as set_key_value().
  template <typename AnyWriter>
  Status update(AnyWriter& writer, std::uint32_t dropped) {
    return dropped == count_ || writer.checkpoint_in_progress() ? Status::kOk : begin(writer, dropped);
  }

  // In place of the writer's close(), so that the last footer has the last number. Statuses as close();
  // repeat it as you would close().
  template <typename AnyWriter>
  Status close(AnyWriter& writer, std::uint32_t dropped) {
    Status status = writer.checkpoint_in_progress() ? writer.checkpoint() : Status::kOk;
    if (status == Status::kOk) status = update(writer, dropped);
    const bool repeat = status == Status::kIoError || status == Status::kMediumLost;
    return repeat ? status : writer.close();  // what else there may be, close() says
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

  std::string_view key_;
  std::uint32_t count_ = 0;
  std::size_t text_size_ = 0;
  char text_[kMaxDigits] = {};
};

}  // namespace microparquet
