// Writer of structs, which owns its memory.
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
#include "microparquet/detail/written_columns.h"
#include "microparquet/sorting.h"
#include "microparquet/typed.h"
#include "microparquet/writer.h"

namespace microparquet {

// Options of a StaticWriter that names none.
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
// GCC, if its columns name encoders or compressors, needs
// -fno-sanitize=null,nonnull-attribute,returns-nonnull-attribute with -fsanitize=undefined: with these checks
// it takes no address for a constant.
//
// sizeof is the whole cost in memory. Make it static: all its bytes begin as zeros and lie in .bss. Its
// functions are those of Writer; see there for statuses. Not thread-safe; never from an interrupt.
//
// Never give SchemaType. It shows the compiler that a schema over a struct of an unnamed namespace belongs to
// one source file: GCC 14 for Arm does not see this in the reference, and merges the plans of two files whose
// schemas have the same name.
template <const auto& kSchema, const auto& kOptions = kDefaultOptions,
          typename SchemaType = std::remove_reference_t<decltype(kSchema)>>
class StaticWriter {
 public:
  // Begins a new file, which stays the caller's and must outlive close().
  Status open(File& file) { return detail::WriterAccess::open(writer_, file, kPlan, arena_.data()); }
  // Begins a new file with key-values and an id; see FileStart for what must stay.
  Status open(File& file, const FileStart& start) {
    return detail::WriterAccess::open(writer_, file, kPlan, arena_.data(), start);
  }

  // Continues a file, or begins an empty one.
  Status resume(File& file) {
    return detail::WriterAccess::open(writer_, file, kPlan, arena_.data(), kResumeLayout);
  }
  // Continues a file with key-values and an id; see FileStart for what must stay.
  Status resume(File& file, const FileStart& start) {
    return detail::WriterAccess::open(writer_, file, kPlan, arena_.data(), start, kResumeLayout);
  }

  // Continues after a lost medium: see Writer::reconnect().
  Status reconnect(File& file) {
    constexpr detail::ReconnectLayout kReconnectLayout = Written::reconnect_layout(
        detail::reconnect_layout(*kOptions.layout, kKeepsPages), kOptions, kKeepsPages);
    return detail::WriterAccess::reconnect(writer_, file, kReconnectLayout);
  }

  // Struct that append() takes in braces: append({time, speed}).
  using Row = typename std::remove_reference_t<decltype(kSchema)>::Row;

  // Appends one row, completely or not at all. Strings are copied. `AnyRow` is Row, or a struct that has it
  // as a base.
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
    // Store it before the values: a compiler must assume that they could change the budget.
    state.budget = budget - 1;
    detail::ColumnWriter* const columns = state.columns;
    detail::for_each_index(kIndices, [&](auto index) {
      put<kFields[index].encoder->copies_values>(columns[index], value_of<index>(row));
    });
    return Status::kOk;
  }

