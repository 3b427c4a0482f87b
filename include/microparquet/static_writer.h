// A writer of structs that owns its memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include "microparquet/detail/check.h"
#include "microparquet/detail/grant_rows.h"
#include "microparquet/detail/plan_fault.h"
#include "microparquet/detail/required_encoder.h"
#include "microparquet/detail/writer_access.h"
#include "microparquet/sorting.h"
#include "microparquet/typed.h"
#include "microparquet/writer.h"

namespace microparquet {

// Those of a StaticWriter that names none.
inline constexpr Options kDefaultOptions = {};

// Writes structs by a schema known at compile time. `kSchema` and `kOptions` are objects of static storage:
//
//   inline constexpr auto kSchema = mpq::schema(mpq::column("speed", &Sample::speed));
//   inline constexpr mpq::Options kOptions = [] {
//     mpq::Options options;
//     options.max_loss_ms = 10'000;
//     return options;
//   }();
//   static mpq::StaticWriter<kSchema, kOptions> log;
//
// Where its columns name encoders or compressors, GCC compiles it under -fsanitize=undefined with
// -fno-sanitize=null,nonnull-attribute,returns-nonnull-attribute: under these no address is a constant for it.
//
// sizeof is the whole cost in memory. Make it static: all its bytes begin as zeros and lie in .bss. The calls
// are those of Writer; see there for statuses. Not thread-safe; never from an interrupt.
//
// SchemaType is never given. By it the compiler sees that a schema over a struct of an unnamed namespace
// belongs to one source file: GCC 14 for Arm does not see it in the reference, and merges the plans of two
// files whose schemas have one name.
template <const auto& kSchema, const auto& kOptions = kDefaultOptions,
          typename SchemaType = std::remove_reference_t<decltype(kSchema)>>
class StaticWriter {
 public:
  // Begins a new file, which stays the caller's and must outlive close().
  Status open(File& file) { return detail::WriterAccess::open(writer_, file, kPlan, arena_.data()); }
  // The same with what `start` gives the file; see there for what must stay.
  Status open(File& file, const FileStart& start) {
    return detail::WriterAccess::open(writer_, file, kPlan, arena_.data(), start);
  }

  // Continues a file, or begins an empty one.
  Status resume(File& file) {
    return detail::WriterAccess::open(writer_, file, kPlan, arena_.data(), kResumeLayout);
  }
  // The same with what `start` gives the file; see there for what must stay.
  Status resume(File& file, const FileStart& start) {
    return detail::WriterAccess::open(writer_, file, kPlan, arena_.data(), start, kResumeLayout);
  }

  // As Writer::reconnect().
  Status reconnect(File& file) {
    constexpr detail::ReconnectLayout kReconnectLayout = detail::reconnect_layout(*kOptions.layout);
    return detail::WriterAccess::reconnect(writer_, file, kReconnectLayout);
  }

  // What append() takes in braces: append({time, speed}).
  using Row = typename std::remove_reference_t<decltype(kSchema)>::Row;

  // Appends one row; all or nothing. Strings are copied. `AnyRow` is Row, or a struct that has it as a base.
  template <typename AnyRow = Row>
  Status append(const AnyRow& row) {
    detail::WriterState& state = detail::WriterAccess::state(writer_);
    std::uint32_t budget = state.budget;
    if (budget == 0) {
      if (const Status status = detail::grant_rows(state); status != Status::kOk) return status;
      budget = state.budget;
    }
    if constexpr (kAsksForValues) {
      if (const Status status = fit_values(row); status != Status::kOk) return status;
      budget = state.budget;
    }
    if constexpr (kSorted) observe_order(row);
    // Before the values are stored: they could be the budget, for all a compiler knows.
    state.budget = budget - 1;
    detail::ColumnWriter* const columns = state.columns;
    detail::for_each_index(kIndices, [&](auto index) {
      put<kFields[index].encoder->copies_values>(columns[index], value_of<index>(row));
    });
    return Status::kOk;
  }

