// Functions of a log over a sequence of files, for C.
#include "microparquet/c/rolling.h"

#include <cstddef>
#include <cstdint>
#include <new>

#include "c/c_writer.h"
#include "c/convert.h"
#include "microparquet/rolling.h"

const mpq_roll_limits mpq_default_roll_limits = {
    microparquet::RollLimits().bytes, microparquet::RollLimits().ms, microparquet::RollLimits().failures};

namespace microparquet::c {

namespace {

// Row of C, a struct of the caller.
struct RowOfC {
  const void* bytes;
};

// Writer of rows of C.
class WriterOfC {
 public:
  using Row = RowOfC;

  explicit WriterOfC(mpq_writer& writer) : writer_(&writer) {}

  Status append(const RowOfC& row) { return static_cast<Status>(mpq_writer_append(writer_, row.bytes)); }
  Status tick(std::uint32_t now_ms) { return inner().tick(now_ms); }
  Status checkpoint() { return inner().checkpoint(); }
  Status save() { return inner().save(); }
  Status close() { return inner().close(); }
  Status roll(File& next) { return inner().roll(next); }
  void leave() { inner().leave(); }
  std::uint64_t rows() const { return inner().rows(); }
  std::uint64_t durable_rows() const { return inner().durable_rows(); }
  std::uint64_t bytes_so_far() const { return inner().bytes_so_far(); }

 private:
  Writer& inner() const { return from_c(*writer_).writer; }

  mpq_writer* writer_;
};

// Sequence of files by functions of the caller.
class SequenceOfC final : public FileSequence {
 public:
  explicit SequenceOfC(const mpq_file_sequence& files) : files_(files) {}

  Status next(File*& file) override { return call(files_.next, file); }
  Status again(File*& file) override {
    return call(files_.again != nullptr ? files_.again : files_.next, file);
  }

 private:
  Status call(mpq_status (*function)(void*, mpq_file**), File*& file) {
    mpq_file* made = nullptr;
    const auto status = static_cast<Status>(function(files_.context, &made));
    if (status == Status::kOk && made == nullptr) return Status::kInvalidArgument;
    if (status == Status::kOk) file = &from_c(*made);
    return status;
  }

  const mpq_file_sequence& files_;
};

RollLimits limits_of(const mpq_roll_limits& limits) {
  RollLimits made;
  made.bytes = limits.bytes;
  made.ms = limits.ms;
  made.failures = limits.failures;
  return made;
}

// Contents of an mpq_rolling; all zeros before it is made.
struct CRolling {
  CRolling(mpq_writer& c_writer, const mpq_file_sequence& c_files, const mpq_roll_limits& limits)
      : writer(c_writer), files(c_files), log(writer, files, limits_of(limits)) {}

  bool is_made = true;
  WriterOfC writer;
  SequenceOfC files;
  RollingWriter<WriterOfC> log;
};
static_assert(sizeof(CRolling) <= sizeof(mpq_rolling) && alignof(CRolling) <= alignof(mpq_rolling));

const CRolling* find(const mpq_rolling* log) {
  if (log == nullptr) return nullptr;
  const auto* const here = reinterpret_cast<const CRolling*>(log);
  return here->is_made ? here : nullptr;
}

// Calls a function with the log.
template <typename Call>
mpq_status with_log(mpq_rolling* log, Call call) {
  if (log == nullptr) return MPQ_INVALID_ARGUMENT;
  CRolling* const here = const_cast<CRolling*>(find(log));
  return here != nullptr ? to_c(call(here->log)) : MPQ_WRONG_STATE;
}

}  // namespace

}  // namespace microparquet::c

using microparquet::Status;
using Log = microparquet::RollingWriter<microparquet::c::WriterOfC>;
using microparquet::c::with_log;

mpq_status mpq_rolling_make(mpq_rolling* log, mpq_writer* writer, const mpq_file_sequence* files,
                            const mpq_roll_limits* limits) {
  if (log == nullptr || writer == nullptr || files == nullptr || files->next == nullptr)
    return MPQ_INVALID_ARGUMENT;
  if (microparquet::c::from_c(*writer).fields == nullptr) return MPQ_WRONG_STATE;
  new (log->storage)
      microparquet::c::CRolling(*writer, *files, limits != nullptr ? *limits : mpq_default_roll_limits);
  return MPQ_OK;
}

mpq_status mpq_rolling_append(mpq_rolling* log, const void* row) {
  if (row == nullptr) return MPQ_INVALID_ARGUMENT;
  return with_log(log, [row](Log& here) { return here.append(microparquet::c::RowOfC{row}); });
}

mpq_status mpq_rolling_tick(mpq_rolling* log, std::uint32_t now_ms) {
  return with_log(log, [now_ms](Log& here) { return here.tick(now_ms); });
}

mpq_status mpq_rolling_checkpoint(mpq_rolling* log) {
  return with_log(log, [](Log& here) { return here.checkpoint(); });
}

mpq_status mpq_rolling_save(mpq_rolling* log) {
  return with_log(log, [](Log& here) { return here.save(); });
}

mpq_status mpq_rolling_roll(mpq_rolling* log) {
  return with_log(log, [](Log& here) { return here.roll(); });
}

mpq_status mpq_rolling_leave_file(mpq_rolling* log) {
  return with_log(log, [](Log& here) {
    here.leave_file();
    return Status::kOk;
  });
}

bool mpq_rolling_is_between_files(const mpq_rolling* log) {
  const auto* const here = microparquet::c::find(log);
  return here != nullptr && here->log.is_between_files();
}

bool mpq_rolling_is_resting(const mpq_rolling* log) {
  const auto* const here = microparquet::c::find(log);
  return here != nullptr && here->log.is_resting();
}

std::uint64_t mpq_rolling_lost_rows(const mpq_rolling* log) {
  const auto* const here = microparquet::c::find(log);
  return here != nullptr ? here->log.lost_rows() : 0;
}
