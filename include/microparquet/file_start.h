// What a file says of itself from its first footer on.
#pragma once

#include <cstdint>

#include "microparquet/options.h"
#include "microparquet/span.h"

namespace microparquet {

// Given to open() and resume(), so that also a file that is cut off before its first row tells where it is
// from:
//
//   const mpq::KeyValue about[] = {{mpq::facts::kDevice, serial_number}, {mpq::facts::kFirmware, kVersion}};
//   status = writer.resume(file, {about, boot_number});
struct FileStart {
  // As if set_key_value() had set them: they take places of Options::max_key_values, the strings are the
  // caller's, and those that a resumed file has already are replaced. The array itself may go.
  Span<const KeyValue> key_values;
  // Of a new file, where it is not known at compile time. 0: Options::file_id counts.
  std::uint32_t file_id = 0;
};

}  // namespace microparquet
