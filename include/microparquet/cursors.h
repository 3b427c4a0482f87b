// Cursors for the lists of a footer, which read each element once. Calls of Reader that take a number walk up
// to it each time.
//
//   mpq::SchemaCursor schema(reader);
//   mpq::SchemaElement element;
//   while (schema.next(name, element) == mpq::Status::kOk) { ... }
//
// The chunks of a row group need none: Reader::column_chunk() and column_statistics() continue from the
// column of the last call.
#pragma once

#include <cstdint>

#include "microparquet/detail/schema_tree.h"
#include "microparquet/reader.h"
#include "microparquet/schema.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// Cursor for the nodes of the schema, from the root on. The reader is the caller's; the cursor is valid for
// the file that it has open.
class SchemaCursor {
 public:
  // Begins at the root. Requires: `reader` stays as long as the cursor.
  explicit SchemaCursor(Reader& reader) : reader_(reader) {}

  // Reads the next node. Its name lies in `buffer`; an empty buffer leaves it out. After a failure the node
  // is still the next one.
  // - kEnd: there is none
  // - kOutOfMemory: the buffer is shorter than the name, see Reader::needed_bytes()
  // - kWrongState: no file is open
  Status next(Span<char> buffer, SchemaElement& element);

 private:
  friend Reader;
  // Reads as next(), but only the name of column `only`.
  Status read(Span<char> buffer, std::uint32_t only, SchemaElement& element);

  Reader& reader_;
  detail::SchemaTree tree_;
  std::uint64_t next_ = 0;  // place of the next node in the file; the reader knows that of the first
  std::uint32_t index_ = 0;
  std::uint32_t leaves_ = 0;  // leaves passed
};

// Cursor for the key-values in the file's order. Otherwise as SchemaCursor.
class KeyValueCursor {
 public:
  // Begins at the first key-value. Requires: `reader` stays as long as the cursor.
  explicit KeyValueCursor(Reader& reader) : reader_(reader) {}

  // Reads the next key-value; a missing value is empty. Both texts lie in `buffer`. After a failure it is
  // still the next one.
  // - kEnd: there is none
  // - kOutOfMemory: the buffer is shorter than both together, see Reader::needed_bytes()
  // - kWrongState: no file is open
  Status next(Span<char> buffer, KeyValue& result);

 private:
  friend Reader;
  // Passes the first `count` key-values.
  Status skip(std::uint32_t count);

  Reader& reader_;
  std::uint64_t next_ = 0;
  std::uint32_t index_ = 0;
};

}  // namespace microparquet
