#include "microparquet/status.h"

namespace microparquet {

const char* to_string(Status status) {
  switch (status) {
    case Status::kOk: return "ok";
    case Status::kEnd: return "end";
    case Status::kInvalidArgument: return "invalid argument";
    case Status::kWrongState: return "wrong state";
    case Status::kOutOfMemory: return "out of memory";
    case Status::kValueTooLarge: return "value too large";
    case Status::kNullValue: return "null value";
    case Status::kLimitReached: return "limit reached";
    case Status::kNoSpace: return "no space";
    case Status::kIoError: return "I/O error";
    case Status::kMediumLost: return "medium lost";
    case Status::kNotParquet: return "not Parquet";
    case Status::kCorrupt: return "corrupt";
    case Status::kEncrypted: return "encrypted";
    case Status::kSchemaMismatch: return "schema mismatch";
    case Status::kUnsupported: return "unsupported";
    case Status::kListTooLong: return "list too long";
  }
  return "?";
}

}  // namespace microparquet
