// Kinds and encodings of nodes, each with what it links.
#include <new>

#include "c/nested_table.h"
#include "microparquet/levels.h"

namespace microparquet::c {
namespace {

using detail::ListEncoder;
using detail::ListLevels;

// Lists. Values are in PLAIN, or as an mpq_nested_encoding says.

ListEncoder plain_list_encoder(const Encoder& inner, std::uint32_t usual_slots) {
  ListEncoder encoder{inner, &inner, usual_slots, nullptr};
  encoder.state_bytes = static_cast<std::uint16_t>(inner.state_bytes + detail::kListStateBytes);
  encoder.finish = &detail::finish_lists;
  if (inner.types.contains(Type::kBoolean)) encoder.row_bytes = &detail::bit_row_bytes;
  if (inner.types.contains(Type::kByteArray)) encoder.row_bytes = &detail::text_row_bytes;
  return encoder;
}

ListEncoder packed_list_encoder(const Encoder& inner, std::uint32_t usual_slots) {
  ListEncoder encoder = plain_list_encoder(inner, usual_slots);
  if (inner.id == EncodingId::kRle) encoder.row_bytes = &detail::boolean_row_bytes;
  if (inner.id == EncodingId::kDeltaBinaryPacked) {
    encoder.row_bytes = &detail::delta_row_bytes;
    encoder.put = &detail::put_list_deltas;
  }
  return encoder;
}

ListEncoder indexed_list_encoder(const Encoder& inner, std::uint32_t usual_slots) {
  ListEncoder encoder = plain_list_encoder(inner, usual_slots);
  if (inner.id == EncodingId::kRleDictionary) encoder.row_bytes = &detail::dictionary_row_bytes;
  return encoder;
}

ListEncoder small_list_encoder(const Encoder& inner, std::uint32_t usual_slots) {
  return inner.id == EncodingId::kRleDictionary ? indexed_list_encoder(inner, usual_slots)
                                                : packed_list_encoder(inner, usual_slots);
}

void apply_lists(NestedLeaf& leaf, Field& field, ListEncoder* encoder, const mpq_nested_encoding* encoding,
                 std::uint32_t usual_slots) {
  field.levels = new (leaf.levels) ListLevels(leaf.max_definition, leaf.max_repetition);
  field.repetition = Repetition::kOptional;
  const auto make = encoding != nullptr ? encoding->list_encoder : &plain_list_encoder;
  field.encoder = new (encoder) ListEncoder(make(*field.encoder, usual_slots));
}

void adjust_for_lists(detail::WriterPlan& plan, const mpq_nested_encoding* richest) {
  plan.bytes_per_row = 0;
  for (std::uint32_t i = 0; i < plan.columns_count; ++i) {
    const detail::ColumnPlan& column = plan.columns[i];
    if (column.rows_per_page == 0) continue;
    plan.bytes_per_row += column.page_bytes * detail::kRowFraction / column.rows_per_page + 1;
  }
  const bool tails = plan.forecast == &detail::kSectorTailForecast;
  plan.forecast = tails ? &detail::kListTailForecast : &detail::kListForecast;
  plan.write_row_group = plan.dictionaries != nullptr ? richest->write_with_dictionaries
                         : plan.transforms != nullptr ? richest->write_row_group
                                                      : &detail::write_list_row_group;
}

void end_list_slots(const detail::ColumnWriter& column, std::uint32_t slots) {
  detail::end_slots(column, slots);
}

constexpr NestedLists kLists = {&apply_lists,          &adjust_for_lists,
                                &detail::fit_list_row, &detail::fits_empty_list_page,
                                &detail::put_slots,    &end_list_slots};

// Levels of values in no list.

void apply_missing(NestedLeaf& leaf, Field& field, std::uint8_t highest) {
  field = field.as_optional();
  if (highest > 1) field.levels = new (leaf.levels) detail::DeepLevels(highest);
}

}  // namespace
}  // namespace microparquet::c

using microparquet::c::kLists;
using microparquet::c::NodeShape;

const mpq_kind mpq_struct = {NodeShape::kStruct, nullptr};
const mpq_kind mpq_array = {NodeShape::kArray, &kLists};
const mpq_kind mpq_list = {NodeShape::kList, &kLists};
const mpq_kind mpq_span = {NodeShape::kSpan, &kLists};
const mpq_kind mpq_map = {NodeShape::kMap, &kLists};

const mpq_missing mpq_may_be_missing = {&microparquet::c::apply_missing};

const mpq_nested_encoding mpq_nested_delta = {&mpq_delta, &microparquet::c::packed_list_encoder,
                                              &microparquet::detail::write_encoded_list_row_group, nullptr};
const mpq_nested_encoding mpq_nested_dictionary = {
    &mpq_dictionary, &microparquet::c::indexed_list_encoder,
    &microparquet::detail::write_encoded_list_row_group,
    &microparquet::detail::write_list_row_group_with_dictionaries};
const mpq_nested_encoding mpq_nested_small = {&mpq_small, &microparquet::c::small_list_encoder,
                                              &microparquet::detail::write_encoded_list_row_group,
                                              &microparquet::detail::write_list_row_group_with_dictionaries};
