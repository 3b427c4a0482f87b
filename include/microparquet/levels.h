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
  // Leaves room for levels at the head of the empty page.
  virtual void begin_page(detail::ColumnWriter& column) const = 0;

  // Says how many rows, `most` at the most, surely fit in the open page, and makes room for their levels. For
  // byte arrays it speaks of the levels only.
  virtual std::uint32_t prepare_rows(detail::ColumnWriter& column, std::uint32_t most) const = 0;

  // Appends `level` for so many rows. Requires: prepare_rows() has promised them.
  virtual void put(detail::ColumnWriter& column, std::uint8_t level, std::uint32_t rows) const = 0;

  // Ends the levels of the page: their bytes, with all that stands before the values.
  virtual std::uint32_t finish(detail::ColumnWriter& column) const = 0;

  // Brings levels, of finish() bytes, and values together at `body`.
  virtual void join(detail::ColumnWriter& column, std::byte* body, std::uint32_t level_bytes) const = 0;

 protected:
  ~Levels() = default;
};

// The RLE and bit-packed hybrid of Encodings.md behind its length in four bytes, as data page V1 has it.
class HybridLevels final : public Levels {
 public:
  void begin_page(detail::ColumnWriter& column) const override;
  std::uint32_t prepare_rows(detail::ColumnWriter& column, std::uint32_t most) const override;
  void put(detail::ColumnWriter& column, std::uint8_t level, std::uint32_t rows) const override;
  std::uint32_t finish(detail::ColumnWriter& column) const override;
  void join(detail::ColumnWriter& column, std::byte* body, std::uint32_t level_bytes) const override;
};

inline constexpr HybridLevels kHybridLevels;

}  // namespace microparquet
