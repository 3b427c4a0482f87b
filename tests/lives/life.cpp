#include "life.h"

#include <algorithm>
#include <cstring>

#include "another_file.h"
#include "microparquet/durability.h"

namespace lives {

using mpq::Status;

namespace {

constexpr unsigned kMaxTries = 12;

// The least number of bytes that any row takes when it is stored.
std::uint32_t least_bytes(const Plan& plan) {
  std::uint32_t bytes = 0;
  for (const mpq::Field& field : plan.fields) {
    if (field.repetition == mpq::Repetition::kOptional || field.type == mpq::Type::kBoolean) continue;
    if (field.encoder->id != mpq::EncodingId::kPlain || field.compressor != nullptr) continue;
    bytes += field.type == mpq::Type::kByteArray ? 4 : mpq::value_bytes(field.type, field.type_length);
  }
  return bytes;
}

// The last footer with its length and all that follows; empty: the file has none.
Bytes last_footer(const Bytes& file) {
  constexpr std::size_t kTrailer = 8;
  if (file.size() < kTrailer) return {};
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, file.data() + file.size() - kTrailer, sizeof bytes);
  if (bytes > file.size() - kTrailer) return {};
  return {file.end() - static_cast<std::ptrdiff_t>(bytes + kTrailer), file.end()};
}

}  // namespace

Life::Life(Plan& plan, Store& store, std::uint64_t seed, Tally& tally, Trace& trace)
    : plan_(plan),
      store_(store),
      chance_(mix(seed ^ 0x11FE)),
      tally_(tally),
      trace_(trace),
      arena_(plan.arena_bytes() / 8 + 1),
      source_(plan),
      files_{WatchedFile(trace), WatchedFile(trace)} {
  store.set_probe([this](unsigned slot, mpq::Span<const std::byte> file) {
    Found found;
    ++tally_.probes;
    if (!fault_ && !look(slot, file, found)) fault_.text += " (had the power gone at this call)";
  });
}

void Life::fail(Wrong wrong, const std::string& text) {
  if (fault_) return;
  fault_ = {wrong, "boot " + std::to_string(boot_) + ": " + text};
}

// Sets the value of a key.
void Life::replace(KeyValues& list, std::string_view key, std::string_view value) {
  const auto same = [&](const auto& pair) { return pair.first == key; };
  const auto place = std::find_if(list.begin(), list.end(), same);
  if (place != list.end()) {
    place->second = value;
  } else {
    list.emplace_back(key, value);
  }
}

// With saves resume() may find more rows than the file has for others.
void Life::Log::become(const Found& found, bool saves) {
  unsafe = saves && !found.empty && rows.size() > found.rows ? rows.size() - found.rows : 0;
  if (unsafe == 0) rows.resize(found.rows);
  durable = found.rows;
  if (!saves || found.empty || safe < durable) safe = durable;
  key_values = {found.empty ? KeyValues() : key_values[found.key_values]};
  least_key_values = 0;
  begun = !found.empty;
}

// A file of a slot against what is known of it.
bool Life::look(unsigned slot, mpq::Span<const std::byte> file, Found& found) {
  const Log& log = logs_[slot];
  const Expected expected{log.rows, log.durable, log.key_values, log.least_key_values, !log.begun};
  const Fault fault = check_image(file, plan_, expected, unpack_, found);
  if (fault) fail(fault.wrong, fault.text);
  return !fault;
}

Troubles Life::any_troubles() {
  const Hardships& hard = plan_.hardships;
  Troubles troubles;
  // Half of what goes wrong does so in the first calls.
  const auto any_call = [this] { return chance_.below(1U << chance_.between(3, 8)); };
  troubles.seed = chance_.next();
  if (chance_.percent(hard.cuts)) troubles.cut_at = any_call();
  if (chance_.percent(hard.pulls)) troubles.pull_at = any_call();
  if (chance_.percent(hard.errors)) {
    switch (chance_.below(3)) {
      case 0: troubles.fails_one_in = chance_.between(3, 40); break;
      case 1:
        troubles.fails_from = any_call();
        troubles.failures = chance_.between(1, 5);
        break;
      default: troubles.failing_sync = chance_.below(chance_.percent(60) ? 2 : 8); break;
    }
  }
  if (hard.full && chance_.percent(40)) {
    std::uint64_t size = 0;
    Bytes file;
    if (store_.read(slot_, file)) size = file.size();
    troubles.capacity = size + chance_.below(chance_.percent(30) ? 20000 : 400000);
  }
  return troubles;
}

