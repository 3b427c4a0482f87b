// Definition levels, which tell the rows of an optional column that have a value.
//
// An optional column names an object for its levels; without such a column levels are not linked.
#pragma once

#include <cstddef>
#include <cstdint>

namespace microparquet {

namespace detail {
struct ColumnWriter;
}

// Writes the levels of a page, which precede its values. Objects are constant and without state, three
// functions: their state lies in the column. Thread-safe.
class Levels {
 public:
  // Type of the function that prepare_rows() calls.
  using PrepareRows = std::uint32_t(detail::ColumnWriter& column, std::uint32_t most);
  // Type of the function that put() calls.
  using Put = void(detail::ColumnWriter& column, std::uint8_t level, std::uint32_t rows);
  // Type of the function that finish() calls.
  using Finish = void(detail::ColumnWriter& column);

  // Constructor for the library, whose functions know the column.
  constexpr Levels(PrepareRows& prepare_rows, Put& put, Finish& finish)
      : prepare_rows_(&prepare_rows), put_(&put), finish_(&finish) {}

  // Returns how many rows, at most `most`, are guaranteed to fit in the open page, and makes space for their
  // levels, starting at the head of an empty page. For byte arrays the result counts the levels only.
  std::uint32_t prepare_rows(detail::ColumnWriter& column, std::uint32_t most) const {
    return prepare_rows_(column, most);
  }

  // Appends `level` for `rows` rows. Requires: prepare_rows() has promised them.
  void put(detail::ColumnWriter& column, std::uint8_t level, std::uint32_t rows) const {
    put_(column, level, rows);
  }

  // Ends the levels of the page and joins them with the values: column.values is the begin of the page's body
  // on return.
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

// Levels in the RLE and bit-packed hybrid of Encodings.md after a length of four bytes, as in data page V1.
inline constexpr Levels kHybridLevels(detail::prepare_hybrid_levels, detail::put_hybrid_levels,
                                      detail::finish_hybrid_levels);

}  // namespace microparquet
