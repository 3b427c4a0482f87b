// Types and annotations as LogicalTypes.md and parquet.thrift have them, and schemas that are refused.
#include "microparquet/schema.h"

#include "microparquet/codecs.h"
#include "microparquet/typed.h"

#include <string_view>

#include "microparquet/port/memory_file.h"
#include "support/check.h"
#include "support/file_view.h"
#include "written_file.h"

using microparquet::Field;
using microparquet::LogicalKind;
using microparquet::Status;
using microparquet::TimeUnit;
using microparquet::Type;

namespace {

constexpr int kNone = -1;

// A field and the schema element it becomes: physical type, ConvertedType, member of LogicalType.
struct Expected {
  Field field;
  int type;
  int converted;
  int logical;
};

Status open(const Field& field) {
  written::File file(microparquet::Schema(&field, 1));
  return file.opened();
}

// Opens and closes, and shows the SchemaElement.
template <typename Check>
void with_element(const Field& field, Check check) {
  written::File file(microparquet::Schema(&field, 1));
  REQUIRE_EQ(file.opened(), Status::kOk);
  REQUIRE_EQ(file.writer.close(), Status::kOk);
  REQUIRE(file.view().whole());
  check(file.view().schema(0));
}

}  // namespace

TEST("every type with its ConvertedType and LogicalType") {
  using namespace microparquet;
  const Expected all[] = {
      {boolean_field("c"), 0, kNone, kNone},
      {int32_field("c"), 1, kNone, kNone},
      {int64_field("c"), 2, kNone, kNone},
      {float_field("c"), 4, kNone, kNone},
      {double_field("c"), 5, kNone, kNone},
      {byte_array_field("c"), 6, kNone, kNone},
      {fixed_field("c", 9), 7, kNone, kNone},
      {string_field("c"), 6, 0, 1},
      {text_field("c", LogicalKind::kEnum), 6, 4, 4},
      {text_field("c", LogicalKind::kJson), 6, 19, 12},
      {text_field("c", LogicalKind::kBson), 6, 20, 13},
      {uuid_field("c"), 7, kNone, 14},
      {float16_field("c"), 7, kNone, 15},
      {interval_field("c"), 7, 21, kNone},
      {date_field("c"), 1, 6, 6},
      {time_field("c", TimeUnit::kMillis), 1, 7, 7},
      {time_field("c", TimeUnit::kMicros, false), 2, 8, 7},
      {time_field("c", TimeUnit::kNanos), 2, kNone, 7},
      {timestamp_field("c", TimeUnit::kMillis, false), 2, 9, 8},
      {timestamp_field("c", TimeUnit::kMicros), 2, 10, 8},
      {timestamp_field("c", TimeUnit::kNanos), 2, kNone, 8},
      {integer_field("c", 8, false), 1, 11, 10},
      {integer_field("c", 16, false), 1, 12, 10},
      {integer_field("c", 32, false), 1, 13, 10},
      {integer_field("c", 64, false), 2, 14, 10},
      {integer_field("c", 8, true), 1, 15, 10},
      {integer_field("c", 16, true), 1, 16, 10},
      {integer_field("c", 32, true), 1, 17, 10},
      {integer_field("c", 64, true), 2, 18, 10},
      {decimal32_field("c", 9, 2), 1, 5, 5},
      {decimal64_field("c", 18, 18), 2, 5, 5},
      {decimal_fixed_field("c", 16, 38, 10), 7, 5, 5},
      {decimal_binary_field("c", 50, 0), 6, 5, 5},
  };
  for (const Expected& expected : all) {
    for (const bool optional : {false, true}) {
      with_element(optional ? expected.field.as_optional() : expected.field,
                   [&](const view::Struct& element) {
                     CHECK_EQ(element.integer(1), expected.type);
                     CHECK_EQ(element.integer(3), optional ? 1 : 0);
                     CHECK_EQ(element.text(4), "c");
                     CHECK(!element.has(5));
                     CHECK_EQ(element.has(6) ? element.integer(6) : kNone, expected.converted);
                     CHECK_EQ(element.has(2), expected.type == 7);
                     if (element.has(2)) CHECK_EQ(element.integer(2), expected.field.type_length);
                     int member = kNone;
                     for (int i = 1; i < 16; ++i) member = element.structure(10).has(i) ? i : member;
                     CHECK_EQ(member, expected.logical);
                   });
    }
  }
}