template <typename Call>
Status Life::call(Op op, Call call) {
  ++tally_.ops[static_cast<unsigned>(op)];
  file().forget();
  const Status status = call();
  trace_.add(std::string(kOpNames[static_cast<unsigned>(op)]) + ": " + to_string(status) + ", rows " +
             std::to_string(writer_.rows()) + ", durable " + std::to_string(writer_.durable_rows()));
  judge(op, status);
  if (is_damage(status)) heal(op);
  return status;
}

// Whether the interface allows this answer of a call beyond the file's own answers.
bool Life::may_answer(Op op, Status status) const {
  switch (op) {
    case Op::kSetKeyValue:
      return status == Status::kOutOfMemory ? own_.size() == plan_.options.max_key_values
                                            : status == Status::kWrongState && failed_;
    case Op::kSave:
    case Op::kCheckpoint:
      return status == Status::kUnsupported &&
             plan_.options.layout->checkpoints == mpq::CheckpointKind::kNone &&
             plan_.options.layout->in_place;
    case Op::kAppend:
    case Op::kAppendColumns:
      return status == Status::kLimitReached && plan_.options.max_row_groups_in_memory != 0;
    default: return false;
  }
}

// Whether a call may answer this once it has found wrong bits.
bool Life::is_damage(Status status) const {
  return damaged_ &&
         (status == Status::kCorrupt || status == Status::kNotParquet || status == Status::kSchemaMismatch);
}

// Heals wrong bits that were found: then resume() has left the file as it was, and all continues once they
// are right again.
void Life::heal(Op op) {
  Bytes now;
  store_.read(slot_, now);
  if (op == Op::kResume && now != older_) fail(Wrong::kCalls, "a file that is refused is changed");
  store_.heal(slot_);
  damaged_ = false;
  ++tally_.damage_found;
}

// Damages bits of one byte of the file, half of the time where resume() looks. Of a stream it is always a footer: a save
// that is healed would be there again, after resume() has done without it.
void Life::damage() {
  Bytes file;
  store_.read(slot_, file);
  if (file.empty()) return;
  const auto size = static_cast<unsigned>(file.size());
  const auto near = plan_.saves_stream() ? static_cast<unsigned>(last_footer(file).size()) : 600U;
  const unsigned at = plan_.saves_stream() || chance_.percent(50)
                          ? size - 1 - chance_.below(std::min(size, near))
                          : chance_.below(size);
  const auto wrong =
      static_cast<std::byte>(chance_.percent(50) ? 1U << chance_.below(8) : chance_.between(1, 255));
  damaged_ = steps_aside_ = store_.damage(slot_, at, wrong);
  if (!damaged_) return;
  ++tally_.damaged;
  trace_.add("byte " + std::to_string(at) + " has wrong bits");
  store_.read(slot_, older_);
}

// Forward on large blocks, a file has no bytes before its first footer with rows.
bool Life::publishes_late() const {
  return !plan_.options.layout->in_place && plan_.options.block_bytes != kSector;
}

bool Life::answered(Status status) const {
  return files_[slot_].answered(status) || (rolling_ && files_[1 - slot_].answered(status));
}

void Life::judge(Op op, Status status) {
  for (const WatchedFile& file : files_) {
    if (!file.breach().empty()) fail(Wrong::kCalls, file.breach());
  }
  if (status == Status::kOk) return;
  ++tally_.failed_calls;
  failed_ = true;
  broken_ = broken_ || status != Status::kNoSpace;
  const bool known = answered(status) || may_answer(op, status) || is_damage(status) ||
                     (closing_ && status == Status::kWrongState);
  if (known || store_.is_off()) return;
  const bool file_is_bad = op == Op::kResume || op == Op::kReconnect;
  fail(file_is_bad ? Wrong::kUnreadable : Wrong::kCalls, std::string(kOpNames[static_cast<unsigned>(op)]) +
                                                             " answers " + to_string(status) +
                                                             ", which the file has not");
}

