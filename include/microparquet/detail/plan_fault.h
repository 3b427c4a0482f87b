// Fault of a schema or options, for a compiler's message: its kind, and the column.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/check.h"
#include "microparquet/options.h"
#include "microparquet/schema.h"

namespace microparquet::detail {

enum class FaultKind : std::uint8_t {
  kNone,
  kNoColumns,
  kField,
  kDuplicateName,
  kPageBytes,
  kTooManyColumns,
  kSortingColumn,
  kOther,
};

struct PlanFault {
  FaultKind kind = FaultKind::kNone;
  std::size_t column = 0;
};

// Returns the first fault of a single field, or of two with the same name.
constexpr PlanFault schema_fault(Schema schema) {
  if (schema.empty()) return {FaultKind::kNoColumns, 0};
  for (std::size_t i = 0; i < schema.size(); ++i) {
    if (!field_is_sound(schema[i])) return {FaultKind::kField, i};
    for (std::size_t j = 0; j < i; ++j) {
      if (schema[i].name == schema[j].name) return {FaultKind::kDuplicateName, i};
    }
  }
  return {};
}

// Returns the fault of the options. Requires: the schema has no fault.
constexpr PlanFault options_fault(Schema schema, const Options& options) {
  for (std::size_t i = 0; i < schema.size(); ++i) {
    if (!page_is_sound(schema[i], options)) return {FaultKind::kPageBytes, i};
  }
  for (const SortingColumn& sorting : options.sorting.columns) {
    if (sorting.column >= schema.size()) return {FaultKind::kSortingColumn, 0};
  }
  if (options_are_sound(schema, options)) return {};
  Options others = options;
  others.layout = &kInPlace;
  return {options_are_sound(schema, others) ? FaultKind::kTooManyColumns : FaultKind::kOther, 0};
}

// Returns the fault of a schema with options. If they are sound, only the functions run that Writer::open()
// calls.
constexpr PlanFault find_fault(Schema schema, const Options& options) {
  if (!schema_is_sound(schema)) return schema_fault(schema);
  return options_are_sound(schema, options) ? PlanFault() : options_fault(schema, options);
}

// Name as a type, which compilers print with the message of a static_assert.
template <char... kName>
struct ColumnNamed {};

// The StaticWriter instantiates each of these with the result of one check of its schema and options, and the
// column at fault.
template <bool kHolds, typename Column>
struct NameIsUsedOnce {
  static_assert(kHolds, "two columns of the schema have this name; see Writer::open, kInvalidArgument");
};
template <bool kHolds, typename Column>
struct PageHoldsAValue {
  static_assert(kHolds,
                "page_bytes of the column or of the options is too small for a header and a value, too "
                "large, or no multiple "
                "of 8, with whole_sectors of 512; see Writer::open, kInvalidArgument");
};
template <bool kHolds, typename Column>
struct FieldIsSound {
  static_assert(kHolds,
                "the column has an empty name, or its encoder, bounds or logical type do not suit its type; "
                "see Writer::open, "
                "kInvalidArgument");
};

}  // namespace microparquet::detail
