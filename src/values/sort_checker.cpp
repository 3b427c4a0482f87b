#include "microparquet/sorting.h"

#include <cstring>
#include <string_view>

#include "base/endian.h"
#include "format/sorting_columns_writer.h"
#include "microparquet/detail/sort_state.h"
#include "microparquet/detail/writer_state.h"
#include "values/value_order.h"

namespace microparquet {
namespace {

using detail::SortKey;
using detail::ValueOrder;

constexpr std::size_t kKept = 32;

// Returns the bytes of the value that are compared.
Span<const std::byte> bytes_of(const Field& field, const void* value) {
  if (field.type != Type::kByteArray)
    return {static_cast<const std::byte*>(value), value_bytes(field.type, field.type_length)};
  const auto& view = *static_cast<const std::string_view*>(value);
  return {reinterpret_cast<const std::byte*>(view.data()), view.size()};
}

// Makes a key: where a number stands in its order, or the first bytes of another value. Returns false if the
// value has no place in the order.
bool make_key(ValueOrder order, const Field& field, const void* value, SortKey& key) {
  key.null = value == nullptr;
  if (key.null) return true;
  const Span<const std::byte> bytes = bytes_of(field, value);
  if (order != ValueOrder::kBytes) {
    std::int64_t place = 0;
    const bool has_place = detail::place_of_number(order, bytes, place);
    util::store(key.value, place);
    return has_place;
  }
  key.shortened = bytes.size() > kKept;
  key.bytes = static_cast<std::uint8_t>(key.shortened ? kKept : bytes.size());
  if (key.bytes != 0) std::memcpy(key.value, bytes.data(), key.bytes);
  return true;
}

// Returns a number below 0 if `a` comes before `b` in ascending order.
int compare(ValueOrder order, const SortKey& a, const SortKey& b) {
  if (order == ValueOrder::kBytes) {
    const int bytes = detail::order_of_bytes({a.value, a.bytes}, {b.value, b.bytes});
    const bool known = bytes != 0 || !(a.shortened || b.shortened);
    return known ? bytes : 1;  // unknown counts as out of order
  }
  const auto x = util::load<std::int64_t>(a.value);
  const auto y = util::load<std::int64_t>(b.value);
  return x < y ? -1 : x > y ? 1 : 0;
}

// Returns a number above 0 if `now` must not follow `last`, and 0 if the next key decides.
int follows(const SortingColumn& column, ValueOrder order, const SortKey& last, const SortKey& now) {
  if (last.null || now.null) {
    if (last.null == now.null) return 0;
    return last.null == column.nulls_first ? -1 : 1;
  }
  if (!column.descending) return compare(order, last, now);
  return compare(order, now, last);
}

}  // namespace

void RowSortChecker::observe(detail::SortState& state, std::size_t key, const SortingColumn& column,
                             const Field& field, const void* value) const {
  if (state.broken) return;
  if (key == 0) state.verdict = state.any ? 0 : -1;
  SortKey& last = state.keys[key];
  const ValueOrder order = detail::order_of(field);
  SortKey now{};
  if (!make_key(order, field, value, now)) {
    state.broken = true;
  } else if (state.verdict == 0) {
    const int step = follows(column, order, last, now);
    state.verdict = static_cast<std::int8_t>(step < 0 ? -1 : step > 0 ? 1 : 0);
    state.broken = step > 0;
  }
  last = now;
  state.any = true;
}

unsigned RowSortChecker::write_columns(thrift::WindowSink& sink, const detail::WriterState& state) const {
  if (sort_state_of(state).broken) return format::kHeaderWithoutSortingColumns;
  return format::write_sorting_columns(sink, state.options->sorting.columns);
}

}  // namespace microparquet
