#include "recording.h"

#include <algorithm>

#include "decimal.h"

using microparquet::Span;
using microparquet::Status;

namespace {

// Takes the text up to the next comma off `line`.
std::string_view take_field(std::string_view& line) {
  const std::size_t comma = std::min(line.find(','), line.size());
  const std::string_view field(line.data(), comma);
  line.remove_prefix(std::min(comma + 1, line.size()));
  return field;
}

}  // namespace

bool Recording::next_byte(char& byte, Result& why_not) {
  if (block_used_ == block_bytes_) {
    std::uint64_t size = 0;
    if (file_->size(size) != Status::kOk) {
      why_not = Result::kReadError;
      return false;
    }
    block_used_ = 0;
    block_bytes_ = static_cast<std::size_t>(std::min<std::uint64_t>(size - offset_, sizeof block_));
    if (block_bytes_ == 0) {
      why_not = Result::kEnd;
      return false;
    }
    const Span<std::byte> block(reinterpret_cast<std::byte*>(block_), block_bytes_);
    if (file_->read_at(offset_, block) != Status::kOk) {
      block_bytes_ = 0;
      why_not = Result::kReadError;
      return false;
    }
    offset_ += block_bytes_;
  }
  byte = block_[block_used_++];
  return true;
}

Recording::Result Recording::read_line(std::string_view& line) {
  std::size_t length = 0;
  ++line_;
  for (;;) {
    char byte = 0;
    Result why_not = Result::kEnd;
    if (!next_byte(byte, why_not)) {
      if (why_not == Result::kEnd && length > 0) {
        break;
      }
      return why_not;
    }
    if (byte == '\n') {
      break;
    }
    if (length == sizeof text_) {
      return bad_line("is too long");
    }
    text_[length++] = byte;
  }
  if (length > 0 && text_[length - 1] == '\r') {
    --length;
  }
  line = {text_, length};
  return Result::kSample;
}

Recording::Result Recording::bad_line(std::string_view problem) {
  problem_ = problem;
  return Result::kBadLine;
}

Recording::Result Recording::parse(std::string_view line, Sample& sample) {
  if (std::count(line.begin(), line.end(), ',') + 1 != kColumns) {
    return bad_line("does not have 7 columns");
  }
  if (!parse_seconds(take_field(line), sample.time_us)) {
    return bad_line("has no time in seconds in column 1");
  }
  float* const readings[] = {&sample.gyroscope_x,     &sample.gyroscope_y,     &sample.gyroscope_z,
                             &sample.accelerometer_x, &sample.accelerometer_y, &sample.accelerometer_z};
  constexpr std::string_view kNoNumber[] = {"has no number in column 2", "has no number in column 3",
                                            "has no number in column 4", "has no number in column 5",
                                            "has no number in column 6", "has no number in column 7"};
  for (std::size_t i = 0; i < kColumns - 1; ++i) {
    if (!parse_float(take_field(line), *readings[i])) {
      return bad_line(kNoNumber[i]);
    }
  }
  return Result::kSample;
}

Recording::Result Recording::next(Sample& sample) {
  std::string_view line;
  if (line_ == 0) {
    if (const Result result = read_line(line); result != Result::kSample) {
      return result;
    }
  }
  if (const Result result = read_line(line); result != Result::kSample) {
    return result;
  }
  return parse(line, sample);
}
