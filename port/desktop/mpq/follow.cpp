#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "commands.h"
#include "microparquet/desktop/files.h"
#include "microparquet/desktop/native_file.h"
#include "microparquet/desktop/program.h"
#include "microparquet/detail/format/magic.h"
#include "parquet_file.h"
#include "read_failure.h"
#include "row_printer.h"
#include "row_source.h"

namespace mpq_tool {

namespace {

using Clock = std::chrono::steady_clock;

// Facts that change when a file is written to: bytes, and when.
using Stamp = std::pair<std::uint64_t, std::int64_t>;

Stamp stamp_of(const std::string& path) {
  const microparquet::desktop::FileState state = microparquet::desktop::state_of(path);
  if (state.kind == microparquet::desktop::FileKind::kNone) {
    throw Failure(path + ": no such file; check the name");
  }
  return {state.bytes, state.changed_ns};
}

class Follower {
 public:
  Follower(const FollowRequest& request, Output& output) : request_(request), output_(output) {}

  void run() {
    microparquet::desktop::note_stop_signals();
    std::optional<Stamp> looked_at;
    while (microparquet::desktop::stop_signal == 0 && !enough()) {
      const Stamp now = stamp_of(request_.path);
      if (now != looked_at) {
        looked_at = now;
        look();
      } else if (unread_.empty() && idle()) {
        return;
      } else if (!unread_.empty() && idle()) {
        throw Failure(unread_);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }

 private:
  bool enough() const { return request_.rows && printed_ >= *request_.rows; }

  bool idle() const {
    return request_.idle_seconds &&
           Clock::now() - last_row_ >= std::chrono::duration<double>(*request_.idle_seconds);
  }

  // Prints what is new. A file that cannot be read is looked at again when it has been written to: its writer
  // may be in the middle of a footer.
  void look() {
    try {
      const InputFile input(request_.path);
      ParquetFile file(input);
      unread_.clear();
      const std::uint64_t rows = file.reader().rows();
      if (!printer_) {
        begin(file, rows);
      }
      if (rows < next_) {
        throw WrongRequest(request_.path + " has fewer rows than before: it was started again");
      }
      if (rows > next_) {
        print(file);
      }
    } catch (const WrongRequest&) {
      throw;
    } catch (const Failure& failure) {
      if (!may_become_readable()) {
        throw;
      }
      unread_ = failure.what();
    }
    output_.flush();
  }

  void print(ParquetFile& file) {
    RowSource source(file, columns_, request_.style);
    source.pass_rows(next_);
    while (microparquet::desktop::stop_signal == 0 && !enough() && source.next()) {
      source.print(*printer_);
      ++next_;
      ++printed_;
      last_row_ = Clock::now();
    }
  }

  void begin(ParquetFile& file, std::uint64_t rows) {
    columns_ = file.columns_named(request_.columns);
    if (columns_.empty()) {
      throw WrongRequest(request_.path + " has no columns, so that no rows of it can be shown");
    }
    printed_columns_ = RowSource(file, columns_, request_.style).columns();  // says what is wrong with them
    next_ = rows > request_.last_rows ? rows - request_.last_rows : 0;
    printer_ = make_row_printer(request_.style.format, printed_columns_, output_);
    printer_->begin();
  }

  // Whether the file is empty, or begins as a Parquet file does.
  bool may_become_readable() const {
    microparquet::desktop::NativeFile file;
    std::uint64_t size = 0;
    char magic[microparquet::format::kMagicBytes] = {};
    using microparquet::Status;
    if (file.open_for_reading(request_.path.c_str()) != Status::kOk || file.size(size) != Status::kOk ||
        size < sizeof magic) {
      return size == 0;
    }
    return file.read_at(0, {reinterpret_cast<std::byte*>(magic), sizeof magic}) == Status::kOk &&
           std::string_view(magic, sizeof magic) == microparquet::format::kMagicText;
  }

  const FollowRequest& request_;
  Output& output_;
  std::vector<Column> columns_;
  std::vector<Column> printed_columns_;
  std::unique_ptr<RowPrinter> printer_;
  std::uint64_t next_ = 0;  // row of the file
  std::uint64_t printed_ = 0;
  std::string unread_;  // why the file could not be read last time; empty: it could
  Clock::time_point last_row_ = Clock::now();
};

}  // namespace

void follow(const FollowRequest& request, Output& output) {
  if (request.path == "-") {
    throw WrongRequest("standard input cannot be followed; give the name of a file");
  }
  Follower(request, output).run();
}

}  // namespace mpq_tool
