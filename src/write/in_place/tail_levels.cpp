// Levels in tails: those of an open page continue where they were.
#include "base/bytes.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "write/in_place/tail.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::LevelEncoder;

constexpr std::uint32_t kNoRun = 0xFFFFFFFF;

// OpenLevels in a head.
struct KeptLevels {
  std::uint32_t bytes;         // length in the open page
  std::uint32_t sealed_bytes;  // length in the sealed one
  std::uint32_t values;        // where the values begin in the open one
  std::uint32_t packed;        // place of the packed run that may still grow; kNoRun: there is none
  std::uint32_t nulls;
  std::uint32_t repeated;
  std::uint8_t packed_header;
  std::uint8_t last;
  std::uint8_t buffered;
  std::uint8_t unused;
  std::uint8_t group[sizeof LevelEncoder::group];
};

static_assert(sizeof(KeptLevels) == detail::kTailLevelsBytes);

void keep_levels(const ColumnWriter& column, OpenLevels& kept) {
  kept.encoder = *column.levels;
  kept.values = static_cast<std::uint32_t>(column.values - column.page);
  const std::byte* const header = kept.encoder.packed_header;
  kept.packed_header = header != nullptr ? std::to_integer<std::uint32_t>(*header) : 0;
}

void open_levels_again(ColumnWriter& column, const OpenLevels& kept, const std::byte* sealed) {
  LevelEncoder& levels = *column.levels;
  levels = kept.encoder;
  const auto bytes = static_cast<std::size_t>(levels.cursor - levels.begin);
  util::move_bytes(levels.begin, sealed - kept.sealed_bytes, bytes);
  if (levels.packed_header != nullptr) *levels.packed_header = static_cast<std::byte>(kept.packed_header);
}

void put_levels(thrift::WindowSink& sink, const OpenLevels& kept) {
  const LevelEncoder& levels = kept.encoder;
  KeptLevels head{};
  head.bytes = static_cast<std::uint32_t>(levels.cursor - levels.begin);
  head.sealed_bytes = kept.sealed_bytes;
  head.values = kept.values;
  head.packed = levels.packed_header != nullptr
                    ? static_cast<std::uint32_t>(levels.packed_header - levels.begin)
                    : kNoRun;
  head.nulls = levels.nulls;
  head.repeated = levels.repeated;
  head.packed_header = static_cast<std::uint8_t>(kept.packed_header);
  head.last = levels.last;
  head.buffered = levels.buffered;
  for (std::size_t i = 0; i < sizeof head.group; ++i) head.group[i] = levels.group[i];
  sink.put(&head, sizeof head);
}

// Lengths that do not fit in a page become 0: the head is torn then, and its CRC wrong.
void get_levels(FoundBytes& in, const ColumnWriter& column, OpenLevels& kept) {
  KeptLevels head;
  in.get(&head, sizeof head);
  LevelEncoder& levels = kept.encoder;
  const std::uint32_t most = column.plan->page_bytes - column.plan->header_bytes - encoding::kLengthBytes;
  if (head.sealed_bytes > most) head.sealed_bytes = 0;
  if (head.bytes > head.sealed_bytes) head.bytes = 0;
  levels.begin = column.page + column.plan->header_bytes + encoding::kLengthBytes;
  levels.cursor = levels.begin + head.bytes;
  levels.packed_header = head.packed < head.bytes ? levels.begin + head.packed : nullptr;
  levels.nulls = head.nulls;
  levels.repeated = head.repeated;
  levels.last = head.last;
  levels.buffered = head.buffered;
  levels.bit_width = 1;
  for (std::size_t i = 0; i < sizeof head.group; ++i) levels.group[i] = head.group[i];
  kept.sealed_bytes = head.sealed_bytes;
  kept.values = head.values;
  kept.packed_header = head.packed_header;
}

}  // namespace

const TailLevels kTailLevels{&keep_levels, &open_levels_again, sizeof(KeptLevels), &put_levels, &get_levels};

}  // namespace microparquet::write
