// A writer with what C callers give it.
#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>

#include "c/convert.h"
#include "microparquet/c/writer.h"
#include "microparquet/detail/writer_access.h"
#include "microparquet/options.h"
#include "microparquet/span.h"
#include "microparquet/writer.h"

namespace microparquet::c {

// Lies in an mpq_writer. All zeros is one that has not been opened, as a Writer is.
struct CWriter {
  Writer writer;
  const mpq_setup* setup;
  Field*
      fields;  // of the columns, at the head of the memory, and what follows; null: it has no space for them
  Span<std::byte> arena;  // the rest of the memory

  std::size_t column_count() const { return setup->column_count; }
  Schema schema() const { return {fields, column_count()}; }
  const Options& options() const {
    return reinterpret_cast<const Options&>(setup->options != nullptr ? *setup->options
                                                                      : mpq_default_options);
  }
  // Of each column, for the row that is appended; and the texts of those that have texts.
  ColumnData* row() const { return reinterpret_cast<ColumnData*>(fields + column_count()); }
  std::string_view* texts() const { return reinterpret_cast<std::string_view*>(row() + column_count()); }
  // What all of these take.
  std::size_t head_bytes() const {
    constexpr std::size_t kColumnBytes = sizeof(Field) + sizeof(ColumnData) + sizeof(std::string_view);
    return detail::align8(column_count() * kColumnBytes);
  }
};
static_assert(sizeof(CWriter) <= sizeof(mpq_writer) && alignof(CWriter) <= alignof(mpq_writer));

// The options of C are those of C++.
static_assert(sizeof(mpq_options) == sizeof(Options) && std::is_standard_layout_v<Options>);
static_assert(offsetof(mpq_options, layout) == offsetof(Options, layout));
static_assert(offsetof(mpq_options, checkpoint_ms) == offsetof(Options, checkpoint_ms));
static_assert(offsetof(mpq_options, max_key_values) == offsetof(Options, max_key_values));
static_assert(offsetof(mpq_options, block_bytes) == offsetof(Options, block_bytes));
static_assert(offsetof(mpq_options, sorting) == offsetof(Options, sorting));
static_assert(offsetof(mpq_options, checksum) == offsetof(Options, checksum));

inline CWriter& from_c(mpq_writer& writer) { return reinterpret_cast<CWriter&>(writer); }
inline const CWriter& from_c(const mpq_writer& writer) { return reinterpret_cast<const CWriter&>(writer); }

// What comes before a file is opened or resumed: nothing is null, and the fields are made, unless the writer has a file.
mpq_status begin(mpq_writer* writer, mpq_file* file, const mpq_setup* setup);

}  // namespace microparquet::c