// The writer and this must agree.
void Life::count_rows() {
  if (rolling_ || fault_) return;
  if (writer_.rows() != log().rows.size()) {
    fail(Wrong::kCalls, "the writer has " + std::to_string(writer_.rows()) + " rows, " +
                            std::to_string(log().rows.size()) + " were taken");
  }
  const std::uint64_t durable = writer_.durable_rows();
  if (durable > writer_.rows() || durable < log().durable) {
    fail(Wrong::kCalls,
         "durable_rows() is " + std::to_string(durable) + " after " + std::to_string(log().durable));
  }
  const std::uint64_t safe = writer_.safe_rows();
  if (safe < durable || safe > writer_.rows() || safe < log().safe) {
    fail(Wrong::kCalls, "safe_rows() is " + std::to_string(safe) + " after " + std::to_string(log().safe) +
                            " of " + std::to_string(writer_.rows()) + " rows");
  }
  log().safe = static_cast<std::size_t>(safe);
  log().durable = static_cast<std::size_t>(durable);
  log().begun = log().begun || durable != 0;
}

// Makes a checkpoint after kCorrupt, which tells whether bits are right again.
void Life::asks_again(Status status) {
  if (status == Status::kCorrupt && steps_aside_ && alive()) checkpoint();
}

bool Life::repeats(Status status) {
  if (status == Status::kCorrupt && steps_aside_) return alive();  // what it has found is right again
  return status == Status::kIoError && alive() && chance_.percent(60);
}

void Life::open_file(unsigned slot) {
  mpq::File* const file = store_.open(slot);
  if (file == nullptr) {
    over_ = true;
    return;
  }
  Bytes bytes;
  store_.read(slot, bytes);
  files_[slot].watch(file, bytes.size());
}

// Key-values that some files have from their beginning on. Each file has an id of its own, which tells it
// from all others, wherever it lies.
mpq::FileStart Life::any_start() {
  first_key_values_.clear();
  if (!plan_.hardships.steady && chance_.percent(7)) {
    KeyValues now = log().key_values.back();
    for (unsigned i = chance_.between(1, std::min<unsigned>(3, plan_.options.max_key_values)); i != 0; --i) {
      const auto& [key, value] = any_key_value();
      first_key_values_.push_back({key, value});
      replace(now, key, value);
      replace(own_, key, value);
    }
    log().key_values.push_back(now);
  }
  return {{first_key_values_.data(), first_key_values_.size()},
          static_cast<std::uint32_t>(chance_.next()) | 1U};
}

// Resumes the file, or begins it.
bool Life::begin() {
  const mpq::Span<std::byte> arena(reinterpret_cast<std::byte*>(arena_.data()), arena_.size() * 8);
  writer_.reset();
  own_.clear();
  lost_before_ = 0;
  closed_ = closing_ = failed_ = broken_ = rolling_ = left_as_it_was_ = false;
  open_file(slot_);
  Bytes file_before;
  store_.read(slot_, file_before);
  first_footer_ = last_footer(file_before);
  const mpq::FileStart start = any_start();
  for (unsigned tries = 0; alive() && tries < kMaxTries; ++tries) {
    std::uint64_t size = 0;
    if (file().size(size) != Status::kOk) size = 1;
    const bool opens = size == 0 && chance_.percent(50);
    const Status status = call(opens ? Op::kOpen : Op::kResume, [&] {
      return opens ? writer_.open(file(), plan_.schema(), plan_.options, arena, start)
                   : writer_.resume(file(), plan_.schema(), plan_.options, arena, start);
    });
    if (status == Status::kOk) {
      log().begun = log().begun || !publishes_late();
      take_up();
      if (size == 0 && log().begun) log().least_key_values = log().key_values.size() - 1;
      rows_before_ = log().rows.size();
      count_rows();
      failed_ = broken_ = tries != 0;
      return alive();
    }
    if (status == Status::kNoSpace) break;
    if (store_.is_out()) store_.come_back();
    if (status == Status::kMediumLost || chance_.percent(30)) {
      writer_.reset();
      if (alive()) open_file(slot_);
    }
  }
  return false;
}

