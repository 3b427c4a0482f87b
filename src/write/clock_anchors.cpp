#include "microparquet/clock_anchors.h"

#include "base/bytes.h"

namespace microparquet {

namespace {

// Text that is written from its end to its begin.
class Backward {
 public:
  Backward(char* begin, char* end) : begin_(begin), at_(end) {}

  void put(char character) {
    if (at_ == begin_) {
      is_full_ = true;
    } else {
      *--at_ = character;
    }
  }
  // Puts a number of `digits` digits at least. Divides by ten in parts of 16 bits: the division of 64 bits would cost
  // more flash than all of this.
  void put(std::int64_t number, unsigned digits = 1) {
    auto left = static_cast<std::uint64_t>(number);
    if (number < 0) left = 0 - left;
    for (unsigned i = 0; i < digits || left != 0; ++i) {
      std::uint32_t rest = 0;
      std::uint64_t quotient = 0;
      for (unsigned part = 0; part < 4; ++part) {
        rest = rest << 16 | static_cast<std::uint32_t>(left >> 48);
        left <<= 16;
        quotient = quotient << 16 | rest / 10;
        rest %= 10;
      }
      put(static_cast<char>('0' + rest));
      left = quotient;
    }
    if (number < 0) put('-');
  }

  char* at() const { return at_; }
  bool is_full() const { return is_full_; }  // and something was left out

 private:
  char* begin_;
  char* at_;
  bool is_full_ = false;
};

[[gnu::noinline]] std::int32_t saturated(std::int64_t value) {
  if (value > INT32_MAX) return INT32_MAX;
  return value < INT32_MIN ? INT32_MIN : static_cast<std::int32_t>(value);
}

}  // namespace

// Returns how much less the ticks from one anchor to the other count than the time does, in 1024ths of a thousandth of a
// tick.
[[gnu::noinline]] std::int32_t ClockAnchors::drift(const Anchor& from, const Anchor& to) const {
  return saturated(((to.utc_ms - from.utc_ms) * ticks_per_second_ - (to.tick - from.tick) * 1'000) >> 10);
}

bool ClockAnchors::contradicts(const Anchor& anchor) const {
  const Anchor& last = anchors_[count_ - 1];
  // Ticks that wrap or are as far apart have nothing in common.
  const std::uint64_t ticks = static_cast<std::uint64_t>(anchor.tick) - static_cast<std::uint64_t>(last.tick);
  constexpr std::uint64_t kMost = std::uint64_t{1} << 50;
  if (ticks - 1 >= kMost) return true;
  const std::int32_t most =
      saturated((std::int64_t{1'000} * ticks_per_second_ + static_cast<std::int64_t>(ticks)) >> 10);
  const std::int32_t drift = this->drift(last, anchor);
  return drift > most || drift < -most;
}

// Returns how far the drift at an anchor is from a line between its neighbours.
float ClockAnchors::bend(const Anchor* anchor) const {
  constexpr int kShift = 4;  // for two years in 32 bits
  const Anchor& before = anchor[-1];
  const Anchor& after = anchor[1];
  const auto part = static_cast<float>(saturated((anchor->utc_ms - before.utc_ms) >> kShift));
  const auto whole = static_cast<float>(saturated((after.utc_ms - before.utc_ms) >> kShift));
  const float bend =
      static_cast<float>(drift(before, *anchor)) - static_cast<float>(drift(before, after)) * part / whole;
  return bend < 0 ? -bend : bend;
}

void ClockAnchors::drop_one() {
  Anchor* dropped = anchors_ + 1;
  float least = bend(dropped);
  for (Anchor* anchor = anchors_ + 2; anchor < anchors_ + count_ - 1; ++anchor) {
    const float bend = this->bend(anchor);
    if (bend >= least) continue;
    least = bend;
    dropped = anchor;
  }
  --count_;
  const auto bytes = static_cast<std::size_t>(anchors_ + count_ - dropped) * sizeof *dropped;
  util::move_bytes(reinterpret_cast<std::byte*>(dropped), reinterpret_cast<const std::byte*>(dropped + 1),
                   bytes);
}

void ClockAnchors::take(const Anchor& anchor) {
  if (count_ != 0 && contradicts(anchor)) count_ = 0;
  anchors_[count_++] = anchor;
}

// False: the text is too long.
bool ClockAnchors::put_text() {
  Backward text(text_, text_ + sizeof text_);
  for (std::uint8_t i = count_; i != 0; --i) {
    text.put(anchors_[i - 1].utc_ms);
    text.put('=');
    text.put(anchors_[i - 1].tick);
    text.put(' ');
  }
  text.put(std::int64_t{end_row_});
  text_bytes_ = static_cast<std::uint8_t>(text_ + sizeof text_ - text.at());
  return !text.is_full();
}

void ClockAnchors::put() {
  Backward key(key_, key_ + sizeof key_);
  key.put(std::int64_t{first_row_}, kRowDigits);
  for (std::size_t i = facts::kClock.size(); i != 0; --i) key.put(facts::kClock[i - 1]);
  while (!put_text() || count_ > kMostAnchors) drop_one();
}

}  // namespace microparquet
