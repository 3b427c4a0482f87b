// Definition levels: which rows of an optional column have a value.
//
// Levels are an object an optional column names; without such a column they are not linked.
#pragma once

#include <cstddef>
#include <cstdint>

namespace microparquet {

namespace detail {
struct ColumnWriter;
}

// Writes the levels of a page, which stand before its values. Objects are constant and without state, three
// functions: what they keep lies in the column. Thread-safe.
class Levels {
 public:
  // What prepare_rows() calls.
  using PrepareRows = std::uint32_t(detail::ColumnWriter& column, std::uint32_t most);
  // What put() calls.
  using Put = void(detail::ColumnWriter& column, std::uint8_t level, std::uint32_t rows);
  // What finish() calls.
  using Finish = void(detail::ColumnWriter& column);

  // For the library, whose column they reach into.
  constexpr Levels(PrepareRows& prepare_rows, Put& put, Finish& finish)
      : prepare_rows_(&prepare_rows), put_(&put), finish_(&finish) {}

  // Returns how many rows, at most `most`, are guaranteed to fit in the open page, and makes space for their
  // levels: at the head of an empty page first. For byte arrays it concerns the levels only.
  std::uint32_t prepare_rows(detail::ColumnWriter& column, std::uint32_t most) const {
    return prepare_rows_(column, most);
  }

  // Appends `level` for `rows` rows. Requires: prepare_rows() has promised them.
  void put(detail::ColumnWriter& column, std::uint8_t level, std::uint32_t rows) const {
    put_(column, level, rows);
  }

  // Ends the levels of the page and brings them together with the values: column.values is where the page's
  // body begins when it returns.
  void finish(detail::ColumnWriter& column) const { finish_(column); }

 private:
  PrepareRows* prepare_rows_;
  Put* put_;
  Finish* finish_;
};

namespace detail {
Levels::PrepareRows prepare_hybrid_levels;
Levels::Put put_hybrid_levels;
Levels::Finish finish_hybrid_levels;
}  // namespace detail

// The RLE and bit-packed hybrid of Encodings.md after its length in four bytes, as data page V1 has it.
inline constexpr Levels kHybridLevels(detail::prepare_hybrid_levels, detail::put_hybrid_levels,
                                      detail::finish_hybrid_levels);

}  // namespace microparquet
