#include "plan.h"

#include <algorithm>

#include "microparquet/codecs.h"
#include "microparquet/encoders.h"
#include "microparquet/layout.h"
#include "microparquet/port/crc32_hardware.h"
#include "microparquet/sorting.h"
#include "microparquet/writer.h"

namespace lives {
namespace {

// Leaves the lives that once failed, of check_lives.py, as they were.
constexpr std::uint64_t kEncodings = 0xDE17B;
constexpr std::uint64_t kCompression = 0x124;
constexpr std::uint64_t kIndex = 0x1DE8;
constexpr std::uint64_t kVaried = 0x7A41;
constexpr std::uint64_t kTails = 0x7A115;
constexpr std::uint64_t kStream = 0x57EA;

constexpr std::uint64_t power_of_ten(unsigned digits) {
  return digits == 0 ? 1 : 10 * power_of_ten(digits - 1);
}

struct Column {
  mpq::Field field;
  ColumnHabit habit;
};

Column numbers(const mpq::Field& field, std::uint64_t values = 0) {
  Column column{field, {}};
  column.habit.values = values;
  return column;
}

Column bytes(const mpq::Field& field, unsigned longest) {
  Column column{field, {}};
  column.habit.longest = longest;
  column.habit.text = field.logical.kind != mpq::LogicalKind::kNone;
  return column;
}

// Values stay inside what other readers can show of the type.
Column any_column(std::string_view name, unsigned longest, Chance& chance) {
  constexpr std::uint64_t kDay = 86400;
  constexpr mpq::TimeUnit kUnits[] = {mpq::TimeUnit::kMillis, mpq::TimeUnit::kMicros, mpq::TimeUnit::kNanos};
  constexpr unsigned kBits[] = {8, 16, 32, 64};
  const auto width = static_cast<std::uint8_t>(chance.any_of(kBits));
  switch (chance.below(20)) {
    case 0: return numbers(mpq::boolean_field(name), 2);
    case 1: return numbers(mpq::int32_field(name));
    case 2: return numbers(mpq::int64_field(name));
    case 3: return numbers(mpq::integer_field(name, width, true), width < 32 ? 1U << (width - 1) : 0);
    case 4: return numbers(mpq::integer_field(name, width, false), width < 32 ? 1U << width : 0);
    case 5: return numbers(mpq::float_field(name));
    case 6: return numbers(mpq::double_field(name));
    case 7: return numbers(mpq::float16_field(name), 0x7C00);
    case 8: return bytes(mpq::byte_array_field(name), longest);
    case 9:
    case 10: return bytes(mpq::string_field(name), longest);
    case 11: return bytes(mpq::text_field(name, mpq::LogicalKind::kEnum), longest);
    case 12: return numbers(mpq::fixed_field(name, chance.between(1, 24)));
    case 13: return numbers(mpq::uuid_field(name));
    case 14: return numbers(mpq::date_field(name), 40000);
    case 15: return numbers(mpq::time_field(name, mpq::TimeUnit::kMillis), kDay * 1000);
    case 16: return numbers(mpq::timestamp_field(name, chance.any_of(kUnits)), power_of_ten(12));
    case 17: return numbers(mpq::decimal32_field(name, 7, 2), power_of_ten(7));
    case 18: return numbers(mpq::decimal64_field(name, 15, 4), power_of_ten(15));
    default: return numbers(mpq::interval_field(name));
  }
}

std::string any_name(std::size_t column, Chance& chance) {
  const unsigned length = chance.percent(20) ? chance.between(20, 60) : chance.between(1, 6);
  std::string name = std::string(length, static_cast<char>('a' + chance.below(26)));
  return name + std::to_string(column);
}

void choose_layout(Plan& plan, Where where, Chance& chance) {
  mpq::Options& options = plan.options;
  const unsigned kind = chance.below(10);
  if (kind < 6) {
    options.layout = &mpq::kInPlace;
  } else if (kind < 7) {
    options.layout = &mpq::kInPlaceNoCheckpoints;
  } else {
    options.layout = &mpq::kForward;
  }
  if (where == Where::kLittleFs) options.layout = &mpq::kForward;
  const bool in_place = options.layout->in_place;
  plan.abilities = {in_place, true, in_place && chance.percent(70), 512};
  plan.refuses_less = chance.percent(30);
  constexpr std::uint16_t kBlocks[] = {512, 512, 512, 1024, 2048, 4096};
  constexpr std::uint16_t kCardPage = 16 << 10;
  options.block_bytes = chance.any_of(kBlocks);
  // Forward, blocks may be as large as a card's pages.
  if (!in_place && options.block_bytes == kBlocks[5]) options.block_bytes = kCardPage;
  plan.abilities.block_bytes = options.block_bytes;
  if (where != Where::kCard) options.block_bytes = plan.abilities.block_bytes = kBlocks[0];
  // An appended file ends in a sector with durable bytes, whose beginning has to stay unless footers end on
  // blocks.
  plan.destroys = (in_place || options.block_bytes > 512) && chance.percent(50);
}

void choose_options(Plan& plan, Chance& chance) {
  constexpr std::uint32_t kWholePages[] = {512, 512, 512, 1024, 2048, 4096};
  constexpr std::uint32_t kPages[] = {128, 136, 200, 256, 256, 512, 1000, 2048, 4096};
  constexpr std::uint32_t kRows[] = {0, 0, 0, 7, 30, 100, 400};
  constexpr std::uint32_t kBytes[] = {0, 0, 4096, 8192, 16384, 65536};
  constexpr std::uint32_t kTimes[] = {1, 50, 500, 2000, 10000};
  constexpr std::uint16_t kShares[] = {0, 1, 4, 32};
  mpq::Options& options = plan.options;
  options.whole_sectors = chance.percent(50);
  options.page_bytes = options.whole_sectors ? chance.any_of(kWholePages) : chance.any_of(kPages);
  options.row_group_rows = chance.any_of(kRows);
  options.row_group_bytes = chance.any_of(kBytes);
  options.row_group_ms = chance.percent(25) ? chance.between(20, 20000) : 0;
  options.checkpoint_ms = chance.percent(20) ? 0 : chance.any_of(kTimes);
  options.max_loss_ms = options.checkpoint_ms * chance.between(1, 20);
  options.checkpoint_ratio = chance.any_of(kShares);
  options.max_bound_bytes = static_cast<std::uint8_t>(chance.between(1, 64));
  options.max_key_values = static_cast<std::uint8_t>(chance.between(1, 6));
  options.file_id = static_cast<std::uint32_t>(chance.next());
  options.checksum = &mpq::crc32_hardware;
}

// Draws tails for some of the later lives, from a sequence of its own. Most of these have only columns, pages and
// blocks that can be left open.
void choose_tails(Plan& plan) {
  constexpr std::uint64_t kFirst = 300;
  Chance chance(plan.seed ^ kTails);
  mpq::Options& options = plan.options;
  if (plan.seed < kFirst || plan.seed % 6 != 4 || options.layout != &mpq::kInPlace) return;
  constexpr std::uint32_t kSaves[] = {0, 0, 10, 200, 2000};
  options.save_ms = chance.any_of(kSaves);
  options.layout = options.save_ms != 0 ? &mpq::kInPlaceSaving : &mpq::kInPlaceTailed;
  if (!chance.percent(90)) return;
  options.whole_sectors = true;
  options.page_bytes = options.page_bytes / 512 * 512 + (options.page_bytes < 512 ? 512 : 0);
  options.block_bytes = plan.abilities.block_bytes = 512;
  plan.keeps_pages = true;
}

// Draws a stream with saves for some of the later lives in the same way: none with tails or an index, nor one that once
// failed.
void choose_saved_stream(Plan& plan) {
  constexpr std::uint64_t kFirst = 300;
  constexpr std::uint64_t kOneIn = 10;
  constexpr std::uint32_t kSaves[] = {0, 0, 10, 200, 2000};
  if (plan.seed < kFirst || plan.seed % kOneIn != kOneIn - 1 || plan.has_tails()) return;
  Chance chance(plan.seed ^ kStream);
  mpq::Options& options = plan.options;
  options.layout = &mpq::kForwardSaving;
  options.save_ms = chance.any_of(kSaves);
  options.whole_sectors = true;
  options.page_bytes = (options.page_bytes + 7) / 8 * 8;
  options.block_bytes = mpq::detail::kSectorBytes;
  plan.abilities = {true, true, chance.percent(70), options.block_bytes};
  plan.destroys = chance.percent(50);
}

void choose_columns(Plan& plan, Chance& chance) {
  const unsigned columns = chance.percent(10) ? chance.between(12, 24) : chance.between(1, 8);
  plan.id_column = chance.below(columns);
  for (std::size_t i = 0; i < columns; ++i) {
    const std::string& name = plan.names.emplace_back(i == plan.id_column ? kIdName : any_name(i, chance));
    if (i == plan.id_column) {
      plan.fields.push_back(mpq::int64_field(name));
      plan.habits.emplace_back();
      continue;
    }
    Column column = any_column(name, std::min(plan.options.page_bytes / 3, 120U), chance);
    if (chance.percent(40)) {
      constexpr unsigned kNulls[] = {0, 10, 50, 95, 100};
      column.field = column.field.as_optional();
      column.habit.nulls = chance.any_of(kNulls);
    }
    column.habit.varies = chance.percent(85);
    plan.fields.push_back(column.field);
    plan.habits.push_back(column.habit);
  }
}

bool takes_dictionary(mpq::Type type) {
  return type != mpq::Type::kBoolean && type != mpq::Type::kFixedLenByteArray;
}

// Draws encodings from a sequence of their own, and only for later seeds: earlier lives stay as they were.
void choose_encodings(Plan& plan) {
  constexpr std::uint64_t kFirst = 300;
  Chance chance(plan.seed ^ kEncodings);
  if (plan.seed < kFirst || plan.keeps_pages || !chance.percent(40)) return;
  const bool has_dictionaries = plan.seed % 3 == 0;
  for (mpq::Field& field : plan.fields) {
    const bool integer = field.type == mpq::Type::kInt32 || field.type == mpq::Type::kInt64;
    if (integer && chance.percent(70)) field = field.with_encoder(mpq::kDeltaBinaryPacked);
    if (has_dictionaries && takes_dictionary(field.type) && chance.percent(60))
      field = field.with_encoder(plan.seed % 2 == 0 ? mpq::kDictionary : mpq::kDictionaryOf<128, 256>);
    if (field.type == mpq::Type::kBoolean && (plan.seed & 1) != 0)
      field = field.with_encoder(mpq::kRleBoolean);
  }
}

// Indexes all pages, or some: the memory for the index then ends within a row group.
void choose_index(Plan& plan) {
  constexpr std::uint64_t kFirst = 300;
  Chance chance(plan.seed ^ kIndex);
  if (plan.seed < kFirst || plan.saves() || plan.seed % 4 != 0) return;
  constexpr unsigned kPages[] = {0, 3, 20, 100, 2000};
  const std::uint32_t bytes = mpq::page_index_bytes(plan.schema(), plan.options, chance.any_of(kPages));
  plan.indexed = mpq::with_page_index(*plan.options.layout, bytes);
  plan.options.layout = &plan.indexed;
}

// No life that once failed is among them.
bool tears_for_good(std::uint64_t seed) {
  constexpr std::uint64_t kOneIn = 7;
  return seed % kOneIn == 5;
}

bool is_split(mpq::Type type) { return type == mpq::Type::kFloat || type == mpq::Type::kDouble; }

// Draws compression for some of the later lives, from a sequence of its own, whatever else their columns
// have.
void choose_compression(Plan& plan) {
  constexpr std::uint64_t kFirst = 300;
  Chance chance(plan.seed ^ kCompression);
  if (plan.seed < kFirst || plan.keeps_pages || (plan.seed % 5 != 1 && plan.seed % 5 != 4)) return;
  // Smaller pages would have too little space for the longest values, beside levels and the bytes that
  // compression may add.
  constexpr std::uint32_t kLeastPage = 256;
  if (plan.options.page_bytes < kLeastPage) return;
  for (mpq::Field& field : plan.fields) {
    const bool in_plain = field.encoder->id == mpq::EncodingId::kPlain;
    if (is_split(field.type) && chance.percent(80))
      field = in_plain ? field.with_encoder(mpq::kByteStreamSplit) : field.with_encoder(mpq::kAuto);
    if (chance.percent(60)) field = field.with_compressor(mpq::kLz4RawCompressor);
  }
}

void choose_order(Plan& plan, Chance& chance) {
  if (!chance.percent(40)) return;
  if (chance.percent(70))
    plan.sorting.push_back({static_cast<std::uint32_t>(plan.id_column), chance.percent(10), false});
  if (chance.percent(30) || plan.sorting.empty()) {
    plan.sorting.push_back(
        {chance.below(static_cast<unsigned>(plan.fields.size())), chance.percent(30), chance.percent(50)});
  }
  plan.options.sorting = mpq::sorted_by({plan.sorting.data(), plan.sorting.size()});
}

}  // namespace

Plan::Plan(std::uint64_t life, Where where, Vary vary_by) : seed(life), vary(vary_by) {
  Chance chance(seed);
  choose_layout(*this, where, chance);
  choose_options(*this, chance);
  if (vary == nullptr) choose_tails(*this);
  if (vary == nullptr && where == Where::kCard) choose_saved_stream(*this);
  choose_columns(*this, chance);
  choose_order(*this, chance);
  choose_encodings(*this);
  choose_compression(*this);
  choose_index(*this);
  if (vary != nullptr) {
    Chance apart(seed ^ kVaried);
    vary(*this, apart, true);
  }
  unreadable = tears_for_good(seed);
  boots = chance.between(20, 60);
  most_calls = chance.between(4, 30);
  most_batch = chance.percent(20) ? 120 : 20;
  if (keeps_pages && seed % 4 != 0) most_batch = 3;
  hardships.cuts = chance.between(20, 70);
  hardships.errors = chance.percent(60) ? chance.between(10, 60) : 0;
  hardships.pulls = chance.percent(60) ? chance.between(10, 60) : 0;
  hardships.full = chance.percent(20);
  hardships.steady = options.layout->checkpoints != mpq::CheckpointKind::kNone &&
                     options.checkpoint_ms != 0 && chance.percent(30);
}

bool Plan::change(unsigned boot) {
  Chance chance(seed ^ kVaried ^ std::uint64_t{boot + 1} << 32);
  if (vary == nullptr || !chance.percent(30)) return false;
  const std::vector<mpq::Field> fields_before = fields;
  const mpq::Options before = options;
  constexpr unsigned kTries = 10;
  for (unsigned i = 0; i < kTries; ++i) {
    vary(*this, chance, false);
    // Else it would have to begin another file (Writer::resume()).
    const bool same = mpq::detail::record_bytes({fields_before.data(), fields_before.size()}, before) ==
                      mpq::detail::record_bytes(schema(), options);
    if (same) return true;
    fields = fields_before;
    options = before;
  }
  return false;
}

std::size_t Plan::arena_bytes() const { return mpq::Writer::required_bytes(schema(), options); }

std::string Plan::text() const {
  const char* layout = saves_stream()              ? "forward, with saves"
                       : !options.layout->in_place ? "forward"
                       : has_tails()               ? "in place, with tails"
                       : options.layout->checkpoints != mpq::CheckpointKind::kNone
                           ? "in place"
                           : "in place, without checkpoints";
  std::string result =
      std::string(layout) +
      (options.layout->indexes_pages
           ? ", index of " +
                 std::to_string(static_cast<const mpq::IndexedLayout*>(options.layout)->index_bytes()) +
                 " bytes"
           : "") +
      (abilities.shrink ? ", shrinks" : "") + ", " + std::to_string(fields.size()) + " columns, pages of " +
      std::to_string(options.page_bytes) + (options.whole_sectors ? " in whole sectors" : "") +
      ", row groups of " + std::to_string(options.row_group_rows) + " rows, " +
      std::to_string(options.row_group_bytes) + " bytes, " + std::to_string(options.row_group_ms) +
      " ms, checkpoints after " + std::to_string(options.checkpoint_ms) + " to " +
      std::to_string(options.max_loss_ms) + " ms, share " + std::to_string(options.checkpoint_ratio) +
      (refuses_less ? ", refuses less" : "") + (destroys ? ", destroys blocks" : "") +
      (unreadable ? ", torn sectors cannot be read" : "") + ", blocks of " +
      std::to_string(options.block_bytes) + ", " + std::to_string(boots) + " boots";
  return result;
}

}  // namespace lives
