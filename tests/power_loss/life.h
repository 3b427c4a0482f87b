// A life: from power on to power off, or to close().
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "card.h"
#include "microparquet/writer.h"
#include "row_batch.h"
#include "scenario.h"

namespace power_loss {

// Rows that a lost medium took with it.
struct Gap {
  std::uint64_t at = 0;  // that many rows of the life are before them
  std::uint64_t rows = 0;
};

// Writes the rows of one life of a scenario: opens the file or resumes it, appends, makes checkpoints and
// ends row groups where the scenario has them, and closes. A call that fails is repeated. Where the scenario
// rolls, the file is one of a sequence whose others are on cards of their own, which nothing befalls.
class Life {
 public:
  // `sets_origin`: the file does not have it yet.
  Life(const Scenario& scenario, unsigned number, bool sets_origin);

  // Empty, or what the writer did wrong. Where the card fails, the writer may fail with what the card
  // answered.
  std::string run(Card& card);

  // Resumes the file and closes it without a new row; `rows` are those of the file then.
  mpq::Status settle(Card& card, std::uint64_t& rows);

  // The answer of resume() or open().
  mpq::Status begun() const { return begun_; }
  mpq::Status closed() const { return closed_; }
  // Number of rows that append has taken.
  unsigned taken() const { return taken_; }
  const std::vector<Gap>& gaps() const { return gaps_; }

 private:
  template <typename Call>
  bool attempt(const char* name, Call call);
  mpq::Span<std::byte> arena();
  void set_line(Card& card) const;
  mpq::Status begin();
  mpq::Status open(mpq::File& file);
  mpq::Status roll_from_file_before();
  mpq::Status write_file_before();
  mpq::Status end();
  void reconnect();
  bool live();
  bool append(unsigned begin, unsigned end);
  bool save();
  bool maybe(unsigned average, unsigned row, unsigned what) const;
  Progress progress() const;
  void complain(const std::string& text);

  const Scenario& scenario_;
  unsigned number_;
  bool sets_origin_;
  mpq::Options options_;
  faults::RowSource source_;
  faults::RowBatch batch_;
  std::vector<std::byte> memory_;  // with the arena
  mpq::Writer writer_;
  Card* card_ = nullptr;
  Card before_;  // the file before, and the one after
  Card behind_;
  bool has_before_ = false;    // which is written and closed
  std::uint64_t earlier_ = 0;  // rows of the file that was resumed
  unsigned offered_ = 0;
  unsigned taken_ = 0;
  unsigned lost_ = 0;  // of them with the medium
  std::vector<Gap> gaps_;
  std::uint32_t now_ms_ = 0;
  mpq::Status status_ = mpq::Status::kOk;
  mpq::Status begun_ = mpq::Status::kWrongState;
  mpq::Status closed_ = mpq::Status::kWrongState;
  std::string fault_;
};

}  // namespace power_loss
