// Measures how much a power cut would lose at each moment of many simulated logs, and compares it with
// loss_bound().
#include <algorithm>
#include <cstring>
#include <vector>

#include "microparquet/durability.h"
#include "microparquet/writer.h"
#include "support/check.h"
#include "support/names.h"
#include "written_file.h"

using microparquet::LogRate;
using microparquet::LossBound;

namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;

class GrowingFile final : public microparquet::File {
 public:
  FileAbilities abilities() const override { return {true, true, true}; }
  Status size(std::uint64_t& bytes) override {
    bytes = bytes_.size();
    return Status::kOk;
  }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    if (offset + out.size() > bytes_.size()) return Status::kIoError;
    std::memcpy(out.data(), bytes_.data() + offset, out.size());
    return Status::kOk;
  }
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    if (offset + data.size() > bytes_.size()) bytes_.resize(static_cast<std::size_t>(offset) + data.size());
    std::memcpy(bytes_.data() + offset, data.data(), data.size());
    return Status::kOk;
  }
  Status sync(std::uint64_t) override { return Status::kOk; }
  Status shrink(std::uint64_t size) override {
    bytes_.resize(static_cast<std::size_t>(size));
    return Status::kOk;
  }

 private:
  // One memory for all simulations.
  static std::vector<std::byte>& cleared() {
    static std::vector<std::byte> bytes;
    bytes.clear();
    return bytes;
  }

  std::vector<std::byte>& bytes_ = cleared();
};

// Names as long as these leave hardly any slack in what is expected of an entry.
constexpr Field kFields[] = {
    microparquet::int64_field("a_name_of_fifty_letters_for_the_first_of_eight_column"),
    microparquet::int32_field("a_name_of_fifty_letters_for_the_second_of_eight_colum"),
    microparquet::int32_field("a_name_of_fifty_letters_for_the_third_of_eight_column"),
    microparquet::int32_field("a_name_of_fifty_letters_for_the_fourth_of_eight_colum"),
    microparquet::int32_field("a_name_of_fifty_letters_for_the_fifth_of_eight_column"),
    microparquet::int32_field("a_name_of_fifty_letters_for_the_sixth_of_eight_column"),
    microparquet::int32_field("a_name_of_fifty_letters_for_the_seventh_of_eight_colu"),
    microparquet::int32_field("a_name_of_fifty_letters_for_the_eighth_of_eight_colum")};
constexpr std::uint32_t kBytesPerRow = 8 + 7 * 4;
constexpr std::string_view kNote =
    "a key-value that makes the footer longer, and by that the time it takes to write it";

struct Case {
  std::uint32_t row_groups;
  std::uint32_t ms_per_row;
  std::uint32_t tick_ms;
  std::uint32_t checkpoint_ms;
  std::uint32_t max_loss_ms;
  std::uint16_t share;
};

// A log that has its row groups already, and then continues slowly. Times are of rows and ticks alone.
class Simulation {
 public:
  explicit Simulation(const Case& kase) : case_(kase) {
    options_.checkpoint_ms = kase.checkpoint_ms;
    options_.max_loss_ms = kase.max_loss_ms;
    options_.checkpoint_ratio = kase.share;
    arena_.resize(Writer::required_bytes(kFields, options_) / sizeof(std::uint64_t) + 1);
  }

  bool run() {
    const Span<std::byte> arena(reinterpret_cast<std::byte*>(arena_.data()),
                                arena_.size() * sizeof(std::uint64_t));
    bool good = writer_.open(file_, kFields, options_, arena) == Status::kOk &&
                writer_.set_key_value("note", kNote) == Status::kOk;
    for (std::uint32_t i = 0; i < case_.row_groups && good; ++i) {
      good = append() && writer_.end_row_group() == Status::kOk;
    }
    good = good && writer_.checkpoint() == Status::kOk;
    const std::uint64_t end = now_ms_ + 4 * std::uint64_t{bound().ms};
    std::uint64_t next_row = now_ms_;
    std::uint64_t next_tick = now_ms_;
    for (std::uint32_t i = 0; now_ms_ < end && rows_of_log() < kMaxRows && good; ++i) {
      now_ms_ = std::min(next_row, next_tick);
      look();
      if (now_ms_ == next_row) {
        good = append();
        next_row += case_.ms_per_row;
      } else {
        good = writer_.tick(static_cast<std::uint32_t>(now_ms_)) == Status::kOk;
        const bool early = written::mix(i) % 4 == 0;  // they need not come evenly
        next_tick += early ? case_.tick_ms / 3 + 1 : case_.tick_ms;
      }
    }
    return good;
  }

