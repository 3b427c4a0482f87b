// The cards that figures speak of: three whose mean they give, variants, and a grid over the parameters. README.md says where
// each parameter comes from. Frozen: a layout is judged by them, never they by a layout.
#pragma once

#include <array>
#include <vector>

#include "cards/flash.h"

namespace cards {

inline constexpr std::array<CardKind, 3> kThree = {{
    {"cheap", Mapping::kSharedLog, 16 << 10, 4 << 20, 2, 4 << 20, 1400, 1600},
    {"common", Mapping::kPages, 16 << 10, 16 << 10, 0, 0, 1800, 2000},
    {"good", Mapping::kPages, 4 << 10, 4 << 10, 0, 0, 400, 500},
}};

inline constexpr std::array<CardKind, 6> kVariants = {{
    {"two_logs", Mapping::kLogBlocks, 16 << 10, 4 << 20, 2, 4 << 20, 1400, 1600},
    {"six_logs", Mapping::kLogBlocks, 8 << 10, 2 << 20, 6, 4 << 20, 1100, 1300},
    {"forward", Mapping::kForward, 16 << 10, 4 << 20, 2, 4 << 20, 1400, 1600},
    {"cheap_new", Mapping::kSharedLog, 16 << 10, 4 << 20, 2, 4 << 20, 1400, 1600, 0, true},
    {"padded", Mapping::kPages, 4 << 10, 4 << 10, 0, 0, 500, 600, 1, false, 16 << 10},
    {"old", Mapping::kLogBlocks, 4 << 10, 128 << 10, 4, 4 << 20, 600, 800},
}};

// 72 of mapped units and four of mapped pages.
std::vector<CardKind> grid();

}  // namespace cards
