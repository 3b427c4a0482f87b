// Writer of structs with structs, arrays, lists and maps inside: StaticWriter with a schema of nested.h.
//
//   struct Satellite { std::uint8_t id, snr; };
//   struct Fix { double latitude, longitude; };
//   struct Epoch {
//     std::int64_t time_us;
//     std::optional<Fix> fix;
//     std::array<float, 64> spectrum;
//     mpq::List<Satellite, 32> satellites;
//   };
//   inline constexpr auto kEpochs = mpq::schema(
//       mpq::timestamp_us_column("time", &Epoch::time_us),
//       mpq::group("fix", &Epoch::fix, mpq::column("lat", &Fix::latitude), mpq::column("lon", &Fix::longitude)),
//       mpq::list("spectrum", &Epoch::spectrum).with_page_bytes(2048),
//       mpq::list("satellites", &Epoch::satellites, mpq::column("id", &Satellite::id), mpq::column("snr", &Satellite::snr)));
//   static mpq::StaticWriter<kEpochs> log;
//
// A column in a struct costs what a flat one costs. An array is a list in the file; each of its values takes up to two
// bits more, and a page holds whole rows: give it pages of eight rows or more. The rows of a List or a Span have any
// number of values, and each row is asked for its number. One that is longer than a page of a column is refused,
// kValueTooLarge, and so is a List that claims more elements than it has places for; the next row is taken.
//
// What is inside may be 14 names deep, with up to three lists in one another. Arrays and lists are written by the library's
// encoders, with any compressor; an array by kDeltaBinaryPacked, kDictionary, kRleBoolean or kAuto costs what a List does.
// The compiler names what it refuses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "microparquet/detail/array_encoder.h"
#include "microparquet/detail/array_forecast.h"
#include "microparquet/detail/deep_levels.h"
#include "microparquet/detail/format/tree_writer.h"
#include "microparquet/detail/leaf_values.h"
#include "microparquet/detail/list_levels.h"
#include "microparquet/detail/plan_fault.h"
#include "microparquet/detail/written_columns.h"
#include "microparquet/detail/written_tree.h"
#include "microparquet/durability.h"
#include "microparquet/nested.h"
#include "microparquet/static_writer.h"

namespace microparquet {

namespace detail {

// Each is instantiated with the result of one check and the part at fault, which a compiler prints.
template <bool kHolds, typename Part>
struct NameIsShort {
  static_assert(kHolds, "the part has an empty name, or one of more than 127 bytes");
};
template <bool kHolds, typename Part>
struct IsNotTooDeep {
  static_assert(kHolds, "the part lies deeper than 14 names; an array counts two, and its elements one");
};
template <bool kHolds, typename Part>
struct ListsAreNotTooDeep {
  static_assert(kHolds, "the list is in three others: four are not written");
};
template <bool kHolds, typename Part>
struct ListHasNoTails {
  static_assert(
      kHolds,
      "lists are not written where checkpoints keep pages; arrays are, in PLAIN or by kByteStreamSplit");
};
template <bool kHolds, typename Part>
struct ArrayHasAnEncoder {
  static_assert(
      kHolds,
      "arrays and lists are written by the library's encoders: what this one needs for a row is not known");
};
template <bool kHolds, typename Part>
struct ArrayHasACompressor {
  static_assert(
      kHolds,
      "pages of arrays and lists are of version 1: this object in place of a compressor makes others");
};
template <bool kHolds, typename Part>
struct ArrayFitsInAPage {
  static_assert(kHolds, "a row of the array is longer than a page of its column: see with_page_bytes()");
};
template <bool kHolds, typename Part>
struct ArrayHasNoResolution {
  static_assert(
      kHolds,
      "with_resolution() is for columns that are neither optional nor in optional structs, arrays or lists");
};

// Columns of a TypedTree.
template <const auto& kSchema, typename... Columns, bool kKeepsPages>
struct WrittenColumns<kSchema, const TypedTree<Columns...>, kKeepsPages> {
  static constexpr std::size_t kColumns = TypedTree<Columns...>::kColumns;
  static constexpr auto kIndices = std::make_index_sequence<kColumns>{};
  using Tree = WrittenTree<(kWrittenNodes<Columns> + ...), kColumns>;
  static constexpr Tree make_tree() {
    Tree tree;
    for_each_column(kSchema.columns, [&](auto, const auto& part) { tree.add(part, typename Tree::Place{}); });
    return tree;
  }
  static constexpr Tree kTree = make_tree();
  static constexpr bool is_array(std::size_t column) { return kTree.leaves[column].array; }
  static constexpr bool is_in_list(std::size_t column) { return kTree.leaves[column].max_repetition != 0; }