// Rows that were safe are there again, and perhaps some that were not.
void Life::take_up() {
  Log& now = log();
  const std::uint64_t rows = writer_.rows();
  // A medium that fails again and again may have lost what was safe.
  const std::size_t least = damaged_ || answered(Status::kIoError) ? now.durable : now.safe;
  if (rows < least || rows > now.rows.size() || (now.unsafe == 0 && rows != now.rows.size())) {
    fail(Wrong::kDurableRowsLost, "resume() has " + std::to_string(rows) + " rows of " +
                                      std::to_string(now.rows.size()) + ", of which " +
                                      std::to_string(now.safe) + " were safe and " +
                                      std::to_string(now.durable) + " durable");
    return;
  }
  now.rows.resize(static_cast<std::size_t>(rows));
  now.safe = static_cast<std::size_t>(rows);
  now.unsafe = 0;
}

void Life::append(unsigned rows) {
  for (unsigned i = 0; i < rows && alive(); ++i) {
    const RowId id = row_id(boot_, next_row_);
    Status status = Status::kOk;
    do {
      log().rows.push_back(id);
      status = call(Op::kAppend, [&] { return writer_.append(source_.row(id)); });
      if (store_.is_off()) return;
      if (status != Status::kOk) log().rows.pop_back();
      count_rows();
      asks_again(status);
    } while (repeats(status));
    if (status != Status::kOk) return;
    ++next_row_;
    ++tally_.rows;
  }
}

// A row that cannot be taken is not taken.
void Life::append_wrong() {
  const mpq::Span<const mpq::Value> row = source_.row(row_id(boot_, next_row_));
  std::vector<mpq::Value> values(row.begin(), row.end());
  Status wanted = Status::kInvalidArgument;
  std::string long_text;
  const auto column = chance_.below(static_cast<unsigned>(values.size()));
  const bool is_text = plan_.fields[column].type == mpq::Type::kByteArray;
  const bool required = plan_.fields[column].repetition == mpq::Repetition::kRequired;
  if (is_text && chance_.percent(50)) {
    const std::uint32_t page_bytes = plan_.fields[column].page_bytes;
    long_text.assign(page_bytes != 0 ? page_bytes : plan_.options.page_bytes, 'x');
    values[column] = mpq::Value::of_bytes(long_text);
    wanted = Status::kValueTooLarge;
  } else if (required && chance_.percent(60)) {
    values[column].null = true;
    wanted = Status::kNullValue;
  } else {
    values.pop_back();
  }
  const Status status = writer_.append({values.data(), values.size()});
  trace_.add(std::string("append a row that is wrong: ") + to_string(status));
  const bool state = closing_ && status == Status::kWrongState;
  if (status != wanted && !answered(status) && !state && !store_.is_off())
    fail(Wrong::kCalls, std::string("a row that is wrong is answered by ") + to_string(status));
  if (!store_.is_off()) count_rows();
}

void Life::append_columns(unsigned rows) {
  while (rows != 0 && alive()) {
    const std::size_t before = log().rows.size();
    for (unsigned i = 0; i < rows; ++i) log().rows.push_back(row_id(boot_, next_row_ + i));
    const mpq::Span<const mpq::ColumnData> columns = source_.batch(row_id(boot_, next_row_), rows);
    const Status status = call(Op::kAppendColumns, [&] { return writer_.append_columns(columns, rows); });
    if (store_.is_off()) return;
    const std::uint64_t now = writer_.rows();
    if (now < before || now > before + rows || (status == Status::kOk && now != before + rows)) {
      fail(Wrong::kCalls,
           "append_columns took " + std::to_string(now - before) + " rows of " + std::to_string(rows));
      return;
    }
    const auto taken = static_cast<unsigned>(now - before);
    log().rows.resize(static_cast<std::size_t>(now));
    count_rows();
    next_row_ += taken;
    tally_.rows += taken;
    rows -= taken;
    asks_again(status);
    if (status != Status::kOk && !repeats(status)) return;
  }
}

void Life::tick() {
  now_ms_ +=
      chance_.below(chance_.percent(30) ? plan_.options.max_loss_ms + 100 : plan_.options.checkpoint_ms + 10);
  Status status = Status::kOk;
  do {
    status = call(Op::kTick, [&] { return writer_.tick(static_cast<std::uint32_t>(now_ms_)); });
    count_rows();
    asks_again(status);
  } while (repeats(status));
}

