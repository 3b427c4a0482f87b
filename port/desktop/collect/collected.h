// The facts that a lake keeps of one file that was collected.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "candidates.h"
#include "thrift_dom/footer_parts.h"
#include "time_request.h"
#include "view.h"

namespace mpq_tool {

// The checksum of the first rows of a file, by their values: that of a file that continues it is the same.
struct RowsMark {
  std::uint64_t rows = 0;
  std::uint32_t sum = 0;
};

// Times of the rows, in seconds.
struct CollectedTimes {
  std::optional<std::int64_t> first_us;  // microseconds since 1970; none: the device knew no clock
  std::optional<std::int64_t> last_us;
  double seconds = 0;             // time from the first row to the last
  std::optional<double> rate_hz;  // none, as what follows: the rows come irregularly
  std::optional<std::uint64_t> gaps;
  std::optional<std::uint64_t> missing;  // rows that the gaps have place for
  std::optional<double> longest_gap;
};

inline constexpr char kNestedType[] = "nested";

// A column, or a group of columns.
struct CollectedColumn {
  std::string name;
  std::string type;  // type as `mpq info` prints it; "nested": a list, a map or a struct
};

struct Collected {
  std::string path;  // path in the lake
  std::string device;
  std::string firmware;
  std::string session;
  std::string split;
  std::string started_at;
  std::uint32_t file_id = 0;  // 0: of another writer, or none was given
  std::uint64_t rows = 0;
  std::uint64_t recovered = 0;              // rows that the last footer did not describe
  std::uint64_t lost = 0;                   // rows that could not be saved
  std::optional<std::uint64_t> first_lost;  // row of the file, counted from 0
  std::uint64_t dropped = 0;                // rows that the device dropped, because its queue was full, or
                                            // lost with a card
  std::optional<CollectedTimes> times;
  std::vector<CollectedColumn> columns;
  std::uint64_t bytes = 0;
  std::string source;
  std::string in_image;  // file in the source; empty: the source is the file itself
  std::uint64_t source_bytes = 0;
  std::uint32_t source_sum = 0;  // sum over all its bytes
  std::vector<RowsMark> marks;   // at each power of two, and of all rows

  // Number of rows from the first on of which none is lost.
  std::uint64_t unbroken() const { return first_lost ? *first_lost : rows; }
  // Whether every row that `other`, a file of the same log, has is here, too.
  bool has_rows_of(const Collected& other) const {
    const bool lost_the_same = lost == other.lost && first_lost == other.first_lost;
    return lost == 0 || lost_the_same || (other.unbroken() >= other.rows && unbroken() >= other.rows);
  }
};

// Converts to the text of a key-value in the file, and back; none: the text is another one. Path and bytes
// are left out.
std::string to_text(const Collected& file);
std::optional<Collected> collected_from(const std::string& text);

// The key.
inline constexpr char kCollectedKey[] = "microparquet.collect";

// Device, firmware, session, split, start, and rows that the device dropped: by the names that the key-values have.
void take_key_values(const std::vector<microparquet::recovery::TextPair>& pairs, Collected& file);

// Number of the found `rows` that the footer at the end of the file does not describe.
std::uint64_t recovered_rows(microparquet::recovery::View& view, const microparquet::recovery::Found& found,
                             std::uint64_t rows);

// Schema and times, of the file at `path`, which does not have its key-values yet. A file without the columns of
// `request` has the times that it would have without it. Throws Failure.
void take_timing(const std::string& path, const std::vector<microparquet::recovery::TextPair>& key_values,
                 const TimeRequest& request, Collected& file);

// Compares the longest beginning of which both have a mark, and of which neither has lost a row. Where one
// has lost its first row, the file id that the device gave them has to do. Requires: they are namesakes.
inline bool are_same_log(const Collected& a, const Collected& b) {
  const std::uint64_t most = std::min(a.unbroken(), b.unbroken());
  if (most == 0) {
    return a.file_id != 0;
  }
  for (auto mark = a.marks.rbegin(); mark != a.marks.rend(); ++mark) {
    const auto other = std::find_if(b.marks.begin(), b.marks.end(),
                                    [mark](const RowsMark& each) { return each.rows == mark->rows; });
    if (mark->rows <= most && other != b.marks.end()) {
      return mark->sum == other->sum;
    }
  }
  return false;
}

}  // namespace mpq_tool