  // The names of columns as one: "fix.lat". A path in the file takes as many bytes.
  static constexpr auto name_ends() {
    std::array<std::size_t, kColumns + 1> ends{};
    for (std::size_t i = 0; i < kColumns; ++i) {
      ends[i + 1] = ends[i] + kTree.leaves[i].path_bytes() + kTree.leaves[i].names - 1;
    }
    return ends;
  }
  static constexpr auto kNameEnds = name_ends();
  static constexpr auto name_letters() {
    std::array<char, kNameEnds[kColumns] + 1> letters{};
    std::size_t at = 0;
    for (const WrittenLeaf& leaf : kTree.leaves) {
      for (std::size_t i = 0; i < leaf.names; ++i) {
        if (i != 0) letters[at++] = '.';
        for (const char letter : leaf.path[i]) letters[at++] = letter;
      }
    }
    return letters;
  }
  static constexpr auto kNameLetters = name_letters();

  // Objects of the columns.
  template <std::size_t kIndex>
  static constexpr ArrayEncoder kArrayEncoder =
      array_encoder(*kTree.leaves[kIndex].field.encoder, kTree.leaves[kIndex].slots);
  template <std::size_t kIndex>
  static constexpr ListEncoder kListEncoder =
      list_encoder(*kTree.leaves[kIndex].field.encoder, kTree.leaves[kIndex].slots);
  template <std::uint8_t kHighest>
  static constexpr DeepLevels kDeepLevels{kHighest};
  template <std::uint8_t kHighest, std::uint8_t kDeepest>
  static constexpr ListLevels kListLevels{kHighest, kDeepest};
  // Returns the first column with the same values in a row, by the same encoder: such columns share an object.
  static constexpr std::size_t first_like(std::size_t column) {
    const WrittenLeaf& leaf = kTree.leaves[column];
    std::size_t first = 0;
    while (kTree.leaves[first].field.encoder != leaf.field.encoder ||
           kTree.leaves[first].slots != leaf.slots || is_in_list(first) != is_in_list(column))
      ++first;
    return first;
  }
  template <std::size_t kIndex>
  static constexpr Field field() {
    constexpr const WrittenLeaf& kLeaf = kTree.leaves[kIndex];
    Field field = kLeaf.field;
    field.name =
        std::string_view(kNameLetters.data() + kNameEnds[kIndex], kNameEnds[kIndex + 1] - kNameEnds[kIndex]);
    field.repetition = kLeaf.max_definition != 0 ? Repetition::kOptional : Repetition::kRequired;
    field.levels = nullptr;
    if constexpr (kLeaf.max_definition == 1) field.levels = &kHybridLevels;
    if constexpr (kLeaf.max_definition > 1) field.levels = &kDeepLevels<kLeaf.max_definition>;
    if constexpr (is_in_list(kIndex)) {
      field.levels = &kListLevels<kLeaf.max_definition, kLeaf.max_repetition>;
      field.encoder = &kListEncoder<first_like(kIndex)>;
    }
    if constexpr (is_array(kIndex)) field.encoder = &kArrayEncoder<first_like(kIndex)>;
    if constexpr (is_array(kIndex) && kKeepsPages) {
      field.repetition = Repetition::kOptional;
      field.levels = &kArrayLevels;
    }
    return field;
  }
  template <std::size_t... kPlaces>
  static constexpr std::array<Field, kColumns> fields(std::index_sequence<kPlaces...>) {
    return {field<kPlaces>()...};
  }
  static constexpr auto kFields = fields(kIndices);

  template <std::size_t kIndex>
  using Found = PartOf<kIndex, Columns...>;
  template <std::size_t kIndex>
  static constexpr typename Found<kIndex>::Way kWay{column_at<Found<kIndex>::kPart>(kSchema.columns)};
  template <std::size_t kIndex>
  static constexpr Resolution kResolution = kWay<kIndex>.resolution();

  // Returns the value of a column in a row: the member, or a LeafValue, the ElementValues or the SlotValues.
  template <std::size_t kIndex, typename AnyRow>
  [[gnu::always_inline]] static decltype(auto) member(const AnyRow& row) {
    using Way = typename Found<kIndex>::Way;
    if constexpr (is_in_list(kIndex)) {
      constexpr bool kAsks = kTree.leaves[kIndex].field.encoder->accepts != nullptr;
      return SlotValues<AnyRow, Way, kAsks>{row, kWay<kIndex>};
    } else if constexpr (Way::kInArray) {
      return kWay<kIndex>.elements(row);
    } else if constexpr (Way::kOptional) {
      std::uint8_t level = 0;
      const auto* const value = kWay<kIndex>.find(row, level);
      return LeafValue<std::remove_const_t<std::remove_pointer_t<decltype(value)>>>{value, level};
    } else {
      return kWay<kIndex>.of(row);
    }
  }

