// Page headers by the letter: checked, mended, and made for pages that no writer wrote.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "byte_views.h"
#include "format/page_header_reader.h"
#include "microparquet/reader.h"
#include "view.h"

namespace microparquet::recovery {

// Whether a header that this library's lenient reader takes is one that every reader takes: all required
// fields are there, fields have their types, and levels have an encoding for levels. Headers have no
// checksum.
bool header_is_exact(ByteView header);

// Bytes by which `header` is longer than what it says needs: long varints, and the field that every structure
// leaves to extensions. 0 when it is no header.
std::size_t header_padding(ByteView header);

// Headers of dictionary pages that name an encoding which no dictionary has. Nothing but damage writes one,
// headers have no checksum, and the right name is known: the dictionary need not be lost.
//
// Returns which of the row groups `entries` have such a header. In `view` these headers name PLAIN from then
// on.
std::vector<bool> mend_dictionary_headers(View& view, const std::vector<Bytes>& entries);

// Items of a column, and the values of those that have one.
struct Items {
  std::vector<std::uint8_t> definition;
  std::vector<std::uint8_t> repetition;
  Bytes values;  // values in PLAIN, but a byte for each boolean
  std::uint64_t value_count = 0;

  std::size_t count() const { return definition.size(); }
  // One without a value, `definition` levels down.
  void add_null(std::uint8_t definition_level, std::uint8_t repetition_level);
};

// A page of the second version, not compressed, in PLAIN: a chunk of any compression may have it.
Bytes made_page(const SchemaElement& element, const Items& items);

// The page with this header and this body, of a column whose values are all there, as one of the column when it may have
// nulls. `compressed`: its values are.
Bytes with_definition_levels(const format::PageHeader& header, ByteView body, bool compressed);

// A page whose first item begins a row and can be continued at any level.
Bytes page_of_one_item(const SchemaElement& element);

// `rows` rows without values, `definition` levels down.
Bytes page_of_nulls(const SchemaElement& element, std::uint32_t rows, std::uint8_t definition);

}  // namespace microparquet::recovery
