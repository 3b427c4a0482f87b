#include "cards/kinds.h"

#include "cards/page_mapped_flash.h"
#include "cards/unit_mapped_flash.h"

namespace cards {

std::unique_ptr<Flash> make_flash(const CardKind& kind) {
  switch (kind.mapping) {
    case Mapping::kPages: return std::make_unique<PageMappedFlash>(kind);
    case Mapping::kLogBlocks: return std::make_unique<LogBlockFlash>(kind);
    case Mapping::kForward: return std::make_unique<ForwardFlash>(kind);
    case Mapping::kSharedLog: return std::make_unique<SharedLogFlash>(kind);
  }
  return nullptr;
}

std::vector<CardKind> grid() {
  constexpr double kProgramUs = 1000;
  constexpr double kCopyUs = 1200;
  std::vector<CardKind> kinds;
  for (const std::uint32_t page : {4U << 10, 8U << 10, 16U << 10}) {
    for (const std::uint32_t unit : {128U << 10, 1U << 20, 4U << 20}) {
      for (const std::uint32_t open : {1U, 2U, 4U, 8U}) {
        for (const Mapping mapping : {Mapping::kLogBlocks, Mapping::kSharedLog}) {
          kinds.push_back({"grid", mapping, page, unit, open, 4 << 20, kProgramUs, kCopyUs});
        }
      }
    }
  }
  for (const std::uint32_t page : {4U << 10, 8U << 10, 16U << 10, 32U << 10}) {
    kinds.push_back({"grid", Mapping::kPages, page, page, 0, 0, kProgramUs, kCopyUs});
  }
  return kinds;
}

}  // namespace cards
