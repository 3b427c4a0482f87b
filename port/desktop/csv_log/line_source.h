// Lines of the input, and a look at the first of them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microparquet/desktop/failure.h"

namespace csv_log {

// Why the program ends early.

using microparquet::desktop::Failure;

enum class LineResult : std::uint8_t {
  kLine,
  kEnd,
  kFailed,  // error() says why; EINTR: a signal came while it waited
};

// Gives lines, one after another.
class Lines {
 public:
  Lines() = default;
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;
  virtual ~Lines() = default;

  // The next line with its end, which the last one may lack. Valid until the next call.
  virtual LineResult next(std::string_view& line) = 0;
  // "-": standard input.
  virtual const std::string& path() const = 0;
};

// Lines of a file, a pipe or a terminal.
class LineSource : public Lines {
 public:
  // `path` "-" is standard input. Throws Failure.
  explicit LineSource(const std::string& path);
  ~LineSource() override;

  LineResult next(std::string_view& line) override;

  // Shows up to `lines` of the next lines, without taking them. It shows fewer when the input ends or fails before, when they
  // have more bytes than a beginning should, or when there are two and `patience` is over since the first. Valid until the next
  // call.
  std::vector<std::string_view> peek(std::size_t lines, std::chrono::milliseconds patience);
  // Whether peek() has shown all there is.
  bool has_ended() const { return ended_; }
  // Whether next() has a whole line without reading.
  bool holds_line() const { return lines_held() != 0; }

  const std::string& path() const override { return path_; }

  // errno of the read that failed.
  int error() const { return error_; }

  // Calls `idle` every few milliseconds while there is nothing to read; when it returns false, next() fails
  // with EINTR.
  void while_waiting(std::function<bool()> idle) { idle_ = std::move(idle); }

  // Whether rewind() works: it is a file on a disk.
  bool can_rewind() const { return can_rewind_; }
  // Begins again with the first line. Throws Failure.
  void rewind();

  // Size of a file on a disk; otherwise 0.
  std::uint64_t bytes() const { return bytes_; }
  // Whether `path` is the same file.
  bool is(const std::string& path) const;

 private:
  LineResult read_more();
  bool wait();
  std::size_t lines_held() const;

  std::string path_;
  int descriptor_;
  int error_ = 0;
  bool failed_ = false;
  bool ended_ = false;
  bool can_rewind_ = false;
  std::uint64_t bytes_ = 0;
  std::function<bool()> idle_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // begin of the bytes that are not yet given out
  std::size_t end_ = 0;
};

// Lines that were shown before.
class ShownLines : public Lines {
 public:
  // `lines` must stay.
  ShownLines(const std::vector<std::string_view>& lines, std::string path)
      : lines_(lines), path_(std::move(path)) {}

  LineResult next(std::string_view& line) override {
    if (taken_ == lines_.size()) {
      return LineResult::kEnd;
    }
    line = lines_[taken_++];
    return LineResult::kLine;
  }
  const std::string& path() const override { return path_; }

 private:
  const std::vector<std::string_view>& lines_;
  std::string path_;
  std::size_t taken_ = 0;
};

}  // namespace csv_log
