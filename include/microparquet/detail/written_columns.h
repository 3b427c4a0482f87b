// What a StaticWriter asks about its schema: the columns as fields, how it finds their values in a row, and what
// differs from a schema of such fields.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "microparquet/detail/column_plan.h"
#include "microparquet/detail/format/footer_constants.h"
#include "microparquet/detail/writer_plan.h"
#include "microparquet/options.h"
#include "microparquet/typed.h"

namespace microparquet::detail {

// True for values that know how they are put into their column: parts of structs with lists and structs inside.
template <typename T>
inline constexpr bool kPutsItself = false;
// True for those that are several values of one row.
template <typename T>
inline constexpr bool kIsElements = false;

// Argument for write_head() that passes over the paths.
struct TakeNoPath {
  constexpr void operator()(std::uint32_t /*column*/, std::uint32_t /*begin*/, std::uint32_t /*end*/) const {}
};

// Columns of a TypedSchema. static_nested_writer.h has those of a TypedTree. `kKeepsPages`: the layout is one whose
// checkpoints keep pages.
template <const auto& kSchema, typename SchemaType, bool kKeepsPages>
struct WrittenColumns {
  static constexpr auto kFields = kSchema.fields;
  template <std::size_t kIndex>
  static constexpr auto kAccessor = column_at<kIndex>(kSchema.columns).accessor;
  template <std::size_t kIndex>
  static constexpr Resolution kResolution = column_at<kIndex>(kSchema.columns).resolution;

  // Returns the value of a column in a row.
  template <std::size_t kIndex, typename AnyRow>
  static const auto& member(const AnyRow& row) {
    return access(row, kAccessor<kIndex>);
  }

  // Returns whether each row is asked how much it needs of the column.
  static constexpr bool is_in_list(std::size_t /*column*/) { return false; }

  // Stops the compiler where these options do not suit the schema, beside what plan_fault.h finds.
  template <const auto& kOptions>
  static constexpr bool check() {
    return true;
  }

  // See format::write_footer_head().
  template <typename TakePath>
  static constexpr std::uint32_t write_head(std::byte* at, TakePath take_path) {
    return format::write_footer_head(Schema(kFields), at, take_path);
  }
  // Returns the part of it that is the head.
  template <std::size_t kBytes>
  static constexpr Span<const std::byte> head_of(const std::array<std::byte, kBytes>& bytes) {
    return bytes;
  }

  // Return a plan as the columns need it.
  static constexpr ColumnPlan adjust(const ColumnPlan& plan, std::size_t /*column*/,
                                     const Options& /*options*/) {
    return plan;
  }
  static constexpr WriterPlan adjust(const WriterPlan& plan, const Options& /*options*/, bool /*keeps*/) {
    return plan;
  }
  static constexpr ResumeLayout resume_layout(ResumeLayout flat, const WriterPlan& /*plan*/, bool /*keeps*/) {
    return flat;
  }
  static constexpr ReconnectLayout reconnect_layout(ReconnectLayout flat, const Options& /*options*/,
                                                    bool /*keeps*/) {
    return flat;
  }
  template <const auto& kOptions>
  static constexpr Options used_options() {
    return detail::used_options(Schema(kFields), kOptions);
  }
};

}  // namespace microparquet::detail
