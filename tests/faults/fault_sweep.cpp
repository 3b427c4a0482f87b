// Makes every call of the file fail in turn while a workload is written, and the medium end at every size.
//
//   fault_sweep --list                      names the workloads
//   fault_sweep WORKLOAD FOLDER [EVERY]     sweeps one; with EVERY, each EVERY-th call only
//
// Prints a line a sweep that begins with "ok" or "FAILED". FOLDER gets each distinct image that a run left
// closed, a manifest ("FILE ROWS" a line), and the workload's rows in expected.txt, for checking by a program
// that knows nothing of this one.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include "expected_rows.h"
#include "fault_file.h"
#include "image_check.h"
#include "session.h"
#include "support/file_view.h"
#include "workload.h"

namespace {

using faults::Call;
using faults::Extent;
using faults::Fault;
using faults::FaultFile;
using faults::Outcome;
using faults::Session;
using faults::Workload;
using microparquet::Status;
namespace fs = std::filesystem;

std::uint64_t hash_of(microparquet::Span<const std::byte> bytes) {
  std::uint64_t hash = 14695981039346656037U;
  for (const std::byte byte : bytes) hash = (hash ^ static_cast<std::uint64_t>(byte)) * 1099511628211U;
  return hash;
}

// Runs of one workload, and the images they leave.
class Sweeper {
 public:
  Sweeper(const Workload& workload, fs::path folder, unsigned every)
      : workload_(workload), folder_(std::move(folder)), every_(every) {
    fs::create_directories(folder_);
    manifest_ = std::fopen((folder_ / "manifest.txt").c_str(), "w");
  }
  ~Sweeper() { std::fclose(manifest_); }
  Sweeper(const Sweeper&) = delete;
  Sweeper& operator=(const Sweeper&) = delete;

  bool run();

 private:
  bool undisturbed();
  void sweep(const Fault& kind);
  void capacity_sweep();
  std::string judge(const FaultFile& file, const Outcome& outcome, const Fault& fault);
  std::string judge_closed(const FaultFile& file, const Outcome& outcome, const Fault& fault);
  std::string judge_left(const FaultFile& file, const Outcome& outcome);
  std::string keep_image(microparquet::Span<const std::byte> image, unsigned rows);
  std::string use_again(Session& session);
  void report(const std::string& name, unsigned runs, const std::string& fault);

  bool in_place() const { return workload_.options.layout->in_place; }

