// Values from a reader: of one row, or of many rows of one column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "microparquet/span.h"

namespace microparquet {

// The value of one column in the current row.
struct Cell {
  const std::byte* data = nullptr;  // value in PLAIN, a byte array without its length; unaligned; null: no
                                    // value
  std::uint32_t bytes = 0;          // length of the value

  // Returns whether the row has no value.
  bool null() const { return data == nullptr; }
  // Returns the value. Requires: not null, and T is the C++ type of the column, bool for kBoolean.
  template <typename T>
  T as() const {
    T value;
    std::memcpy(&value, data, sizeof(T));
    return value;
  }
  // Returns the bytes as text. They lie in the arena until the next row.
  std::string_view text() const { return {reinterpret_cast<const char*>(data), bytes}; }
};

// A place for a value in a column, with the levels that give its place in its row. A row of a column without
// lists is one item; a list has an item for each element, or one that says that it is empty or missing.
struct Item {
  // The value; null: there is none.
  Cell cell;
  // Depth to which the schema's nodes above the item are present; max_definition_level() for a value.
  std::uint8_t definition = 0;
  // List that the item continues, the outermost one being 1; 0: the item begins a row.
  std::uint8_t repetition = 0;

  // Returns whether a row begins with the item.
  bool begins_row() const { return repetition == 0; }
};

// Rows of one column that are all values or all nulls, shown where they lie.
struct ColumnRun {
  const std::byte* data = nullptr;  // the values, back to back, unaligned; null: `rows` nulls
  std::uint32_t rows = 0;           // number of rows
  std::uint32_t value_bytes = 0;    // length of a value

  // Returns whether the rows have no values.
  bool null() const { return data == nullptr; }
  // Returns value `i`. Requires: not null, i < rows, and T is the C++ type of the column.
  template <typename T>
  T value(std::size_t i) const {
    T value;
    std::memcpy(&value, data + i * sizeof(T), sizeof(T));
    return value;
  }
};

// An INT96 value: nanoseconds in the day, then the Julian day, as older writers store timestamps.
struct Int96 {
  std::uint32_t words[3];  // words of PLAIN: two of nanoseconds, low before high, and the day
};

// Arrays of the caller for rows of one column, and their contents. Values follow each other without gaps for
// nulls.
struct AnyBatch {
  // Array of bool, int32_t, int64_t, Int96, float or double; for byte arrays std::string_view, whose bytes
  // lie in the arena until the next call for the column.
  void* values = nullptr;
  // Length of each array.
  std::size_t places = 0;
  // Level of each row: max_definition_level() is a value, less is a null. Not needed if that is 0.
  std::uint8_t* definition_levels = nullptr;
  // Repetition level of each item. Not needed if max_repetition_level() is 0.
  std::uint8_t* repetition_levels = nullptr;
  // Number of rows or items stored.
  std::size_t level_count = 0;
  // Number of them that have a value.
  std::size_t value_count = 0;
};

// AnyBatch with the type of the values: Batch<float> batch(values, levels). `levels` has as many places as
// `values`, or is null for columns without levels.
template <typename T>
struct Batch : AnyBatch {
  // Takes arrays of the caller, which must stay as long as the batch.
  explicit Batch(Span<T> value_places, std::uint8_t* definitions = nullptr,
                 std::uint8_t* repetitions = nullptr)
      : AnyBatch{value_places.data(), value_places.size(), definitions, repetitions} {}

  // Returns the values that the last next_batch() stored, without nulls.
  Span<const T> read() const { return Span<const T>(static_cast<const T*>(values), value_count); }
};

}  // namespace microparquet