  // As Writer::end_row_group().
  Status end_row_group() { return writer_.end_row_group(); }
  // As Writer::tick().
  Status tick(std::uint32_t now_ms) { return writer_.tick(now_ms); }
  // As Writer::set_key_value().
  Status set_key_value(std::string_view key, std::string_view value) {
    return writer_.set_key_value(key, value);
  }
  // As Writer::checkpoint().
  Status checkpoint() { return writer_.checkpoint(); }
  // As Writer::close().
  Status close() { return writer_.close(); }
  // As Writer::roll().
  Status roll(File& next) { return writer_.roll(next); }
  // As Writer::leave().
  void leave() { writer_.leave(); }
  // As Writer::reset().
  void reset() { writer_.reset(); }
  // As Writer::rows().
  std::uint64_t rows() const { return writer_.rows(); }
  // As Writer::durable_rows().
  std::uint64_t durable_rows() const { return writer_.durable_rows(); }
  // As Writer::row_groups().
  std::uint32_t row_groups() const { return writer_.row_groups(); }
  // As Writer::checkpoint_in_progress().
  bool checkpoint_in_progress() const { return writer_.checkpoint_in_progress(); }
  // As Writer::checkpoint_sectors().
  std::uint32_t checkpoint_sectors() const { return writer_.checkpoint_sectors(); }
  // As Writer::blocking_footers().
  std::uint32_t blocking_footers() const { return writer_.blocking_footers(); }
  // As Writer::bytes_so_far().
  std::uint64_t bytes_so_far() const { return writer_.bytes_so_far(); }
  // As Writer::lost_rows().
  std::uint32_t lost_rows() const { return writer_.lost_rows(); }
  // As Writer::dictionary_counts().
  DictionaryCounts dictionary_counts(std::uint32_t column) const { return writer_.dictionary_counts(column); }
  // As Writer::file_bytes().
  std::uint64_t file_bytes() const { return writer_.file_bytes(); }

 private:
  // What is used of the schema while the program runs: so kSchema itself takes no memory.
  static constexpr auto kFields = kSchema.fields;
  static constexpr std::size_t kColumns = kFields.size();
  static constexpr auto kIndices = std::make_index_sequence<kColumns>{};
  template <std::size_t kIndex>
  static constexpr auto kAccessor = detail::column_at<kIndex>(kSchema.columns).accessor;
  template <std::size_t kIndex>
  static constexpr Resolution kResolution = detail::column_at<kIndex>(kSchema.columns).resolution;

  // The member as it is, or rounded.
  template <std::size_t kIndex, typename AnyRow>
  static decltype(auto) value_of(const AnyRow& row) {
    if constexpr (kResolution<kIndex>.is_exact()) {
      return (detail::access(row, kAccessor<kIndex>));
    } else {
      return kResolution<kIndex>.nearest(detail::access(row, kAccessor<kIndex>));
    }
  }

  // Of each fault the compiler says which it is and, where one column has it, the name.
  static constexpr detail::PlanFault kFault = detail::find_fault(Schema(kFields), kOptions);
  static constexpr std::string_view kFaultyName =
      kFault.kind != detail::FaultKind::kNone ? kFields[kFault.column].name : std::string_view();
  template <std::size_t... kPlaces>
  static constexpr auto faulty_column(std::index_sequence<kPlaces...>) {
    return detail::ColumnNamed<kFaultyName[kPlaces]...>();
  }
  using FaultyColumn = decltype(faulty_column(std::make_index_sequence<kFaultyName.size()>()));
  template <detail::FaultKind kKind>
  static constexpr bool kLacks = kFault.kind != kKind;
  static_assert(sizeof(detail::FieldIsSound<kLacks<detail::FaultKind::kField>, FaultyColumn>) != 0);
  static_assert(sizeof(detail::NameIsUsedOnce<kLacks<detail::FaultKind::kDuplicateName>, FaultyColumn>) != 0);
  static_assert(sizeof(detail::PageHoldsAValue<kLacks<detail::FaultKind::kPageBytes>, FaultyColumn>) != 0);
  static_assert(kLacks<detail::FaultKind::kNoColumns>, "a schema has at least one column");
  static_assert(kLacks<detail::FaultKind::kTooManyColumns>,
                "the index of pages has no space for so many columns: give IndexedLayout more bytes");
  static_assert(kLacks<detail::FaultKind::kSortingColumn>,
                "Options::sorting names a column that the schema has not");
  static_assert(kLacks<detail::FaultKind::kOther>,
                "block_bytes, max_bound_bytes or row_group_bytes is out of range; see Writer::open, "
                "kInvalidArgument");

