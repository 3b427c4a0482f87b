// The plan of a life: schema, options, port and medium, all derived from its seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "microparquet/file.h"
#include "microparquet/indexed_layout.h"
#include "microparquet/options.h"
#include "microparquet/schema.h"
#include "support/chance.h"

namespace lives {

namespace mpq = microparquet;

inline constexpr const char* kIdName = "id";  // of the column that tells one row from all others

// Sequence of a column's values.
enum class Course : std::uint8_t {
  kAny,       // no two have to do with each other
  kSteps,     // as a clock: steps that differ by little
  kRuns,      // each comes again and again
  kFew,       // there are few different ones
  kPhases,    // now few, now any
  kExtremes,  // least, largest, zero and what lies beside them
};
inline constexpr unsigned kCourses = 6;

// Properties of a column's values.
struct ColumnHabit {
  Course course = Course::kAny;
  unsigned nulls = 0;        // percent
  unsigned longest = 0;      // bytes of a byte array
  std::uint64_t values = 0;  // a value is below this; 0: any bits
  bool varies = true;        // else all are alike
  bool text = false;         // UTF-8
};

// Troubles that happen in a life.
struct Hardships {
  unsigned cuts = 0;    // percent of boots in which the power goes inside a call
  unsigned errors = 0;  // percent of boots in which calls fail
  unsigned pulls = 0;   // percent of boots in which the medium is pulled out
  bool full = false;    // the medium ends some time
  bool steady = false;  // some boots log at a constant rate, and what a cut would cost is measured
};

// The ground that the files lie on, which decides what can be done with them.
enum class Where { kCard, kFat, kLittleFs };

struct Plan;

// Varies a plan beyond the options that all programs have: once when the plan is made (`first`), and again in
// later boots, as a new version of a program may choose otherwise.
using Vary = void (*)(Plan& plan, Chance& chance, bool first);

struct Plan {
  explicit Plan(std::uint64_t life, Where where = Where::kCard, Vary vary = nullptr);
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  mpq::Schema schema() const { return {fields.data(), fields.size()}; }
  std::size_t arena_bytes() const;
  // Whether checkpoints may leave pages open.
  bool has_tails() const { return options.layout->checkpoints == mpq::CheckpointKind::kKeepPages; }
  // Whether it is a stream with saves.
  bool saves_stream() const { return options.layout->checkpoints == mpq::CheckpointKind::kSaveStream; }
  // Whether resume() may find rows that no footer describes.
  bool saves() const { return has_tails() || saves_stream(); }
  // The program of this boot may have other options, with which it can continue the file. False: it has the same.
  bool change(unsigned boot);
  std::string text() const;

  std::uint64_t seed;
  std::deque<std::string> names;
  std::vector<mpq::Field> fields;
  std::vector<ColumnHabit> habits;
  std::size_t id_column = 0;
  std::vector<mpq::SortingColumn> sorting;
  mpq::Options options;
  mpq::IndexedLayout indexed = {};  // which the options may name
  bool keeps_pages = false;         // checkpoints leave pages open
  mpq::FileAbilities abilities;
  bool refuses_less = false;  // the port answers kInvalidArgument to a sync below one that failed
  bool destroys = false;      // the medium destroys the block around a write in flight
  bool unreadable = false;    // and does not give back a sector that a loss of power or a pull has torn
  Hardships hardships;
  unsigned boots = 0;
  unsigned most_calls = 0;  // of the writer, in a boot
  unsigned most_batch = 0;  // rows at once
  Vary vary = nullptr;
  std::deque<std::shared_ptr<void>> objects;  // that fields and options name
};

}  // namespace lives
