#include "page_order.h"

#include <algorithm>
#include <optional>

#include "write/page_notes.h"

namespace microparquet::desktop {

namespace {

using microparquet::detail::ColumnPlan;
using BoundView = Span<const std::byte>;

bool are_equal(BoundView a, BoundView b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

// The bounds of two values are asked which of them is less, so that nobody here needs to know how the type is ordered.
class TwoValues {
 public:
  TwoValues(const ColumnPlan& plan, BoundView a, BoundView b) {
    Bounds both;
    both.min = a;
    both.max = b;
    write::take_bounds(state_, plan, both);
    bounds_ = plan.bounds->bounds(state_, plan.shape);
  }
  BoundView least() const { return bounds_.min; }
  BoundView most() const { return bounds_.max; }

 private:
  static constexpr std::size_t kMostStateBytes = 256;

  alignas(8) std::byte state_[kMostStateBytes] = {};
  Bounds bounds_;
};

struct Steps {
  bool ascend = true;
  bool descend = true;

  void take(const ColumnPlan& plan, const Bounds& before, const Bounds& after) {
    const TwoValues mins(plan, before.min, after.min);
    const TwoValues maxs(plan, before.max, after.max);
    ascend = ascend && are_equal(mins.least(), before.min) && are_equal(maxs.most(), after.max);
    descend = descend && are_equal(mins.least(), after.min) && are_equal(maxs.most(), before.max);
  }
};

}  // namespace

// Pages of nulls count for nothing.
PageOrder order_of(const ColumnPlan& plan, microparquet::detail::ColumnNotes& notes) {
  Steps steps;
  std::optional<Bounds> before;
  format::for_each_page(notes, [&](microparquet::detail::PageNote& page) {
    if (page.nulls == page.rows) {
      return;
    }
    const Bounds bounds = plan.bounds->bounds(&page + 1, plan.shape);
    if (before) {
      steps.take(plan, *before, bounds);
    }
    before = bounds;
  });
  return steps.ascend ? PageOrder::kAscending : steps.descend ? PageOrder::kDescending : PageOrder::kNone;
}

}  // namespace microparquet::desktop
