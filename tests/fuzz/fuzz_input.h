// Bytes as a file, for the fuzzers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "microparquet/desktop/codecs.h"
#include "microparquet/read_all.h"
#include "microparquet/reader.h"
#include "support/read_only_file.h"

class FuzzInput final : public support::ReadOnlyFile {
 public:
  FuzzInput(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  microparquet::Status size(std::uint64_t& bytes) override {
    bytes = size_;
    return microparquet::Status::kOk;
  }
  microparquet::Status read_at(std::uint64_t offset, microparquet::Span<std::byte> out) override {
    // The reader knows the size of the file: it has no reason to ask for more.
    if (offset > size_ || out.size() > size_ - offset) std::abort();
    std::memcpy(out.data(), data_ + offset, out.size());
    return microparquet::Status::kOk;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

// Opens the file; choose(reader) chooses columns. In just the memory that is needed, for sanitizers to see a step beyond
// it. False: it cannot be opened, or there is nothing to choose.
template <typename Choose>
bool open_exactly(microparquet::Reader& reader, microparquet::File& file,
                  const microparquet::ReaderOptions& options, std::vector<std::uint64_t>& arena,
                  Choose choose) {
  using microparquet::Status;
  for (;;) {
    const microparquet::Span<std::byte> memory(reinterpret_cast<std::byte*>(arena.data()), arena.size() * 8);
    if (reader.open(file, options, memory) != Status::kOk || choose(reader) != Status::kOk) return false;
    if (reader.chosen() == 0) return false;
    const std::size_t exact = (static_cast<std::size_t>(reader.needed_bytes()) + 7) / 8;
    if (exact >= arena.size()) return true;
    arena = std::vector<std::uint64_t>(exact);
  }
}

// Options that read any file in little memory, without looking at checksums.
inline microparquet::ReaderOptions options_for_items(std::uint32_t buffer_bytes) {
  microparquet::ReaderOptions options;
  options.buffer_bytes = buffer_bytes;
  options.footer_bytes = 64;
  options.decoders = microparquet::kAllDecoders;
  options.bit_packed_levels = &microparquet::read_bit_packed_levels;
  options.decompressors = microparquet::desktop::decompressors();
  options.checksum = nullptr;
  return options;
}

// Chooses the items of the first columns, `most` of them or fewer.
inline microparquet::Status choose_items_of_first(microparquet::Reader& reader, std::size_t most) {
  std::vector<microparquet::ColumnChoice> columns;
  for (std::uint32_t column = 0; column < reader.columns() && columns.size() < most; ++column)
    columns.push_back({column, 0});
  return reader.choose_items({columns.data(), columns.size()});
}
