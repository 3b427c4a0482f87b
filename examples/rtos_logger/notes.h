// The third user of the volume: a text file beside the log, a line at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ff.h"

// Only one task may use it.
class Notes {
 public:
  static constexpr const char* kPath = "NOTES.TXT";

  // Appends a line, "N: at MS ms", and puts it on the card.
  // - FR_OK
  // - FR_TIMEOUT: another task holds the volume for longer than FF_FS_TIMEOUT. Repeat the call: it does the
  //   rest.
  FRESULT write_line(std::uint32_t now_ms);

  // Answers like write_line().
  FRESULT close();

  std::uint32_t lines() const { return lines_; }

 private:
  FRESULT open();
  FRESULT put();
  void compose(std::uint32_t now_ms);
  void append(const char* text);
  void append(std::uint32_t number);

  FIL file_;
  bool is_open_ = false;
  char text_[40] = {};
  std::size_t size_ = 0;     // bytes of the line that is being written; 0: none
  bool is_written_ = false;  // the line is in the file, and not yet on the card
  std::uint32_t lines_ = 0;
};
