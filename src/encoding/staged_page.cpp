#include "encoding/staged_page.h"

#include "base/bytes.h"
#include "base/endian.h"
#include "microparquet/detail/page_plan.h"

namespace microparquet::encoding {

// Compares as PageBody::pages_left() does, without its division.
bool may_keep(const PageBody& page) {
  const detail::ColumnPlan& plan = *page.plan;
  const std::uint32_t pages = 1 + detail::pages_of_values(kMostKeptValues, plan.shape.value_bytes,
                                                          plan.page_bytes, plan.header_bytes);
  return page.is_required() && page.extent_bytes >= page.chunk_bytes + pages * plan.page_bytes;
}

StagedPage::StagedPage(PageBody& page, std::byte* stage_of_page)
    : body(page),
      staging(*static_cast<StagedState*>(page.state)),
      stage(stage_of_page),
      at(page.cursor),
      limit(page.end),
      staged(staging.other),
      shift(page.plan->shape.value_bytes / 4 + 1) {  // of 4 or 8 bytes
  if (!cursor_is_in_stage()) return;
  at = page.values + staging.other;
  staged = static_cast<std::uint32_t>(page.cursor - stage) >> shift;
}

void StagedPage::store() const {
  if (cursor_is_in_stage()) {
    body.cursor = stage + (staged << shift);
    staging.other = static_cast<std::uint32_t>(at - body.values);
  } else {
    body.cursor = at;
    staging.other = staged;
  }
}

void StagedPage::drop(std::uint32_t count) {
  staged -= count;
  // Copies by words. The empty instruction hides the loop from the compiler, which would call memmove.
  std::byte* to = stage - width();
  const std::byte* from = to + (count << shift);
  for (const std::byte* const end = stage + (staged << shift); to != end; to += 4, from += 4) {
    util::store_aligned(to, util::load_aligned<std::uint32_t>(from));
    asm("" : "+r"(from));
  }
}

bool StagedPage::become_plain(std::uint32_t before) {
  if (body.is_required()) {
    const auto head = static_cast<std::uint32_t>(body.values - body.page);
    body.values = body.page + detail::round_up(head, 8);
  }
  std::uint32_t count = (static_cast<std::uint32_t>(limit - body.values) >> shift) - before;
  if (count > staged) count = staged;
  const std::uint32_t bytes = (count + before) << shift;
  util::move_bytes(body.values, stage - (before << shift), bytes);
  at = body.values + bytes;
  drop(count);
  staging.is_plain = true;
  return staged == 0;
}

void begin_staged_page(PageBody& page, std::byte* stage) {
  auto& staging = *static_cast<StagedState*>(page.state);
  if (page.is_required()) page.cursor = stage + staging.other * page.plan->shape.value_bytes;
  staging.other = 0;
  staging.is_plain = false;
  staging.keeps = may_keep(page);
}

}  // namespace microparquet::encoding
