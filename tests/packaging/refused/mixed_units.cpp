// An expression of sectors, blocks and bytes, -D MIX=...: one that takes one of them for another must not
// compile.
#include <cstdint>

#include "microparquet/detail/footer_state.h"
#include "microparquet/detail/sectors.h"

namespace {

using microparquet::detail::BlockSize;
using microparquet::detail::SectorIndex;
using microparquet::detail::Sectors;

constexpr std::uint32_t bytes = 4096;
constexpr Sectors sectors(8);
constexpr SectorIndex place(16);
constexpr BlockSize block(1024);

constexpr bool take_bytes(std::uint64_t) { return true; }
constexpr bool take_sectors(Sectors) { return true; }
constexpr bool take_place(SectorIndex) { return true; }
constexpr bool take_block(BlockSize) { return true; }

// All that is meant to be mixed.
static_assert(place + sectors == SectorIndex(24) && place - place == Sectors(0));
static_assert(take_bytes(bytes + sectors.bytes()) && take_bytes(place.offset()) && take_bytes(block.bytes()));
static_assert(take_sectors(Sectors::holding(bytes)) && take_sectors(block.sectors()));
static_assert(take_place(SectorIndex::of(bytes)) && take_block(BlockSize(bytes)));

#ifdef MIX
microparquet::detail::FooterExtension footer = {};
[[maybe_unused]] const auto mixed = [] { return MIX; }();
#endif

}  // namespace

int main() { return 0; }
