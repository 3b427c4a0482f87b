#include "program.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

#include "life.h"

namespace lives {
namespace {

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

Fault live(const Ground& ground, const Arguments& arguments, unsigned long number, Tally& tally,
           Trace& trace) {
  Plan plan(number, ground.where, ground.vary);
  trace.add(plan.text());
  const std::unique_ptr<Store> store = ground.make_store(plan);
  Life life(plan, *store, number, tally, trace);
  life.set_unpack(ground.unpack);
  if (!arguments.images.empty()) {
    life.set_keep([&](mpq::Span<const std::byte> file, const RowId* rows, std::size_t count) {
      static unsigned long files = 0;
      if (files++ % arguments.every != 0) return;
      const std::string path = arguments.images + "/life_" + std::to_string(number) + "_" +
                               std::to_string(files) + "_" + std::to_string(plan.options.block_bytes) + "_" +
                               std::to_string(plan.options.max_bound_bytes);
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
  count("files_at_their_limit", tally.full);
  count("measured_losses", tally.measured);
  for (unsigned i = 0; i < kOps; ++i) count(kOpNames[i], tally.ops[i]);
  for (unsigned i = 1; i < kWrongs; ++i) count(to_string(static_cast<Wrong>(i)), tally.wrong[i]);
}

int replay(const Ground& ground, const Arguments& arguments) {
  Tally tally;
  Trace trace(true);
  const Fault fault = live(ground, arguments, arguments.first, tally, trace);
  trace.print(0);
  std::printf("life %lu: %s\n", arguments.first, fault ? fault.text.c_str() : "nothing is wrong");
  return fault ? 1 : 0;
}

int live_all(const Ground& ground, const Arguments& arguments, const char* program) {
  Tally tally;
  unsigned long failed = 0;
  unsigned long lived = 0;
  for (; lived < arguments.lives; ++lived) {
    if (lived >= arguments.least && cpu_seconds() > arguments.seconds) break;
    const unsigned long number = arguments.first + lived * arguments.step;
    Trace none;
    const Fault fault = live(ground, arguments, number, tally, none);
    if (!fault) continue;
    ++failed;
    report(arguments, number, fault, program);
    if (failed == 1) {
      Tally again;
      Trace trace(true);
      Arguments quiet = arguments;
      quiet.images.clear();
      live(ground, quiet, number, again, trace);
      trace.print(kLastCalls);
    }
    std::fflush(stdout);
    if (arguments.stops) {
      ++lived;
      break;
    }
  }
  print(tally);
  if (ground.print_more) ground.print_more();
  std::printf("%lu passed, %lu failed\n", lived - failed, failed);
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

int run_program(int argc, char** argv, const Ground& ground) {
  Arguments arguments;
  if (!parse(argc, argv, arguments)) {
    std::fprintf(stderr, "%s: the arguments are listed in program.h\n", argv[0]);
    return 2;
  }
  return arguments.replays ? replay(ground, arguments) : live_all(ground, arguments, argv[0]);
}

}  // namespace lives
