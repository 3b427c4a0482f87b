// Values as a reader gives them: of one row, or of many rows of one column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "microparquet/span.h"

namespace microparquet {

// The value of one column in the current row.
struct Cell {
  const std::byte* data = nullptr;  // as PLAIN, a byte array without its length; unaligned; null: no value
  std::uint32_t bytes = 0;          // of the value

  // Whether the row has no value.
  bool null() const { return data == nullptr; }
  // Requires: not null, and T is what the column's type says, bool for kBoolean.
  template <typename T>
  T as() const {
    T value;
    std::memcpy(&value, data, sizeof(T));
    return value;
  }
  // The bytes as text. They lie in the arena until the next row.
  std::string_view text() const { return {reinterpret_cast<const char*>(data), bytes}; }
};

// A place for a value in a column, with the levels that say where in its row it stands. A row of a column without
// lists is one item; a list is an item for each of its elements, or one that says that it is empty or missing.
struct Item {
  // The value; null: there is none.
  Cell cell;
  // How far down the schema the item is there; that of a value: max_definition_level().
  std::uint8_t definition = 0;
  // Which list it continues, from the outermost one, 1, on; 0: the row begins.
  std::uint8_t repetition = 0;

  // Whether a row begins with it.
  bool begins_row() const { return repetition == 0; }
};

// Rows of one column that are all values or all nulls, shown where they lie.
struct ColumnRun {
  const std::byte* data = nullptr;  // the values, back to back, unaligned; null: `rows` nulls
  std::uint32_t rows = 0;           // how many
  std::uint32_t value_bytes = 0;    // of one

  // Whether its rows have no values.
  bool null() const { return data == nullptr; }
  // Requires: not null, i < rows, and T is what the column's type says.
  template <typename T>
  T value(std::size_t i) const {
    T value;
    std::memcpy(&value, data + i * sizeof(T), sizeof(T));
    return value;
  }
};

// An INT96 value: nanoseconds in the day, then the Julian day, as older writers store timestamps.
struct Int96 {
  std::uint32_t words[3];  // as PLAIN has them: two of the nanoseconds, low before high, and the day
};

// Arrays of the caller's for rows of one column, and what came. Values stand back to back: nulls take no
// place among them.
struct AnyBatch {
  // bool, int32_t, int64_t, Int96, float or double; of byte arrays std::string_view, whose bytes lie in the
  // arena until the next call for the column.
  void* values = nullptr;
  // In each of the arrays.
  std::size_t places = 0;
  // Of each row: max_definition_level() is a value, less is a null. Not needed where that is 0.
  std::uint8_t* definition_levels = nullptr;
  // Not needed where max_repetition_level() is 0.
  std::uint8_t* repetition_levels = nullptr;
  // Rows that came.
  std::size_t level_count = 0;
  // Those of them that have a value.
  std::size_t value_count = 0;
};

// The same, with the type of the values: Batch<float> batch(values, levels). `levels` has as many places as
// `values`, or is null for columns that have none.
template <typename T>
struct Batch : AnyBatch {
  // The arrays are the caller's and must stay as long as the batch.
  explicit Batch(Span<T> value_places, std::uint8_t* definitions = nullptr,
                 std::uint8_t* repetitions = nullptr)
      : AnyBatch{value_places.data(), value_places.size(), definitions, repetitions} {}

  // The values that the last next_batch() stored, without nulls.
  Span<const T> read() const { return Span<const T>(static_cast<const T*>(values), value_count); }
};

}  // namespace microparquet