  static constexpr auto footer_head() {
    std::array<std::byte, format::footer_head_bytes(Schema(kFields))> bytes{};
    format::write_footer_head(Schema(kFields), bytes.data(), [](auto...) {});
    return bytes;
  }
  static constexpr auto kFooterHead = footer_head();
  // Columns of one encoder share what is made of it.
  static constexpr std::size_t first_like(std::size_t column) {
    std::size_t first = 0;
    while (kFields[first].encoder != kFields[column].encoder || detail::is_optional(kFields[first])) ++first;
    return first;
  }
  template <std::size_t kIndex>
  static constexpr Encoder kRequiredEncoder = detail::for_required(*kFields[kIndex].encoder);
  // Here it is known which columns are required: what only optional ones need is not linked for them.
  template <std::size_t kIndex>
  static constexpr const Encoder* encoder_of() {
    if constexpr (detail::is_optional(kFields[kIndex]) ||
                  !detail::serves_optional(*kFields[kIndex].encoder)) {
      return kFields[kIndex].encoder;
    } else {
      return &kRequiredEncoder<first_like(kIndex)>;
    }
  }
  static constexpr std::array<detail::ColumnPlan, kColumns> plan_columns() {
    std::array<detail::ColumnPlan, kColumns> plans{};
    format::write_footer_head(Schema(kFields), nullptr, [&](auto i, auto begin, auto end) {
      const Span<const std::byte> path(kFooterHead.data() + begin, end - begin);
      plans[i] = detail::plan_column(kFields[i], kOptions, path);
    });
    detail::for_each_index(kIndices, [&](auto index) { plans[index].encoder = encoder_of<index>(); });
    return plans;
  }
  static constexpr auto footer_tail() {
    constexpr std::uint32_t kExtensionBytes = detail::footer_extension_bytes(kColumns, kOptions);
    std::array<std::byte, format::write_footer_tail(kColumns, kExtensionBytes, nullptr)> bytes{};
    format::write_footer_tail(kColumns, kExtensionBytes, bytes.data());
    return bytes;
  }
  static constexpr auto kColumnPlans = plan_columns();
  static constexpr auto compressors() {
    std::array<const Compressor*, kColumns> all{};
    for (std::size_t i = 0; i < kColumns; ++i) all[i] = kFields[i].compressor;
    return all;
  }
  static constexpr auto kCompressors = compressors();
  static constexpr detail::ColumnTransforms kTransforms =
      detail::plan_column_transforms(Schema(kFields), kOptions, kCompressors.data());
  static constexpr auto kFooterTail = footer_tail();
  static constexpr detail::WriterPlan kPlan = detail::plan_writer(
      Schema(kFields), kOptions, kColumnPlans.data(), &kTransforms, kFooterHead, kFooterTail);
  static constexpr detail::ResumeLayout kResumeLayout = detail::resume_layout(kPlan);

  // Whether it depends on the value if it fits.
  static constexpr bool asks_for_value(const Field& field) {
    return field.type == Type::kByteArray ||
           (field.encoder->accepts != nullptr && detail::is_optional(field));
  }
  static constexpr bool asks_for_values() {
    for (const Field& field : kFields) {
      if (asks_for_value(field)) return true;
    }
    return false;
  }
  static constexpr bool kAsksForValues = asks_for_values();
  static constexpr bool kSorted = !kOptions.sorting.columns.empty();

