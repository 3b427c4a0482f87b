#include "table_encoder.h"

#include <cstring>

namespace extension {
namespace {

constexpr std::uint32_t kWidth = 8;  // of a value
constexpr std::uint32_t kLongestRun = 63;
constexpr std::uint32_t kNoPlace = kTableEntries;

struct Table {
  std::uint64_t values[kTableEntries];
  std::uint32_t count;
  bool frozen;
  bool dropped;
};
static_assert(sizeof(Table) == kTableEncoder.state_bytes);

Table& table_of(const mpq::PageBody& page) { return *static_cast<Table*>(page.state); }

std::uint64_t value_at(const mpq::PageBody& page, std::uint32_t place) {
  std::uint64_t value = 0;
  std::memcpy(&value, page.values + place * kWidth, kWidth);
  return value;
}

// The index of a value, which is entered if it is new; kNoPlace: it cannot be.
std::uint32_t find(Table& table, std::uint64_t value) {
  std::uint32_t index = 0;
  while (index < table.count && table.values[index] != value) ++index;
  if (index < table.count) return index;
  if (table.frozen || index == kTableEntries) return kNoPlace;
  table.values[table.count++] = value;
  return index;
}

// All of them or, where one finds no place, none.
bool enter_values(const mpq::PageBody& page, std::uint32_t count) {
  Table& table = table_of(page);
  if (table.dropped) return false;
  const std::uint32_t before = table.count;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (find(table, value_at(page, i)) != kNoPlace) continue;
    table.count = before;
    return false;
  }
  return true;
}

}  // namespace

std::uint32_t table_values_that_fit(mpq::PageBody& /*page*/, std::uint32_t free_bytes,
                                    std::uint32_t level_bytes) {
  return free_bytes / (kWidth + level_bytes);
}

void put_table_values(mpq::PageBody& page, const void* values, std::uint32_t count) {
  page.update_bounds(values, count);
  std::memcpy(page.cursor, values, std::size_t{count} * kWidth);
  page.cursor += std::size_t{count} * kWidth;
}

// Runs are written over values that have been read.
void finish_table_values(mpq::EndingPage& page) {
  const auto count = static_cast<std::uint32_t>(page.cursor - page.values) / kWidth;
  if (!enter_values(page, count)) {
    page.set_encoding(mpq::EncodingId::kPlain);
    return;
  }
  page.cursor = page.values + 1;
  for (std::uint32_t i = 0; i < count;) {
    const std::uint64_t value = value_at(page, i);
    std::uint32_t run = 1;
    while (run < kLongestRun && i + run < count && value_at(page, i + run) == value) ++run;
    *page.cursor++ = static_cast<std::byte>(run << 1);
    *page.cursor++ = static_cast<std::byte>(find(table_of(page), value));
    i += run;
  }
  page.values[0] = std::byte{8};
}

mpq::DictionaryEntries freeze_table(mpq::PageBody& page) {
  Table& table = table_of(page);
  table.frozen = true;
  return {reinterpret_cast<const std::byte*>(table.values), table.count * kWidth, table.count,
          table.count == kTableEntries};
}

void drop_table(mpq::PageBody& page) { table_of(page).dropped = true; }

}  // namespace extension