void Life::checkpoint() {
  Status status = Status::kOk;
  const bool new_rows = log().durable != log().rows.size();
  do {
    status = call(Op::kCheckpoint, [&] { return writer_.checkpoint(); });
    count_rows();
  } while (repeats(status));
  if (status != Status::kOk) return;
  if (log().durable != log().rows.size()) fail(Wrong::kCalls, "rows are not durable after a checkpoint");
  if (new_rows) log().least_key_values = log().key_values.size() - 1;
}

// Now and then the power goes inside it: seldom enough does it go there by chance.
void Life::save() {
  constexpr unsigned kCalls = 14;
  if (aims_ && chance_.percent(15)) {
    Troubles troubles;
    troubles.seed = chance_.next();
    troubles.cut_at = chance_.below(kCalls);
    store_.strike(troubles);
  }
  Status status = Status::kOk;
  do {
    status = call(Op::kSave, [&] { return writer_.save(); });
    count_rows();
  } while (repeats(status));
  if (status == Status::kOk && log().safe != log().rows.size())
    fail(Wrong::kCalls, "rows are not safe after a save");
}

// Kept as long as the writer may look at it; some are of a key that it was given before, or that the file
// has.
std::pair<std::string_view, std::string_view> Life::any_key_value() {
  const KeyValues& before = chance_.percent(50) ? own_ : log().key_values.back();
  const bool again = !before.empty() && chance_.percent(30);
  const auto place = again ? chance_.below(static_cast<unsigned>(before.size())) : 0;
  const std::string_view key =
      strings_.emplace_back(again ? before[place].first : "k" + std::to_string(chance_.below(9)));
  if (again && chance_.percent(30)) return {key, strings_.emplace_back(before[place].second)};
  return {key, strings_.emplace_back(chance_.below(60), static_cast<char>('a' + chance_.below(26)))};
}

void Life::set_key_value() {
  const auto [key, value] = any_key_value();
  KeyValues now = log().key_values.back();
  replace(now, key, value);
  Status status = Status::kOk;
  do {
    log().key_values.push_back(now);
    status = call(Op::kSetKeyValue, [&] { return writer_.set_key_value(key, value); });
    if (status != Status::kOk) log().key_values.pop_back();
  } while (repeats(status));
  if (status == Status::kOk) replace(own_, key, value);
}

// A full medium leaves a file without a new row as it was, with the key-values that it had.
bool Life::stays_as_it_is(bool all_durable) const {
  return files_[slot_].answered(Status::kNoSpace) && all_durable;
}

void Life::close() {
  Status status = Status::kOk;
  const bool full = answered(Status::kNoSpace);
  const bool all_durable = log().durable == log().rows.size();
  do {
    status = call(Op::kClose, [&] { return writer_.close(); });
    closing_ = true;
    count_rows();
  } while (repeats(status));
  if (status != Status::kOk) {
    const bool has_segment = log().rows.size() != rows_before_;  // and so the place for the footer is kept
    if (status == Status::kNoSpace && plan_.options.layout->in_place && has_segment && !broken_)
      fail(Wrong::kCalls, "there is no space for the last footer");
    if (full || status == Status::kNoSpace) over_ = true;
    return;
  }
  closed_ = true;
  if (log().durable != log().rows.size()) fail(Wrong::kCalls, "rows are not durable after close()");
  left_as_it_was_ = left_as_it_was_ || stays_as_it_is(all_durable);
  if (!left_as_it_was_) log().least_key_values = log().key_values.size() - 1;
}

// The same writer continues with another file.
void Life::roll() {
  const unsigned next = 1 - slot_;
  if (!rolling_) {
    store_.remove(next);
    logs_[next] = {};
    logs_[next].key_values = {own_};
  }
  rolling_ = true;
  open_file(next);
  if (over_) return;
  Status status = Status::kOk;
  unsigned tries = 0;
  const bool all_durable = log().durable == log().rows.size();
  do {
    files_[next].forget();
    status = call(Op::kRoll, [&] { return writer_.roll(files_[next]); });
    left_as_it_was_ = left_as_it_was_ || stays_as_it_is(all_durable);
  } while (status == Status::kIoError && alive() && ++tries < kMaxTries);
  if (status != Status::kOk) {
    over_ = true;
    return;
  }
  Log& old = log();
  old.durable = old.rows.size();
  if (!left_as_it_was_) old.least_key_values = old.key_values.size() - 1;
  Bytes bytes;
  Found found;
  store_.read(slot_, bytes);
  look(slot_, {bytes.data(), bytes.size()}, found);
  ++tally_.images;
  store_.remove(slot_);
  old = {};
  slot_ = next;
  log().begun = !publishes_late();
  rows_before_ = 0;
  rolling_ = closing_ = closed_ = left_as_it_was_ = false;
  failed_ = broken_ = tries != 0;
  lost_before_ = 0;
  count_rows();
}