  template <bool kCopiesValues, typename Member>
  static void put(detail::ColumnWriter& column, const Member& member) {
    using Held = typename detail::OptionalValue<Member>::type;
    constexpr std::uint8_t kPresent = 1;
    if constexpr (detail::OptionalValue<Member>::kOptional) {
      if (!member) {
        column.put(nullptr, 0, 0);
        return;
      }
      with_stored<Held>(*member, [&](const void* value) { column.put(value, kPresent, 0); });
    } else if constexpr (kCopiesValues && std::is_arithmetic_v<Held>) {
      column.put_plain(static_cast<typename detail::StoredAs<Held>::type>(member));
    } else {
      with_stored<Held>(member, [&](const void* value) { column.plan->encoder->put(column, value, 1); });
    }
  }

  // Calls `take` with the address of the value as Encoder::put takes it.
  template <typename Value, typename Take>
  static void with_stored(const Value& value, Take take) {
    if constexpr (detail::kIsByteArray<Value>) {
      const std::string_view view = value;
      take(&view);
    } else if constexpr (detail::kFixedBytes<Value> != 0) {
      take(value.data());
    } else {
      const typename detail::StoredAs<Value>::type stored = value;
      take(&stored);
    }
  }

  // Closes pages until every value of the row fits in its column's.
  template <typename AnyRow>
  Status fit_values(const AnyRow& row) {
    detail::WriterState& state = detail::WriterAccess::state(writer_);
    Status status = Status::kOk;
    for (bool again = true; again && status == Status::kOk;) {
      again = false;
      detail::for_each_index(kIndices, [&](auto index) {
        using Member =
            std::remove_cv_t<std::remove_reference_t<decltype(detail::access(row, kAccessor<index>))>>;
        if constexpr (detail::kIsByteArray<typename detail::OptionalValue<Member>::type>) {
          const std::size_t bytes = byte_array_size(detail::access(row, kAccessor<index>));
          if (status != Status::kOk || bytes == kNull) return;
          if (!state.columns[index].fits(bytes)) {
            status = detail::grant_rows_for(state, state.columns[index], bytes);
            again = true;
            return;
          }
        }
        if constexpr (kFields[index].encoder->accepts != nullptr && asks_for_value(kFields[index])) {
          const Member& member = detail::access(row, kAccessor<index>);
          if (status != Status::kOk || accepts(state.columns[index], member)) return;
          status = detail::grant_rows_after(state, state.columns[index]);
          again = true;
        }
      });
    }
    return status;
  }

  template <typename Member>
  static bool accepts(detail::ColumnWriter& column, const Member& member) {
    if constexpr (detail::OptionalValue<Member>::kOptional) {
      return !member || accepts(column, *member);
    } else {
      bool accepted = false;
      with_stored<Member>(member, [&](const void* value) { accepted = column.accepts(value); });
      return accepted;
    }
  }

  static constexpr std::size_t kNull = ~std::size_t{0};
  template <typename Member>
  static std::size_t byte_array_size(const Member& member) {
    if constexpr (detail::OptionalValue<Member>::kOptional) {
      return member ? std::string_view(*member).size() : kNull;
    } else {
      return std::string_view(member).size();
    }
  }

  template <typename AnyRow>
  void observe_order(const AnyRow& row) {
    detail::SortState& sort = detail::sort_state_of(detail::WriterAccess::state(writer_));
    for (std::size_t key = 0; key < kOptions.sorting.columns.size(); ++key) {
      const SortingColumn& sorting = kOptions.sorting.columns[key];
      detail::for_each_index(kIndices, [&](auto index) {
        if (index != sorting.column) return;
        const auto observe = [&](const void* value) {
          kOptions.sorting.checker->observe(sort, key, sorting, kFields[index], value);
        };
        const auto& member = value_of<index>(row);
        using Member = std::remove_cv_t<std::remove_reference_t<decltype(member)>>;
        using Held = typename detail::OptionalValue<Member>::type;
        if constexpr (detail::OptionalValue<Member>::kOptional) {
          if (!member) return observe(nullptr);
          with_stored<Held>(*member, observe);
        } else {
          with_stored<Held>(member, observe);
        }
      });
    }
  }

  Writer writer_;
  alignas(8) std::array<std::byte, kPlan.arena.bytes> arena_ = {};
};

}  // namespace microparquet
