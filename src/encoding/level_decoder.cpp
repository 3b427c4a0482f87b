#include "microparquet/detail/column_cursor.h"
#include "util/try.h"

namespace microparquet::detail {

namespace {

constexpr std::uint32_t kGroupLevels = 8;

// A byte of the levels: they end where the page says, so that one more is damage.
Status take_byte(Window& bytes, unsigned& byte) {
  if (bytes.cursor == bytes.end) MICROPARQUET_TRY(bytes.fill(1));
  byte = static_cast<unsigned>(*bytes.cursor++);
  return Status::kOk;
}

// A file that fails in the middle of an item must find its beginning again.
class Rewind {
 public:
  explicit Rewind(Window& bytes) : bytes_(bytes), position_(bytes.position()) {}
  Status operator()(Status status) {
    if (status != Status::kOk) bytes_.seek(position_, bytes_.limit);
    return status;
  }

 private:
  Window& bytes_;
  std::uint64_t position_;
};

Status read_run_header(Window& bytes, std::uint32_t& header) {
  std::uint64_t value = 0;
  unsigned byte = 0x80;
  for (unsigned shift = 0; byte >= 0x80; shift += 7) {
    if (shift == 35) return Status::kCorrupt;
    MICROPARQUET_TRY(take_byte(bytes, byte));
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
  }
  if (value > 0xFFFFFFFF) return Status::kCorrupt;
  header = static_cast<std::uint32_t>(value);
  return Status::kOk;
}

}  // namespace

Status LevelDecoder::begin_run() {
  Rewind rewind(bytes);
  std::uint32_t header = 0;
  MICROPARQUET_TRY(rewind(read_run_header(bytes, header)));
  std::uint32_t count = header >> 1;
  const bool is_packed = (header & 1) != 0;
  if (is_packed) {
    // The last group is filled up with levels that do not count.
    if (count > (unread + kGroupLevels - 1) / kGroupLevels) return rewind(Status::kCorrupt);
    count *= kGroupLevels;
    if (count > unread) count = unread;
  } else {
    unsigned value = 0;
    MICROPARQUET_TRY(rewind(take_byte(bytes, value)));
    if (count > unread || value > maximum) return rewind(Status::kCorrupt);
    level = static_cast<std::uint8_t>(value);
  }
  packed = is_packed;
  group_left = 0;
  run_left = count;
  unread -= count;
  return Status::kOk;
}

Status LevelDecoder::load_group() {
  Rewind rewind(bytes);
  std::uint64_t loaded = 0;
  for (unsigned i = 0; i < bit_width; ++i) {
    unsigned byte = 0;
    MICROPARQUET_TRY(rewind(take_byte(bytes, byte)));
    loaded |= static_cast<std::uint64_t>(byte) << (8 * i);
  }
  group = loaded;
  group_left = kGroupLevels;
  return Status::kOk;
}

Status LevelDecoder::peek(std::uint8_t& next, std::uint32_t& count) {
  while (run_left == 0) {
    if (unread == 0) return Status::kCorrupt;
    MICROPARQUET_TRY(begin_run());
  }
  if (!packed) {
    next = level;
    count = run_left;
    return Status::kOk;
  }
  if (group_left == 0) MICROPARQUET_TRY(load_group());
  const auto mask = static_cast<std::uint8_t>((1U << bit_width) - 1);
  const auto first = static_cast<std::uint8_t>(group & mask);
  if (first > maximum) return Status::kCorrupt;
  std::uint32_t equal = 1;
  const std::uint32_t most = run_left < group_left ? run_left : group_left;
  for (std::uint64_t rest = group >> bit_width; equal < most && (rest & mask) == first; rest >>= bit_width)
    ++equal;
  next = first;
  count = equal;
  return Status::kOk;
}

void LevelDecoder::take(std::uint32_t count) {
  run_left -= count;
  if (!packed) return;
  group_left = static_cast<std::uint8_t>(group_left - count);
  if (group_left != 0) group >>= bit_width * count;
}

}  // namespace microparquet::detail
