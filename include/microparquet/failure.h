// What failed, in one place.
#pragma once

#include <cstdint>

#include "microparquet/status.h"

namespace microparquet {

// What a call was reading when it failed, or what it cannot read.
enum class FailureReason : std::uint8_t {
  kNone,            // nothing has failed, or nothing more is known than the status
  kFooter,          // the footer
  kPageHeader,      // the header of a page
  kChecksum,        // a page for its checksum: with kCorrupt it is wrong
  kLevels,          // the definition levels of a page
  kDictionaryPage,  // the dictionary of a chunk
  kValues,          // the values of a page
  kEncoding,        // kUnsupported: no decoder named reads encoding `number`
  kLevelEncoding,   // kUnsupported: nothing named reads levels in encoding `number`
  kCompression,     // kUnsupported: no decompressor named undoes codec `number`
  kOtherFile,       // kUnsupported: the chunk lies in another file
};

// See Reader::failure().
struct Failure {
  Status status = Status::kOk;                  // that the call returned
  FailureReason reason = FailureReason::kNone;  // what it came from
  std::uint8_t number = 0;                      // an EncodingId or CodecId; 255 for larger ones too
  std::uint32_t column = 0xFFFFFFFF;            // of the file; kNoColumn: none
  std::uint64_t offset = 0;  // in the file: of the page's header, or of any byte of the page
};

}  // namespace microparquet
