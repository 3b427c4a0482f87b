// Status, the only error type of the library.
#pragma once

#include <cstdint>

namespace microparquet {

// Result of a call. Each code tells the caller what to do. Unless its comment says otherwise, a call that
// does not return kOk has had no effect. I/O errors do not latch: the same call may be repeated and continues
// where it stopped. Misuse and corruption return the same status each time.
enum class [[nodiscard]] Status : std::uint8_t {
  kOk,               // done
  kEnd,              // no more rows, values or row groups: leave the loop; not an error
  kInvalidArgument,  // an argument, option or schema is wrong: correct the program
  kWrongState,       // the call is not allowed now, such as append() before open(): correct the program
  kOutOfMemory,      // the memory given is too small: give required_bytes
  kValueTooLarge,    // the value does not fit in one page: shorten it, or give the column larger pages
  kNullValue,        // null for a required column: fill it in, or make the column optional
  kLimitReached,     // no further row group fits in this file: close it and continue in a new one
  kNoSpace,          // the medium is full: close, which in place has its space reserved
  kIoError,          // the file failed: repeat the call, or give up
  kMediumLost,       // the medium is gone: when it is back, open the file again and reconnect() the writer
  kNotParquet,       // no Parquet file: no magic, or too short for a footer
  kCorrupt,  // the file contradicts itself or its checksums: do not trust what it holds; of a writer: writer.h
  kEncrypted,       // the file is encrypted: decrypt it elsewhere first
  kSchemaMismatch,  // the file has other columns than the writer: continue in a new file
  kUnsupported,     // legal Parquet, but the decoder or codec was not given, or is not in this library
  kListTooLong,     // a list of the row is longer than its member, which has the first elements: take the row
};

// Returns whether the status blames the row, not the file: a value is too large or missing. The same row
// would fail each time it is appended: leave it out, and count it.
constexpr bool is_row_error(Status status) {
  return status == Status::kValueTooLarge || status == Status::kNullValue;
}

// Returns the name of a status for messages, such as "no space". Static storage.
const char* to_string(Status status);

}  // namespace microparquet
