#include "microparquet/desktop/int96.h"

#include <cstring>
#include <limits>

namespace microparquet::desktop {

namespace {

constexpr Encoder make_plain_int96() {
  Encoder encoder = kPlainFixed;
  encoder.types = TypeSet(Type::kInt96);
  return encoder;
}

}  // namespace

const Encoder& plain_int96() {
  static constexpr Encoder kPlainInt96 = make_plain_int96();
  return kPlainInt96;
}

// The nanoseconds of the day, then the Julian day.
bool store_int96(char* to, std::int64_t seconds, std::uint32_t nanos) {
  constexpr std::int64_t kJulianDayOfEpoch = 2'440'588;
  constexpr std::int64_t kSecondsOfDay = 86'400;
  constexpr std::int64_t kNanosOfSecond = 1'000'000'000;
  std::int64_t days = seconds / kSecondsOfDay;
  std::int64_t second = seconds % kSecondsOfDay;
  if (second < 0) {
    second += kSecondsOfDay;
    --days;
  }
  const std::int64_t julian = days + kJulianDayOfEpoch;
  if (julian < 0 || julian > std::numeric_limits<std::int32_t>::max()) {
    return false;
  }
  const std::int64_t of_day = second * kNanosOfSecond + nanos;
  const auto day = static_cast<std::int32_t>(julian);
  std::memcpy(to, &of_day, sizeof of_day);
  std::memcpy(to + sizeof of_day, &day, sizeof day);
  return true;
}

}  // namespace microparquet::desktop
