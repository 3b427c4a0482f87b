#include "view.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "microparquet/detail/format/magic.h"

namespace microparquet::recovery {

View::View(File& medium, const std::vector<Piece>& pieces) : medium_(medium) {
  for (const Piece& piece : pieces) {
    if (piece.bytes == 0) {
      continue;
    }
    if (!pieces_.empty() && pieces_.back().piece.begin + pieces_.back().piece.bytes == piece.begin) {
      pieces_.back().piece.bytes += piece.bytes;
    } else {
      pieces_.push_back({bytes_, piece});
    }
    bytes_ += piece.bytes;
  }
}

const View::Placed& View::piece_at(std::uint64_t offset) const {
  const auto behind =
      std::upper_bound(pieces_.begin(), pieces_.end(), offset,
                       [](std::uint64_t at, const Placed& placed) { return at < placed.offset; });
  return *(behind - 1);
}

std::uint64_t View::place(std::uint64_t offset) const {
  const Placed& placed = piece_at(offset);
  return placed.piece.begin + (offset - placed.offset);
}

std::vector<Piece> View::stored(const Piece& bytes) const {
  const auto is_replaced = [&](const std::pair<std::uint64_t, Bytes>& other) {
    return other.first < bytes.end() && other.first + other.second.size() > bytes.begin;
  };
  if (bytes.begin < format::kMagicBytes || bytes.end() > bytes_ ||
      std::any_of(replaced_.begin(), replaced_.end(), is_replaced)) {
    return {};
  }
  std::vector<Piece> pieces;
  for (std::uint64_t at = bytes.begin; at < bytes.end(); at += pieces.back().bytes) {
    const Placed& placed = piece_at(at);
    const std::uint64_t inside = at - placed.offset;
    pieces.push_back({placed.piece.begin + inside, std::min(placed.piece.bytes - inside, bytes.end() - at)});
  }
  return pieces;
}

FileAbilities View::abilities() const {
  FileAbilities abilities;
  abilities.read_back = true;
  return abilities;
}

Status View::size(std::uint64_t& bytes) {
  bytes = bytes_ + added_.size() + end_.size();
  return Status::kOk;
}

Status View::read_at(std::uint64_t offset, Span<std::byte> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    const std::uint64_t at = offset + done;
    const std::size_t left = out.size() - done;
    if (at < bytes_) {
      const Placed& placed = piece_at(at);
      const std::uint64_t inside = at - placed.offset;
      const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(left, placed.piece.bytes - inside));
      const Status status = medium_.read_at(placed.piece.begin + inside, out.subspan(done, part));
      if (status != Status::kOk) {
        return status;
      }
      done += part;
      continue;
    }
    const std::uint64_t behind = at - bytes_;
    const bool is_added = behind < added_.size();
    const Bytes& from = is_added ? added_ : end_;
    const std::uint64_t inside = behind - (is_added ? 0 : added_.size());
    if (inside >= from.size() || (!is_added && left > from.size() - inside)) {
      return Status::kIoError;
    }
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(left, from.size() - inside));
    std::memcpy(out.data() + done, from.data() + inside, part);
    done += part;
  }
  for (const auto& [at, bytes] : replaced_) {
    const std::uint64_t begin = std::max(at, offset);
    const std::uint64_t end = std::min(at + bytes.size(), offset + out.size());
    if (begin < end) {
      std::memcpy(out.data() + (begin - offset), bytes.data() + (begin - at),
                  static_cast<std::size_t>(end - begin));
    }
  }
  constexpr std::string_view kMagic = format::kMagicText;
  if (offset < kMagic.size()) {
    const auto first = static_cast<std::size_t>(offset);
    std::memcpy(out.data(), kMagic.data() + first, std::min(out.size(), kMagic.size() - first));
  }
  return Status::kOk;
}

Status View::write_at(std::uint64_t, Span<const std::byte>) { return Status::kUnsupported; }

Status View::sync(std::uint64_t) { return Status::kUnsupported; }

Bytes read_bytes(File& file, std::uint64_t offset, std::size_t bytes) {
  constexpr std::size_t kFew = 64 << 10;
  if (bytes > kFew && bytes > bytes_of(file)) {  // sizes may come from damaged bytes
    return {};
  }
  Bytes result(bytes);
  if (file.read_at(offset, result) != Status::kOk) {
    result.clear();
  }
  return result;
}

std::uint64_t bytes_of(File& file) {
  std::uint64_t bytes = 0;
  return file.size(bytes) == Status::kOk ? bytes : 0;
}

}  // namespace microparquet::recovery