// Offers another file than the one that was written: an earlier one, or one with a footer that is torn. It is
// recognised, and left alone.
void Life::offer_another_file() {
  Bytes own;
  store_.read(slot_, own);
  const Bytes footer = last_footer(own);
  Bytes other = older_;
  // A file that ends in the footer with which the writer began is the same file, if a sync since then has
  // failed.
  const bool same = last_footer(other) == footer || last_footer(other) == first_footer_;
  if (same || chance_.percent(60)) {
    if (footer.empty()) return;
    other = own;
    const unsigned torn = chance_.between(1, std::min<unsigned>(static_cast<unsigned>(footer.size()), 4000));
    trace_.add("its own, torn or wrong " + std::to_string(torn) + " bytes before its end");
    if (chance_.percent(30)) {
      other.resize(other.size() - torn);
    } else {
      other[other.size() - torn] ^= static_cast<std::byte>(1U << chance_.below(8));
    }
  }
  if (other.empty()) return;
  AnotherFile another(std::move(other), file().abilities());
  const Status status = writer_.reconnect(another);
  ++tally_.other_files;
  trace_.add(std::string("reconnect with another file: ") + to_string(status));
  if (another.is_touched()) fail(Wrong::kCalls, "reconnect() writes to another file");
  if (status != Status::kSchemaMismatch)
    fail(Wrong::kWrongRows, std::string("reconnect() answers ") + to_string(status) + " to another file");
}

// The medium comes back, without some of what was written.
void Life::reconnect() {
  store_.come_back();
  open_file(slot_);
  if (over_) return;
  broken_ = true;  // what was reserved may be gone
  if (chance_.percent(20)) offer_another_file();
  Status status = Status::kOk;
  unsigned tries = 0;
  do {
    status = call(Op::kReconnect, [&] { return writer_.reconnect(file()); });
  } while (status == Status::kIoError && alive() && ++tries < kMaxTries);
  if (store_.is_off() || fault_) return;
  if (status == Status::kIoError && plan_.unreadable && plan_.hardships.errors == 0)
    fail(Wrong::kCalls, "reconnect() does not succeed, though only a sector after the footer cannot be read");
  if (status != Status::kOk) {
    over_ = true;
    return;
  }
  std::vector<RowId>& rows = log().rows;
  const std::uint64_t lost = writer_.lost_rows() - lost_before_;
  const std::uint64_t durable = writer_.durable_rows();
  lost_before_ = writer_.lost_rows();
  tally_.rows_lost += lost;
  trace_.add("rows lost: " + std::to_string(lost));
  const std::size_t least = std::max<std::size_t>(log().safe, static_cast<std::size_t>(durable));
  const bool all = !plan_.options.layout->in_place || lost == 0 || durable + lost == rows.size() ||
                   (plan_.has_tails() && rows.size() - lost >= least);
  if (durable < log().durable || durable + lost > rows.size() || !all ||
      (plan_.saves() && rows.size() - lost < log().safe)) {
    fail(Wrong::kCalls, "reconnect() has lost " + std::to_string(lost) + " rows after " +
                            std::to_string(durable) + " durable ones, of " + std::to_string(rows.size()) +
                            " with " + std::to_string(log().durable) + " durable");
    return;
  }
  // A stream has the open row group in memory, after those that are lost.
  const std::uint64_t kept = plan_.saves_stream() ? writer_.safe_rows() : durable;
  const auto first = plan_.has_tails() ? rows.end() - static_cast<std::ptrdiff_t>(lost)
                                       : rows.begin() + static_cast<std::ptrdiff_t>(kept);
  rows.erase(first, first + static_cast<std::ptrdiff_t>(lost));
  count_rows();
}