TEST("the parameters of annotations") {
  using namespace microparquet;
  with_element(decimal_fixed_field("c", 16, 38, 10), [](const view::Struct& element) {
    CHECK_EQ(element.integer(7), 10);  // scale
    CHECK_EQ(element.integer(8), 38);
    CHECK_EQ(element.structure(10).structure(5).integer(1), 10);
    CHECK_EQ(element.structure(10).structure(5).integer(2), 38);
  });
  with_element(integer_field("c", 16, false), [](const view::Struct& element) {
    CHECK_EQ(element.structure(10).structure(10).integer(1), 16);
    CHECK(!element.structure(10).structure(10).boolean(2));
    CHECK(element.structure(10).structure(10).has(2));
  });
  for (const bool utc : {false, true}) {
    for (const TimeUnit unit : {TimeUnit::kMillis, TimeUnit::kMicros, TimeUnit::kNanos}) {
      with_element(timestamp_field("c", unit, utc), [&](const view::Struct& element) {
        CHECK_EQ(element.structure(10).structure(8).boolean(1), utc);
        CHECK(element.structure(10).structure(8).structure(2).has(1 + static_cast<int>(unit)));
      });
      with_element(time_field("c", unit, utc), [&](const view::Struct& element) {
        CHECK_EQ(element.structure(10).structure(7).boolean(1), utc);
        CHECK(element.structure(10).structure(7).structure(2).has(1 + static_cast<int>(unit)));
      });
    }
  }
}

TEST("the root, the version, the orders and the writer's name") {
  const Field fields[] = {microparquet::int32_field("a"), microparquet::float_field("b"),
                          microparquet::int32_field("A")};
  written::File file(fields);
  REQUIRE_EQ(file.opened(), Status::kOk);
  REQUIRE_EQ(file.writer.close(), Status::kOk);
  const view::Struct footer = file.view().footer();
  const view::Struct root = footer.list(view::id::kSchema).structure(0);
  CHECK_EQ(root.integer(5), 3);
  CHECK(!root.text(4).empty());
  CHECK(!root.has(1) && !root.has(3));
  CHECK_EQ(footer.integer(1), 1);
  CHECK_EQ(footer.integer(view::id::kNumRows), 0);
  CHECK_EQ(footer.list(view::id::kRowGroups).size(), 0U);
  const view::List orders = footer.list(view::id::kColumnOrders);
  REQUIRE_EQ(orders.size(), 3U);
  for (std::uint32_t i = 0; i < 3; ++i) CHECK(orders.structure(i).has(1));
  CHECK_EQ(written::part(footer.text(view::id::kCreatedBy), 0, 21), "microparquet version ");
  CHECK(footer.text(view::id::kCreatedBy).find(" (build ") != std::string_view::npos);
}

TEST("schemas that are refused") {
  using namespace microparquet;
  written::File none((Schema()));
  CHECK_EQ(none.opened(), Status::kInvalidArgument);
  const Field twice[] = {int32_field("a"), float_field("b"), int64_field("a")};
  written::File duplicate(twice);
  CHECK_EQ(duplicate.opened(), Status::kInvalidArgument);
  CHECK_EQ(open(int32_field("")), Status::kInvalidArgument);
  CHECK_EQ(open(fixed_field("c", 0)), Status::kInvalidArgument);
  Field field = int32_field("c");
  field.type = Type::kInt96;
  CHECK_EQ(open(field), Status::kInvalidArgument);
  field = int32_field("c");
  field.repetition = Repetition::kRepeated;
  CHECK_EQ(open(field), Status::kInvalidArgument);
  field = int32_field("c");
  field.encoder = nullptr;
  CHECK_EQ(open(field), Status::kInvalidArgument);
  field = int32_field("c");
  field.bounds = nullptr;
  CHECK_EQ(open(field), Status::kInvalidArgument);
}

TEST("annotations of types that do not carry them are refused") {
  using namespace microparquet;
  for (const LogicalKind kind :
       {LogicalKind::kString, LogicalKind::kEnum, LogicalKind::kJson, LogicalKind::kBson, LogicalKind::kUuid,
        LogicalKind::kFloat16, LogicalKind::kInterval, LogicalKind::kTime, LogicalKind::kTimestamp,
        LogicalKind::kInteger, LogicalKind::kDecimal, LogicalKind::kUnknown, LogicalKind::kNull,
        LogicalKind::kList, LogicalKind::kMap, LogicalKind::kVariant, LogicalKind::kGeometry,
        LogicalKind::kGeography}) {
    Field field = double_field("c");
    field.logical.kind = kind;
    CHECK_EQ(open(field), Status::kInvalidArgument);
  }
  Field field = int64_field("c");
  field.logical.kind = LogicalKind::kDate;
  CHECK_EQ(open(field), Status::kInvalidArgument);
  field = fixed_field("c", 15);
  field.logical.kind = LogicalKind::kUuid;
  CHECK_EQ(open(field), Status::kInvalidArgument);
  CHECK_EQ(open(integer_field("c", 24, true)), Status::kInvalidArgument);
  field = time_field("c", TimeUnit::kMillis);
  field.logical.unit = TimeUnit::kMicros;
  CHECK_EQ(open(field), Status::kInvalidArgument);
}

