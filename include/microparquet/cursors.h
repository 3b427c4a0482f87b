// The lists of a footer from their beginning to their end, each element in the time of its own bytes. The
// calls of Reader that take a number walk up to it every time.
//
//   mpq::SchemaCursor schema(reader);
//   mpq::SchemaElement element;
//   while (schema.next(name, element) == mpq::Status::kOk) { ... }
//
// For the chunks of a row group none is needed: Reader::column_chunk() and column_statistics() continue from
// the column they were asked for last.
#pragma once

#include <cstdint>

#include "microparquet/detail/schema_tree.h"
#include "microparquet/reader.h"
#include "microparquet/schema.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// The nodes of the schema, from the root on. The reader is the caller's; the cursor is of the file that it
// has open.
class SchemaCursor {
 public:
  // Stands at the root. Requires: `reader` stays as long as the cursor.
  explicit SchemaCursor(Reader& reader) : reader_(reader) {}

  // The next node. Its name lies in `buffer`; an empty buffer leaves it out. After a failure the node is
  // still the next one.
  // - kEnd: there is none
  // - kOutOfMemory: the buffer is shorter than the name, see Reader::needed_bytes()
  // - kWrongState: no file is open
  Status next(Span<char> buffer, SchemaElement& element);

 private:
  friend class Reader;
  // As next(); with `only` the name of that column's node alone.
  Status read(Span<char> buffer, std::uint32_t only, SchemaElement& element);

  Reader& reader_;
  detail::SchemaTree tree_;
  std::uint64_t next_ = 0;  // in the file, where the next node begins; of the first the reader knows
  std::uint32_t index_ = 0;
  std::uint32_t leaves_ = 0;  // passed
};

// The key-values, in the file's order. Else as SchemaCursor.
class KeyValueCursor {
 public:
  // Stands at the first key-value. Requires: `reader` stays as long as the cursor.
  explicit KeyValueCursor(Reader& reader) : reader_(reader) {}

  // The next key-value; a missing value is empty. Both lie in `buffer`. After a failure it is still the next
  // one.
  // - kEnd: there is none
  // - kOutOfMemory: the buffer is shorter than both together, see Reader::needed_bytes()
  // - kWrongState: no file is open
  Status next(Span<char> buffer, KeyValue& result);

 private:
  friend class Reader;
  // From the first one on passes `count`.
  Status skip(std::uint32_t count);

  Reader& reader_;
  std::uint64_t next_ = 0;
  std::uint32_t index_ = 0;
};

}  // namespace microparquet