  LossBound bound() const {
    const LogRate rate{3'600'000 / case_.ms_per_row, kBytesPerRow, case_.tick_ms,
                       static_cast<std::uint32_t>(kNote.size()) + 4 + 16};
    // Row groups that end while the log continues count as well.
    return loss_bound(kFields, options_, rate, std::max(case_.row_groups + 4, writer_.row_groups()));
  }
  std::uint64_t most_ms() const { return most_ms_; }
  std::uint64_t most_rows() const { return most_rows_; }

 private:
  static constexpr std::size_t kMaxRows = 2500;

  std::size_t rows_of_log() const { return born_.size(); }
  bool append() {
    born_.push_back(now_ms_);
    const auto n = static_cast<std::int32_t>(born_.size());
    const Value row[] = {Value::of(std::int64_t{n}),
                         Value::of(n),
                         Value::of(n),
                         Value::of(n),
                         Value::of(n),
                         Value::of(n),
                         Value::of(n),
                         Value::of(n)};
    return writer_.append(row) == Status::kOk;
  }
  // Measures how much a cut would lose now.
  void look() {
    const auto durable = static_cast<std::size_t>(writer_.durable_rows());
    if (durable == born_.size()) return;
    most_ms_ = std::max(most_ms_, now_ms_ - born_[durable]);
    most_rows_ = std::max<std::uint64_t>(most_rows_, born_.size() - durable);
  }

  Case case_;
  Options options_;
  std::vector<std::uint64_t> arena_;
  GrowingFile file_;
  Writer writer_;
  std::vector<std::uint64_t> born_;
  std::uint64_t now_ms_ = 0;
  std::uint64_t most_ms_ = 0;
  std::uint64_t most_rows_ = 0;
};

}  // namespace

TEST("no log loses more than loss_bound() says, whatever its rate, ticks, options and row groups") {
  unsigned close = 0;
  for (const std::uint32_t row_groups : {1U, 150U}) {
    for (const std::uint32_t ms_per_row : {50U, 2000U}) {
      for (const std::uint32_t tick_ms : {200U, 3000U}) {
        for (const std::uint32_t checkpoint_ms : {1U, 20'000U}) {
          for (const std::uint32_t max_loss_ms : {1U, 10'000U, 600'000U}) {
            const Case kase{row_groups,  ms_per_row,
                            tick_ms,     checkpoint_ms,
                            max_loss_ms, static_cast<std::uint16_t>(written::mix(row_groups, tick_ms) % 33)};
            Simulation simulation(kase);
            REQUIRE(simulation.run());
            const LossBound bound = simulation.bound();
            REQUIRE(simulation.most_ms() <= bound.ms);
            REQUIRE(simulation.most_rows() <= bound.rows);
            if (2 * simulation.most_ms() > bound.ms) ++close;
          }
        }
      }
    }
  }
  CHECK(close > 10);  // it says no more than is true, either
}

TEST("loss_bound() where there is none, and at the ends of its arguments") {
  Options options;
  const LogRate rate{3600, kBytesPerRow, 1000};
  options.max_loss_ms = kNone;
  CHECK_EQ(loss_bound(kFields, options, rate, 100).ms, [&] {
    Options other = options;
    other.max_loss_ms = kNone - 1;
    return loss_bound(kFields, other, rate, 100).ms;
  }());
  CHECK(loss_bound(kFields, options, rate, 100).ms > 7'000'000);
  CHECK_EQ(loss_bound(kFields, options, LogRate{}, 100).ms, kNone);
  CHECK_EQ(loss_bound(kFields, options, LogRate{kNone, kNone, kNone}, 100).ms, kNone);
  CHECK_EQ(loss_bound(kFields, options, LogRate{kNone, 1, 0}, 0).rows, [&] {
    const std::uint64_t ms = loss_bound(kFields, options, LogRate{kNone, 1, 0}, 0).ms;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(ms * kNone / 3'600'000 + 1, kNone));
  }());
  options.max_loss_ms = 10'000;
  const std::uint32_t without = loss_bound(kFields, options, rate, 100).ms;
  CHECK(loss_bound(kFields, options, LogRate{3600, kBytesPerRow, 1000, 50'000}, 100).ms > without);
  CHECK(without < loss_bound(kFields, options, rate, 1000).ms);
  options.checkpoint_ms = 0;
  CHECK_EQ(loss_bound(kFields, options, rate, 100).ms, kNone);
  CHECK_EQ(loss_bound(kFields, options, rate, 100).rows, kNone);
  options.checkpoint_ms = 1000;
  options.layout = &microparquet::kInPlaceNoCheckpoints;
  CHECK_EQ(loss_bound(kFields, options, rate, 100).ms, kNone);
  options.layout = &microparquet::kForward;
  options.row_group_bytes = 16 << 10;
  CHECK_EQ(loss_bound(kFields, options, rate, 100).ms, 21'250U);
  options.max_row_groups_in_memory = 100;
  CHECK_EQ(loss_bound(kFields, options, rate, 100).ms, kNone);
}
