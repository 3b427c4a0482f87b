// Columns of what a sensor counts, and of floating point at its resolution.
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "microparquet/port/memory_file.h"
#include "microparquet/read_all.h"
#include "microparquet/static_reader.h"
#include "microparquet/static_writer.h"
#include "support/check.h"
#include "support/names.h"
#include "written_file.h"

using microparquet::MemoryFile;
using microparquet::Resolution;

namespace {

constexpr double kStep = 0.01;
constexpr float kUnit = 1.0F / 128;  // the power of two that is not above it

struct Counts {
  std::int8_t small;
  std::int16_t counts;
  std::uint16_t position;
  std::optional<std::int32_t> pressure;
  std::int64_t distance;
  std::array<std::int16_t, 2> axes;
};

struct Measured {
  float x;
  double y;
  std::optional<float> z;
};

inline constexpr auto kCounts = microparquet::schema(
    microparquet::scaled("small", &Counts::small, 0), microparquet::scaled("counts", &Counts::counts, -3),
    microparquet::scaled("position", &Counts::position, -2),
    microparquet::scaled("pressure", &Counts::pressure, -9),
    microparquet::scaled("distance", &Counts::distance, -18),
    microparquet::scaled<Counts>("axis", [](auto& row) -> auto& { return row.axes[1]; }, -1));

inline constexpr auto kMeasured = microparquet::schema(
    microparquet::column("x", &Measured::x).with_resolution(kStep),
    microparquet::column("y", &Measured::y).with_page_bytes(256).with_resolution(kStep).with_page_bytes(512),
    microparquet::column("z", &Measured::z).with_resolution(kStep));

inline constexpr Options kOptions = [] {
  Options options;
  options.row_group_bytes = 8192;
  return options;
}();
inline constexpr microparquet::ReaderOptions kReaderOptions = [] {
  microparquet::ReaderOptions options;
  options.decoders = microparquet::kAllDecoders;
  return options;
}();

constexpr std::uint32_t kRows = 1000;

Counts counts_of(std::uint32_t n) {
  const auto random = static_cast<std::int32_t>(written::mix(n, 1));
  Counts row{};
  row.small = static_cast<std::int8_t>(random);
  row.counts = static_cast<std::int16_t>(random >> 8);
  row.position = static_cast<std::uint16_t>(random >> 16);
  if (n % 3 != 0) row.pressure = random % 1000000000;
  row.distance = std::int64_t{random} * random % 1000000000000000000;
  row.axes = {0, static_cast<std::int16_t>(n)};
  return row;
}

Measured measured(std::uint32_t n) {
  const auto random = static_cast<std::int32_t>(written::mix(n, 1));
  Measured row{};
  row.x = static_cast<float>(random) * 1e-7F;
  row.y = random * 1e-5;
  if (n % 5 != 0) row.z = -row.x;
  return row;
}

float nearest(float value) { return std::round(value / kUnit) * kUnit; }

float float_of(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace

TEST("sensor columns: counts are read as they were appended") {
  static microparquet::StaticReader<kCounts, kReaderOptions> reader;
  MemoryFile file(written::file_memory());
  Writer writer;
  REQUIRE_EQ(writer.open(file, kCounts, kOptions, written::arena_memory()), Status::kOk);
  for (std::uint32_t n = 0; n < kRows; ++n) {
    const Counts row = counts_of(n);
    const Value values[] = {Value::of(std::int32_t{row.small}),
                            Value::of(std::int32_t{row.counts}),
                            Value::of(std::int32_t{row.position}),
                            row.pressure ? Value::of(*row.pressure) : Value(),
                            Value::of(row.distance),
                            Value::of(std::int32_t{row.axes[1]})};
    REQUIRE_EQ(writer.append(values), Status::kOk);
  }
  REQUIRE_EQ(writer.close(), Status::kOk);
  REQUIRE_EQ(reader.open(file), Status::kOk);
  for (std::uint32_t n = 0; n < kRows; ++n) {
    Counts found{};
    const Counts row = counts_of(n);
    REQUIRE_EQ(reader.next(found), Status::kOk);
    CHECK(found.small == row.small && found.counts == row.counts && found.position == row.position);
    CHECK(found.pressure == row.pressure && found.distance == row.distance && found.axes == row.axes);
  }
}

TEST("sensor columns: counts are decimals of the digits that their type takes") {
  const auto& fields = kCounts.fields;
  CHECK(fields[1].logical.kind == microparquet::LogicalKind::kDecimal);
  CHECK(fields[1].logical.precision == 9 && fields[1].logical.scale == 3);
  CHECK(fields[3].repetition == microparquet::Repetition::kOptional);
  CHECK(fields[4].type == microparquet::Type::kInt64);
  CHECK(fields[4].logical.precision == 18 && fields[4].logical.scale == 18);
  CHECK(fields[1].encoder == &microparquet::kDeltaInt32);
  CHECK(fields[4].encoder == &microparquet::kDeltaInt64);
}

TEST("sensor columns: floating point is rounded when it is appended") {
  static microparquet::StaticWriter<kMeasured, kOptions> writer;
  static microparquet::StaticReader<kMeasured> reader;
  MemoryFile file(written::file_memory());
  REQUIRE_EQ(writer.open(file), Status::kOk);
  for (std::uint32_t n = 0; n < kRows; ++n) REQUIRE_EQ(writer.append(measured(n)), Status::kOk);
  REQUIRE_EQ(writer.close(), Status::kOk);
  REQUIRE_EQ(reader.open(file), Status::kOk);
  for (std::uint32_t n = 0; n < kRows; ++n) {
    Measured found{};
    const Measured row = measured(n);
    REQUIRE_EQ(reader.next(found), Status::kOk);
    CHECK(found.x == nearest(row.x));
    constexpr auto kStep = static_cast<double>(kUnit);
    CHECK(found.y == std::round(row.y / kStep) * kStep);
    CHECK(found.z.has_value() == row.z.has_value());
    CHECK(found.z.value_or(0) == nearest(row.z.value_or(0)));
  }
}

TEST("resolution: a value becomes the nearest multiple, and no other") {
  constexpr double kSteps[] = {1e-30, 1e-6, 0.001, 0.0625, 0.5, 1, 1.5, 1000, 1e20, 1e30};
  constexpr std::uint32_t kValues = 20000;
  const check::Stride stride = check::stride();
  unsigned place = 0;
  for (const double step : kSteps) {
    const Resolution resolution(step);
    const double unit = std::ldexp(1.0, std::ilogb(step));
    for (std::uint32_t n = 0; n < kValues; ++n) {
      if (++place % stride.step != stride.first) continue;
      const float value = float_of(written::mix(n, 3));
      const float rounded = resolution.nearest(value);
      if (std::isnan(value)) {
        CHECK(std::isnan(rounded));
        continue;
      }
      const double whole = static_cast<double>(value);
      const double exact = std::round(whole / unit) * unit;
      const bool is_multiple = std::abs(whole) >= 0x1p24 * unit;  // as it is
      CHECK(rounded == (is_multiple ? value : static_cast<float>(exact)));
      CHECK(resolution.nearest(whole) == (std::abs(whole) >= 0x1p53 * unit ? whole : exact));
    }
  }
}

TEST("resolution: NaN, infinity and zero stay; without a step everything does") {
  constexpr Resolution kHalf(0.5);
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(kHalf.nearest(-infinity) == -infinity);
  CHECK(std::isnan(kHalf.nearest(std::numeric_limits<float>::quiet_NaN())));
  CHECK(kHalf.nearest(0.25F) == 0.5F && kHalf.nearest(-0.25F) == -0.5F && kHalf.nearest(0.2499F) == 0);
  CHECK(kHalf.nearest(0.0F) == 0 && kHalf.nearest(1e-45F) == 0 && kHalf.nearest(0.75F) == 1);
  CHECK(!kHalf.nearest(std::optional<float>()).has_value());
  static_assert(Resolution().is_exact() && !kHalf.is_exact());
  const Resolution exact;
  CHECK(exact.nearest(1e-45F) == 1e-45F && exact.nearest(3.3) == 3.3);
}
