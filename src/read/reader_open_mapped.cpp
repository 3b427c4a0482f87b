// Files that lie in memory: linked with the first program that opens one.
#include "base/try.h"
#include "microparquet/reader.h"
#include "read/page.h"

namespace microparquet {

namespace {

using detail::ColumnCursor;

constexpr std::uint32_t kHeaderBytes = 128;  // that most page headers fit in

// Uncompressed pages, shown where they lie. Headers are read through a short window.
class MappedPages final : public Decompressor {
 public:
  constexpr MappedPages() : Decompressor(CodecId::kUncompressed) {}

  Status begin_page(ColumnCursor& column, const format::PageHeader& header) const override {
    const std::uint32_t bytes = header.compressed_bytes;
    if (bytes != header.uncompressed_bytes) return Status::kCorrupt;
    // Reading does not change what is shown.
    auto* const body =
        const_cast<std::byte*>(column.reader->image + static_cast<std::size_t>(column.window.position()));
    column.reason = FailureReason::kChecksum;
    if (read::is_checked(column, header) && column.reader->options->checksum(0, body, bytes) != header.crc)
      return Status::kCorrupt;
    if (column.window_bytes() > kHeaderBytes)
      column.set_page_memory(column.memory_bytes - column.dictionary_bytes - kHeaderBytes);
    column.cursor = body;
    column.body_end = body + bytes;
    column.body_beyond = 0;
    return read::open_levels(column, header);
  }

  Status decompress(Span<const std::byte>, Span<std::byte>, Span<std::byte>) const override {
    return Status::kUnsupported;
  }
};
constexpr MappedPages kMappedPages;

}  // namespace

void Reader::read_in_place(MappedFile& file) {
  const Span<const std::byte> view = file.view();
  if (view.size() != state_.file_bytes) return;
  state_.image = view.data();
  state_.mapped_pages = &kMappedPages;
}

}  // namespace microparquet