  // Ends the row group: see Writer::end_row_group().
  Status end_row_group() { return writer_.end_row_group(); }
  // Gives the writer the time: see Writer::tick().
  Status tick(std::uint32_t now_ms) { return writer_.tick(now_ms); }
  // Counts what a resumed file had: see Writer::count_inherited().
  Status count_inherited(std::string_view prefix, std::uint32_t& count) {
    return writer_.count_inherited(prefix, count);
  }
  // Adds or replaces a key-value: see Writer::set_key_value().
  Status set_key_value(std::string_view key, std::string_view value) {
    return writer_.set_key_value(key, value);
  }
  // Makes all rows durable: see Writer::checkpoint().
  Status checkpoint() { return writer_.checkpoint(); }
  // Makes all rows safe: see Writer::save().
  Status save() {
    if constexpr (detail::saves_stream(*kOptions.layout)) {
      constexpr detail::SaveRows kSave = static_cast<const SavingLayout*>(kOptions.layout)->save;
      return detail::WriterAccess::save(writer_, kSave);
    } else {
      return writer_.save();
    }
  }
  // Completes the file: see Writer::close().
  Status close() { return writer_.close(); }
  // Continues in another file: see Writer::roll().
  Status roll(File& next) { return writer_.roll(next); }
  // Leaves the file as it is: see Writer::leave().
  void leave() { writer_.leave(); }
  // Gives up the file: see Writer::reset().
  void reset() { writer_.reset(); }
  // Returns the rows of the file: see Writer::rows().
  std::uint64_t rows() const { return writer_.rows(); }
  // Returns the durable rows: see Writer::durable_rows().
  std::uint64_t durable_rows() const { return writer_.durable_rows(); }
  // Returns the safe rows: see Writer::safe_rows().
  std::uint64_t safe_rows() const {
    if constexpr (detail::saves_stream(*kOptions.layout)) {
      return detail::safe_rows_forward(detail::WriterAccess::state(writer_));
    } else {
      return writer_.safe_rows();
    }
  }
  // Returns the id of the file: see Writer::file_id().
  std::uint32_t file_id() const { return writer_.file_id(); }
  // Returns the finished row groups: see Writer::row_groups().
  std::uint32_t row_groups() const { return writer_.row_groups(); }
  // Returns whether a footer is on its way: see Writer::checkpoint_in_progress().
  bool checkpoint_in_progress() const { return writer_.checkpoint_in_progress(); }
  // Returns the cost of a checkpoint now: see Writer::checkpoint_sectors().
  std::uint32_t checkpoint_sectors() const { return writer_.checkpoint_sectors(); }
  // Returns the footers that rows waited for: see Writer::blocking_footers().
  std::uint32_t blocking_footers() const { return writer_.blocking_footers(); }
  // Returns the length of the file so far: see Writer::bytes_so_far().
  std::uint64_t bytes_so_far() const { return writer_.bytes_so_far(); }
  // Returns the rows lost with a medium: see Writer::lost_rows().
  std::uint32_t lost_rows() const { return writer_.lost_rows(); }
  // Returns how often a dictionary did not suffice: see Writer::dictionary_counts().
  DictionaryCounts dictionary_counts(std::uint32_t column) const { return writer_.dictionary_counts(column); }
  // Returns the size of the closed file: see Writer::file_bytes().
  std::uint64_t file_bytes() const { return writer_.file_bytes(); }

 private:
  // Parts of the schema that the running program uses, so that kSchema itself takes no memory.
  using Written =
      detail::WrittenColumns<kSchema, SchemaType, kOptions.layout->checkpoints == CheckpointKind::kKeepPages>;
  static constexpr auto kFields = Written::kFields;
  static constexpr std::size_t kColumns = kFields.size();
  static constexpr auto kIndices = std::make_index_sequence<kColumns>{};
  static_assert(Written::template check<kOptions>());

  // Returns the member unchanged, or rounded.
  template <std::size_t kIndex, typename AnyRow>
  static decltype(auto) value_of(const AnyRow& row) {
    if constexpr (Written::template kResolution<kIndex>.is_exact()) {
      return Written::template member<kIndex>(row);
    } else {
      return Written::template kResolution<kIndex>.nearest(Written::template member<kIndex>(row));
    }
  }

  // Kind of the schema's fault, which the compiler shows together with the name of the column at fault.
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
  static_assert(
      kLacks<detail::FaultKind::kOther>,
      "block_bytes, transfer_align, max_bound_bytes or row_group_bytes is out of range; see Writer::open, "
      "kInvalidArgument");

