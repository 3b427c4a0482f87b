#include "medium.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "support/chance.h"

namespace lives {
namespace {

// Ways to lose writes, each of which asks something else of a program.
enum class Way { kNone, kAll, kHalf, kAllButOne, kOne, kLastOnes, kWays };

class Lottery {
 public:
  Lottery(Way way, Chance& chance, std::size_t writes)
      : way_(way), chance_(chance), chosen_(chance.below(static_cast<unsigned>(writes))) {}
  bool lost(std::size_t write) {
    switch (way_) {
      case Way::kNone: return false;
      case Way::kAll: return true;
      case Way::kHalf: return chance_.percent(50);
      case Way::kAllButOne: return write != chosen_;
      case Way::kOne: return write == chosen_;
      default: return write >= chosen_;
    }
  }

 private:
  Way way_;
  Chance& chance_;
  std::size_t chosen_;
};

}  // namespace

void Medium::reach(std::uint64_t end) {
  const auto bytes = static_cast<std::size_t>((end + kSector - 1) / kSector * kSector);
  if (bytes_.size() < bytes) bytes_.resize(bytes);
}

void Medium::read(std::uint64_t offset, mpq::Span<std::byte> out) const {
  std::memset(out.data(), 0, out.size());
  if (offset >= bytes_.size()) return;
  const std::size_t there = std::min(out.size(), bytes_.size() - static_cast<std::size_t>(offset));
  std::memcpy(out.data(), bytes_.data() + static_cast<std::size_t>(offset), there);
}

void Medium::damage(std::uint64_t offset, std::byte wrong) {
  reach(offset + 1);
  *at(offset) ^= wrong;
  damaged_ = offset;
  wrong_ = wrong;
}

void Medium::write(std::uint64_t offset, mpq::Span<const std::byte> data) {
  if (data.empty()) return;
  const std::uint64_t end = offset + data.size();
  reach(end);
  if (damaged_ >= offset && damaged_ < end) wrong_ = std::byte{0};
  if (!can_read(offset, data.size())) unreadable_ = kNone;
  const auto last = static_cast<std::uint32_t>((end - 1) / kSector);
  for (auto sector = static_cast<std::uint32_t>(offset / kSector); sector <= last; ++sector) {
    Version& version = versions_.emplace_back();
    version.sector = sector;
    std::memcpy(version.before.data(), at(sector * std::uint64_t{kSector}), kSector);
  }
  std::memcpy(at(offset), data.data(), data.size());
  end_ = std::max(end_, end);
}

// A sector that was in flight keeps its beginning, or nothing at all: with its whole block.
void Medium::hurt(const Loss& loss, std::uint32_t sector, const Sector& before, std::uint64_t bits) {
  const std::uint64_t begin = sector * std::uint64_t{kSector};
  if (!loss.destroys) {
    const std::size_t kept = bits % kSector;
    std::memcpy(at(begin) + kept, before.data() + kept, kSector - kept);
    return;
  }
  const std::uint64_t block = begin / loss.block_bytes * loss.block_bytes;
  reach(block + loss.block_bytes);
  const bool noise = bits % 4 == 0;
  for (std::uint64_t i = 0; i < loss.block_bytes; ++i)
    *at(block + i) = static_cast<std::byte>(noise ? mix(bits + i) : 0xFF);
}

void Medium::lose(const Loss& loss) {
  Chance chance(loss.seed);
  if (!versions_.empty()) {
    const auto way = static_cast<Way>(chance.below(static_cast<unsigned>(Way::kWays)));
    Lottery lottery(way, chance, versions_.size());
    // A write that is lost is as if the sector had stayed as it was before; a later one to it is whole again.
    std::unordered_map<std::uint32_t, Sector> left;
    std::vector<Sector> after(versions_.size());
    std::unordered_map<std::uint32_t, Sector> next;
    for (std::size_t i = versions_.size(); i-- != 0;) {
      const std::uint32_t sector = versions_[i].sector;
      const auto later = next.find(sector);
      if (later != next.end()) {
        after[i] = later->second;
      } else {
        std::memcpy(after[i].data(), at(sector * std::uint64_t{kSector}), kSector);
      }
      next[sector] = versions_[i].before;
    }
    for (std::size_t i = 0; i < versions_.size(); ++i) {
      left.try_emplace(versions_[i].sector, versions_[i].before);
      if (!lottery.lost(i)) left[versions_[i].sector] = after[i];
    }
    for (const auto& [sector, data] : left)
      std::memcpy(at(sector * std::uint64_t{kSector}), data.data(), kSector);
    if (chance.percent(50)) {
      const Version& in_flight = versions_[chance.below(static_cast<unsigned>(versions_.size()))];
      const std::uint64_t bits = chance.next();
      if (in_flight.sector >= loss.whole_below) hurt(loss, in_flight.sector, in_flight.before, bits);
      const std::uint64_t begin = in_flight.sector * std::uint64_t{kSector};
      if (begin >= loss.unreadable_from) unreadable_ = begin;
    }
    versions_.clear();
  }
  end_ = size_;
}

}  // namespace lives
