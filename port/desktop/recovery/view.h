// A file as it lies on a medium, to be read only.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "byte_views.h"
#include "microparquet/file.h"

namespace microparquet::recovery {

// Bytes of a medium, one after another.
struct Piece {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;

  std::uint64_t end() const { return begin + bytes; }
};

// The pieces of a medium that make up a Parquet file, and after them bytes that are in memory only, such as
// pages that were copied together and a footer that is yet to be written; single bytes may be others. It always begins with PAR1, even when that is destroyed. The medium is
// the caller's and must stay.
class View final : public File {
 public:
  View(File& medium, const std::vector<Piece>& pieces);

  // Bytes of the pieces.
  std::uint64_t bytes() const { return bytes_; }
  // Puts bytes after the pieces that stay there.
  void add(const Bytes& bytes) { added_.insert(added_.end(), bytes.begin(), bytes.end()); }
  std::uint64_t added_end() const { return bytes_ + added_.size(); }
  // Puts `end` after those, instead of what was there.
  void set_end(Bytes end) { end_ = std::move(end); }
  // Shows `bytes` at `offset` from then on, instead of what stands in the pieces there.
  void replace(std::uint64_t offset, Bytes bytes) { replaced_.emplace_back(offset, std::move(bytes)); }
  // Shows again what stood there before the last replace().
  void take_back() { replaced_.pop_back(); }
  // Whether it shows others than the medium has anywhere.
  bool has_replaced() const { return !replaced_.empty(); }
  // Place on the medium of `offset` in the file. Requires: offset < bytes().
  std::uint64_t place(std::uint64_t offset) const;
  // Where those bytes of the file lie on the medium; none when some of them are only in memory.
  std::vector<Piece> stored(const Piece& bytes) const;
  File& medium() const { return medium_; }

  FileAbilities abilities() const override;
  Status size(std::uint64_t& bytes) override;
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;
  Status sync(std::uint64_t size) override;

 private:
  struct Placed {
    std::uint64_t offset;  // offset in the file
    Piece piece;
  };
  const Placed& piece_at(std::uint64_t offset) const;

  File& medium_;
  std::vector<Placed> pieces_;
  std::uint64_t bytes_ = 0;
  Bytes added_;
  Bytes end_;
  std::vector<std::pair<std::uint64_t, Bytes>> replaced_;  // bytes by offsets in the file
};

// `bytes` bytes from `offset` on; empty when they cannot be read.
Bytes read_bytes(File& file, std::uint64_t offset, std::size_t bytes);

// The whole of a file.
std::uint64_t bytes_of(File& file);

}  // namespace microparquet::recovery
