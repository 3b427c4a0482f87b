#include "trial.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <string_view>
#include <utility>

#include "footer_check.h"
#include "life.h"
#include "microparquet/durability.h"

namespace power_loss {

using mpq::Status;

namespace {

// Returns whether two files differ in no more than one byte: close() moves sectors, and a wrong bit with them.
bool differ_in_a_byte(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  if (a.size() != b.size()) return false;
  const auto first = std::mismatch(a.begin(), a.end(), b.begin());
  return first.first == a.end() || std::equal(first.first + 1, a.end(), first.second + 1);
}

constexpr unsigned kGroundhog = 9;  // the number of its life

// End of the first footer, after its PAR1, which is the second one of the file.
std::uint64_t first_footer_end(const Medium& medium) {
  const std::vector<std::byte> file = medium.file();
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  return text.find("PAR1", 4) + 4;
}

Recording record_life(const Scenario& scenario, unsigned number, bool sets_origin, Medium base,
                      const CardFault& fault) {
  Card card(base, fault, scenario.workload.abilities);
  Life life(scenario, number, sets_origin);
  Recording recording;
  recording.fault = life.run(card);
  recording.fault_free = fault.kind == CardFault::Kind::kNone;
  recording.taken = life.taken();
  recording.gaps = life.gaps();
  recording.calls = card.calls();
  recording.reads = card.reads();
  recording.misaligned = card.misaligned();
  recording.log = card.take_log();
  recording.base = std::move(base);
  return recording;
}

// A card with all that another run wrote to it, emptied.
Medium groundhog(const Scenario& scenario, Ground ground) {
  if (ground == Ground::kBlank) return {};
  Scenario other = scenario;
  other.later_rows = scenario.workload.rows;
  if (ground == Ground::kSame) other.workload.options.file_id -= kGroundhog;
  Card card({}, {}, scenario.workload.abilities);
  Life life(other, kGroundhog, true);
  life.run(card);
  Medium medium = card.medium();
  medium.size = 0;
  return medium;
}

}  // namespace

Library::Library() {
  for (const Scenario& scenario : scenarios()) {
    oracles_.push_back(std::make_unique<Oracle>(scenario));
    for (unsigned ground = 0; ground < kGrounds; ++ground) {
      first_lives_.push_back(
          record_life(scenario, 0, true, groundhog(scenario, static_cast<Ground>(ground)), {}));
    }
  }
}

Tally& Tally::operator+=(const Tally& other) {
  cuts += other.cuts;
  survived += other.survived;
  files += other.files;
  opened += other.opened;
  rows_lost += other.rows_lost;
  durable_rows_lost += other.durable_rows_lost;
  misaligned += other.misaligned;
  return *this;
}

Trial::Trial(const Library& library, const Case& item, Witness witness)
    : library_(library),
      case_(item),
      scenario_(scenarios()[item.scenario]),
      oracle_(library.oracle(item.scenario)),
      witness_(std::move(witness)),
      medium_(library.first_life(item.scenario, item.ground).base) {}

void Trial::say(const char* format, ...) const {
  if (!verbose_) return;
  std::va_list arguments;
  va_start(arguments, format);
  std::vprintf(format, arguments);
  va_end(arguments);
}

Recording Trial::record(unsigned life, const Medium& base, const CardFault& fault) const {
  return record_life(scenario_, life, !has_origin_, base, fault);
}

// Prints each event before the cut.
void Trial::say_events(const Log& log, unsigned cut) const {
  if (!verbose_) return;
  for (unsigned i = 0; i < cut; ++i) {
    const Event& event = log.events[i];
    const auto size = static_cast<unsigned long long>(event.size);
    if (event.kind == Event::Kind::kWrite) {
      say("  %5u write sector %u%s; %llu durable, %u offered\n", i, event.sector,
          event.special ? ", footer or record" : "", static_cast<unsigned long long>(event.progress.durable),
          event.progress.offered);
    } else {
      say("  %5u %s %llu\n", i, event.kind == Event::Kind::kBarrier ? "barrier, size" : "publish size", size);
    }
  }
}

// The cut was inside a footer where size is published at each write: resume must not take the file for a
// whole one, nor touch it; up to its last footer it is right.
std::string Trial::judge_unfinished(const Recording& recording, const Cut& cut, unsigned life,
                                    Medium& medium) const {
  if (cut.loss == Loss::kNoneSizeAtWrite && cut.tear == kWhole &&
      !inside_footer(recording.base, recording.log, cut.event)) {
    return "all of the last footer was written, and it is not genuine";
  }
  Card card(medium, {}, scenario_.workload.abilities);
  Life next(scenario_, life + 1, false);
  static_cast<void>(next.run(card));
  if (next.begun() == Status::kOk || card.touched()) return "resume believes a footer that is not whole";
  // The first footer may be torn in its head, by which resume() knows a file of another schema.
  const bool first = published_size(recording.base, recording.log, cut.event) == 0;
  const bool told = next.begun() == Status::kCorrupt || next.begun() == Status::kNotParquet ||
                    (first && next.begun() == Status::kSchemaMismatch);
  if (!told) {
    return std::string("resume of a torn footer answers \"") + mpq::to_string(next.begun()) + "\"";
  }
  say("  inside a footer: resume answers \"%s\"\n", mpq::to_string(next.begun()));
  medium.size = published_size(recording.base, recording.log, cut.event);
  medium.forget_behind();
  return {};
}

// Checks the file as it is.
std::string Trial::judge_file(const Lived& lived, std::uint64_t durable, const Medium& medium,
                              Found& found) const {
  if (medium.size == 0) {
    return history_.empty() && durable == 0 ? "" : "the file is empty, and rows of it were durable";
  }
  const FooterCheck footer = check_footer(medium, oracle_.extension_columns());
  say("  %u finished row groups, next in [%u, %u), free [%u, %u)\n", footer.row_groups, footer.next,
      footer.segment_end, footer.free_begin, footer.free_end);
  std::string fault = oracle_.read(medium, history_, lived, durable, found);
  if (!footer.genuine) return "the file does not end in a genuine footer";
  if (!fault.empty()) return fault;
  if (footer.rows != found.right) return "the footer's extension counts other rows";
  const unsigned began = history_.empty() ? lived.life : history_.front().life;
  const bool same_id = footer.file_id == scenario_.workload.options.file_id + began;
  return same_id ? "" : "the file has changed its id";
}

// Has the next boot take up what was saved and close the file: rows that are safe alone are in no footer before. All that
// is durable is in the last one.
std::string Trial::settle_saves(const Medium& medium, std::uint64_t durable, unsigned life,
                                Medium& settled) const {
  const std::uint64_t in_footer = check_footer(medium, oracle_.extension_columns()).rows;
  if (in_footer < durable) return "rows that are durable are in no footer";
  Card card(medium, {}, scenario_.workload.abilities);
  Life next(scenario_, life + 1, false);
  std::uint64_t rows = 0;
  const Status status = next.settle(card, rows);
  say("  %llu rows in the last footer, %llu with those that are saved\n",
      static_cast<unsigned long long>(in_footer), static_cast<unsigned long long>(rows));
  if (status != Status::kOk)
    return std::string("a file with saves is closed with \"") + mpq::to_string(status) + '"';
  settled = card.medium();
  return {};
}

// Checks that a life with checkpoints by tick() loses no more rows than the options promise.
std::string Trial::judge_loss(std::uint64_t lost, const Medium& medium) const {
  const std::uint32_t ms_per_row = scenario_.ms_per_row;
  if (ms_per_row == 0) return {};
  constexpr std::uint32_t kMsPerHour = 3600000;
  // Row groups of the footer, the open one and one that has ended since.
  const std::uint32_t row_groups = check_footer(medium, oracle_.extension_columns()).row_groups + 2;
  const mpq::LogRate rate{kMsPerHour / ms_per_row, scenario_.bytes_per_row, ms_per_row};
  const mpq::LossBound bound =
      mpq::loss_bound(scenario_.workload.schema, scenario_.workload.options, rate, row_groups);
  // The last row is on its way.
  if (lost <= bound.rows + 1 && (lost - 1) * ms_per_row <= bound.ms) return {};
  return std::to_string(lost) + " rows are lost, and the options promise " + std::to_string(bound.rows) +
         " in " + std::to_string(bound.ms) + " ms";
}

// Old footers of the same id pass for the file's own. Rows with gaps are not told to others.
void Trial::show(Sighting::Kind kind, const Medium& medium, const History& rows) const {
  const bool gaps =
      std::any_of(rows.begin(), rows.end(), [](const Lived& lived) { return !lived.gaps.empty(); });
  if (witness_ && !gaps && case_.ground != Ground::kSame) witness_({kind, case_.scenario, medium, rows});
}

// Shows the card's whole image, whatever size of the file the file system reports.
void Trial::show_medium(const Cut& cut, const Lived& lived, std::uint64_t durable, Medium medium) const {
  History rows = history_;
  rows.push_back(lived);
  rows.back().rows = durable;
  if (!size_at_write(cut.loss)) medium.size = medium.sectors() * std::uint64_t{kSector};
  if (medium.size != 0) show(Sighting::Kind::kMedium, medium, rows);
}

// Checks what the cut left; `medium` is then as the next life finds it.
std::string Trial::judge(const Recording& recording, const Cut& cut, unsigned life, Medium& medium) {
  const Log& log = recording.log;
  const Progress& progress = cut.event < log.events.size() ? log.events[cut.event].progress : log.end;
  Lived lived{life, 0, progress.offered, recording.gaps};
  // Before the first row a used card may still have only the file that was on it.
  if (!history_.empty() || progress.offered != 0 || case_.ground == Ground::kBlank) {
    show_medium(cut, lived, progress.durable, medium);
  }
  const bool longer = medium.size > published_size(recording.base, log, cut.event);
  if (size_at_write(cut.loss) && longer && !check_footer(medium, oracle_.extension_columns()).genuine) {
    if (std::string fault = judge_unfinished(recording, cut, life, medium); !fault.empty()) return fault;
  }
  Medium file = medium;
  if (scenario_.save_rows != 0 && medium.size != 0) {
    const std::uint64_t in_footers = progress.durable != 0 ? rows_of(history_) + progress.durable : 0;
    if (std::string fault = settle_saves(medium, in_footers, life, file); !fault.empty()) return fault;
  }
  Found found;
  std::string fault = judge_file(lived, progress.safe, file, found);
  const std::uint64_t earlier = rows_of(history_);
  const std::uint64_t durable = earlier + progress.durable;
  tally_.durable_rows_lost += durable - std::min(durable, found.right);
  if (!size_at_write(cut.loss) && medium.size != 0) {
    ++tally_.files;
    if (found.opened) ++tally_.opened;
  }
  if (!fault.empty()) return fault;
  lived.rows = medium.size != 0 ? found.right - earlier : 0;
  say("  %llu bytes, %llu rows of this life; %llu durable, %u offered\n",
      static_cast<unsigned long long>(medium.size), static_cast<unsigned long long>(lived.rows),
      static_cast<unsigned long long>(progress.durable), progress.offered);
  const std::uint64_t lost = progress.offered - lived.rows;
  tally_.rows_lost += lost;
  if (lost != 0 && recording.fault_free) fault = judge_loss(lost, medium);
  has_origin_ = found.origin;
  if (medium.size == 0) return fault;
  history_.push_back(lived);
  show(Sighting::Kind::kFile, file, history_);
  return fault;
}

// close() moves pages whose columns are forecast, and a bit that it misreads with them: the page's checksum tells of it (see
// writer.h). Returns what would be left without that bit.
Medium Trial::without_moved_bit(const Recording& recording, const Cut& cut, unsigned life,
                                Medium left) const {
  Found found;
  const Lived lived{life, 0, recording.log.end.offered, recording.gaps};
  static_cast<void>(oracle_.read(left, history_, lived, 0, found));
  if (!found.bad_page || !check_footer(left, oracle_.extension_columns()).genuine) return left;
  const Recording undisturbed = record(life, medium_, {});
  Medium right = after_cut(undisturbed.base, undisturbed.log, cut);
  return differ_in_a_byte(left.file(), right.file()) ? right : left;
}

std::string Trial::run_stage(unsigned life, const Stage& stage) {
  if (size_at_write(stage.cut.loss)) medium_.forget_behind();  // as on POSIX
  const bool known = life == 0 && stage.fault.kind == CardFault::Kind::kNone;
  const Recording own = known ? Recording() : record(life, medium_, stage.fault);
  const Recording& recording = known ? library_.first_life(case_.scenario, case_.ground) : own;
  tally_.misaligned += recording.misaligned;
  if (!recording.fault.empty()) return recording.fault;
  Cut cut = stage.cut;
  cut.block = scenario_.workload.options.block_bytes / unsigned{kSector};
  cut.event %= static_cast<unsigned>(recording.log.events.size() + 1);
  say("life %u: %zu events, cut at %u, %u rows taken in all\n", life, recording.log.events.size(), cut.event,
      recording.taken);
  for (const Gap& gap : recording.gaps)
    say("  %llu rows lost with the medium\n", static_cast<unsigned long long>(gap.rows));
  say_events(recording.log, cut.event);
  Medium left = after_cut(recording.base, recording.log, cut);
  if (stage.fault.kind == CardFault::Kind::kMisread)
    left = without_moved_bit(recording, cut, life, std::move(left));
  std::string fault = judge(recording, cut, life, left);
  ++tally_.cuts;
  if (fault.empty()) ++tally_.survived;
  medium_ = std::move(left);
  return fault;
}

// One wrong bit. In the last footer it keeps resume from the file, and may do so in the first one, which has
// the schema; elsewhere it stays what it is, one wrong bit.
std::string Trial::judge_flipped(unsigned life, std::uint64_t bit) const {
  if (medium_.size == 0) return {};
  bit %= medium_.size * 8;
  const std::uint64_t place = bit / 8;
  const bool in_last = place >= check_footer(medium_, oracle_.extension_columns()).begin;
  const bool in_first = place < first_footer_end(medium_);
  Medium flipped = medium_;
  flipped.flip(bit);
  Card card(flipped, {}, scenario_.workload.abilities);
  Life next(scenario_, life, !has_origin_);
  std::string fault = next.run(card);
  say("  bit %u of byte %llu flipped: resume answers \"%s\"\n", static_cast<unsigned>(bit % 8),
      static_cast<unsigned long long>(place), mpq::to_string(next.begun()));
  const bool refused = next.begun() != Status::kOk && !card.touched();
  if (in_last && !refused) return "resume believes a footer with a wrong bit";
  if ((in_last || in_first) && refused) return {};
  if (!fault.empty()) return fault;
  Card undisturbed(medium_, {}, scenario_.workload.abilities);
  Life same(scenario_, life, !has_origin_);
  static_cast<void>(same.run(undisturbed));
  if (differ_in_a_byte(card.medium().file(), undisturbed.medium().file())) return {};
  // A head with a wrong bit is not believed, and its row group ends there: the rows are the same. A save with one, in place
  // or of a stream, counts as torn, and the rows of the footer are there.
  const auto rows_of_file = [&](const Card& ended) {
    return check_footer(ended.medium(), oracle_.extension_columns()).rows;
  };
  const bool loses_save = scenario_.save_rows != 0 &&
                          rows_of_file(card) >= check_footer(medium_, oracle_.extension_columns()).rows;
  const bool same_rows = scenario_.workload.has_tails() && rows_of_file(card) == rows_of_file(undisturbed);
  return loses_save || same_rows ? "" : "a wrong bit outside of the footer spreads in the next life";
}

// Lives once more after the last cut: resume, some rows, close. All rows must be there then, with nothing
// left unsettled.
std::string Trial::last_life() {
  Stage peace;
  peace.cut.loss = Loss::kSome;
  const auto life = static_cast<unsigned>(case_.stages.size());
  const Recording recording = record(life, medium_, {});
  tally_.misaligned += recording.misaligned;
  if (!recording.fault.empty()) return recording.fault;
  peace.cut.event = static_cast<unsigned>(recording.log.events.size());
  Medium left = after_cut(recording.base, recording.log, peace.cut);
  say("life %u: %zu events, closed\n", life, recording.log.events.size());
  say_events(recording.log, peace.cut.event);
  return judge(recording, peace.cut, life, left);
}

std::string Trial::run() {
  for (unsigned life = 0; life < case_.stages.size(); ++life) {
    if (std::string fault = run_stage(life, case_.stages[life]); !fault.empty()) {
      return "life " + std::to_string(life) + ": " + fault;
    }
  }
  const auto life = static_cast<unsigned>(case_.stages.size());
  std::string fault = case_.flipped_bit ? judge_flipped(life, *case_.flipped_bit) : last_life();
  return fault.empty() ? fault : "life " + std::to_string(life) + ": " + fault;
}

}  // namespace power_loss