// The writer is given up, and begins again, or after close(): by a program that has not lost its power.
void Life::begin_again() {
  if (!closed_) {
    ++tally_.ops[static_cast<unsigned>(Op::kReset)];
    trace_.add("reset");
  }
  writer_.reset();
  Bytes bytes;
  Found found;
  if (store_.open(slot_) == nullptr) {  // then nothing says that the medium has what can be read
    over_ = true;
    return;
  }
  store_.read(slot_, bytes);
  ++tally_.images;
  if (!look(slot_, {bytes.data(), bytes.size()}, found)) return;
  log().become(found, plan_.saves());
  if (!begin()) over_ = true;
}

// Rows at a constant rate, and ticks: what a cut would cost is what loss_bound() says.
void Life::steady() {
  constexpr std::uint32_t kMsPerHour = 3'600'000;
  const unsigned rows = chance_.between(1, plan_.most_batch);
  const unsigned tick_ms = chance_.between(1, plan_.options.checkpoint_ms / 2 + 2);
  const mpq::LogRate rate{static_cast<std::uint32_t>(std::uint64_t{rows} * kMsPerHour / tick_ms),
                          least_bytes(plan_), tick_ms};
  const auto measure = [&](const std::vector<std::uint64_t>& times, std::size_t begin) {
    const std::size_t durable = log().durable;
    if (durable >= log().rows.size()) return;
    const std::uint64_t newest = durable > begin ? times[durable - begin - 1] : times[0];
    const mpq::LossBound bound =
        mpq::loss_bound(plan_.schema(), plan_.options, rate, writer_.row_groups() + 2);
    ++tally_.measured;
    if (now_ms_ - newest > bound.ms || log().rows.size() - durable > bound.rows) {
      fail(Wrong::kLossBound, "a cut would cost " + std::to_string(now_ms_ - newest) + " ms and " +
                                  std::to_string(log().rows.size() - durable) + " rows, more than " +
                                  std::to_string(bound.ms) + " ms and " + std::to_string(bound.rows) +
                                  " rows");
    }
  };
  if (call(Op::kTick, [&] { return writer_.tick(static_cast<std::uint32_t>(now_ms_)); }) != Status::kOk)
    return;
  count_rows();
  checkpoint();
  const std::size_t begin = log().rows.size();
  std::vector<std::uint64_t> times;
  for (unsigned ticks = chance_.between(10, 80); ticks != 0 && alive(); --ticks) {
    for (unsigned i = 0; i < rows && alive(); ++i) {
      times.push_back(now_ms_ + std::uint64_t{tick_ms} * (i + 1) / rows);
      append(1);
    }
    if (failed_ || !alive() || times.size() != log().rows.size() - begin) return;
    now_ms_ += tick_ms;
    measure(times, begin);
    static_cast<void>(call(Op::kTick, [&] { return writer_.tick(static_cast<std::uint32_t>(now_ms_)); }));
    if (!store_.is_off()) count_rows();
  }
}

void Life::step() {
  if (plan_.saves() && !closing_ && !store_.is_out() && chance_.percent(25)) return save();
  if (store_.is_out() && (closing_ || chance_.percent(60))) return reconnect();
  if (closing_) {
    if (chance_.percent(50)) return close();
    return begin_again();
  }
  const unsigned most = plan_.most_batch;
  // Damage comes alone: no other trouble happens while bits are wrong.
  const unsigned kind = steps_aside_ ? chance_.below(88) : chance_.below(103);
  if (kind < 32) {
    append(chance_.between(1, most));
  } else if (kind < 44) {
    append_columns(chance_.between(1, 3 * most));
  } else if (kind < 60) {
    tick();
  } else if (kind < 72) {
    checkpoint();
  } else if (kind < 78) {
    static_cast<void>(call(Op::kEndRowGroup, [&] { return writer_.end_row_group(); }));
    if (!store_.is_off()) count_rows();
  } else if (kind < 86) {
    plan_.hardships.steady ? tick() : set_key_value();
  } else if (kind < 88) {
    append_wrong();
  } else if (kind < 91 && !store_.is_out()) {
    roll();
  } else if (kind < 94) {
    close();
  } else if (kind < 97 && !store_.is_out()) {
    begin_again();
  } else {
    reconnect();
  }
}