  const Workload& workload_;
  fs::path folder_;
  unsigned every_;
  std::FILE* manifest_;
  std::uint64_t reference_ = 0;        // hash of the undisturbed file
  std::size_t reference_bytes_ = 0;    // its size
  std::uint64_t short_reference_ = 0;  // and of one with a few rows
  std::set<std::uint64_t> images_;     // closed ones that have been kept
  std::set<std::uint64_t> left_;       // published ones that have been checked
  bool passed_ = true;
};

constexpr unsigned kFewRows = 20;      // besides those of a file that is resumed
constexpr unsigned kByCapacity = ~0U;  // for Fault::nth: the medium is too small

void Sweeper::report(const std::string& name, unsigned runs, const std::string& fault) {
  passed_ = passed_ && fault.empty();
  std::printf("%s: %.*s: %s, %u runs%s%s\n", fault.empty() ? "ok" : "FAILED",
              static_cast<int>(workload_.name.size()), workload_.name.data(), name.c_str(), runs,
              fault.empty() ? "" : ": ", fault.c_str());
  std::fflush(stdout);
}

// Checks an image that has not been seen before, and leaves it to the other checker.
std::string Sweeper::keep_image(microparquet::Span<const std::byte> image, unsigned rows) {
  if (!images_.insert(hash_of(image)).second) return {};
  const std::string name = std::to_string(images_.size()) + ".parquet";
  std::FILE* const out = std::fopen((folder_ / name).c_str(), "wb");
  const bool written = out != nullptr && std::fwrite(image.data(), 1, image.size(), out) == image.size();
  if (out != nullptr) std::fclose(out);
  if (!written) return "cannot write " + name;
  std::fprintf(manifest_, "%s %u\n", name.c_str(), rows);
  const std::string fault = check_image(workload_, image, rows);
  return fault.empty() ? fault : name + ": " + fault;
}

// A failure that went by, repeated, leaves no trace in the file, but for a segment that had to be smaller, and for the
// numbers of slots that were emptied once more when a file was resumed, and of tails and saves: one that is written once more
// lies in another place.
std::string Sweeper::judge_closed(const FaultFile& file, const Outcome& outcome, const Fault& fault) {
  const bool smaller_segment = fault.call == Call::kReserve && fault.status == Status::kNoSpace;
  const bool renumbered =
      (workload_.first_rows != 0 || workload_.saves()) && file.contents().size() == reference_bytes_;
  if (!fault.permanent && !smaller_segment && !renumbered && hash_of(file.contents()) != reference_) {
    keep_image(file.contents(), outcome.rows);
    return "the file is not as if nothing had failed";
  }
  return keep_image(file.contents(), outcome.rows);
}

// In place, and with saves, what the file system knows of a file that could not be closed is a Parquet file of the
// rows up to its last footer.
std::string Sweeper::judge_left(const FaultFile& file, const Outcome& outcome) {
  const auto image = file.published();
  if ((!in_place() && !workload_.saves_stream()) || image.empty() || !left_.insert(hash_of(image)).second)
    return {};
  const view::File view(image);
  const std::int64_t rows = view.whole() ? view.rows() : 0;
  if (rows > outcome.rows) return "the file left behind has more rows than were taken";
  if (rows < outcome.kept) return "durable rows are lost";
  const std::string fault = check_image(workload_, image, static_cast<unsigned>(rows));
  return fault.empty() ? fault : "the file left behind: " + fault;
}

std::string Sweeper::judge(const FaultFile& file, const Outcome& outcome, const Fault& fault) {
  if (!outcome.fault.empty()) return outcome.fault;
  if (outcome.closed == Status::kOk) {
    if (outcome.stopped == Status::kOk && outcome.rows != workload_.rows) return "rows are missing";
    return judge_closed(file, outcome, fault);
  }
  if (!fault.permanent) return "not closed";
  // close() needs space that the writer reserved when the row group began, or with the first row of a resumed
  // file. A file without shrink() reserves that space once more, and a medium that is merely full grants it.
  const bool only_full = fault.status == Status::kNoSpace && fault.call == Call::kReserve &&
                         (workload_.abilities.shrink || fault.nth == kByCapacity);
  const bool reserved = outcome.opened && (workload_.first_rows == 0 || outcome.rows > outcome.kept);
  if (only_full && in_place() && reserved) return "not closed although the footer's space was reserved";
  return judge_left(file, outcome);
}

// A writer that was given up writes the next file as any other.
std::string Sweeper::use_again(Session& session) {
  FaultFile file(workload_.abilities, {});
  const Outcome outcome = session.run(file, workload_.first_rows + kFewRows);
  if (!outcome.fault.empty()) return outcome.fault;
  if (short_reference_ == 0) short_reference_ = hash_of(file.contents());
  return hash_of(file.contents()) == short_reference_ ? "" : "the writer's next file is another than usual";
}

void Sweeper::sweep(const Fault& kind) {
  Fault fault = kind;
  std::string wrong;
  unsigned runs = 0;
  for (fault.nth = 0; wrong.empty(); fault.nth += every_) {
    FaultFile file(workload_.abilities, fault);
    Session session(workload_, fault.permanent);
    const Outcome outcome = session.run(file, workload_.rows);
    if (file.calls(fault.call) <= fault.nth) break;
    ++runs;
    wrong = judge(file, outcome, fault);
    if (wrong.empty() && fault.permanent) wrong = use_again(session);
    if (!wrong.empty()) wrong = "call " + std::to_string(fault.nth) + ": " + wrong;
  }
  const std::string name = std::string(to_string(fault.call)) + " fails" +
                           (fault.permanent ? " for good" : " once") + " with \"" + to_string(fault.status) +
                           "\", having done " + to_string(fault.extent);
  report(name, runs, wrong);
}

// Nothing changes between two sizes that refuse the same calls: the next one to try is the least that was
// refused.
void Sweeper::capacity_sweep() {
  Fault full;
  full.call = Call::kReserve;
  full.status = Status::kNoSpace;
  full.permanent = true;
  full.nth = kByCapacity;
  std::string wrong;
  unsigned runs = 0;
  for (std::uint64_t capacity = 0; wrong.empty() && capacity != FaultFile::kUnlimited;) {
    FaultFile file(workload_.abilities, {}, capacity);
    Session session(workload_, true);
    const Outcome outcome = session.run(file, workload_.rows);
    ++runs;
    wrong = judge(file, outcome, full);
    if (!wrong.empty()) wrong = "capacity " + std::to_string(capacity) + ": " + wrong;
    capacity = file.least_refused();
  }
  report("the medium is full at every size", runs, wrong);
}

bool Sweeper::undisturbed() {
  if (!faults::write_expected_rows(folder_ / "expected.txt", workload_, 0, workload_.rows)) return false;
  FaultFile file(workload_.abilities, {});
  Session session(workload_, false);
  const Outcome outcome = session.run(file, workload_.rows);
  reference_ = hash_of(file.contents());
  reference_bytes_ = file.contents().size();
  const std::string wrong = judge(file, outcome, {});
  std::string calls = "nothing fails; calls:";
  for (std::size_t i = 0; i < faults::kCalls; ++i) {
    const auto call = static_cast<Call>(i);
    calls += std::string(" ") + to_string(call) + " " + std::to_string(file.calls(call));
  }
  report(calls, 1, wrong);
  return wrong.empty();
}

bool Sweeper::run() {
  if (!undisturbed()) return false;
  for (const Call call : {Call::kSize, Call::kReadAt, Call::kWriteAt, Call::kReserve, Call::kBarrier,
                          Call::kSync, Call::kShrink}) {
    const bool moves = call == Call::kReadAt || call == Call::kWriteAt;
    const bool takes_space = call == Call::kWriteAt || call == Call::kReserve || call == Call::kSync;
    for (const bool permanent : {false, true}) {
      for (const Status status : {Status::kIoError, Status::kNoSpace}) {
        if (status == Status::kNoSpace && !takes_space) continue;
        for (const Extent extent : {Extent::kNothing, Extent::kPart, Extent::kAll}) {
          if (extent == Extent::kPart && !moves) continue;
          if (extent != Extent::kNothing && call == Call::kSize) continue;
          Fault fault;
          fault.call = call;
          fault.status = status;
          fault.extent = extent;
          fault.permanent = permanent;
          sweep(fault);
        }
      }
    }
  }
  capacity_sweep();
  return passed_;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  for (const Workload& workload : faults::workloads()) {
    if (name == "--list") {
      std::printf("%.*s\n", static_cast<int>(workload.name.size()), workload.name.data());
    } else if (argc > 2 && name == workload.name) {
      const long every = argc > 3 ? std::strtol(argv[3], nullptr, 10) : 1;
      return Sweeper(workload, argv[2], every > 0 ? static_cast<unsigned>(every) : 1).run() ? 0 : 1;
    }
  }
  if (name == "--list") return 0;
  std::fputs("usage: fault_sweep --list | WORKLOAD FOLDER [EVERY]\n", stderr);
  return 2;
}
