// A writer with the parts that C callers give it.
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

struct NestedTable;

// Contents of an mpq_writer. All zeros is one that has not been opened, as in a Writer.
struct CWriter {
  Writer writer;
  const mpq_setup* setup;
  // Fields of the columns, at the head of the memory, before row() and texts(); null: it has no space for these.
  Field* fields;
  Span<std::byte> arena;      // the rest of the memory; with a table all that is needed of it
  const NestedTable* nested;  // table of nodes, at the head of the memory; null: there is none

  std::size_t column_count() const { return setup->column_count; }
  Schema schema() const { return {fields, column_count()}; }
  const Options& options() const {
    return reinterpret_cast<const Options&>(setup->options != nullptr ? *setup->options
                                                                      : mpq_default_options);
  }
  // Arrays with an entry for each column: the row that is appended, and the texts of columns with texts.
  ColumnData* row() const { return reinterpret_cast<ColumnData*>(fields + column_count()); }
  std::string_view* texts() const { return reinterpret_cast<std::string_view*>(row() + column_count()); }
  // Returns the bits that are zero in the address of the memory, by Options::transfer_align. The options may be
  // nonsense: they are checked with the schema, which needs the arrays. Where they are zeros there is no such
  // address. noinline: it has three callers.
  [[gnu::noinline]] std::size_t address_bits() const {
    return static_cast<std::size_t>(options().transfer_align - 1) | 7;
  }
  // Returns the bytes of all these arrays, after which the arena begins on the same alignment.
  std::size_t head_bytes() const {
    constexpr std::size_t kColumnBytes = sizeof(Field) + sizeof(ColumnData) + sizeof(std::string_view);
    return (column_count() * kColumnBytes + address_bits()) & ~address_bits();
  }
};
static_assert(sizeof(CWriter) <= sizeof(mpq_writer) && alignof(CWriter) <= alignof(mpq_writer));

// Options have the same layout in C and C++.
static_assert(sizeof(mpq_options) == sizeof(Options) && std::is_standard_layout_v<Options>);
static_assert(offsetof(mpq_options, layout) == offsetof(Options, layout));
static_assert(offsetof(mpq_options, checkpoint_ms) == offsetof(Options, checkpoint_ms));
static_assert(offsetof(mpq_options, save_ms) == offsetof(Options, save_ms));
static_assert(offsetof(mpq_options, max_key_values) == offsetof(Options, max_key_values));
static_assert(offsetof(mpq_options, block_bytes) == offsetof(Options, block_bytes));
static_assert(offsetof(mpq_options, transfer_align) == offsetof(Options, transfer_align));
static_assert(offsetof(mpq_options, sorting) == offsetof(Options, sorting));
static_assert(offsetof(mpq_options, checksum) == offsetof(Options, checksum));

inline CWriter& from_c(mpq_writer& writer) { return reinterpret_cast<CWriter&>(writer); }
inline const CWriter& from_c(const mpq_writer& writer) { return reinterpret_cast<const CWriter&>(writer); }

// Returns the table that the writer was opened with; null: it was with columns, or not at all.
inline const NestedTable* table_of(const CWriter& writer) {
  return writer.setup == nullptr ? writer.nested : nullptr;
}

// Checks before a file is opened or resumed that nothing is null, and makes the fields unless the writer has
// a file.
mpq_status begin(mpq_writer* writer, mpq_file* file, const mpq_setup* setup);

}  // namespace microparquet::c
