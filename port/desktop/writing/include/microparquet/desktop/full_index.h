// A full index, which a desktop writes beside the index of pages that a device may write (indexed_layout.h).
// It adds bloom filters, by which readers know that a value is not in a column chunk; sizes of texts and
// counts of levels, by which readers plan their memory; and whether the pages are in ascending or descending
// order, so that readers may look for one by halves.
//
//   mpq::desktop::NotedColumn serial(mpq::kPlainByteArray, {filter_memory, mpq::desktop::bloom_filter_bytes(10'000, 0.01)});
//   mpq::Field fields[] = {mpq::timestamp_field("time"), mpq::string_field("serial").with_encoder(serial)};
//   const mpq::desktop::FullIndexLayout layout =
//       mpq::desktop::with_full_index(mpq::with_page_index(mpq::kInPlace, 1 << 20), fields);
//   options.layout = &layout;
//
// Filters stand after the page index of their row group, and are on the medium before anything names them.
// Row groups without an index have no filter: one that was open when the power went, whose rows are there
// without an index when the file is resumed; and one that recovery has from a record alone. Both layouts have
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "microparquet/encoder.h"
#include "microparquet/indexed_layout.h"
#include "microparquet/schema.h"
#include "microparquet/span.h"

namespace microparquet::desktop {

// Bytes of a bloom filter that takes `distinct` values, and lets the share `wrong` of those that are not among them pass, as
// 0.01: a power of two from 32 bytes to 128 MiB. Requires: 0 < wrong < 1.
std::uint32_t bloom_filter_bytes(std::uint64_t distinct, double wrong);

// An encoder that looks at the values of its column on their way to another one. Unlike other encoders it has a state of its
// own: name it for one column of one writer, and keep it as long as that.
class NotedColumn : public Encoder {
 public:
  // `encoder` encodes the column's values. `filter`: the memory of a bloom filter, of bloom_filter_bytes(),
  // the caller's as long as the column; empty: there is none. A column of booleans, of which there are two,
  // has none.
  explicit NotedColumn(const Encoder& encoder, Span<std::byte> filter = {});
  ~NotedColumn();
  NotedColumn(const NotedColumn&) = delete;
  NotedColumn& operator=(const NotedColumn&) = delete;

  // For the layout.
  struct Notes;
  // For the layout.
  Notes& notes() const { return *notes_; }

 private:
  std::unique_ptr<Notes> notes_;
};

// See with_full_index().
struct FullIndexLayout : ExtendedLayout {
  const microparquet::detail::LayoutOps* of_pages;  // layout that notes the pages
};

// The index of `layout`, with counts of levels for optional columns and the order of pages; for columns whose encoder is a
// NotedColumn with sizes of texts and, if it has memory for one, a bloom filter. Requires: the options name it with this
// schema. The object that they name is the caller's and must stay.
FullIndexLayout with_full_index(const IndexedLayout& layout, Schema schema);

}  // namespace microparquet::desktop