  // The first part that is not written.
  template <std::size_t... kPlaces>
  static constexpr auto faulty_part(std::index_sequence<kPlaces...>) {
    return ColumnNamed<kTree.faulty[kPlaces]...>();
  }
  using FaultyPart = decltype(faulty_part(std::make_index_sequence<kTree.faulty.size()>()));
  template <TreeFault kFault>
  static constexpr bool kLacks = kTree.fault != kFault;
  static_assert(sizeof(NameIsShort<kLacks<TreeFault::kName>, FaultyPart>) != 0);
  static_assert(sizeof(IsNotTooDeep<kLacks<TreeFault::kDepth>, FaultyPart>) != 0);
  static_assert(sizeof(ListsAreNotTooDeep<kLacks<TreeFault::kLists>, FaultyPart>) != 0);

  // Names of columns, for messages.
  template <std::size_t kIndex, std::size_t... kPlaces>
  static constexpr auto column_named(std::index_sequence<kPlaces...>) {
    return ColumnNamed<kFields[kIndex].name[kPlaces]...>();
  }
  template <std::size_t kIndex>
  using Named = decltype(column_named<kIndex>(std::make_index_sequence<kFields[kIndex].name.size()>()));

  static constexpr bool suits_array(const Compressor* compressor) {
    return compressor == nullptr || compressor->transform().transform_page == &transform_page;
  }
  static constexpr bool any_arrays() {
    for (const WrittenLeaf& leaf : kTree.leaves) {
      if (leaf.array) return true;
    }
    return false;
  }
  static constexpr bool kAnyArrays = any_arrays();
  static constexpr bool any_lists() {
    for (const WrittenLeaf& leaf : kTree.leaves) {
      if (leaf.max_repetition != 0) return true;
    }
    return false;
  }
  static constexpr bool kAnyLists = any_lists();

  // Space in a page for what comes before the values of an array, with `rows` rows. A row has at least one byte.
  static constexpr std::uint32_t space_before(const ColumnPlan& plan, std::uint32_t rows,
                                              std::uint32_t slots) {
    return round_up(plan.header_bytes + array_level_bytes(rows, slots), 8);
  }
  static constexpr std::uint16_t header_bytes(const ColumnPlan& flat, const WrittenLeaf& leaf) {
    return leaf.field.compressor != nullptr ? flat.header_bytes : std::uint16_t{format::kMostPageHeader};
  }
  // Returns the most rows of an array that a page holds.
  static constexpr std::uint32_t most_rows(const ColumnPlan& plan, const WrittenLeaf& leaf,
                                           const Options& options) {
    const bool text = leaf.field.type == Type::kByteArray;  // its pages have space for a tail in any case
    const std::uint32_t tail = has_tails(leaf.field, options) && !text ? kSectorBytes : 0;
    const bool is_bits = leaf.field.type == Type::kBoolean;
    const std::uint32_t width = text ? encoding::kLengthBytes : plan.shape.value_bytes;
    std::uint32_t rows = 0;
    for (;;) {
      const std::uint32_t values = (rows + 1) * leaf.slots;
      const std::uint32_t bytes = is_bits ? (values + 7) / 8 : values * width;
      if (tail + space_before(plan, rows + 1, leaf.slots) + bytes > plan.page_bytes) return rows;
      ++rows;
    }
  }
  // Returns whether a page may hold a row of an array that is written as a list is: the least that it needs.
  static constexpr bool row_may_fit(const ColumnPlan& plan, const WrittenLeaf& leaf) {
    if (!leaf.always || leaf.array) return true;
    const bool is_bits = leaf.field.type == Type::kBoolean;
    const std::uint32_t width =
        leaf.field.type == Type::kByteArray ? encoding::kLengthBytes : plan.shape.value_bytes;
    const std::uint32_t values = is_bits ? (leaf.slots + 7) / 8 : leaf.slots * width;
    return plan.header_bytes + kBesideLevels + values <= plan.page_bytes;
  }
  static constexpr bool is_exact(const Field& field) {
    return field.encoder->id == EncodingId::kPlain && field.encoder->copies_values &&
           field.compressor == nullptr;
  }

