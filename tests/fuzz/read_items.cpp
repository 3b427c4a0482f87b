#include "read_items.h"

#include <vector>

#include "fuzz_input.h"
#include "microparquet/records.h"

namespace {

using namespace microparquet;

// Uses every byte that was read, which lets a sanitizer see bytes that were never there.
volatile std::uint64_t items_sink;

void use_cell(const Cell& cell) {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < cell.bytes; ++i) sum += static_cast<std::uint8_t>(cell.data[i]);
  items_sink = items_sink + sum;
}

constexpr std::uint64_t kMaxItems = 20000;  // levels can claim billions of nulls in a few bytes

// The result of one way of reading.
struct Outcome {
  Status status = Status::kOk;
  std::uint64_t items = 0;   // of all columns
  std::uint64_t values = 0;  // those that have one
  std::uint64_t rows = 0;    // of the first column

  bool operator==(const Outcome& other) const {
    return status == other.status && items == other.items && values == other.values && rows == other.rows;
  }
};

// Levels that no schema allows would lead whoever puts rows together astray.
class LevelCheck {
 public:
  LevelCheck(const Reader& reader, std::uint32_t column)
      : definition_(reader.max_definition_level(column)), repetition_(reader.max_repetition_level(column)) {}

  void take(std::uint8_t definition, std::uint8_t repetition, bool null) {
    if (definition > definition_ || repetition > repetition_ || null == (definition == definition_))
      std::abort();
    if (first_ && repetition != 0) std::abort();
    first_ = false;
  }

 private:
  std::uint8_t definition_;
  std::uint8_t repetition_;
  bool first_ = true;
};

Status read_one_by_one(Reader& reader, std::size_t i, Outcome& outcome) {
  LevelCheck check(reader, reader.chosen_column(i));
  Item item;
  while (outcome.items < kMaxItems) {
    const Status status = reader.next_item(i, item);
    if (status != Status::kOk) return status;
    check.take(item.definition, item.repetition, item.cell.null());
    use_cell(item.cell);
    ++outcome.items;
    outcome.values += item.cell.null() ? 0 : 1;
    outcome.rows += i == 0 && item.begins_row() ? 1 : 0;
  }
  return Status::kOk;
}

Status read_item_batches(Reader& reader, std::size_t i, Outcome& outcome) {
  constexpr std::size_t kPlaces = 33;
  const std::uint32_t column = reader.chosen_column(i);
  const Type type = reader.column_type(column);
  const std::uint32_t width = value_bytes(type, reader.type_length(column));
  std::vector<std::byte> values(kPlaces * (width != 0 ? width : sizeof(std::string_view)));
  std::uint8_t definition[kPlaces];
  std::uint8_t repetition[kPlaces];
  LevelCheck check(reader, column);
  while (outcome.items < kMaxItems) {
    AnyBatch batch;
    batch.values = values.data();
    batch.places = kPlaces;
    batch.definition_levels = definition;
    batch.repetition_levels = repetition;
    const Status status = reader.next_items(i, batch);
    if (status != Status::kOk) return status;
    std::size_t present = 0;
    for (std::size_t item = 0; item < batch.level_count; ++item) {
      const bool null = definition[item] != reader.max_definition_level(column);
      check.take(definition[item], repetition[item], null);
      present += null ? 0 : 1;
      outcome.rows += i == 0 && repetition[item] == 0 ? 1 : 0;
    }
    if (present != batch.value_count || batch.level_count == 0) std::abort();
    for (std::size_t value = 0; type == Type::kByteArray && value < batch.value_count; ++value) {
      std::string_view view;
      std::memcpy(&view, values.data() + value * sizeof view, sizeof view);
      use_cell({reinterpret_cast<const std::byte*>(view.data()), static_cast<std::uint32_t>(view.size())});
    }
    outcome.items += batch.level_count;
    outcome.values += batch.value_count;
  }
  return Status::kOk;
}

Outcome read_item_columns(Reader& reader, bool batches) {
  Outcome outcome;
  while ((outcome.status = reader.next_row_group()) == Status::kOk) {
    for (std::size_t i = 0; i < reader.chosen(); ++i) {
      const std::uint64_t rows = outcome.rows;
      const Status status =
          batches ? read_item_batches(reader, i, outcome) : read_one_by_one(reader, i, outcome);
      // An error that stopped a way must stop it again.
      if (status == Status::kCorrupt || status == Status::kUnsupported) {
        Item item;
        if (reader.next_item(i, item) != status) std::abort();
      }
      outcome.status = status;
      if (status != Status::kEnd) return outcome;
      if (i == 0 && outcome.rows - rows != reader.row_group_rows()) std::abort();
    }
  }
  return outcome;
}

// Whatever begins ends, in the order of its beginning.
Outcome read_records(Reader& reader) {
  Outcome outcome;
  std::vector<std::uint64_t> memory(Records::required_bytes(reader.schema_elements(), reader.chosen()) / 8 +
                                    1);
  Records records(reader, {reinterpret_cast<std::byte*>(memory.data()), memory.size() * 8});
  outcome.status = records.begin();
  std::vector<std::uint32_t> open;
  Event event;
  while (outcome.status == Status::kOk && outcome.items < kMaxItems) {
    outcome.status = records.next(event);
    if (outcome.status != Status::kOk) break;
    switch (event.kind) {
      case EventKind::kBeginRow:
        if (!open.empty()) std::abort();
        [[fallthrough]];
      case EventKind::kBeginStruct:
      case EventKind::kBeginList:
      case EventKind::kBeginMap:
        open.push_back(event.element);
        ++outcome.items;
        break;
      case EventKind::kEndRow: ++outcome.rows; [[fallthrough]];
      case EventKind::kEnd:
        if (open.empty() || open.back() != event.element) std::abort();
        open.pop_back();
        break;
      case EventKind::kNull: ++outcome.items; break;
      case EventKind::kValue:
        use_cell(event.cell);
        ++outcome.items;
        ++outcome.values;
        break;
    }
  }
  return outcome;
}

}  // namespace

void read_items_every_way(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMostColumns = 16;
  const auto choose = [](Reader& chosen) { return choose_items_of_first(chosen, kMostColumns); };
  FuzzInput file(data, size);
  for (const std::uint32_t buffer_bytes : {64U, 4096U}) {
    const ReaderOptions options = options_for_items(buffer_bytes);
    Outcome outcomes[3];
    for (int way = 0; way < 3; ++way) {
      std::vector<std::uint64_t> arena(12288);
      Reader reader;
      if (!open_exactly(reader, file, options, arena, choose)) return;
      outcomes[way] = way == 2 ? read_records(reader) : read_item_columns(reader, way == 1);
    }
    // Decoders look at some values ahead: how many come before what is corrupt is not the same.
    const bool counted = outcomes[0].items < kMaxItems && outcomes[1].items < kMaxItems;
    if (counted && outcomes[0].status != outcomes[1].status) std::abort();
    if (counted && outcomes[0].status == Status::kEnd && !(outcomes[0] == outcomes[1])) std::abort();
    // Rows that come to their end have all values of their columns.
    const bool ended = outcomes[2].status == Status::kEnd && outcomes[0].status == Status::kEnd;
    if (ended && counted && outcomes[2].values != outcomes[0].values) std::abort();
  }
}
