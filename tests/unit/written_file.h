// A file that a test writes, in memory that all tests share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/options.h"
#include "microparquet/port/memory_file.h"
#include "microparquet/schema.h"
#include "microparquet/writer.h"
#include "support/file_view.h"

namespace written {

// The same every time: `slot` is 0 or 1.
microparquet::Span<std::byte> file_memory(int slot = 0);
microparquet::Span<std::byte> arena_memory();

// Opens in memory what a test writes through `writer`. One at a time for each slot; the arena is shared too,
// so the first is closed before the second begins.
class File {
 public:
  explicit File(microparquet::Schema schema, const microparquet::Options& options = {}, int slot = 0)
      : options_(options), memory_(file_memory(slot)) {
    opened_ = writer.open(memory_, schema, options_, arena_memory());
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  microparquet::Status opened() const { return opened_; }
  view::File view() const { return view::File(memory_.contents()); }

  microparquet::Writer writer;

 private:
  microparquet::Options options_;
  microparquet::MemoryFile memory_;
  microparquet::Status opened_;
};

// Options with pages of another size; in the forward layout, `row_group_bytes` of arena for a row group.
microparquet::Options in_place(std::uint32_t page_bytes, std::uint32_t row_group_rows = 0);
microparquet::Options forward(std::uint32_t page_bytes, std::uint32_t row_group_bytes);

// A part of a text; std::string_view::substr could throw, which a target does not link.
constexpr std::string_view part(std::string_view text, std::size_t first,
                                std::size_t count = ~std::size_t{0}) {
  if (first > text.size()) first = text.size();
  return {text.data() + first, count < text.size() - first ? count : text.size() - first};
}

// Numbers that look random and are the same everywhere.
std::uint32_t mix(std::uint32_t a, std::uint32_t b = 0);

}  // namespace written