TEST("decimals: as many digits as the type holds") {
  using namespace microparquet;
  CHECK_EQ(open(decimal32_field("c", 9, 0)), Status::kOk);
  CHECK_EQ(open(decimal32_field("c", 10, 0)), Status::kInvalidArgument);
  CHECK_EQ(open(decimal64_field("c", 18, 0)), Status::kOk);
  CHECK_EQ(open(decimal64_field("c", 19, 0)), Status::kInvalidArgument);
  CHECK_EQ(open(decimal32_field("c", 0, 0)), Status::kInvalidArgument);
  CHECK_EQ(open(decimal32_field("c", 5, 6)), Status::kInvalidArgument);
  CHECK_EQ(open(decimal32_field("c", 5, 5)), Status::kOk);
  // Encodings of two's complement: 2, 4, 6, 9, 11, 14, 16, 18 digits in 1 to 8 bytes, 38 in 16.
  constexpr std::uint8_t kDigits[] = {2, 4, 6, 9, 11, 14, 16, 18, 21, 23, 26, 28, 31, 33, 35, 38};
  for (std::uint8_t bytes = 1; bytes <= 16; ++bytes) {
    CHECK_EQ(open(decimal_fixed_field("c", bytes, kDigits[bytes - 1], 0)), Status::kOk);
    CHECK_EQ(open(decimal_fixed_field("c", bytes, static_cast<std::uint8_t>(kDigits[bytes - 1] + 1), 0)),
             Status::kInvalidArgument);
  }
}

TEST("schema: kAuto names encoders and the compressor by type, of fields and of structs") {
  using namespace microparquet;
  constexpr AutoEncoders kSmall = kAuto.under(kLz4RawCompressor);
  constexpr Field kFields[] = {timestamp_field("time"),
                               integer_field("small", 8, false),
                               date_field("date"),
                               float_field("x"),
                               double_field("y").as_optional(),
                               string_field("text"),
                               boolean_field("on"),
                               uuid_field("id"),
                               float16_field("half"),
                               decimal32_field("d", 5, 2)};
  const Encoder* const encoders[] = {&kDeltaInt64,  &kDeltaInt32,     &kDeltaInt32,   kAuto.float32,
                                     kAuto.float64, kAuto.byte_array, &kPlainBoolean, &kPlainFixed,
                                     &kPlainFixed,  &kDeltaInt32};
  for (std::size_t i = 0; i < std::size(kFields); ++i) {
    const Field field = kFields[i].with_encoder(kSmall);
    CHECK(field.encoder == encoders[i]);
    CHECK(field.compressor == (i >= 3 && i <= 5 ? &kLz4RawCompressor : nullptr));
    CHECK(kFields[i].with_encoder(kAuto).compressor == nullptr);
    const Encoder& large = *kFields[i].with_encoder(kAutoOf<4096, 1024>).encoder;
    CHECK((large.dictionary == nullptr) == (field.encoder->dictionary == nullptr));
    CHECK(large.dictionary == nullptr ||
          large.dictionary->most_bytes > 7 * field.encoder->dictionary->most_bytes);
    CHECK(large.transform == field.encoder->transform);
    CHECK(field.name == kFields[i].name && field.repetition == kFields[i].repetition);
  }
  struct Sample {
    std::int64_t time;
    float x;
    bool on;
  };
  constexpr auto kPlain = schema(column("time", &Sample::time), column("x", &Sample::x).with_resolution(0.1),
                                 column("on", &Sample::on));
  constexpr auto kTyped = kPlain.with_encoder(kSmall);
  CHECK(kTyped.fields[0].encoder == &kDeltaInt64 && kTyped.fields[1].encoder == kAuto.float32);
  CHECK(detail::column_at<1>(kTyped.columns).field.compressor == &kLz4RawCompressor);
  CHECK(!detail::column_at<1>(kTyped.columns).resolution.is_exact() &&
        kTyped.fields[2].encoder == &kPlainBoolean);
}

TEST("schema: a float that suits no dictionary is split where kAuto has a compressor, and PLAIN where not") {
  using namespace microparquet;
  for (const bool compressed : {false, true}) {
    const Field fields[] = {
        float_field("x").with_encoder(compressed ? kAuto.under(kLz4RawCompressor) : kAuto)};
    Options options;
    options.page_bytes = 1024;
    MemoryFile file(written::file_memory());
    Writer writer;
    REQUIRE_EQ(writer.open(file, fields, options, written::arena_memory()), Status::kOk);
    for (std::uint32_t n = 0; n < 3000; ++n) {
      const Value value = Value::of(1 + static_cast<float>(written::mix(n, 1) % 100000) * 1e-5F);
      REQUIRE_EQ(writer.append({&value, 1}), Status::kOk);
    }
    REQUIRE_EQ(writer.close(), Status::kOk);
    const view::File found(file.contents());
    const auto encodings = found.column(0, 0).list(2);
    bool is_split = false;
    bool is_plain = false;
    for (std::uint32_t i = 0; i < encodings.size(); ++i) {
      is_split = is_split || encodings.integer(i) == 9;
      is_plain = is_plain || encodings.integer(i) == 0;
    }
    CHECK(compressed ? is_split : is_plain && !is_split);
  }
}
