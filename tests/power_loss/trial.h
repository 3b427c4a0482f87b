// One or more cuts of power in a row, and what must hold after each.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "card.h"
#include "cut.h"
#include "oracle.h"
#include "scenario.h"

namespace power_loss {

// The card's earlier content: nothing; or all that the same logger wrote before the card was emptied, under
// another file id or the same.
enum class Ground : std::uint8_t { kBlank, kOther, kSame };
inline constexpr unsigned kGrounds = 3;

// A life and its end. The cut's event counts modulo the number of events there are, and one: the last one is
// close().
struct Stage {
  CardFault fault;
  Cut cut;
};

struct Case {
  unsigned scenario = 0;
  Ground ground = Ground::kBlank;
  std::vector<Stage> stages;
  std::optional<std::uint64_t> flipped_bit;  // of the file that the last stage leaves, modulo its bits
};

// Names a case: SCENARIO[+GROUND]:STAGE[:STAGE...][^BIT], a stage being [FAULT,]LOSS EVENT[.TEAR][~SEED] and
// a fault e (a call fails once), E (for good), m (a read is wrong), l (the medium is lost for a time) or c
// (the medium is full) with a number.
std::string to_string(const Case& item);
std::optional<Case> parse_case(const std::string& text);

// The remains of one life.
struct Recording {
  Medium base;
  Log log;
  std::string fault;
  unsigned taken = 0;
  std::vector<Gap> gaps;
  bool fault_free = true;  // no call failed
  unsigned calls = 0;      // of the file
  unsigned reads = 0;
  unsigned misaligned = 0;  // see Card::misaligned()
};

// Data that all cases share: the first lives, written once.
class Library {
 public:
  Library();
  const Oracle& oracle(unsigned scenario) const { return *oracles_[scenario]; }
  const Recording& first_life(unsigned scenario, Ground ground) const {
    return first_lives_[scenario * kGrounds + static_cast<unsigned>(ground)];
  }

 private:
  std::vector<std::unique_ptr<Oracle>> oracles_;
  std::vector<Recording> first_lives_;
};

// Something a cut has left that other programs may look at.
struct Sighting {
  // A file found right and the rows it has; or all that the medium holds, and of the last life the rows that
  // must be there at least.
  enum class Kind : std::uint8_t { kFile, kMedium };
  Kind kind;
  unsigned scenario;
  const Medium& medium;
  const History& rows;
};
using Witness = std::function<void(const Sighting& sighting)>;

struct Tally {
  std::uint64_t cuts = 0;
  std::uint64_t survived = 0;           // nothing wrong was found after that many of them
  std::uint64_t files = 0;              // left by the cuts, where the size is published at sync
  std::uint64_t opened = 0;             // of these by the reader, as they are
  std::uint64_t rows_lost = 0;          // given to append before a cut and not there after it
  std::uint64_t durable_rows_lost = 0;  // the same of durable rows
  std::uint64_t misaligned = 0;         // transfers of all lives to and from memory that no driver takes

  Tally& operator+=(const Tally& other);
};

class Trial {
 public:
  Trial(const Library& library, const Case& item, Witness witness = {});

  // Cuts each life as the case says, lets one more end in peace, and checks all that is left. Empty, or what
  // is wrong.
  std::string run();

  void set_verbose() { verbose_ = true; }
  const Tally& tally() const { return tally_; }

 private:
  std::string run_stage(unsigned life, const Stage& stage);
  Recording record(unsigned life, const Medium& base, const CardFault& fault) const;
  std::string judge(const Recording& recording, const Cut& cut, unsigned life, Medium& medium);
  std::string judge_file(const Lived& lived, std::uint64_t durable, const Medium& medium, Found& found) const;
  void show(Sighting::Kind kind, const Medium& medium, const History& rows) const;
  void show_medium(const Cut& cut, const Lived& lived, std::uint64_t durable, Medium medium) const;
  std::string settle_saves(const Medium& medium, std::uint64_t durable, unsigned life, Medium& settled) const;
  std::string judge_loss(std::uint64_t lost, const Medium& medium) const;
  std::string judge_unfinished(const Recording& recording, const Cut& cut, unsigned life,
                               Medium& medium) const;
  Medium without_moved_bit(const Recording& recording, const Cut& cut, unsigned life, Medium left) const;
  std::string judge_flipped(unsigned life, std::uint64_t bit) const;
  std::string last_life();
  void say(const char* format, ...) const;
  void say_events(const Log& log, unsigned cut) const;

  const Library& library_;
  const Case& case_;
  const Scenario& scenario_;
  const Oracle& oracle_;
  Witness witness_;
  bool verbose_ = false;
  Medium medium_;            // as the last stage left it
  bool has_origin_ = false;  // the file on it
  History history_;          // what it holds
  Tally tally_;
};

}  // namespace power_loss
