// Files as recovery reads them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "byte_views.h"
#include "microparquet/desktop/growing_reader.h"
#include "microparquet/file.h"
#include "microparquet/reader.h"

namespace microparquet::recovery {

// A file in memory that grows.
class MemoryMedium final : public File {
 public:
  const Bytes& bytes() const { return bytes_; }

  FileAbilities abilities() const override {
    FileAbilities abilities;
    abilities.read_back = true;
    return abilities;
  }
  Status size(std::uint64_t& bytes) override {
    bytes = bytes_.size();
    return Status::kOk;
  }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    if (offset > bytes_.size() || out.size() > bytes_.size() - offset) {
      return Status::kIoError;
    }
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
    return Status::kOk;
  }
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    bytes_.resize(std::max<std::size_t>(bytes_.size(), static_cast<std::size_t>(offset) + data.size()));
    std::copy(data.begin(), data.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(offset));
    return Status::kOk;
  }
  Status sync(std::uint64_t) override { return Status::kOk; }

 private:
  Bytes bytes_;
};

// A file as recovery reads it: with all decoders and decompressors, the hardware's CRC-32, and memory that
// grows as it needs.
//
// A group that leaves lie in.
struct LeafGroup {
  std::uint32_t node;  // its place among the schema's elements
  std::uint8_t definition;
  std::uint8_t repetition;
};

// A leaf of a schema.
struct Leaf {
  std::string name;  // name with the groups it lies in, joined by dots
  SchemaElement element;
  std::uint32_t node = 0;         // its place among the schema's elements
  std::vector<LeafGroup> groups;  // groups from the outermost one on, without the root
};

class OpenFile {
 public:
  // Opens like Reader::open(), with a window of `footer_bytes` for the footer. `file` must stay.
  Status open(File& file, std::uint32_t footer_bytes = 64 << 10);
  // Chooses like Reader::choose(). Starts over at the first row group; may open the file again.
  Status choose(Span<const std::uint32_t> columns, std::uint32_t buffer_bytes) {
    return memory_.choose(columns, buffer_bytes);
  }

  // The same of Reader::choose_items().
  Status choose_items(Span<const ColumnChoice> columns, std::uint32_t buffer_bytes) {
    return memory_.choose_items(columns, buffer_bytes);
  }

  Reader& reader() { return memory_.reader(); }

  // All leaves, in the file's order.
  Status read_leaves(std::vector<Leaf>& leaves);

  // Statistics in the current row group. The bounds lie in here until the next call.
  Status statistics(std::uint32_t column, ColumnStatistics& statistics);

 private:
  desktop::GrowingReader memory_;
  Bytes bounds_;
};

}  // namespace microparquet::recovery
