// Lives a program by chance, again and again, on a simulated card.
//
//   lives [--first N] [--step N] [--lives N] [--least N] [--seconds S] [--boots N]
//       so many lives, from the one of number N on, each step-th; no more when so many seconds of CPU are
//       over, but at least so many; of so many boots instead of 20 to 60
//   lives --images FOLDER EVERY ...
//       keeps every so-many-th file that was found right, with the ids of its rows; its name ends in the
//       length of bounds
//   lives --replay N
//       one of them, with all its calls
//
// The last line is "N lives, N failed".
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

#include "card.h"
#include "life.h"
#include "plan.h"

namespace {

using lives::Card;
using lives::Fault;
using lives::Life;
using lives::Plan;
using lives::Tally;
using lives::Trace;

constexpr std::size_t kLastCalls = 60;  // that are shown of a life that fails

struct Arguments {
  unsigned long first = 0;
  unsigned long step = 1;
  unsigned long lives = 100;
  unsigned long least = 0;
  double seconds = 1e9;
  unsigned boots = 0;
  std::string images;
  unsigned long every = 20;
  bool replays = false;
  bool stops = false;  // at the first that fails
};

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

bool write_file(const std::string& path, const void* data, std::size_t bytes) {
  std::FILE* const out = std::fopen(path.c_str(), "wb");
  if (out == nullptr) return false;
  const bool good = std::fwrite(data, 1, bytes, out) == bytes;
  return std::fclose(out) == 0 && good;
}

// What an earlier file left on the card: noise, a log of another program, or an older one of the same.
void lay_remains(Card& card, const Plan& plan) {
  lives::Chance chance(plan.seed ^ 0x0DD);
  const unsigned kind = chance.below(10);
  if (kind < 3) return;
  if (kind < 5) {
    lives::Bytes noise(chance.between(1, 300) << 10);
    for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = static_cast<std::byte>(chance.next());
    card.lay_remains(0, noise);
    return;
  }
  const Plan before(kind < 8 ? plan.seed : plan.seed + 1000003);
  Card old(before);
  Tally tally;
  Trace trace;
  Life life(before, old, plan.seed + 1, tally, trace);
  static_cast<void>(life.run(chance.between(1, 6)));
  for (unsigned slot = 0; slot < lives::kSlots; ++slot) card.lay_remains(slot, old.remains(slot));
}

Fault live(const Arguments& arguments, unsigned long number, Tally& tally, Trace& trace) {
  const Plan plan(number);
  trace.add(plan.text());
  Card card(plan);
  lay_remains(card, plan);
  Life life(plan, card, number, tally, trace);
  if (!arguments.images.empty()) {
    life.set_keep([&](lives::mpq::Span<const std::byte> file, const lives::RowId* rows, std::size_t count) {
      static unsigned long files = 0;
      if (files++ % arguments.every != 0) return;
      const std::string path = arguments.images + "/life_" + std::to_string(number) + "_" +
                               std::to_string(files) + "_" + std::to_string(plan.options.max_bound_bytes);
      const bool kept = write_file(path + ".parquet", file.data(), file.size()) &&
                        write_file(path + ".ids", rows, count * sizeof *rows);
      if (!kept) std::abort();
    });
  }
  return life.run(arguments.boots != 0 ? arguments.boots : plan.boots);
}

void report(const Arguments& arguments, unsigned long number, const Fault& fault, const char* program) {
  std::printf("FAILED: life %lu: %s: %s\n", number, to_string(fault.wrong), fault.text.c_str());
  const std::string boots = arguments.boots != 0 ? " --boots " + std::to_string(arguments.boots) : "";
  std::printf("  all its calls: %s --replay %lu%s\n", program, number, boots.c_str());
}

void print(const Tally& tally) {
  const auto count = [](const char* name, std::uint64_t value) {
    std::printf("%s %llu\n", name, static_cast<unsigned long long>(value));
  };
  count("lives", tally.lives);
  count("boots", tally.boots);
  count("boots_without_rows", tally.without_rows);
  count("boots_with_key_values_first", tally.key_values_first);
  count("cuts_inside_calls", tally.cuts);
  count("images", tally.images);
  count("images_of_cuts_not_made", tally.probes);
  count("rows", tally.rows);
  count("rows_lost_by_reconnect", tally.rows_lost);
  count("other_files_at_reconnect", tally.other_files);
  count("files_with_wrong_bits", tally.damaged);
  count("wrong_bits_found", tally.damage_found);
  count("failed_calls", tally.failed_calls);
  count("measured_losses", tally.measured);
  for (unsigned i = 0; i < lives::kOps; ++i) count(lives::kOpNames[i], tally.ops[i]);
  for (unsigned i = 1; i < lives::kWrongs; ++i)
    count(to_string(static_cast<lives::Wrong>(i)), tally.wrong[i]);
}

int replay(const Arguments& arguments) {
  Tally tally;
  Trace trace(true);
  const Fault fault = live(arguments, arguments.first, tally, trace);
  trace.print(0);
  std::printf("life %lu: %s\n", arguments.first, fault ? fault.text.c_str() : "nothing is wrong");
  return fault ? 1 : 0;
}

int live_all(const Arguments& arguments, const char* program) {
  Tally tally;
  unsigned long failed = 0;
  unsigned long lived = 0;
  for (; lived < arguments.lives; ++lived) {
    if (lived >= arguments.least && cpu_seconds() > arguments.seconds) break;
    const unsigned long number = arguments.first + lived * arguments.step;
    Trace none;
    const Fault fault = live(arguments, number, tally, none);
    if (!fault) continue;
    ++failed;
    report(arguments, number, fault, program);
    if (failed == 1) {
      Tally again;
      Trace trace(true);
      Arguments quiet = arguments;
      quiet.images.clear();
      live(quiet, number, again, trace);
      trace.print(kLastCalls);
    }
    std::fflush(stdout);
    if (arguments.stops) {
      ++lived;
      break;
    }
  }
  print(tally);
  std::printf("%lu lives, %lu failed\n", lived, failed);
  return failed == 0 ? 0 : 1;
}

bool parse(int argc, char** argv, Arguments& arguments) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--stop") {
      arguments.stops = true;
      continue;
    }
    if (i + 1 >= argc) return false;
    const char* const value = argv[++i];
    const unsigned long number = std::strtoul(value, nullptr, 10);
    if (name == "--first") {
      arguments.first = number;
    } else if (name == "--step") {
      arguments.step = number;
    } else if (name == "--lives") {
      arguments.lives = number;
    } else if (name == "--least") {
      arguments.least = number;
    } else if (name == "--seconds") {
      arguments.seconds = std::strtod(value, nullptr);
    } else if (name == "--boots") {
      arguments.boots = static_cast<unsigned>(number);
    } else if (name == "--images") {
      if (i + 1 >= argc) return false;
      arguments.images = value;
      arguments.every = std::strtoul(argv[++i], nullptr, 10);
    } else if (name == "--replay") {
      arguments.replays = true;
      arguments.first = number;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!parse(argc, argv, arguments)) {
    std::fprintf(stderr, "lives: the arguments are said at the head of its source\n");
    return 2;
  }
  return arguments.replays ? replay(arguments) : live_all(arguments, argv[0]);
}
