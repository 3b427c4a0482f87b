#include "life.h"

#include <algorithm>

#include "cut.h"
#include "footer_check.h"

namespace power_loss {

using mpq::Status;

namespace {

enum What : unsigned { kCheckpoint, kRowGroup, kCheckpointBehind, kSave };

constexpr int kTries = 3;

// A driver wants memory on words, or on lines of a cache: every other life has the other one.
constexpr std::uint8_t kWord = 4;
constexpr std::uint8_t kCacheLine = 32;
constexpr std::uint8_t kAligns = kCacheLine ^ mpq::Options().transfer_align;
constexpr unsigned kRowsBefore = 30;

bool is_in_place(const Scenario& scenario) { return scenario.workload.options.layout->in_place; }

}  // namespace

Life::Life(const Scenario& scenario, unsigned number, bool sets_origin)
    : scenario_(scenario),
      number_(number),
      sets_origin_(sets_origin),
      options_(scenario.workload.options),
      source_(scenario.workload, number),
      batch_(scenario.workload),
      before_({}, {}, scenario.workload.abilities),
      behind_({}, {}, scenario.workload.abilities) {
  options_.file_id += number;  // as a counter of sessions would have it
  if (number % 2 != 0) options_.transfer_align ^= kAligns;
  memory_.resize(mpq::Writer::required_bytes(scenario.workload.schema, options_) + 4 * kCacheLine);
  set_line(before_);
  set_line(behind_);
}

// The arena is on what it has to be on and on no more, with a line before it and one after.
mpq::Span<std::byte> Life::arena() {
  const std::size_t before = 0 - reinterpret_cast<std::uintptr_t>(memory_.data());
  const std::size_t begin = before % (2 * kCacheLine) + kCacheLine + options_.transfer_align % kCacheLine;
  const std::size_t bytes = mpq::Writer::required_bytes(scenario_.workload.schema, options_);
  return {memory_.data() + begin, bytes};
}

// Sets what memory the driver wants.
void Life::set_line(Card& card) const {
  card.set_cache_line(options_.transfer_align == kCacheLine ? kCacheLine : kWord);
}

void Life::complain(const std::string& text) {
  if (fault_.empty()) fault_ = text;
}

Progress Life::progress() const {
  Progress progress;
  progress.offered = offered_ - lost_;
  progress.now_ms = now_ms_;
  if (begun_ == Status::kOk) {
    progress.durable = std::max(writer_.durable_rows(), earlier_) - earlier_;
    progress.safe = writer_.safe_rows() - earlier_;
  }
  if (closed_ == Status::kOk) progress.durable = progress.safe = taken_ - lost_;
  return progress;
}

// True when the call succeeded in the end.
template <typename Call>
bool Life::attempt(const char* name, Call call) {
  for (int i = 0; i < kTries; ++i) {
    status_ = call();
    if (status_ == Status::kOk) return true;
    if (!card_->failed()) {
      complain(std::string(name) + " answers \"" + to_string(status_) + "\" although nothing failed");
      return false;
    }
    if (status_ == Status::kMediumLost) reconnect();
    // A stream takes no rows after misread entries, until checkpoint() has read them again.
    if (status_ == Status::kCorrupt && begun_ == Status::kOk && !is_in_place(scenario_))
      static_cast<void>(writer_.checkpoint());
  }
  if (card_->fails_once()) complain(std::string(name) + " fails again although the card does not");
  return false;
}

// The medium is back. A file that was not yet open is resumed then, whatever there is of it.
void Life::reconnect() {
  card_->come_back();
  if (begun_ != Status::kOk) return writer_.reset();
  const std::uint64_t before = writer_.lost_rows();
  const Status status = writer_.reconnect(*card_);
  if (status != Status::kOk) return complain(std::string("reconnect answers ") + to_string(status));
  const std::uint64_t lost = writer_.lost_rows() - before;
  if (lost == 0) return;
  // In the forward layout row groups since the last footer may be lost in any case.
  if (card_->keeps_all() && is_in_place(scenario_))
    complain("rows are lost although the medium has kept them");
  // A stream has the open row group in memory, after those that are lost.
  const faults::Workload& workload = scenario_.workload;
  const std::uint64_t kept = workload.saves_stream()                            ? writer_.safe_rows()
                             : workload.has_tails() && scenario_.save_rows != 0 ? writer_.rows()
                                                                                : writer_.durable_rows();
  gaps_.push_back({kept - earlier_, lost});
  lost_ += static_cast<unsigned>(lost);
}

Status Life::begin() {
  if (number_ == 0 && !card_->came_back()) return scenario_.rolls ? roll_from_file_before() : open(*card_);
  if (has_before_) ++options_.file_id;  // no roll() takes it any more
  has_before_ = false;
  return writer_.resume(*card_, scenario_.workload.schema, options_, arena());
}

Status Life::open(mpq::File& file) {
  return writer_.open(file, scenario_.workload.schema, options_, arena());
}

// The key-value stays with it.
Status Life::roll_from_file_before() {
  if (!has_before_) {
    --options_.file_id;  // roll() takes the next number
    const Status status = write_file_before();
    if (status != Status::kOk) return status;
    has_before_ = true;
  }
  return writer_.roll(*card_);
}

// All of it must be on the medium when its last call returns: nothing is written to it any more.
Status Life::write_file_before() {
  Status status = open(before_);
  if (status == Status::kOk) status = writer_.set_key_value(kOriginKey, kOrigin);
  for (unsigned i = 0; i < kRowsBefore && status == Status::kOk; ++i) status = writer_.append(source_.row(i));
  if (status == Status::kOk) status = writer_.close();
  const Log log = before_.take_log();
  for (unsigned seed = 1; seed < 6; ++seed) {
    const Cut cut{Loss::kSome, static_cast<unsigned>(log.events.size()), kWhole, seed};
    const auto columns = static_cast<std::uint32_t>(scenario_.workload.schema.size());
    const FooterCheck footer = check_footer(after_cut({}, log, cut), is_in_place(scenario_) ? columns : 0);
    if (!footer.genuine || footer.rows != kRowsBefore) complain("the file before is not whole");
  }
  return status;
}

Status Life::end() { return scenario_.rolls ? writer_.roll(behind_) : writer_.close(); }

bool Life::maybe(unsigned average, unsigned row, unsigned what) const {
  return average != 0 && faults::mix(faults::mix(number_, what), row) % average == 0;
}

// Rows that were taken from a batch are not offered again.
bool Life::append(unsigned begin, unsigned end) {
  offered_ = end;
  if (scenario_.workload.batch == 0) {
    if (!attempt("append", [&] { return writer_.append(source_.row(begin)); })) return false;
    taken_ = end;
    return true;
  }
  const auto taken = [&] { return static_cast<unsigned>(writer_.rows() - earlier_) + lost_; };
  const bool done = attempt("append_columns", [&] { return batch_.append(writer_, source_, taken(), end); });
  taken_ = taken();
  return done;
}

bool Life::live() {
  const unsigned rows = rows_of_life(scenario_, number_);
  const unsigned step = scenario_.workload.batch != 0 ? scenario_.workload.batch : 1;
  const auto checkpoint = [&] {
    const bool done = attempt("checkpoint", [&] { return writer_.checkpoint(); });
    if (done && writer_.durable_rows() - earlier_ != taken_ - lost_)
      complain("rows are not durable after checkpoint");
    return done;
  };
  for (unsigned i = 0; i < rows; i += step) {
    now_ms_ += scenario_.ms_per_row;
    if (scenario_.ms_per_row != 0 && !attempt("tick", [&] { return writer_.tick(now_ms_); })) return false;
    if (maybe(scenario_.checkpoint_rows, i, kCheckpoint) && !checkpoint()) return false;
    if (!append(i, i + step < rows ? i + step : rows)) return false;
    if (maybe(scenario_.save_rows, i, kSave) && !save()) return false;
    if (!maybe(scenario_.row_group_rows, i, kRowGroup)) continue;
    if (!attempt("end_row_group", [&] { return writer_.end_row_group(); })) return false;
    if (scenario_.saves_row_groups && !save()) return false;
    if (maybe(scenario_.checkpoint_rows != 0 ? 2 : 0, i, kCheckpointBehind) && !checkpoint()) return false;
  }
  return true;
}

bool Life::save() {
  if (!attempt("save", [&] { return writer_.save(); })) return false;
  if (writer_.safe_rows() != writer_.rows()) complain("rows are not safe after save");
  return true;
}

Status Life::settle(Card& card, std::uint64_t& rows) {
  card_ = &card;
  set_line(card);
  Status status = begin();
  rows = writer_.rows();
  return status == Status::kOk ? writer_.close() : status;
}

std::string Life::run(Card& card) {
  card_ = &card;
  set_line(card);
  card.set_watch([this] { return progress(); });
  now_ms_ = number_ << 20;
  const bool empty = card.medium().size == 0;
  attempt(number_ == 0 ? "open" : "resume", [&] { return begin(); });
  begun_ = status_;
  if (!empty && card.touched()) complain("resume writes");
  if (begun_ != Status::kOk) return fault_;

  earlier_ = writer_.rows();  // of which the last may be safe alone
  if (sets_origin_ && !has_before_ && writer_.set_key_value(kOriginKey, kOrigin) != Status::kOk)
    complain("set_key_value fails");
  const bool lived = live();
  // A writer that took no row may have only a key-value to write, and no space reserved for it.
  const bool full = !lived && status_ == Status::kNoSpace && taken_ != 0;
  attempt("close", [&] { return end(); });
  closed_ = status_;
  const bool rolled = scenario_.rolls && closed_ == Status::kOk;
  if (writer_.rows() != (rolled ? 0 : earlier_ + taken_ - lost_))
    complain("rows() counts other rows than were taken");
  if (is_in_place(scenario_) && full && closed_ == Status::kNoSpace)
    complain("a full card does not let the file be closed");
  if (!card.breach().empty()) complain("the file was misused: " + card.breach());
  return fault_;
}

}  // namespace power_loss