  // Pages of an array have space for its levels before the values, and of values of a fixed width as many rows in
  // each: such pages end with their values.
  static constexpr ColumnPlan adjust(const ColumnPlan& flat, std::size_t column, const Options& options) {
    if (!is_array(column) && !is_in_list(column)) return flat;
    const WrittenLeaf& leaf = kTree.leaves[column];
    ColumnPlan plan = flat;
    plan.header_bytes = header_bytes(flat, leaf);
    if (is_in_list(column)) return plan;
    const std::uint32_t rows = most_rows(plan, leaf, options);
    if (rows == 0) {
      plan.header_bytes = static_cast<std::uint16_t>(plan.page_bytes);
    } else if (is_exact(leaf.field) && !kKeepsPages) {
      plan.rows_per_page = rows;
      plan.header_bytes =
          static_cast<std::uint16_t>((plan.page_bytes - rows * leaf.slots * plan.shape.value_bytes) / 8 * 8);
    } else {
      plan.rows_per_page = 0;
      plan.header_bytes = static_cast<std::uint16_t>(space_before(plan, rows, leaf.slots));
    }
    return plan;
  }
  static constexpr WriterPlan adjust(const WriterPlan& flat, const Options& options, bool keeps) {
    if (!kAnyArrays && !kAnyLists) return flat;
    WriterPlan plan = flat;
    bool fixed = true;
    plan.bytes_per_row = 0;
    for (std::size_t i = 0; i < kColumns; ++i) {
      const ColumnPlan& column = plan.columns[i];
      fixed = fixed && column.rows_per_page != 0;
      if (column.rows_per_page == 0) continue;
      plan.bytes_per_row += column.page_bytes * kRowFraction / column.rows_per_page + 1;
    }
    if (!options.layout->in_place) widen_pool(plan, options);
    const bool tails = any_tails(Schema(kFields), options);
    if (kAnyLists) {
      plan.forecast = tails ? &kListTailForecast : &kListForecast;
      plan.write_row_group = plan.dictionaries != nullptr    ? &write_list_row_group_with_dictionaries
                             : plan.transforms != nullptr    ? &write_encoded_list_row_group
                             : options.layout->indexes_pages ? &write_indexed_list_row_group
                                                             : &write_list_row_group;
      return plan;
    }
    plan.forecast = keeps   ? &kArrayOpenPagesForecast
                    : fixed ? nullptr
                    : tails ? &kArrayTailForecast
                            : &kArrayForecast;
    plan.write_row_group = plan.dictionaries != nullptr    ? &write_array_row_group_with_dictionaries
                           : plan.transforms != nullptr    ? &write_encoded_array_row_group
                           : options.layout->indexes_pages ? &write_indexed_array_row_group
                                                           : &write_array_row_group;
    return plan;
  }

  // Gives the pool of the forward layout space for a row of each array, as least_regions() does for values.
  static constexpr void widen_pool(WriterPlan& plan, const Options& options) {
    ArenaPlan& arena = plan.arena;
    std::uint32_t least = pool_head_bytes(arena.record_bytes, options);
    for (std::size_t i = 0; i < kColumns; ++i) {
      const ColumnPlan& column = plan.columns[i];
      least += least_region(column.page_bytes, column.header_bytes, column.rows_per_page);
    }
    if (least < arena.after_rows.count()) least = arena.after_rows.count();
    const std::uint32_t usual = least + usual_beside(Schema(kFields), options);
    arena.after_rows = Sectors(least);
    if (arena.bytes - arena.pages >= usual) return;
    arena.bytes = arena.pages + align8(usual);
    arena.open_page_sectors = Sectors::holding(usual + options.block_bytes);
  }

  // Returns the memory that a writer has with these options.
  template <const auto& kOptions>
  static constexpr ArenaPlan arena() {
    std::array<ColumnPlan, kColumns> plans{};
    for (std::size_t i = 0; i < kColumns; ++i) {
      plans[i] = adjust(plan_column(kFields[i], kOptions, Span<const std::byte>()), i, kOptions);
    }
    WriterPlan plan{};
    plan.columns = plans.data();
    plan.arena = plan_arena(Schema(kFields), kOptions);
    if ((kAnyArrays || kAnyLists) && !kOptions.layout->in_place) widen_pool(plan, kOptions);
    return plan.arena;
  }

