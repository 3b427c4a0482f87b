// Cuts the power while files are written, on a simulated card, and checks what is left.
//
//   power_loss [OPTION...]     tries 26,000 cuts
//   power_loss --replay CASE   one case, told step by step
//   power_loss --list          names the attacks
//
//   --cuts N             that many cuts
//   --attack NAME        of one kind only
//   --first              ends at the first failure
//   --figures            prints figures instead of the last line
//   --threads N          instead of one for each processor
//   --images FOLDER N    leaves N of the distinct files found right, or all with 0, for other readers
//   --media FOLDER N     the same of all that the card held, for recovery
//
// In these folders is a manifest with a line for each image, "FILE SCENARIO LIFE:ROWS/OFFERED...", and the
// rows of each scenario's lives.
//
// Failures are printed with the case's name; the last line is "N cuts, N cases, N failed; ...".
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "attacks.h"
#include "image_folder.h"
#include "trial.h"

namespace {

using namespace power_loss;

struct Settings {
  unsigned cuts = 26000;
  std::optional<Attack> attack;
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  bool first = false;
  bool figures = false;
  std::optional<ImageFolder> images;
  std::optional<ImageFolder> media;
};

struct Totals {
  Tally tally;
  std::map<unsigned, std::uint64_t> lost_with_block;  // durable rows, by the bytes that the medium erases
  unsigned cases = 0;
  unsigned failed = 0;
};

int replay(const std::string& name) {
  const std::optional<Case> item = parse_case(name);
  if (!item) {
    std::fprintf(stderr, "power_loss: %s names no case\n", name.c_str());
    return 2;
  }
  const Library library;
  Trial trial(library, *item);
  trial.set_verbose();
  const std::string fault = trial.run();
  std::printf("%s: %s\n", to_string(*item).c_str(), fault.empty() ? "ok" : fault.c_str());
  return fault.empty() ? 0 : 1;
}

// Makes enough cases to have this many cuts.
std::vector<Case> make_cases(const Attacks& attacks, unsigned cuts) {
  std::vector<Case> cases;
  for (unsigned i = 0, count = 0; count < cuts; ++i) {
    cases.push_back(attacks.at(i));
    count += static_cast<unsigned>(cases.back().stages.size());
  }
  return cases;
}

std::string without_numbers(std::string text) {
  text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }),
             text.end());
  return text;
}

Totals try_all(const Library& library, const std::vector<Case>& cases, Settings& settings) {
  constexpr unsigned kShown = 2;  // of each kind of failure
  std::map<std::string, unsigned> shown;
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  Totals totals;
  const Witness witness = [&](const Sighting& sighting) {
    std::optional<ImageFolder>& folder =
        sighting.kind == Sighting::Kind::kFile ? settings.images : settings.media;
    if (folder) folder->offer(sighting);
  };
  const auto work = [&] {
    for (std::size_t i = next++; i < cases.size(); i = next++) {
      Trial trial(library, cases[i], witness);
      const std::string fault = trial.run();
      const std::lock_guard lock(mutex);
      totals.tally += trial.tally();
      totals.lost_with_block[scenarios()[cases[i].scenario].workload.options.block_bytes] +=
          trial.tally().durable_rows_lost;
      ++totals.cases;
      if (fault.empty()) continue;
      ++totals.failed;
      if (settings.first) next = cases.size();
      if (++shown[scenarios()[cases[i].scenario].name + without_numbers(fault)] <= kShown) {
        std::printf("FAILED: %s: %s\n", to_string(cases[i]).c_str(), fault.c_str());
      }
    }
  };
  std::vector<std::thread> workers;
  for (unsigned i = 1; i < settings.threads; ++i) workers.emplace_back(work);
  work();
  for (std::thread& worker : workers) worker.join();
  return totals;
}

// A fault with nothing cut makes all other results meaningless.
bool first_lives_are_sound(const Library& library) {
  bool sound = true;
  for (unsigned i = 0; i < scenarios().size() * kGrounds; ++i) {
    const Recording& recording = library.first_life(i / kGrounds, static_cast<Ground>(i % kGrounds));
    if (recording.fault.empty()) continue;
    std::printf("FAILED: %s, with nothing cut: %s\n", scenarios()[i / kGrounds].name.c_str(),
                recording.fault.c_str());
    sound = false;
  }
  return sound;
}

unsigned long long number(std::uint64_t value) { return value; }

void print_figures(const Totals& totals, double seconds) {
  const Tally& tally = totals.tally;
  const auto share = static_cast<double>(tally.opened) / static_cast<double>(tally.files);
  std::printf("durability.cuts %llu cuts\n", number(tally.cuts));
  std::printf("durability.survived %llu cuts\n", number(tally.survived));
  std::printf("durability.durable_rows_lost %llu rows\n", number(tally.durable_rows_lost));
  for (const auto& [block, rows] : totals.lost_with_block)
    std::printf("durability.block_%u.durable_rows_lost %llu rows\n", block, number(rows));
  std::printf("durability.opened_without_repair %.3f percent\n", 100 * share);
  std::printf("align.misaligned_transfers %llu transfers\n", number(tally.misaligned));
  std::printf("durability.seconds %.0f s\n", seconds);
}

int run(Settings& settings) {
  const auto begin = std::chrono::steady_clock::now();
  const Library library;
  if (!first_lives_are_sound(library)) return 1;
  const std::vector<Case> cases = make_cases(Attacks(library, settings.attack), settings.cuts);
  const Totals totals = try_all(library, cases, settings);
  if (settings.images) settings.images->write();
  if (settings.media) settings.media->write();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (settings.figures) {
    print_figures(totals, seconds);
  } else {
    std::printf("%llu cuts, %u cases, %u failed; %llu rows lost, of which %llu were durable\n",
                number(totals.tally.cuts), totals.cases, totals.failed, number(totals.tally.rows_lost),
                number(totals.tally.durable_rows_lost));
  }
  return totals.failed == 0 ? 0 : 1;
}

unsigned parse_number(const char* text) { return static_cast<unsigned>(std::strtoul(text, nullptr, 10)); }

int list() {
  for (unsigned i = 0; i < kAttacks; ++i) std::puts(to_string(static_cast<Attack>(i)));
  return 0;
}

// Takes the option at the head of `words`, and returns of how many words it is; 0: it is none.
unsigned take_option(Settings& settings, char** words, int count) {
  const std::string option = words[0];
  settings.figures = settings.figures || option == "--figures";
  settings.first = settings.first || option == "--first";
  if (option == "--figures" || option == "--first") return 1;
  if (count < 2) return 0;
  if (option == "--attack") {
    settings.attack = parse_attack(words[1]);
    return settings.attack ? 2 : 0;
  }
  if (option == "--cuts" || option == "--threads") {
    (option == "--cuts" ? settings.cuts : settings.threads) = parse_number(words[1]);
    return 2;
  }
  if (count < 3 || (option != "--images" && option != "--media")) return 0;
  (option == "--images" ? settings.images : settings.media).emplace(words[1], parse_number(words[2]));
  return 3;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  if (first == "--list") return list();
  if (first == "--replay" && argc > 2) return replay(argv[2]);
  Settings settings;
  for (int i = 1; i < argc;) {
    const unsigned taken = take_option(settings, argv + i, argc - i);
    if (taken == 0) {
      std::fprintf(stderr, "power_loss: %s is no option; the head of power_loss.cpp names them\n", argv[i]);
      return 2;
    }
    i += static_cast<int>(taken);
  }
  return run(settings);
}
