// Details of a failed call, in one place.
#pragma once

#include <cstdint>

#include "microparquet/status.h"

namespace microparquet {

// Part of the file that a call was reading when it failed, or cannot read.
enum class FailureReason : std::uint8_t {
  kNone,            // nothing has failed, or nothing more is known than the status
  kFooter,          // the footer
  kPageHeader,      // the header of a page
  kChecksum,        // the checksum of a page; kCorrupt: it is wrong
  kLevels,          // the definition levels of a page
  kDictionaryPage,  // the dictionary of a chunk
  kValues,          // the values of a page
  kEncoding,        // kUnsupported: no named decoder reads encoding `number`
  kLevelEncoding,   // kUnsupported: no named function reads levels in encoding `number`
  kCompression,     // kUnsupported: no named decompressor knows codec `number`
  kOtherFile,       // kUnsupported: the chunk lies in another file
};

// Details from Reader::failure().
struct Failure {
  Status status = Status::kOk;                  // status of the call
  FailureReason reason = FailureReason::kNone;  // part of the file
  std::uint8_t number = 0;                      // an EncodingId or CodecId; 255 for larger ones too
  std::uint32_t column = 0xFFFFFFFF;            // number in the file; kNoColumn: none
  std::uint64_t offset = 0;  // place in the file: the page's header, or any byte of the page
};

}  // namespace microparquet
