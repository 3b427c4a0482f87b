// Items of columns, read ahead, and their values as an Arrow array has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "arrow_node.h"
#include "microparquet/desktop/column_buffers.h"
#include "microparquet/reader.h"

namespace microparquet::desktop {

// Items of a column, read ahead of the arrays that are made of them.
class LeafItems {
 public:
  // `place` among the chosen columns. `node` is its leaf, and must stay.
  LeafItems(const ArrowNode& node, std::size_t place) : node_(node), place_(place) {}

  // Reads on until the items of `rows` rows are there, which the row group has. A long buffer that the column needs is
  // made in `buffers`.
  Status read(Reader& reader, ColumnBuffers& buffers, std::uint64_t rows);

  // Items of those rows.
  std::size_t size() const { return size_; }
  // Levels of item i < size().
  std::uint8_t definition(std::size_t i) const { return definition_[i]; }
  std::uint8_t repetition(std::size_t i) const { return repetition_[i]; }

  // The values of all items, one after another, as next_items() stores them; for byte arrays only their
  // bytes.
  const std::vector<std::byte>& values() const { return values_; }
  // Ends of byte arrays in values().
  const std::vector<std::uint64_t>& ends() const { return ends_; }

  // Drops what size() counts.
  void drop();

 private:
  Status read_some(Reader& reader, ColumnBuffers& buffers, std::size_t most);
  Status read_texts(Reader& reader, AnyBatch& batch, std::size_t most);
  void find_end(std::uint64_t rows);

  const ArrowNode& node_;
  std::size_t place_;
  std::size_t size_ = 0;
  std::size_t begun_ = 0;  // rows among the items looked at
  std::size_t looked_at_ = 0;
  std::vector<std::uint8_t> definition_;
  std::vector<std::uint8_t> repetition_;
  std::vector<std::byte> values_;
  std::vector<std::uint64_t> ends_;
};

// The first leaf whose items make other structs or lists of what it shares with the leaf before it; leaves.size(): all agree.
// Arrays of leaves that disagree would have children of other lengths than their parents count on, or values in rows that
// are not theirs.
std::size_t first_disagreeing(const ArrowNode& row, const std::vector<LeafItems>& leaves);

// Marks the slots of an array: 1, or 0 for a null.
using Slots = std::vector<std::uint8_t>;

// Appends the buffers that hold the values of `items`, with space in the places of nulls. Throws Failure: a decimal is longer
// than its type.
void add_values(const ArrowNode& node, const LeafItems& items, const Slots& slots,
                std::deque<std::vector<std::byte>>& buffers);

}  // namespace microparquet::desktop
