#include "microparquet/retention.h"

namespace microparquet {

namespace {

// Dates before that are of clocks that were not set: no earlier version of this library has written files.
constexpr std::int64_t kFirstDate = 1'767'225'600;  // 2026-01-01

bool is_date(std::int64_t unix_s) { return unix_s >= kFirstDate; }

}  // namespace

void Retention::restart() {
  phase_ = Phase::kIdle;
  recounts_ = asks_age_ = true;
  demanded_ = exhausted_ = false;
  foreign_ = 0;
  left_alone_ = 0;
  session_ = split_ = ~std::uint32_t{0};
  checked_ms_ -= kCheckMs;
}

void Retention::begin_file(std::uint32_t session, std::uint32_t split) {
  session_ = session;
  split_ = split;
  phase_ = Phase::kIdle;
  recounts_ = asks_age_ = true;
  exhausted_ = false;
  foreign_ = 0;
  left_alone_ = 0;
  checked_ms_ -= kCheckMs;  // now
}

// Returns how old a file is among the others. The file being written comes last, and first what has greater
// numbers: those were there before the numbers started again.
std::uint64_t Retention::rank(std::uint32_t session, std::uint32_t split) const {
  const std::uint32_t after = session == session_ ? split - split_ - 1 : split;
  return std::uint64_t{session - session_ - 1} << 32 | after;
}

Status Retention::step(std::uint32_t now_ms) {
  if (!drops()) return Status::kOk;
  if (phase_ == Phase::kIdle) {
    if (exhausted_ || now_ms - checked_ms_ < kCheckMs) return Status::kOk;
    checked_ms_ = now_ms;
    begin_round();
  }
  return work();
}

Status Retention::make_space(bool& is_done) {
  is_done = false;
  if (!drops() || exhausted_) return Status::kNoSpace;
  const bool removes = phase_ == Phase::kRemoval || phase_ == Phase::kProof;
  if (!demanded_ && !removes) begin_walk(false);
  demanded_ = is_due_ = true;
  const std::uint32_t before = removed_;
  const Status status = work();
  is_done = removed_ != before;
  if (is_done || exhausted_) demanded_ = false;
  return status == Status::kOk && exhausted_ ? Status::kNoSpace : status;
}

void Retention::begin_round() {
  if (has_totals() && recounts_) return begin_walk(true);
  phase_ = Phase::kSpace;
  free_ = 0;
}

void Retention::begin_walk(bool counts) {
  counts_ = counts;
  floor_ = left_alone_;
  phase_ = Phase::kSessions;
  listed_ = false;
  if (!counts) return;
  files_ = 0;
  bytes_ = 0;
}

Status Retention::work() {
  switch (phase_) {
    case Phase::kIdle: return Status::kOk;
    case Phase::kSpace: return count_space();
    case Phase::kSessions: return look_at_sessions();
    case Phase::kFiles: return look_at_files();
    case Phase::kProof: return prove();
    case Phase::kRemoval: return remove();
    case Phase::kEmptySession: return remove_session();
  }
  return Status::kOk;
}

bool Retention::is_over() const {
  return has_totals() && !recounts_ &&
         ((limits_.files != 0 && files_ >= limits_.files) || (limits_.bytes != 0 && bytes_ > limits_.bytes));
}

bool Retention::is_old() const {
  return asks_age_ && limits_.age_s != 0 && is_date(unix_s_) && is_date(found_.written_s) &&
         unix_s_ - found_.written_s > std::int64_t{limits_.age_s};
}

Status Retention::count_space() {
  bool is_done = true;
  Status status = Status::kUnsupported;
  if (limits_.low_water != 0) status = folder_.count_free(limits_.low_water, free_, is_done);
  if (status == Status::kUnsupported) {
    free_ = limits_.low_water;
    is_done = true;
  } else if (status != Status::kOk) {
    return status;
  }
  if (is_done) decide();
  return Status::kOk;
}

void Retention::decide() {
  is_due_ = demanded_ || free_ < limits_.low_water || is_over();
  phase_ = Phase::kIdle;
  if (is_due_ || (asks_age_ && limits_.age_s != 0 && is_date(unix_s_))) begin_walk(false);
}

// Finds the oldest session from the floor on.
Status Retention::look_at_sessions() {
  if (!listed_) {
    if (const Status status = folder_.list_sessions(); status != Status::kOk) return status;
    listed_ = true;
    has_found_ = false;
  }
  for (unsigned i = 0; i < kEntriesAtATime; ++i) {
    std::uint32_t session = 0;
    const Status status = folder_.next_session(session);
    if (status == Status::kEnd) {
      listed_ = has_entries_ = false;
      phase_ = Phase::kFiles;
      if (!has_found_) end_walk();
      return Status::kOk;
    }
    if (status != Status::kOk) {
      listed_ = false;
      return status;
    }
    const std::uint64_t at = rank(session, 0) >> 32;
    if (session == 0 || at < floor_ >> 32 || (has_found_ && at >= least_)) continue;
    has_found_ = true;
    least_ = at;
    found_ = {};
    found_.session = session;
  }
  return Status::kOk;
}

// Adds up the session's files, or finds the oldest one from the floor on.
Status Retention::look_at_files() {
  const std::uint32_t session = found_.session;
  if (!listed_) {
    if (const Status status = folder_.list_files(session); status != Status::kOk) return failed(status);
    listed_ = true;
    has_found_ = false;
  }
  for (unsigned i = 0; i < kEntriesAtATime; ++i) {
    LogFile file;
    const Status status = folder_.next_file(file);
    if (status == Status::kEnd) {
      end_files();
      return Status::kOk;
    }
    if (status != Status::kOk) return failed(status);
    has_entries_ = true;
    const std::uint64_t at = rank(session, file.split);
    if (file.split == 0 || at == ~std::uint64_t{0}) continue;  // the latter is being written
    if (at < floor_) continue;
    if (counts_) {
      ++files_;
      bytes_ += file.bytes;
      continue;
    }
    if (has_found_ && at >= least_) continue;
    has_found_ = true;
    least_ = at;
    found_ = file;
    found_.session = session;
  }
  return Status::kOk;
}

void Retention::end_files() {
  listed_ = false;
  const bool is_current = found_.session == session_;
  if (!counts_ && has_found_) {
    phase_ = Phase::kProof;
  } else if (!counts_ && !has_entries_ && !is_current) {
    phase_ = Phase::kEmptySession;
  } else {
    leave_session();
  }
}

void Retention::leave_session() {
  listed_ = false;
  if (found_.session == session_) return end_walk();
  floor_ = ((rank(found_.session, 0) >> 32) + 1) << 32;
  phase_ = Phase::kSessions;
}

void Retention::end_walk() {
  phase_ = Phase::kIdle;
  if (counts_) {
    recounts_ = false;
    return begin_round();
  }
  exhausted_ = is_due_;
  asks_age_ = false;
}

Status Retention::prove() {
  File* file = nullptr;
  bool is_own = false;
  Status status = folder_.open_file(found_, file);
  if (status == Status::kOk) status = is_own_file(*file, folder_, found_, is_own);
  folder_.close_file();
  if (status == Status::kMediumLost) return status;
  if (status != Status::kOk || !is_own) {
    leave_alone();
    return Status::kOk;
  }
  phase_ = Phase::kRemoval;
  if (is_due_ || is_old()) return Status::kOk;
  phase_ = Phase::kIdle;
  asks_age_ = false;
  return Status::kOk;
}

// Files of others count against no limit: whether one is reached is decided again.
void Retention::leave_alone() {
  ++foreign_;
  floor_ = left_alone_ = rank(found_.session, found_.split) + 1;
  forget_file();
  if (!demanded_) return begin_round();
  phase_ = Phase::kFiles;
  listed_ = false;
}

void Retention::forget_file() {
  if (recounts_) return;
  --files_;
  bytes_ -= found_.bytes;
}

Status Retention::remove() {
  bool is_done = false;
  const Status status = folder_.remove_file(found_, is_done);
  if (status == Status::kMediumLost) return status;
  if (status != Status::kOk) {
    leave_alone();
    return status;
  }
  if (!is_done) return Status::kOk;
  ++removed_;
  forget_file();
  if (!is_due_) asks_age_ = false;
  begin_round();
  return Status::kOk;
}

Status Retention::remove_session() {
  const Status status = folder_.remove_session(found_.session);
  if (status == Status::kMediumLost) return status;
  leave_session();
  return status == Status::kUnsupported ? Status::kOk : status;
}

// Leaves a session alone whose folder cannot be read. A count that a lost medium has interrupted starts again.
Status Retention::failed(Status status) {
  listed_ = false;
  if (status != Status::kMediumLost) {
    leave_session();
  } else if (counts_) {
    begin_walk(true);
  }
  return status;
}

}  // namespace microparquet
