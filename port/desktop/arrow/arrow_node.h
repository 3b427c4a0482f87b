// The schema of a file as Arrow has it, and the types of its columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "microparquet/desktop/growing_reader.h"
#include "microparquet/file_metadata.h"
#include "microparquet/records.h"

namespace microparquet::desktop {

// Ways to make the values of an Arrow array from those of a column.
enum class Conversion : std::uint8_t {
  kBits,       // booleans, a bit each
  kSame,       // the same bytes, `width` bytes a value
  kNarrow,     // int32 to the `width` bytes that the type has
  kBytes,      // bytes of any length: offsets and bytes
  kDecimal,    // numbers of 32 or 64 bits to `width` bytes
  kBigEndian,  // bytes of a decimal, the highest first, to `width` bytes
  kInt96,      // INT96, converted to nanoseconds since 1970
  kNone,       // the column has no values
};

// A number that is stored otherwise than its unit has it.
struct UnitConversion {
  std::string format;       // of what is stored
  std::uint32_t width = 0;  // the same
  double scale = 1;
  double offset = 0;
};

struct ArrowNode {
  enum class Kind : std::uint8_t { kValue, kStruct, kList, kMap };

  std::string name;
  std::string format;  // format of the Arrow C data interface
  Kind kind = Kind::kStruct;
  bool nullable = false;
  std::uint8_t definition = 0;          // an item of it, or more, is not null
  std::uint8_t element_definition = 0;  // kList, kMap: an item of it, or more, has an element
  std::uint8_t repetition = 0;          // kList, kMap: of an item that continues it
  std::size_t leaf = 0;                 // the first of the chosen columns at it or below it
  Conversion conversion = Conversion::kNone;
  std::uint32_t width = 0;               // bytes of a value in the array
  std::uint32_t file_width = 0;          // bytes of a value in the file; 0: any length
  std::optional<UnitConversion> stored;  // the array has doubles made of it
  std::vector<ArrowNode> children;
};

// The chosen columns of the reader as a tree below a struct for the row. Of a group only the members that are chosen are there.
// `records` has begun; the reader's failures are thrown as Failure.
ArrowNode arrow_schema(GrowingReader& memory, const Records& records);

// Sets the format, conversion and widths of a leaf.
void set_type(const SchemaElement& element, ArrowNode& node);

// Makes the values of a leaf doubles in their unit, if they are numbers.
void set_unit(double scale, double offset, ArrowNode& node);

}  // namespace microparquet::desktop
