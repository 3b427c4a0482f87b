// Lines of a file, a pipe or a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace csv_log {

enum class LineResult : std::uint8_t {
  kLine,
  kEnd,
  kFailed,  // error() says why; EINTR: a signal came while it waited
};

class LineSource {
 public:
  // `path` "-" is standard input. Throws Failure.
  explicit LineSource(const std::string& path);
  LineSource(const LineSource&) = delete;
  LineSource& operator=(const LineSource&) = delete;
  ~LineSource();

  // The next line with its end, which the last one may lack. Valid until the next call.
  LineResult next(std::string_view& line);

  // Up to `lines` of the next lines, without taking them. Fewer when the input ends or fails before, or when they have more
  // bytes than a beginning should. Valid until the next call.
  std::vector<std::string_view> peek(std::size_t lines);

  // "-": standard input.
  const std::string& path() const { return path_; }

  // errno of the read that failed.
  int error() const { return error_; }

  // Calls `idle` every few milliseconds while there is nothing to read; when it returns false, next() fails
  // with EINTR.
  void while_waiting(std::function<bool()> idle) { idle_ = std::move(idle); }

  // Whether rewind() works: it is a file on a disk.
  bool can_rewind() const { return can_rewind_; }
  // Begins again with the first line. Throws Failure.
  void rewind();

  // Of a file on a disk; else 0.
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
  bool can_rewind_ = false;
  std::uint64_t bytes_ = 0;
  std::function<bool()> idle_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // of what is not yet given out
  std::size_t end_ = 0;
};

}  // namespace csv_log
