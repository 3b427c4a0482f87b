#include "microparquet/detail/list_levels.h"

#include "base/bytes.h"
#include "base/endian.h"
#include "microparquet/detail/encoding/length_prefix.h"

namespace microparquet::detail {
namespace {

using encoding::kLengthBytes;

const ListEncoder& list_encoder_of(const PageBody& page) {
  return static_cast<const ListEncoder&>(*page.plan->encoder);
}

constexpr std::uint32_t kGroupOfLevels = 8;

constexpr std::uint32_t most_group_bytes(std::uint32_t slots, std::uint32_t bits) {
  return (slots + kGroupOfLevels - 1) / kGroupOfLevels * (1 + bits);
}

// Returns how much a stream grows at most by the levels of a row, beside kWaiting. Any group of eight levels takes a
// header and its bits at most.
std::uint32_t growth_of(const RowNeed& need, std::uint32_t bits) {
  const std::uint32_t in_runs = need.run_bytes + need.runs * (1 + bits) + most_group_bytes(need.single, bits);
  const std::uint32_t packed = most_group_bytes(need.slots, bits);
  return in_runs < packed ? in_runs : packed;
}

std::uint32_t bytes_of_values(ColumnWriter& column, const RowNeed& need,
                              RowPlace place = RowPlace::kOpenPage) {
  RowBytes* const row_bytes = list_encoder_of(column).row_bytes;
  if (row_bytes != nullptr) return row_bytes(column, need, place);
  const std::uint64_t bytes = std::uint64_t{need.values} * column.plan->shape.value_bytes;
  return bytes < kTooManyBytes ? static_cast<std::uint32_t>(bytes) : kTooManyBytes;
}

// How many times as long values that are packed can be at most as they usually are.
constexpr std::uint32_t kMostToUsual = 8;

std::uint32_t alignment_of(const ColumnWriter& column) {
  const ValueShape& shape = column.plan->shape;
  return shape.value_bytes != 0 && shape.type != Type::kBoolean ? kValueAlignment : 1;
}

void move_values(ColumnWriter& column, std::byte* to) {
  const auto size = static_cast<std::size_t>(column.cursor - column.values);
  if (to != column.values) util::move_aligned(to, column.values, size);
  column.values = to;
  column.cursor = to + size;
}

void move_levels(LevelEncoder& levels, std::byte* to) {
  const std::ptrdiff_t by = to - levels.begin;
  if (by == 0) return;
  util::move_bytes(to, levels.begin, static_cast<std::size_t>(levels.cursor - levels.begin));
  levels.begin += by;
  levels.cursor += by;
  if (levels.packed_header != nullptr) levels.packed_header += by;
}

// A page that has just begun has no levels yet.
void begin_streams(ColumnWriter& column) {
  if (column.values != column.page + column.plan->header_bytes) return;
  const ListLevels& levels = list_levels(column);
  LevelEncoder& repetition = list_state(column).repetition;
  repetition.bit_width = levels.repetition_bits();
  repetition.begin_page(column.values + kLengthBytes);
  column.levels->bit_width = levels.definition_bits();
  column.levels->begin_page(repetition.begin + kLengthBytes);
}

// Space of an open page, as far as levels and values do not take it.
struct Room {
  std::uint32_t repetition;  // bytes that each part has
  std::uint32_t definition;
  std::uint32_t values;
  std::int32_t free;  // bytes that they may grow by in all; less than 0: none

  explicit Room(const ColumnWriter& column)
      : repetition(bytes_in(list_state(column).repetition)),
        definition(bytes_in(*column.levels)),
        values(static_cast<std::uint32_t>(column.cursor - column.values)),
        free(static_cast<std::int32_t>(column.end - column.page) -
             static_cast<std::int32_t>(column.plan->header_bytes + 2 * kLengthBytes + 2 * kWaiting +
                                       alignment_of(column) - 1 + repetition + definition + values)) {}

