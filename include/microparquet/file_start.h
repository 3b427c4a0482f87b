// Key-values and id of a file from its first footer on.
#pragma once

#include <cstdint>

#include "microparquet/options.h"
#include "microparquet/span.h"

namespace microparquet {

// Argument of open() and resume(): even a file that is cut off before its first row tells where it comes
// from.
//
//   const mpq::KeyValue about[] = {{mpq::facts::kDevice, serial_number}, {mpq::facts::kFirmware, kVersion}};
//   status = writer.resume(file, {about, boot_number});
struct FileStart {
  // Key-values, treated as if set by set_key_value(): they take places of Options::max_key_values, the
  // strings are the caller's, and they replace those of a resumed file. The array itself may go.
  Span<const KeyValue> key_values;
  // Id of a new file, if it is not known at compile time. 0: Options::file_id counts.
  std::uint32_t file_id = 0;
};

}  // namespace microparquet