  // The layout for columns of a fixed width suits arrays of such values only as far as their pages hold whole rows.
  static constexpr bool any_inexact() {
    for (const WrittenLeaf& leaf : kTree.leaves) {
      if (leaf.max_repetition != 0 || (leaf.array && !is_exact(leaf.field))) return true;
    }
    return false;
  }
  template <const auto& kOptions>
  static constexpr Options used_options() {
    return any_inexact() ? kOptions : detail::used_options(Schema(kFields), kOptions);
  }
  static constexpr ResumeLayout resume_layout(ResumeLayout flat, const WriterPlan& plan, bool keeps) {
    if (kAnyLists) return plan.options->layout->in_place ? &resume_list_layout : flat;
    const bool differs = kAnyArrays && !keeps && plan.options->layout->in_place && plan.forecast != nullptr;
    return differs ? &resume_array_layout : flat;
  }
  static constexpr ReconnectLayout reconnect_layout(ReconnectLayout flat, const Options& options,
                                                    bool keeps) {
    if (kAnyLists) return options.layout->in_place ? &reconnect_list_layout : flat;
    if (kAnyArrays && keeps) return &reconnect_tailed_array_layout;
    return kAnyArrays && options.layout->in_place ? &reconnect_array_layout : flat;
  }

  // See format::write_footer_head(). The paths follow the head.
  static constexpr std::uint32_t kHeadBytes = format::write_tree_head(kTree, sizeof...(Columns), nullptr);
  template <typename TakePath>
  static constexpr std::uint32_t write_head(std::byte* at, TakePath take_path) {
    std::uint32_t end = format::write_tree_head(kTree, sizeof...(Columns), at);
    for (std::uint32_t i = 0; i < kColumns; ++i) {
      const std::uint32_t begin = end;
      end += format::write_path(kTree.leaves[i], at != nullptr ? at + begin : nullptr);
      take_path(i, begin, end);
    }
    return end;
  }
  template <std::size_t kBytes>
  static constexpr Span<const std::byte> head_of(const std::array<std::byte, kBytes>& bytes) {
    return {bytes.data(), kHeadBytes};
  }

  template <const auto& kOptions, std::size_t kIndex>
  static constexpr bool check_column() {
    constexpr const WrittenLeaf& kLeaf = kTree.leaves[kIndex];
    using Way = typename Found<kIndex>::Way;
    constexpr bool kMayRound = !Way::kInArray && !Way::kOptional;
    static_assert(
        sizeof(ArrayHasNoResolution < kResolution<kIndex>.is_exact() || kMayRound, Named < kIndex >>) != 0);
    static_assert(sizeof(ListHasNoTails < !is_in_list(kIndex) || !kKeepsPages, Named < kIndex >>) != 0);
    if constexpr (is_array(kIndex) || is_in_list(kIndex)) {
      static_assert(sizeof(ArrayHasAnEncoder<encodes_lists(*kLeaf.field.encoder), Named<kIndex>>) != 0);
      static_assert(sizeof(ArrayHasACompressor<suits_array(kLeaf.field.compressor), Named<kIndex>>) != 0);
      constexpr ColumnPlan kPlan =
          adjust(plan_column(kFields[kIndex], kOptions, Span<const std::byte>()), kIndex, kOptions);
      constexpr bool kFits = kPlan.header_bytes < kPlan.page_bytes && row_may_fit(kPlan, kLeaf);
      static_assert(sizeof(ArrayFitsInAPage<kFits, Named<kIndex>>) != 0);
    }
    return true;
  }
  template <const auto& kOptions, std::size_t... kPlaces>
  static constexpr bool check_columns(std::index_sequence<kPlaces...>) {
    return (check_column<kOptions, kPlaces>() && ...);
  }
  template <const auto& kOptions>
  static constexpr bool check() {
    static_assert((!kAnyArrays && !kAnyLists) || !kOptions.layout->extends_index,
                  "arrays and lists have no index but that of with_page_index()");
    for (const SortingColumn& sorting : kOptions.sorting.columns) {
      if (sorting.column >= kColumns) continue;
      if (is_array(sorting.column) || is_in_list(sorting.column)) return false;  // they have no order
    }
    return check_columns<kOptions>(kIndices);
  }
};

}  // namespace detail

// Returns the columns of a schema with structs and arrays as the functions of durability.h take them:
// loss_bound(written_columns<kBursts, kOptions>(), kOptions, rate, 100).
template <const auto& kSchema, const auto& kOptions = kDefaultOptions>
constexpr detail::CostBasis written_columns() {
  using Written = detail::WrittenColumns<kSchema, std::remove_reference_t<decltype(kSchema)>,
                                         kOptions.layout->checkpoints == CheckpointKind::kKeepPages>;
  return {Schema(Written::kFields), Written::kHeadBytes, Written::template arena<kOptions>()};
}

}  // namespace microparquet
