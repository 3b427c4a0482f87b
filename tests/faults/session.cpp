#include "session.h"

#include "support/file_view.h"

namespace faults {

using mpq::Status;

namespace {

constexpr unsigned kMsPerRow = 10;
constexpr unsigned kUnsaved = 5;  // rows after the last checkpoint of a file that is cut off
constexpr char kLate[] =
    "a value that is set while the file is being written, and is rather long, so that it is seen "
    "to have its place in the closing footer";

std::size_t arena_bytes(const Workload& workload) {
  return mpq::Writer::required_bytes(workload.schema, workload.options);
}

bool in_place(const Workload& workload) { return workload.options.layout->in_place; }

}  // namespace

Session::Session(const Workload& workload, bool fails_for_good)
    : workload_(workload),
      fails_for_good_(fails_for_good),
      source_(workload),
      arena_((arena_bytes(workload) + 7) / 8),
      batch_(workload) {}

void Session::complain(const std::string& text) {
  if (fault_.empty()) fault_ = text;
}

// True when the call succeeded in the end. Space that a reservation or a footer on its way lacks may be made
// up for by a smaller one, or by the next step; a read that failed, by the same read.
template <typename Call>
bool Session::attempt(const char* name, Call call) {
  constexpr int kTries = 3;
  for (int i = 0; i < kTries; ++i) {
    static_cast<void>(file_->take_failure());
    const Status status = call();
    const Status failure = file_->take_failure();
    const bool takes_space =
        file_->failed_call() != faults::Call::kReadAt && file_->failed_call() != faults::Call::kBarrier;
    const bool made_up_for = (failure == Status::kNoSpace && takes_space) ||
                             (file_->failed_call() == faults::Call::kReadAt && file_->read_again());
    if (status != failure && !(status == Status::kOk && made_up_for)) {
      complain(std::string(name) + " answered \"" + to_string(status) + "\", the file \"" +
               to_string(failure) + "\"");
    }
    if (i != 0 && status != Status::kOk && status != status_) {
      complain(std::string(name) + " answered another status when it was repeated");
    }
    status_ = status;
    if (status == Status::kOk) return true;
  }
  if (!fails_for_good_) complain(std::string(name) + " fails although the file does not");
  return false;
}

// A file whose writer was cut off in the middle of a row group, which tells where it is from.
void Session::leave_file(FaultFile& file) {
  FaultFile earlier(workload_.abilities, {});
  mpq::Writer writer;
  const Workload& w = workload_;
  bool good = writer.open(earlier, w.schema, w.options, arena(), w.first_start) == Status::kOk;
  for (unsigned i = 0; i < w.first_rows && good; ++i) {
    if (i == w.first_rows - kUnsaved && w.options.layout->checkpoints != mpq::CheckpointKind::kNone)
      good = writer.checkpoint() == Status::kOk;
    good = good && writer.append(source_.row(i)) == Status::kOk;
  }
  if (!good || !earlier.breach().empty()) complain("no file to resume");
  file.start_with(earlier.published());
}

Status Session::begin(FaultFile& file) {
  const Workload& w = workload_;
  if (w.first_rows != 0) return writer_.resume(file, w.schema, w.options, arena(), w.start);
  if (w.start.key_values.empty()) return writer_.open(file, w.schema, w.options, arena());
  return writer_.open(file, w.schema, w.options, arena(), w.start);
}

bool Session::append_batch(unsigned begin, unsigned rows) {
  const unsigned end = begin + workload_.batch < rows ? begin + workload_.batch : rows;
  // Repeated with the rows that were not taken.
  return attempt("append_columns",
                 [&] { return batch_.append(writer_, source_, static_cast<unsigned>(writer_.rows()), end); });
}

// Makes checkpoints often where there are saves, and these between them.
bool Session::save_rows(unsigned step) {
  constexpr unsigned kSteps = 5;
  if (!workload_.saves() || step % kSteps != 0) return true;
  if (step / kSteps % 4 == 0) return attempt("checkpoint", [&] { return writer_.checkpoint(); });
  if (!attempt("save", [&] { return writer_.save(); })) return false;
  if (writer_.safe_rows() != writer_.rows()) complain("rows are not safe after a save");
  return true;
}

bool Session::write_rows(unsigned rows) {
  const unsigned step = workload_.batch != 0 ? workload_.batch : 1;
  const auto first = static_cast<unsigned>(writer_.rows());
  for (unsigned i = first; i < rows; i += step) {
    if (!attempt("tick", [&] { return writer_.tick(i * kMsPerRow - 1000); })) return false;
    if (workload_.batch != 0) {
      if (!append_batch(i, rows)) return false;
    } else {
      if (!attempt("append", [&] { return writer_.append(source_.row(i)); })) return false;
    }
    if (!save_rows((i - first) / step + 1)) return false;
    if ((i - first) / step == (rows - first) / step / 3 &&
        !attempt("set_key_value", [&] { return writer_.set_key_value(kLateKey, kLate); }))
      return false;
    if ((i - first) / step == (rows - first) / step * 2 / 3 &&
        !attempt("end_row_group", [&] { return writer_.end_row_group(); }))
      return false;
  }
  return true;
}

Outcome Session::run(FaultFile& file, unsigned rows) {
  file_ = &file;
  writer_.reset();
  Outcome outcome;
  if (workload_.first_rows != 0) {
    leave_file(file);
    outcome.kept = static_cast<unsigned>(view::File(file.published()).rows());
    outcome.rows = outcome.kept;
  }
  outcome.opened = attempt("open", [&] { return begin(file); });
  outcome.closed = status_;
  if (outcome.opened) {
    if (!write_rows(rows)) outcome.stopped = status_;
    outcome.rows = static_cast<unsigned>(writer_.rows());
    attempt("close", [&] { return writer_.close(); });
    outcome.closed = status_;
    if (status_ == Status::kOk && writer_.file_bytes() != file.contents().size())
      complain("file_bytes() is wrong");
    const bool late = outcome.stopped == Status::kOk && status_ == Status::kOk;
    if (late && view::File(file.contents()).key_value(kLateKey) != kLate)
      complain("what was set late is missing");
    if (writer_.rows() != outcome.rows) complain("close() changed the number of rows");
  }
  if (outcome.closed == Status::kOk && writer_.close() != Status::kWrongState) complain("close() twice");
  if (in_place(workload_) && !file.breach().empty()) complain("the file was misused: " + file.breach());
  outcome.fault = fault_;
  return outcome;
}

}  // namespace faults
