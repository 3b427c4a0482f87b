// Whether a file is what a life may have left.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cells.h"
#include "plan.h"
#include "small_reader.h"

namespace lives {

// Kinds of faults. The names are those of the figures.
enum class Wrong { kNothing, kDurableRowsLost, kWrongRows, kUnreadable, kKeyValues, kLossBound, kCalls };
inline constexpr unsigned kWrongs = 7;
const char* to_string(Wrong wrong);

struct Fault {
  Wrong wrong = Wrong::kNothing;
  std::string text;
  explicit operator bool() const { return wrong != Wrong::kNothing; }
};

using KeyValues = std::vector<std::pair<std::string, std::string>>;

struct Expected {
  const std::vector<RowId>& rows;            // a beginning of these is there,
  std::size_t least_rows;                    // not less than this
  const std::vector<KeyValues>& key_values;  // and one of these,
  std::size_t least_key_values;              // not one before this
  bool may_be_empty;                         // or there is no byte at all
};

struct Found {
  std::size_t rows = 0;
  std::size_t key_values = 0;
  bool empty = false;
};

// `unpack`: codecs that the small reader has not; null: there are none.
Fault check_image(mpq::Span<const std::byte> bytes, const Plan& plan, const Expected& expected,
                  small::Unpack unpack, Found& found);

}  // namespace lives