  static std::uint32_t bytes_in(const LevelEncoder& levels) {
    return static_cast<std::uint32_t>(levels.cursor - levels.begin);
  }
};

// Moves levels and values, so that the streams may grow by so much, and values by what is left.
void set_gaps(ColumnWriter& column, const Room& room, std::uint32_t repetition, std::uint32_t definition) {
  std::byte* const begin = column.page + column.plan->header_bytes;
  std::byte* const definitions = begin + 2 * kLengthBytes + room.repetition + kWaiting + repetition;
  const auto before =
      static_cast<std::uint32_t>(definitions - column.page) + room.definition + kWaiting + definition;
  std::byte* const values = column.page + round_up(before, alignment_of(column));
  // The values have to leave before the levels come.
  const bool up = definitions > column.levels->begin;
  if (!up) move_levels(*column.levels, definitions);
  move_values(column, values);
  if (up) move_levels(*column.levels, definitions);
}

// Brings a stream up to `end`, after its length. Returns where that stands.
std::byte* close_up(const LevelEncoder& levels, std::byte* end) {
  const auto length = static_cast<std::uint32_t>(levels.cursor - levels.begin);
  std::byte* const to = end - length;
  util::move_bytes(to, levels.begin, length);
  util::store(to - kLengthBytes, length);
  return to - kLengthBytes;
}

}  // namespace

std::uint32_t bit_row_bytes(PageBody& /*page*/, const RowNeed& need, RowPlace /*place*/) {
  return (need.values + 7) / 8;
}

std::uint32_t text_row_bytes(PageBody& /*page*/, const RowNeed& need, RowPlace /*place*/) {
  return need.text_bytes < kTooManyBytes ? static_cast<std::uint32_t>(need.text_bytes) : kTooManyBytes;
}

bool fits_row(ColumnWriter& column, const RowNeed& need) {
  if (need.slots > kMostRowSlots) return false;
  const ListLevels& levels = list_levels(column);
  const LevelEncoder& repetition = list_state(column).repetition;
  const LevelEncoder& definition = *column.levels;
  const std::uint32_t of_repetition = kLengthBytes + kWaiting + growth_of(need, levels.repetition_bits());
  const std::uint32_t of_definition = kWaiting + growth_of(need, levels.definition_bits());
  // A page that has just begun has no gap at all; of any other none is negative.
  return static_cast<std::uint32_t>(definition.begin - repetition.cursor) >= of_repetition &&
         static_cast<std::uint32_t>(column.values - definition.cursor) >= of_definition &&
         column.free_bytes() >= bytes_of_values(column, need);
}

bool fits_empty_list_page(ColumnWriter& column, const RowNeed& need) {
  if (need.slots > kMostRowSlots) return false;
  const ListLevels& levels = list_levels(column);
  const std::uint32_t bytes =
      column.plan->header_bytes + kBesideLevels + growth_of(need, levels.repetition_bits()) +
      growth_of(need, levels.definition_bits()) + bytes_of_values(column, need, RowPlace::kPageAlone);
  return bytes <= column.plan->page_bytes;
}

bool make_space_for_row(ColumnWriter& column, const RowNeed& need) {
  if (column.page_state != PageState::kOpen || need.slots > kMostRowSlots) return false;
  begin_streams(column);
  const ListLevels& levels = list_levels(column);
  const Room room(column);
  std::uint32_t values = bytes_of_values(column, need);
  std::uint32_t repetition = growth_of(need, levels.repetition_bits());
  std::uint32_t definition = growth_of(need, levels.definition_bits());
  std::int32_t rest = room.free - static_cast<std::int32_t>(values + repetition + definition);
  if (rest < 0) {
    const std::uint32_t plain = bytes_of_values(column, need, RowPlace::kPlainPage);
    rest += static_cast<std::int32_t>(values) - static_cast<std::int32_t>(plain);
    values = plain;
    if (rest < 0) return false;
  }
  // One run after another is one run: a uniform row adds nothing to the definition levels of the one before.
  const bool is_uniform = need.runs == 1 && need.single == 0;
  const std::uint32_t more = is_uniform ? 0 : definition;
  const bool packs = !encodes_arrays(*column.plan->encoder);
  const std::uint32_t like = (packs ? values / kMostToUsual : values) + repetition + more;
  const std::uint32_t others = static_cast<std::uint32_t>(rest) / like;
  repetition += others * repetition;
  definition += others * more;
  // Pages whose values end with them are sealed without a move of the values.
  if (!packs) definition += static_cast<std::uint32_t>(rest) - others * like;
  set_gaps(column, room, repetition, definition);
  return true;
}

// Promises any number of rows: each of them is asked for. An encoder that is asked about values may want to end the page,
// or to begin it again.
std::uint32_t prepare_list_levels(ColumnWriter& column, std::uint32_t most) {
  const Encoder& encoder = *column.plan->encoder;
  if (encoder.accepts != nullptr && encoder.values_that_fit(column, column.plan->page_bytes, 0) == 0)
    return 0;
  begin_streams(column);
  return most;
}

void put_list_level(ColumnWriter& column, std::uint8_t level, std::uint32_t rows) {
  put_slots(column, 0, 0, level, rows);
}

void put_slots(ColumnWriter& column, std::uint8_t repetition, std::uint8_t next, std::uint8_t definition,
               std::uint32_t slots) {
  LevelEncoder& repetitions = list_state(column).repetition;
  repetitions.put(repetition, 1);
  if (slots > 1) repetitions.put(next, slots - 1);
  column.levels->put(definition, slots);
  if (definition != 0 && definition != list_levels(column).max_definition()) column.levels->nulls += slots;
}

// Counts the page's slots as rows that end with it: the row after them stays first_row + row_count.
void finish_lists(EndingPage& page) {
  ListState& list = list_state(page);
  page.row_count += list.more_in_page;
  page.first_row -= list.more_in_page;
  list.more_in_page = 0;
  list_encoder_of(page).inner->finish(page);
}

void finish_list_levels(ColumnWriter& column) {
  LevelEncoder& repetition = list_state(column).repetition;
  column.nulls += column.levels->nulls;
  column.levels->finish();
  repetition.finish();
  column.values = close_up(repetition, close_up(*column.levels, column.values));
}

}  // namespace microparquet::detail
