#include "microparquet/sorting.h"

#include <cstring>
#include <string_view>

#include "base/endian.h"
#include "microparquet/detail/fields.h"
#include "microparquet/detail/sort_state.h"
#include "microparquet/detail/writer_state.h"
#include "thrift/compact_writer.h"

namespace microparquet {
namespace {

using detail::SortKey;

constexpr std::size_t kKept = 32;

template <typename T>
int compare_as(const std::byte* a, const std::byte* b) {
  const T x = util::load<T>(a);
  const T y = util::load<T>(b);
  return x < y ? -1 : x > y ? 1 : 0;
}

int compare_bytes(const SortKey& a, const SortKey& b) {
  const std::size_t shared = a.bytes < b.bytes ? a.bytes : b.bytes;
  const int order = std::memcmp(a.value, b.value, shared);
  if (order != 0) return order;
  if (a.bytes != b.bytes) return a.bytes < b.bytes ? -1 : 1;
  return a.shortened || b.shortened ? 1 : 0;  // not known: counts as out of order
}

// NaN has no place in an order of floats: it counts as out of order.
template <typename T>
int compare_floats(const std::byte* a, const std::byte* b) {
  const T x = util::load<T>(a);
  const T y = util::load<T>(b);
  return x < y ? -1 : x == y ? 0 : 1;
}

// Below 0 when `a` comes before `b` in ascending order.
int compare(const Field& field, const SortKey& a, const SortKey& b) {
  const bool is_unsigned = field.logical.kind == LogicalKind::kInteger && !field.logical.is_signed;
  switch (field.type) {
    case Type::kBoolean: return compare_as<std::uint8_t>(a.value, b.value);
    case Type::kInt32:
      return is_unsigned ? compare_as<std::uint32_t>(a.value, b.value)
                         : compare_as<std::int32_t>(a.value, b.value);
    case Type::kInt64:
      return is_unsigned ? compare_as<std::uint64_t>(a.value, b.value)
                         : compare_as<std::int64_t>(a.value, b.value);
    case Type::kFloat: return compare_floats<float>(a.value, b.value);
    case Type::kDouble: return compare_floats<double>(a.value, b.value);
    default: return compare_bytes(a, b);
  }
}

// Only types ordered as compare() orders them can be sorted by.
bool has_order(const Field& field) {
  const LogicalKind kind = field.logical.kind;
  if (field.type != Type::kByteArray && field.type != Type::kFixedLenByteArray) return true;
  return kind != LogicalKind::kDecimal && kind != LogicalKind::kFloat16 && kind != LogicalKind::kInterval;
}

SortKey make_key(const Field& field, const void* value) {
  SortKey key{};
  key.null = value == nullptr;
  if (key.null) return key;
  const void* data = value;
  std::size_t bytes = value_bytes(field.type, field.type_length);
  if (field.type == Type::kByteArray) {
    const auto& view = *static_cast<const std::string_view*>(value);
    data = view.data();
    bytes = view.size();
  }
  key.shortened = bytes > kKept;
  key.bytes = static_cast<std::uint8_t>(key.shortened ? kKept : bytes);
  if (key.bytes != 0) std::memcpy(key.value, data, key.bytes);
  return key;
}

// Above 0 when `now` may not follow `last`, 0 when the next key decides.
int follows(const SortingColumn& column, const Field& field, const SortKey& last, const SortKey& now) {
  if (last.null || now.null) {
    if (last.null == now.null) return 0;
    return last.null == column.nulls_first ? -1 : 1;
  }
  if (!column.descending) return compare(field, last, now);
  return compare(field, now, last);
}

}  // namespace

void RowSortChecker::observe(detail::SortState& state, std::size_t key, const SortingColumn& column,
                             const Field& field, const void* value) const {
  if (state.broken) return;
  if (key == 0) state.verdict = state.any ? 0 : -1;
  SortKey& last = state.keys[key];
  const SortKey now = make_key(field, value);
  const bool is_float = field.type == Type::kFloat || field.type == Type::kDouble;
  const bool is_nan = is_float && !now.null && compare(field, now, now) != 0;
  if (!has_order(field) || is_nan) {
    state.broken = true;
  } else if (state.verdict == 0) {
    const int order = follows(column, field, last, now);
    state.verdict = static_cast<std::int8_t>(order < 0 ? -1 : order > 0 ? 1 : 0);
    state.broken = order > 0;
  }
  last = now;
  state.any = true;
}

unsigned RowSortChecker::write_columns(thrift::WindowSink& sink, const detail::WriterState& state) const {
  const Span<const SortingColumn> columns = state.options->sorting.columns;
  using format::RowGroupField;
  using format::SortingColumnField;
  const auto header_after = [](int id) {
    return thrift::field_byte(RowGroupField::kTotalCompressedSize, thrift::CompactType::kI64, id);
  };
  if (sort_state_of(state).broken) return header_after(RowGroupField::kNumRows);
  thrift::CompactWriter out(sink, RowGroupField::kNumRows);
  out.field_list(RowGroupField::kSortingColumns, thrift::CompactType::kStruct,
                 static_cast<std::uint32_t>(columns.size()));
  for (const SortingColumn& column : columns) {
    out.element_struct();
    out.field_i32(SortingColumnField::kColumnIdx, static_cast<std::int32_t>(column.column));
    out.field_bool(SortingColumnField::kDescending, column.descending);
    out.field_bool(SortingColumnField::kNullsFirst, column.nulls_first);
    out.end_struct(RowGroupField::kSortingColumns);
  }
  return header_after(RowGroupField::kSortingColumns);
}

}  // namespace microparquet
