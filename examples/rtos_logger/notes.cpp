#include "notes.h"

FRESULT Notes::open() {
  const FRESULT result = f_open(&file_, kPath, FA_WRITE | FA_OPEN_APPEND);
  is_open_ = result == FR_OK;
  return result;
}

FRESULT Notes::write_line(std::uint32_t now_ms) {
  FRESULT result = is_open_ ? FR_OK : open();
  if (size_ == 0) compose(now_ms);
  if (result == FR_OK && !is_written_) result = put();
  if (result == FR_OK) result = f_sync(&file_);
  if (result != FR_OK) return result;
  size_ = 0;
  is_written_ = false;
  ++lines_;
  return FR_OK;
}

// A call that times out has not begun: it takes the volume first.
FRESULT Notes::put() {
  UINT moved = 0;
  const FRESULT result = f_write(&file_, text_, static_cast<UINT>(size_), &moved);
  is_written_ = result == FR_OK;
  return result == FR_OK && moved != size_ ? FR_DENIED : result;  // the card is full
}

FRESULT Notes::close() {
  const FRESULT result = is_open_ ? f_close(&file_) : FR_OK;
  is_open_ = is_open_ && result != FR_OK;
  return result;
}

void Notes::compose(std::uint32_t now_ms) {
  append(lines_ + 1);
  append(": at ");
  append(now_ms);
  append(" ms\n");
}

void Notes::append(const char* text) {
  while (*text != '\0') text_[size_++] = *text++;
}

void Notes::append(std::uint32_t number) {
  char digits[11] = {};
  char* first = digits + sizeof digits - 1;
  do {
    *--first = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  append(first);
}