void Life::end() {
  if (alive() && store_.is_out() && !rolling_ && chance_.percent(70)) {
    reconnect();
    if (alive() && !closing_) append(chance_.between(1, plan_.most_batch));
  }
  if (alive() && !store_.is_out() && !closed_ && !rolling_ && chance_.percent(45)) close();
  const bool keeps_all = steps_aside_ || chance_.percent(20);
  if (store_.is_off()) ++tally_.cuts;
  trace_.add(store_.is_off() ? "the power has gone" : keeps_all ? "the program ends" : "the power goes");
  ++tally_.ops[static_cast<unsigned>(Op::kReset)];
  writer_.reset();
  store_.power_off(keeps_all);
  if (damaged_) store_.heal(slot_);
  settle();
}

// Compares the files on the medium with the rows that the program knows.
void Life::settle() {
  const std::string complaint = store_.complaint();
  if (!complaint.empty()) fail(Wrong::kCalls, complaint);
  if (fault_) return;
  if (store_.is_full()) ++tally_.full;
  const unsigned next = 1 - slot_;
  Found found[kSlots];
  for (unsigned slot = 0; slot < kSlots; ++slot) {
    if (slot == next && !rolling_) continue;
    Bytes bytes;
    store_.read(slot, bytes);
    ++tally_.images;
    Found& here = found[slot];
    if (!look(slot, {bytes.data(), bytes.size()}, here)) return;
    Log& log = logs_[slot];
    if (chance_.percent(10)) older_ = bytes;
    if (keep_ && !here.empty) keep_({bytes.data(), bytes.size()}, log.rows.data(), here.rows);
    log.become(here, plan_.saves());
  }
  if (rolling_) {
    const unsigned left = found[next].empty ? next : slot_;
    slot_ = 1 - left;
    store_.remove(left);
    logs_[left] = {};
    rolling_ = false;
  }
}

void Life::boot() {
  ++tally_.boots;
  if (boot_ != 0 && plan_.change(boot_)) {
    arena_.resize(plan_.arena_bytes() / 8 + 1);
    trace_.add("the program is another: " + plan_.text());
  }
  damaged_ = steps_aside_ = false;
  Troubles troubles = any_troubles();
  store_.power_on();
  if (chance_.percent(7) || store_.is_full()) {  // the log was fetched and deleted
    store_.remove(slot_);
    log() = {};
  } else if (chance_.percent(15)) {
    store_.change_remains(slot_, chance_);
  }
  if (chance_.percent(5)) damage();
  if (steps_aside_) troubles = {};
  aims_ = !troubles.any();
  // Most programs have begun when it strikes, many have a row.
  const unsigned strikes = chance_.below(10);
  const bool empty = chance_.percent(4);
  if (strikes == 0) store_.strike(troubles);
  over_ = closed_ = closing_ = rolling_ = failed_ = broken_ = false;
  next_row_ = 0;
  now_ms_ = chance_.percent(30) ? (std::uint64_t{1} << 32) - chance_.below(20000) : chance_.below(1U << 31);
  const std::uint64_t rows = tally_.rows;
  over_ = !begin();
  if (!over_) {
    if (strikes != 0 && (strikes < 3 || empty)) store_.strike(troubles);
    const bool key_values = !plan_.hardships.steady && chance_.percent(5);
    if (key_values || !first_key_values_.empty()) ++tally_.key_values_first;
    if (key_values) {
      for (unsigned i = chance_.between(1, 3); i != 0 && alive(); --i) set_key_value();
    }
    if (!empty && plan_.hardships.steady && !troubles.any() && chance_.percent(60)) {
      steady();
    } else if (!empty) {
      if (chance_.percent(95)) append(chance_.between(1, plan_.most_batch));
      if (strikes >= 3) store_.strike(troubles);
      for (unsigned calls = chance_.between(1, plan_.most_calls); calls != 0 && alive(); --calls) {
        step();
        if (closed_ && alive()) {
          if (!steps_aside_ && chance_.percent(40)) {
            roll();
          } else if (!steps_aside_ && chance_.percent(40)) {
            begin_again();
          } else {
            over_ = true;
          }
        }
      }
    }
  }
  if (tally_.rows == rows) ++tally_.without_rows;
  if (!fault_) end();
}

Fault Life::run(unsigned boots) {
  for (boot_ = 0; boot_ < boots && !fault_; ++boot_) {
    trace_.add("boot " + std::to_string(boot_));
    boot();
  }
  ++tally_.lives;
  ++tally_.wrong[static_cast<unsigned>(fault_.wrong)];
  return fault_;
}

}  // namespace lives
