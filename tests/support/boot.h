// A boot, from power on to power off: a writer that continues the file that exists.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "microparquet/file.h"
#include "support/forwarding_file.h"
#include "support/rows.h"

namespace filesystems {

// Knows which sizes are published.
class WatchedFile final : public support::ForwardingFile {
 public:
  using ForwardingFile::ForwardingFile;

  mpq::Status sync(std::uint64_t size) override {
    return publish(size, [&] { return ForwardingFile::sync(size); });
  }
  mpq::Status shrink(std::uint64_t size) override {
    return publish(size, [&] { return ForwardingFile::shrink(size); });
  }

  std::uint64_t published() const { return published_; }
  // The size that a call still running may have published; published() if there is none.
  std::uint64_t publishing() const { return publishing_; }

 private:
  template <typename Call>
  mpq::Status publish(std::uint64_t size, Call call) {
    publishing_ = size;
    const mpq::Status status = call();
    if (status == mpq::Status::kOk) published_ = size;
    return status;
  }

  std::uint64_t published_ = 0;
  std::uint64_t publishing_ = 0;
};

// Habits of a boot that logs.
struct Habit {
  std::uint32_t rows = 0;
  std::uint32_t checkpoint_rows = 0;  // checkpoint() after that many; 0: none
  std::uint32_t ms_per_row = 0;       // for tick(), before each row; 0: no ticks
  bool close = true;
};

template <typename Kind>
class Boot {
 public:
  explicit Boot(std::uint32_t number) : number_(number) { writer().reset(); }

  mpq::Status resume(mpq::File& file) {
    const mpq::Status status = writer().resume(file);
    earlier_ = status == mpq::Status::kOk ? writer().rows() : 0;
    return status;
  }

  // Logs until it is done or a call fails.
  mpq::Status log(const Habit& habit) {
    mpq::Status status = mpq::Status::kOk;
    for (std::uint32_t i = 0; i < habit.rows && status == mpq::Status::kOk; ++i) {
      if (habit.ms_per_row != 0) status = writer().tick(i * habit.ms_per_row);
      if (status == mpq::Status::kOk) status = append();
      const bool due = habit.checkpoint_rows != 0 && (i + 1) % habit.checkpoint_rows == 0;
      if (status == mpq::Status::kOk && due) status = writer().checkpoint();
    }
    if (status == mpq::Status::kOk && habit.close) status = writer().close();
    return status;
  }

  mpq::Status append() {
    ++offered_;
    const mpq::Status status = writer().append(Kind::make(row_id(number_, offered_ - 1)));
    if (status != mpq::Status::kOk) --offered_;
    return status;
  }

  // Rows of this boot that the file must have, and those that it may have.
  std::uint32_t durable() const {
    return static_cast<std::uint32_t>((std::max)(writer().durable_rows(), earlier_) - earlier_);
  }
  std::uint32_t offered() const { return offered_; }
  std::uint32_t number() const { return number_; }

  static auto& writer() {
    static mpq::StaticWriter<Kind::kSchema, Kind::kOptions> writer;  // NOLINT(*-dynamic-static-initializers)
    return writer;
  }

 private:
  std::uint32_t number_;
  std::uint32_t offered_ = 0;
  std::uint64_t earlier_ = 0;
};

using History = std::vector<Logged>;

// The outcome of a boot, and the knowledge of its file.
struct Outcome {
  mpq::Status status = mpq::Status::kOk;
  std::uint32_t durable = 0;
  std::uint32_t offered = 0;
  std::uint64_t published = 0;
  std::uint64_t publishing = 0;

  template <typename Kind>
  void take(const Boot<Kind>& boot, const WatchedFile& file) {
    durable = boot.durable();
    offered = boot.offered();
    published = file.published();
    publishing = file.publishing();
  }
};

constexpr mpq::ReaderOptions reader_options() {
  mpq::ReaderOptions options;
  options.checksum = kChecksum;
  return options;
}
inline constexpr mpq::ReaderOptions kReaderOptions = reader_options();

// Reads a file: each boot's rows must be there from the first one on. Empty, and `found` says which there
// are; or what is wrong.
template <typename Kind>
std::string read_log(mpq::File& file, History& found) {
  static mpq::StaticReader<Kind::kSchema, kReaderOptions> reader;  // NOLINT(*-dynamic-static-initializers)
  found.clear();
  mpq::Status status = reader.open(file);
  typename Kind::Row row = {};
  while (status == mpq::Status::kOk && (status = reader.next(row)) == mpq::Status::kOk) {
    const auto id = static_cast<std::uint64_t>(row.id);
    const auto boot = static_cast<std::uint32_t>(id >> 32);
    if (found.empty() || found.back().boot != boot) found.push_back({boot, 0});
    if (static_cast<std::uint32_t>(id) != found.back().rows) return "rows are missing in between";
    if (!Kind::equal(row, Kind::make(row.id))) return "a row is not as it was logged";
    ++found.back().rows;
  }
  return status == mpq::Status::kEnd ? std::string() : std::string("the reader: ") + to_string(status);
}

// Whether `found` is `before` and then at least `least` and at most `most` rows of a boot.
inline std::string compare(const History& found, const History& before, std::uint32_t boot,
                           std::uint32_t least, std::uint32_t most) {
  History expected = before;
  const bool more = found.size() == before.size() + 1;
  const std::uint32_t rows = more ? found.back().rows : 0;
  if (more) expected.push_back({boot, rows});
  const bool same =
      found.size() == expected.size() &&
      std::equal(found.begin(), found.end(), expected.begin(),
                 [](const Logged& a, const Logged& b) { return a.boot == b.boot && a.rows == b.rows; });
  if (!same) return "other rows than were logged";
  if (rows < least) return std::to_string(rows) + " rows, but " + std::to_string(least) + " were durable";
  return rows <= most ? std::string() : "more rows than were logged";
}

}  // namespace filesystems
