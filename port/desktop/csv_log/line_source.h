// Lines of the input, and a look at the first of them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microparquet/desktop/failure.h"
#include "microparquet/desktop/files.h"
#include "utf16.h"

namespace csv_log {

namespace desktop = microparquet::desktop;

// Why the program ends early.
using desktop::Failure;

// Text is no UTF-8, and may be Latin-1.
class NotUtf8 : public Failure {
 public:
  using Failure::Failure;
};

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

// A part of a file.
struct FilePart {
  std::uint64_t begin_byte = 0;
  std::uint64_t end_byte = UINT64_MAX;
  std::uint64_t lines_before = 0;  // lines that end before it begins
};

// Lines of a file, a pipe or a terminal, in UTF-8; of UTF-16 it makes that.
class LineSource : public Lines {
 public:
  // `path` "-" is standard input. Throws Failure.
  explicit LineSource(const std::string& path);

  LineResult next(std::string_view& line) override;

  // From now on lines that are no UTF-8 are taken for Latin-1.
  void take_latin1() { latin1_ = true; }

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
  // Gives only the lines of that part, from its first one on. Requires: can_rewind(). Throws Failure.
  void take_part(const FilePart& part);
  // Bytes of the lines given out since the first one.
  std::uint64_t bytes_given() const { return given_; }

  // Size of a file on a disk, or of what is read of it; otherwise 0.
  std::uint64_t bytes() const {
    return std::min(bytes_, part_.end_byte) - std::min(bytes_, part_.begin_byte);
  }
  // Whether `path` is the same file.
  bool is(const std::string& path) const;

 private:
  LineResult next_as_it_is(std::string_view& line);
  LineResult read_more();
  bool read_piece(std::string_view& piece);
  void take_order(std::string_view beginning);
  void take_text(std::string_view text);
  bool wait();
  std::size_t lines_held() const;

  std::string path_;
  desktop::Descriptor file_;  // unless it is standard input
  int descriptor_ = desktop::kInputDescriptor;
  int error_ = 0;
  bool failed_ = false;
  bool ended_ = false;
  bool can_rewind_ = false;
  bool latin1_ = false;
  std::string converted_;          // the line given out last
  std::deque<std::string> shown_;  // lines that peek() shows
  std::uint64_t bytes_ = 0;
  FilePart part_;
  std::uint64_t given_ = 0;     // bytes
  std::uint64_t read_ = 0;      // bytes of text
  std::uint64_t skip_ = 0;      // bytes of text before the part, still to be passed over
  std::optional<Utf16> order_;  // none: the file's first bytes are to come
  std::optional<Utf16Decoder> decoder_;
  std::vector<char> piece_;  // of the file, read last
  std::string decoded_;      // its text
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