  // The footer's head, and after it the columns' paths that are no part of it.
  static constexpr auto footer_head() {
    std::array<std::byte, Written::write_head(nullptr, detail::TakeNoPath{})> bytes{};
    Written::write_head(bytes.data(), detail::TakeNoPath{});
    return bytes;
  }
  static constexpr auto kFooterHead = footer_head();
  // Returns the first column with the same encoder, whose derived objects all such columns share.
  static constexpr std::size_t first_like(std::size_t column) {
    std::size_t first = 0;
    while (kFields[first].encoder != kFields[column].encoder || detail::is_optional(kFields[first])) ++first;
    return first;
  }
  template <std::size_t kIndex>
  static constexpr Encoder kRequiredEncoder = detail::for_required(*kFields[kIndex].encoder);
  // Returns the column's encoder. The schema shows which columns are required, so that parts for optional
  // columns are not linked for them.
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
    Written::write_head(nullptr, [&](auto i, auto begin, auto end) {
      const Span<const std::byte> path(kFooterHead.data() + begin, end - begin);
      plans[i] = Written::adjust(detail::plan_column(kFields[i], kOptions, path), i, kOptions);
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
  static constexpr bool kKeepsPages = detail::keeps_pages(Schema(kFields), kOptions);
  // The plan takes of a KeepingLayout what the schema needs. The rest would link parts that are not used.
  static constexpr Layout kLayout = *kOptions.layout;
  static constexpr bool kIsKeeping = kOptions.layout->checkpoints == CheckpointKind::kKeepPages;
  static constexpr Options used_options() {
    Options options = Written::template used_options<kOptions>();
    if (kIsKeeping || detail::saves_stream(*kOptions.layout)) options.layout = &kLayout;
    return options;
  }
  static constexpr Options kUsedOptions = used_options();
  static constexpr detail::WriterPlan make_plan() {
    detail::WriterPlan plan =
        detail::plan_writer(Schema(kFields), kIsKeeping ? kOptions : kUsedOptions, kColumnPlans.data(),
                            &kTransforms, Written::head_of(kFooterHead), kFooterTail);
    plan.options = &kUsedOptions;
    return Written::adjust(plan, kOptions, kKeepsPages);
  }
  static constexpr detail::WriterPlan kPlan = make_plan();
  static constexpr detail::ResumeLayout kResumeLayout =
      Written::resume_layout(detail::resume_layout(kPlan, *kOptions.layout, kKeepsPages), kPlan, kKeepsPages);

  // Returns whether it depends on a value if it fits.
  static constexpr bool asks_for_value(const Field& field) {
    return field.type == Type::kByteArray ||
           (field.encoder->accepts != nullptr && detail::is_optional(field));
  }
  static constexpr bool asks_for_values() {
    for (std::size_t i = 0; i < kColumns; ++i) {
      if (Written::is_in_list(i) || asks_for_value(kFields[i])) return true;
    }
    return false;
  }
  static constexpr bool kAsksForValues = asks_for_values();
  static constexpr bool kSorted = !kOptions.sorting.columns.empty();

  template <bool kCopiesValues, typename Member>
  static void put(detail::ColumnWriter& column, const Member& member) {
    using Held = typename detail::OptionalValue<Member>::type;
    constexpr std::uint8_t kPresent = 1;
    if constexpr (detail::kPutsItself<Member>) {
      member.template put<kCopiesValues>(column,
                                         [](const auto& value, auto take) { with_stored(value, take); });
    } else if constexpr (detail::OptionalValue<Member>::kOptional) {
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

  // Calls `take` with the address of the value in the form of Encoder::put.
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
            std::remove_cv_t<std::remove_reference_t<decltype(Written::template member<index>(row))>>;
        if constexpr (Written::is_in_list(index)) {
          if (status != Status::kOk) return;
          status = Written::template member<index>(row).fit(
              state, state.columns[index], again,
              [](const auto& value, auto take) { with_stored(value, take); });
          return;
        }
        if constexpr (kFields[index].type == Type::kByteArray && !Written::is_in_list(index)) {
          const std::size_t bytes = byte_array_size(Written::template member<index>(row));
          if (status != Status::kOk || bytes == kNull) return;
          if (!state.columns[index].fits(bytes)) {
            status = detail::grant_rows_for(state, state.columns[index], bytes);
            again = true;
            return;
          }
        }
        if constexpr (kFields[index].encoder->accepts != nullptr && asks_for_value(kFields[index]) &&
                      !Written::is_in_list(index)) {
          const Member& member = Written::template member<index>(row);
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
    if constexpr (detail::kIsElements<Member>) {
      return member.byte_array_size();
    } else if constexpr (detail::OptionalValue<Member>::kOptional) {
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
  alignas(kOptions.transfer_align) std::array<std::byte, kPlan.arena.bytes> arena_ = {};
};

}  // namespace microparquet
