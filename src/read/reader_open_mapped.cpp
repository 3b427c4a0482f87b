// Reading a file that lies in memory. The first program that opens one links this file.
#include "base/try.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/reader.h"
#include "read/page.h"

namespace microparquet {

namespace {

using detail::ColumnCursor;

constexpr std::uint32_t kHeaderBytes = 128;  // fits most page headers

// Prefetches a page whose checksum is not computed. Its values would otherwise be waited for piece by piece:
// the processor's own prefetching does not look beyond the next 4 KiB.
void prefetch([[maybe_unused]] const std::byte* bytes, [[maybe_unused]] std::uint32_t count) {
  if constexpr (detail::kDesktop) {
    constexpr std::uint32_t kLine = 64;
    constexpr std::uint32_t kMost = 1U << 16;  // that the nearest caches hold
    if (count > kMost) count = kMost;
    for (std::uint32_t i = 0; i < count; i += kLine) __builtin_prefetch(bytes + i);
  }
}

// Shows uncompressed pages where they lie; headers are read through a short window.
class MappedPages final : public Decompressor {
 public:
  constexpr MappedPages() : Decompressor(CodecId::kUncompressed) {}

  Status begin_page(ColumnCursor& column, const format::PageHeader& header) const override {
    const std::uint32_t bytes = header.compressed_bytes;
    if (bytes != header.uncompressed_bytes) return Status::kCorrupt;
    // The reader never writes through this pointer.
    auto* const body =
        const_cast<std::byte*>(column.reader->image + static_cast<std::size_t>(column.window.position()));
    column.reason = FailureReason::kChecksum;
    if (!read::is_checked(column, header)) {
      prefetch(body, bytes);
    } else if (column.reader->options->checksum(0, body, bytes) != header.crc) {
      return Status::kCorrupt;
    }
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
