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

// Writes the levels of a page, which stand before its values. Objects are constant and without state: what
// they keep lies in the column. Thread-safe.
class Levels {
 public:
  // Says how many rows, `most` at the most, surely fit in the open page, and makes room for their levels: at
  // the head of an empty page first. For byte arrays it speaks of the levels only.
  virtual std::uint32_t prepare_rows(detail::ColumnWriter& column, std::uint32_t most) const = 0;

  // Appends `level` for so many rows. Requires: prepare_rows() has promised them.
  virtual void put(detail::ColumnWriter& column, std::uint8_t level, std::uint32_t rows) const = 0;

  // Ends the levels of the page and brings them together with the values: column.values is where the page's
  // body begins when it returns.
  virtual void finish(detail::ColumnWriter& column) const = 0;

 protected:
  ~Levels() = default;
};

// The RLE and bit-packed hybrid of Encodings.md behind its length in four bytes, as data page V1 has it.
class HybridLevels final : public Levels {
 public:
  std::uint32_t prepare_rows(detail::ColumnWriter& column, std::uint32_t most) const override;
  void put(detail::ColumnWriter& column, std::uint8_t level, std::uint32_t rows) const override;
  void finish(detail::ColumnWriter& column) const override;
};

inline constexpr HybridLevels kHybridLevels;

}  // namespace microparquet
