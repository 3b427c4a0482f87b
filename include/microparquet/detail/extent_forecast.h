// How many bytes of the file a column will need whose pages hold no fixed number of rows.
#pragma once

#include <cstdint>

namespace microparquet::detail {

struct ColumnWriter;
struct WriterState;

// Columns of a fixed width fill their pages alike: their extents are exact, and a schema of such columns
// alone does not link this. What the others need is forecast from the past, with the mean deviation as
// margin.
class ExtentForecast {
 public:
  // Before the first row group: what is expected of the columns.
  virtual void predict(WriterState& state) const = 0;
  // For `rows` rows of a column that fills its pages as its values will have it.
  virtual std::uint32_t extent_bytes(const ColumnWriter& column, std::uint32_t rows) const = 0;
  // Puts the extent that is hardest to forecast after the others, where it may take twice what it is expected
  // to need if there is as much up to `limit`; where it ends. It keeps what was planned where the limit has
  // come to lie before `end`. Requires: the extents follow each other and end at `end`.
  virtual std::uint64_t extend_last(WriterState& state, std::uint64_t end, std::uint64_t limit) const = 0;
  // After a row group: what its rows did need.
  virtual void observe(WriterState& state) const = 0;

 protected:
  ~ExtentForecast() = default;
};

class SmoothedForecast final : public ExtentForecast {
 public:
  void predict(WriterState& state) const override;
  std::uint32_t extent_bytes(const ColumnWriter& column, std::uint32_t rows) const override;
  std::uint64_t extend_last(WriterState& state, std::uint64_t end, std::uint64_t limit) const override;
  void observe(WriterState& state) const override;
};

inline constexpr SmoothedForecast kSmoothedForecast;

// Bytes a row are counted in 16ths.
inline constexpr std::uint32_t kRowFraction = 16;

}  // namespace microparquet::detail
