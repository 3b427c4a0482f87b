#include "workload.h"

#include <cstring>

#include "microparquet/codecs.h"
#include "microparquet/encoders.h"
#include "microparquet/sorting.h"
#include "table_encoder.h"

namespace faults {
namespace {

constexpr mpq::Field kFixed[] = {
    mpq::timestamp_field("time"), mpq::float_field("ax"),  mpq::float_field("ay"), mpq::float_field("az"),
    mpq::float_field("gx"),       mpq::double_field("gy"), mpq::int32_field("n"),  mpq::boolean_field("ok"),
};

constexpr mpq::Field kMixed[] = {
    mpq::timestamp_field("time"),
    mpq::int32_field("count").as_optional(),
    mpq::string_field("message"),
    mpq::string_field("remark").as_optional(),
    mpq::boolean_field("flag").as_optional(),
    mpq::double_field("level").as_optional(),
    mpq::fixed_field("address", 6),
};

constexpr mpq::Field kNarrow[] = {mpq::int64_field("time"), mpq::string_field("text").as_optional()};

// Columns whose values repeat themselves, and then change.
constexpr mpq::Field kTables[] = {
    mpq::timestamp_field("time"),
    mpq::int64_field("few").with_encoder(extension::kTableEncoder),
    mpq::double_field("few_or_none").as_optional().with_encoder(extension::kTableEncoder),
    mpq::boolean_field("flag"),
};

// Integers as differences, of which some do not pack.
constexpr mpq::Field kDeltas[] = {
    mpq::timestamp_field("time").with_encoder(mpq::kDeltaBinaryPacked),
    mpq::int32_field("count").with_encoder(mpq::kDeltaBinaryPacked),
    mpq::int64_field("count_or_none").as_optional().with_encoder(mpq::kDeltaBinaryPacked),
    mpq::float_field("x"),
};

// Numbers that are split before they are compressed, or not, and others that are compressed.
constexpr mpq::Field compressed(const mpq::Field& field) {
  return field.with_compressor(mpq::kLz4RawCompressor);
}
constexpr mpq::Field kSplits[] = {
    mpq::timestamp_field("time").with_encoder(mpq::kDeltaBinaryPacked),
    compressed(mpq::float_field("x")).with_encoder(mpq::kByteStreamSplit),
    compressed(mpq::double_field("y_or_none").as_optional()).with_encoder(mpq::kByteStreamSplit),
    compressed(mpq::string_field("text")),
};

// The library's dictionaries, small ones, so that they are full in the middle of chunks; of the first column, too.
constexpr mpq::Field kDictionaries[] = {
    mpq::string_field("state").with_encoder(mpq::kDictionaryOf<256, 24>),
    mpq::timestamp_field("time"),
    mpq::float_field("level").with_encoder(mpq::kDictionaryOf<256, 40>),
    mpq::int32_field("step_or_none").as_optional().with_encoder(mpq::kDictionaryOf<128, 70>),
    mpq::string_field("name_or_none").as_optional().with_encoder(mpq::kDictionary),
};

// One option sets the encoders of a whole schema: differences, and dictionaries or, for numbers that suit
// none, split bytes.
constexpr mpq::AutoEncoders kSmall = mpq::kAuto.under(mpq::kLz4RawCompressor);
constexpr mpq::Field kAutomatic[] = {
    mpq::timestamp_field("time").with_encoder(kSmall),
    mpq::float_field("level").with_encoder(kSmall),
    mpq::double_field("ratio_or_none").as_optional().with_encoder(kSmall),
    mpq::string_field("state").with_encoder(kSmall),
};

// Key-values, as many as there may be together with the one that is set late.
constexpr mpq::KeyValue kAbout[] = {
    {"device", "6A1B0042"}, {"firmware", "1.0.0, or a longer name of a version"}, {"boot", "2"}};
constexpr mpq::FileStart kStart = {kAbout, 77};

// One that stays, one that is replaced, and the one that is set late.
constexpr mpq::KeyValue kBefore[] = {{"device", "6A1B0042"}, {"boot", "1"}, {kLateKey, "of the first boot"}};
constexpr mpq::FileStart kFirstBoot = {kBefore, 11};

constexpr mpq::SortingColumn kByTime[] = {{0, false, false}};

constexpr mpq::FileAbilities kRandom{true, true, true};
constexpr mpq::FileAbilities kNoShrink{true, true, false};
constexpr mpq::FileAbilities kForwardReadBack{false, true, false};
constexpr mpq::FileAbilities kSink{false, false, false};

// Sizes follow the options alone: 2,048 bytes a row group would be more than one of its pages.
mpq::Options options(std::uint32_t page_bytes, std::uint32_t row_group_rows, std::uint32_t row_group_bytes) {
  mpq::Options options;
  options.page_bytes = page_bytes;
  options.whole_sectors = page_bytes % 512 == 0;
  options.row_group_rows = row_group_rows;
  options.row_group_bytes = row_group_bytes;
  return options;
}

mpq::Options forward(std::uint32_t page_bytes, std::uint32_t row_group_bytes, std::uint16_t kept) {
  mpq::Options result = options(page_bytes, 0, row_group_bytes);
  result.layout = &mpq::kForward;
  result.max_row_groups_in_memory = kept;
  return result;
}

mpq::Options saving_stream(std::uint32_t page_bytes, std::uint32_t row_group_bytes) {
  mpq::Options result = forward(page_bytes, row_group_bytes, 0);
  result.layout = &mpq::kForwardSaving;
  result.whole_sectors = true;
  return result;
}

mpq::Options sorted(mpq::Options options) {
  options.sorting = mpq::sorted_by(kByTime);
  return options;
}

mpq::Options no_checkpoints(mpq::Options options) {
  options.layout = &mpq::kInPlaceNoCheckpoints;
  return options;
}

mpq::Options tailed(mpq::Options options) {
  options.layout = &mpq::kInPlaceTailed;
  return options;
}

mpq::Options timed(mpq::Options options) {
  options.row_group_ms = 500;
  return options;
}

}  // namespace

std::string_view bytes_of(const mpq::Value& value, const mpq::Field& field) {
  if (field.type == mpq::Type::kByteArray || field.type == mpq::Type::kFixedLenByteArray) return value.bytes;
  return {reinterpret_cast<const char*>(&value.int64), mpq::value_bytes(field.type, 0)};
}

const std::vector<Workload>& workloads() {
  static const std::vector<Workload> list = {
      {"fixed_512", kFixed, sorted(options(512, 400, 0)), kRandom, 1300, 0},
      {"fixed_256", kFixed, options(256, 250, 0), kRandom, 1000, 64},
      {"mixed_512", kMixed, options(512, 0, 12 << 10), kRandom, 900, 0},
      {"mixed_256", kMixed, timed(options(256, 0, 8 << 10)), kRandom, 500, 0},
      {"mixed_4096", kMixed, options(4096, 0, 48 << 10), kRandom, 1500, 100},
      {"tables_512", kTables, options(512, 0, 8 << 10), kRandom, 900, 0},
      {"tables_256", kTables, options(256, 100, 0), kRandom, 500, 64},
      {"deltas_512", kDeltas, options(512, 0, 4 << 10), kRandom, 900, 0},
      {"deltas_256", kDeltas, options(256, 150, 0), kRandom, 600, 64},
      {"splits_1024", kSplits, options(1024, 0, 12 << 10), kRandom, 900, 0},
      {"splits_256", kSplits, options(256, 150, 0), kRandom, 500, 64},
      {"dictionaries_512", kDictionaries, options(512, 0, 8 << 10), kRandom, 900, 0},
      {"dictionaries_256", kDictionaries, options(256, 120, 0), kRandom, 500, 64},
      {"automatic_1024", kAutomatic, options(1024, 0, 12 << 10), kRandom, 900, 0},
      {"automatic_256", kAutomatic, options(256, 150, 0), kRandom, 500, 64},
      {"small_groups", kNarrow, options(512, 3, 0), kRandom, 150, 0},
      {"no_shrink", kNarrow, options(512, 5, 0), kNoShrink, 150, 0},
      {"tailed_fixed", kFixed, sorted(tailed(options(512, 0, 12 << 10))), kRandom, 150, 0},
      {"tailed_mixed", kMixed, tailed(options(512, 0, 12 << 10)), kRandom, 150, 0},
      {"tailed_batches", kMixed, tailed(options(512, 0, 8 << 10)), kRandom, 300, 20},
      {"tailed_no_shrink", kNarrow, tailed(options(512, 20, 0)), kNoShrink, 100, 0},
      {"tailed_resumed", kNarrow, tailed(options(512, 0, 4 << 10)), kRandom, 200, 0, kStart, kFirstBoot, 70},
      {"forward_read_back", kMixed, forward(512, 16 << 10, 0), kForwardReadBack, 800, 0},
      {"forward_tables", kTables, forward(256, 4 << 10, 0), kForwardReadBack, 500, 0},
      {"forward_deltas", kDeltas, forward(512, 6 << 10, 0), kForwardReadBack, 600, 0},
      {"forward_splits", kSplits, forward(512, 8 << 10, 0), kForwardReadBack, 600, 0},
      {"forward_dictionaries", kDictionaries, forward(256, 4 << 10, 0), kForwardReadBack, 500, 0},
      {"forward_automatic", kAutomatic, forward(512, 6 << 10, 0), kForwardReadBack, 600, 0},
      {"forward_small_groups", kNarrow, forward(256, 1 << 10, 0), kForwardReadBack, 500, 7},
      {"forward_sink", kMixed, sorted(forward(256, 8 << 10, 64)), kSink, 700, 0},
      {"forward_saves", kMixed, saving_stream(512, 6 << 10), kRandom, 150, 0},
      {"forward_saves_no_shrink", kNarrow, saving_stream(256, 2 << 10), kNoShrink, 120, 7},
      {"forward_saves_resumed", kNarrow, saving_stream(256, 2 << 10), kRandom, 150, 0, kStart, kFirstBoot,
       70},
      {"started", kNarrow, options(512, 30, 0), kRandom, 120, 0, kStart},
      {"resumed", kNarrow, options(512, 30, 0), kRandom, 150, 0, kStart, kFirstBoot, 70},
      {"resumed_no_checkpoints", kNarrow, no_checkpoints(options(512, 30, 0)), kNoShrink, 150, 0, kStart,
       kFirstBoot, 70},
      {"forward_started", kNarrow, forward(256, 2 << 10, 0), kForwardReadBack, 200, 7, kStart},
      {"forward_resumed", kNarrow, forward(256, 2 << 10, 0), kForwardReadBack, 200, 7, kStart, kFirstBoot,
       70},
  };
  return list;
}

mpq::Span<const mpq::Value> RowSource::row(unsigned index) {
  for (unsigned i = 0; i < row_.size(); ++i) row_[i] = value(schema_[i], i, index);
  return {row_.data(), row_.size()};
}

// One of few values, which change with the rows; for a while no two are alike.
mpq::Value RowSource::repeated(mpq::Type type, unsigned column, unsigned index, std::uint32_t random) {
  const std::uint32_t number =
      index / 90 % 3 == 2 ? random : life_ * 1000 + index / 40 * 5 + random % (3 + index / 50 % 12);
  switch (type) {
    case mpq::Type::kInt32: return mpq::Value::of(static_cast<std::int32_t>(number));
    case mpq::Type::kInt64: return mpq::Value::of(std::int64_t{number});
    case mpq::Type::kFloat: return mpq::Value::of(static_cast<float>(number % 100000) / 8);
    case mpq::Type::kByteArray:
      text_[column] = std::to_string(number).append(number % 7, 's');
      return mpq::Value::of_bytes(text_[column]);
    default: return mpq::Value::of(static_cast<double>(number) / 8);
  }
}

mpq::Value RowSource::value(const mpq::Field& field, unsigned column, unsigned index) {
  const std::uint32_t other_life = life_ << 16;
  const std::uint32_t random = mix(other_life + index, column);
  // Nulls come alone and in runs.
  const bool in_run = mix(other_life + index / 24, column) % 5 == 0;
  if (field.repetition == mpq::Repetition::kOptional && (in_run || random % 4 == 0)) {
    mpq::Value null;
    null.type = field.type;
    return null;
  }
  if (field.encoder->dictionary != nullptr) return repeated(field.type, column, index, random);
  // Counts that rise for a while, and for a while are anything.
  if (field.encoder == &mpq::kDeltaInt32 && index / 70 % 3 != 0)
    return mpq::Value::of(static_cast<std::int32_t>(life_ * 1000 + index * 3 + random % 3));
  std::string& text = text_[column];
  switch (field.type) {
    case mpq::Type::kBoolean: return mpq::Value::of((random & 1) != 0);
    case mpq::Type::kInt32: return mpq::Value::of(static_cast<std::int32_t>(random));
    case mpq::Type::kInt64:
      return mpq::Value::of(std::int64_t{1700000000000000} + life_ * std::int64_t{10000000000} +
                            index * 9983 + random % 100);
    case mpq::Type::kFloat: return mpq::Value::of(static_cast<float>(random % 20000) / 1000.0F - 10.0F);
    case mpq::Type::kDouble: return mpq::Value::of(static_cast<double>(random) / 7.0);
    case mpq::Type::kByteArray:
      // Longer ones come later, so that what was learnt of the first row groups does not hold for the last.
      text.assign(random % (index < 300 ? 12 : 70), static_cast<char>('a' + random % 26));
      if (!text.empty()) text.back() = static_cast<char>('a' + index % 26);
      return mpq::Value::of_bytes(text);
    default:
      text.resize(field.type_length);
      for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(random >> (i % 4 * 8));
      return mpq::Value::of_fixed(text);
  }
}

}  // namespace faults
