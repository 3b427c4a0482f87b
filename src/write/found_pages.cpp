#include "write/found_pages.h"

#include "base/try.h"
#include "format/written_page_header.h"
#include "write/found_bytes.h"
#include "write/page.h"

namespace microparquet::write {
namespace {

using detail::WriterState;
using Page = format::WrittenPageHeader;

// Reads the header of the page at `at`, and moves `at` past it. kCorrupt: this library writes no such header.
// noinline: its variables are off the stack while the page is read.
[[gnu::noinline]] Status read_page_header(const WriterState& state, std::uint64_t& at, std::uint64_t end,
                                          Page& page) {
  format::WrittenPageHeaderReader<FoundBytes> in(state, at);
  in.begin(static_cast<std::uint32_t>(end - at));
  in.read(page);
  at += in.taken();
  MICROPARQUET_TRY(in.status());
  return in.is_sound() && at <= end ? Status::kOk : Status::kCorrupt;
}

std::uint32_t form_of(const Page& page) {
  return page_form(page.uncompressed_bytes, page.encoding) + version_form(format::kWritesV2 && page.is_v2);
}

// Returns the page's share of FooterExtension::pages_sum.
std::uint32_t sum_of(const WriterState& state, const Page& page, std::uint32_t first_row) {
  const std::uint32_t sum = page_sum(page.crc, first_row);
  return state.plan->transforms == nullptr ? sum : sum + form_sum(form_of(page), first_row);
}

}  // namespace

Status verify_pages(WriterState& state, std::uint64_t at, std::uint32_t bytes, std::uint32_t row,
                    std::uint32_t end_row, const detail::ColumnWriter& column, bool partly) {
  const std::uint64_t end = at + bytes;
  while (at != end) {
    const bool described = partly && at < column.free_begin.offset();
    Page page;
    MICROPARQUET_TRY(read_page_header(state, at, end, page));
    const bool transformed = state.plan->transforms != nullptr;  // the sum includes the form then
    if (!transformed &&
        form_of(page) != page_form(page.stored_bytes, static_cast<std::uint32_t>(column.plan->encoder->id)))
      return Status::kCorrupt;
    const std::uint32_t rows = page.is_dictionary ? 0 : page.values;
    // A dictionary is empty where all values are null.
    const bool is_empty = page.values == 0 && !page.is_dictionary;
    if (is_empty || rows > end_row - row || page.stored_bytes > end - at) return Status::kCorrupt;
    std::uint32_t crc = 0;
    MICROPARQUET_TRY(update_crc(state, at, page.stored_bytes, crc));
    if (crc != page.crc) return Status::kCorrupt;
    if (!described) sum_left(state) -= sum_of(state, page, row);
    row += rows;
  }
  return row == end_row ? Status::kOk : Status::kCorrupt;
}

}  // namespace microparquet::write
