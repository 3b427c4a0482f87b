// A recording in place of the sensor: CSV with a header line, then seconds and six readings a line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/file.h"
#include "sample.h"

class Recording {
 public:
  enum class Result : std::uint8_t {
    kSample,
    kEnd,        // the file ends after the last line
    kBadLine,    // see line() and problem()
    kReadError,  // the file failed
  };

  // `file` is open and stays so.
  explicit Recording(microparquet::File& file) : file_(&file) {}

  // The next sample. The header line is skipped by the first call.
  Result next(Sample& sample);

  // line() is the number of the line last read, from 1; problem() says after kBadLine why it was refused.
  std::uint32_t line() const { return line_; }
  std::string_view problem() const { return problem_; }

 private:
  static constexpr std::size_t kColumns = 7;

  Result read_line(std::string_view& line);
  bool next_byte(char& byte, Result& why_not);
  Result bad_line(std::string_view problem);
  Result parse(std::string_view line, Sample& sample);

  microparquet::File* file_;
  std::uint64_t offset_ = 0;  // offset of the byte after the block
  std::size_t block_bytes_ = 0;
  std::size_t block_used_ = 0;
  std::uint32_t line_ = 0;
  std::string_view problem_;
  char block_[512];
  char text_[256];  // the line being read
};
