// Bounds by the rules of parquet.thrift, Statistics and ColumnOrder.
#include "microparquet/bounds_tracker.h"

#include <cstring>
#include <initializer_list>
#include <limits>
#include <string_view>

#include "support/check.h"

using microparquet::Bounds;
using microparquet::BoundsTracker;
using microparquet::Span;
using microparquet::Truncation;
using microparquet::ValueShape;

namespace {

alignas(8) std::byte state[8 + 3 * 64];

// The state fed with values, page by page. There is one state, so that bounds outlive the expression they
// come from: until the next Fed.
class Fed {
 public:
  Fed(const BoundsTracker& tracker, ValueShape shape) : tracker_(tracker), shape_(shape) {
    std::memset(state, 0, sizeof state);
  }

  template <typename T>
  Fed& numbers(std::initializer_list<T> values) {
    return page(reinterpret_cast<const std::byte*>(values.begin()), values.size() * sizeof(T));
  }

  // Byte arrays with their lengths, or fixed ones without.
  Fed& bytes(std::initializer_list<std::string_view> values) {
    alignas(8) std::byte buffer[1024] = {};
    std::size_t at = 0;
    for (const std::string_view value : values) {
      const auto size = static_cast<std::uint32_t>(value.size());
      if (shape_.value_bytes == 0) {
        std::memcpy(buffer + at, &size, 4);
        at += 4;
      }
      if (size != 0) std::memcpy(buffer + at, value.data(), size);
      at += size;
    }
    return page(buffer, at);
  }

  Fed& page(const std::byte* data, std::size_t bytes) {
    tracker_.update(state, data, data + bytes, shape_);
    return *this;
  }

  Bounds bounds() { return tracker_.bounds(state, shape_); }

 private:
  const BoundsTracker& tracker_;
  ValueShape shape_;
};

std::string_view text(Span<const std::byte> bound) {
  return {reinterpret_cast<const char*>(bound.data()), bound.size()};
}

template <typename T>
void check_bounds(const Bounds& bounds, T min, T max) {
  REQUIRE(bounds.known && bounds.min.size() == sizeof(T) && bounds.max.size() == sizeof(T));
  CHECK_EQ(text(bounds.min), std::string_view(reinterpret_cast<const char*>(&min), sizeof min));
  CHECK_EQ(text(bounds.max), std::string_view(reinterpret_cast<const char*>(&max), sizeof max));
  CHECK(!bounds.min_shortened && !bounds.max_shortened);
}

void check_none(const Bounds& bounds) { CHECK(!bounds.known); }

constexpr ValueShape shape_of(std::uint32_t value_bytes) {
  ValueShape shape;
  shape.value_bytes = value_bytes;
  return shape;
}

constexpr ValueShape text_shape(Truncation truncation, std::uint8_t bound_bytes = 32) {
  ValueShape shape;
  shape.bound_bytes = bound_bytes;
  shape.truncation = truncation;
  return shape;
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr double kDoubleNan = std::numeric_limits<double>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace

TEST("integers: signed and unsigned order, over several pages") {
  using namespace microparquet;
  check_bounds<std::int32_t>(Fed(kInt32Bounds, shape_of(4)).numbers({3, -1}).numbers({7, 0}).bounds(), -1, 7);
  check_bounds<std::uint32_t>(Fed(kUint32Bounds, shape_of(4)).numbers({3U, 0xFFFFFFFFU, 5U}).bounds(), 3,
                              0xFFFFFFFFU);
  check_bounds<std::int32_t>(
      Fed(kInt32Bounds, shape_of(4)).numbers({2147483647, -2147483647 - 1, 0}).bounds(), -2147483647 - 1,
      2147483647);
  const std::int64_t low = std::numeric_limits<std::int64_t>::min();
  const std::int64_t high = std::numeric_limits<std::int64_t>::max();
  check_bounds<std::int64_t>(Fed(kInt64Bounds, shape_of(8)).numbers({high, low}).bounds(), low, high);
  check_bounds<std::int64_t>(Fed(kUint64Bounds, shape_of(8)).numbers({high, low}).bounds(), high, low);
  check_bounds<std::int64_t>(
      Fed(kInt64Bounds, shape_of(8)).numbers<std::int64_t>({0x1FFFFFFFF, 0x100000000}).bounds(), 0x100000000,
      0x1FFFFFFFF);
  check_bounds<std::int32_t>(Fed(kInt32Bounds, shape_of(4)).numbers({5}).bounds(), 5, 5);
}

TEST("nothing seen: no bounds") {
  using namespace microparquet;
  check_none(Fed(kInt32Bounds, shape_of(4)).bounds());
  check_none(Fed(kBinaryBounds, text_shape(Truncation::kUtf8)).bounds());
  check_none(Fed(kDecimalBounds, text_shape(Truncation::kNone)).bounds());
  check_none(Fed(kBooleanBounds, shape_of(0)).bounds());
  const Bounds floats = Fed(kFloatBounds, shape_of(4)).bounds();
  check_none(floats);
  CHECK_EQ(floats.nan_count, 0U);
  check_none(Fed(kNoBounds, shape_of(4)).numbers({1}).bounds());
}

TEST("floats: NaN is counted and in no bound") {
  using namespace microparquet;
  const Bounds some =
      Fed(kFloatBounds, shape_of(4)).numbers({kNan, 2.0F, -kNan}).numbers({-3.5F, kNan}).bounds();
  check_bounds(some, -3.5F, 2.0F);
  CHECK_EQ(some.nan_count, 3U);
  const Bounds all = Fed(kDoubleBounds, shape_of(8)).numbers({kDoubleNan, -kDoubleNan}).bounds();
  check_none(all);
  CHECK_EQ(all.nan_count, 2U);
  check_bounds(Fed(kFloatBounds, shape_of(4)).numbers({kInfinity, -kInfinity, 0.0F}).bounds(), -kInfinity,
               kInfinity);
  check_bounds(Fed(kDoubleBounds, shape_of(8)).numbers({-1.5, -2.5}).bounds(), -2.5, -1.5);
  CHECK(kFloatBounds.counts_nan() && kDoubleBounds.counts_nan() && kFloat16Bounds.counts_nan());
  CHECK(!kInt32Bounds.counts_nan() && !kBinaryBounds.counts_nan());
}

TEST("floats: a zero minimum is negative, a zero maximum positive") {
  using namespace microparquet;
  for (const float zero : {0.0F, -0.0F}) {
    check_bounds(Fed(kFloatBounds, shape_of(4)).numbers({zero}).bounds(), -0.0F, 0.0F);
    check_bounds(Fed(kFloatBounds, shape_of(4)).numbers({zero, 3.0F}).bounds(), -0.0F, 3.0F);
    check_bounds(Fed(kFloatBounds, shape_of(4)).numbers({-3.0F, zero}).bounds(), -3.0F, 0.0F);
  }
  Fed fed(kDoubleBounds, shape_of(8));
  check_bounds(fed.numbers({0.0}).bounds(), -0.0, 0.0);
  check_bounds(fed.numbers({-0.0, 1.0}).bounds(), -0.0, 1.0);  // asked again after more
}

TEST("float16: by number, not by bytes") {
  using namespace microparquet;
  using Half = std::uint16_t;
  const auto fed = [](std::initializer_list<Half> values) {
    return Fed(kFloat16Bounds, shape_of(2)).numbers(values).bounds();
  };
  check_bounds<Half>(fed({0x3C00, 0xC000, 0x4200}), 0xC000, 0x4200);  // 1, -2, 3
  check_bounds<Half>(fed({0xBC00, 0xC000}), 0xC000, 0xBC00);          // -1, -2
  check_bounds<Half>(fed({0x0000}), 0x8000, 0x0000);
  check_bounds<Half>(fed({0x7C00, 0xFC00}), 0xFC00, 0x7C00);
  const Bounds nan = fed({0x7E00, 0xFE01, 0x3C00});
  check_bounds<Half>(nan, 0x3C00, 0x3C00);
  CHECK_EQ(nan.nan_count, 2U);
  check_none(fed({0x7C01}));
}

TEST("booleans: only as many bits as there are") {
  using namespace microparquet;
  const auto fed = [](std::uint8_t bits, std::uint32_t count) {
    const auto byte = static_cast<std::byte>(bits);
    return Fed(kBooleanBounds, shape_of(count)).page(&byte, 1).bounds();
  };
  check_bounds<std::uint8_t>(fed(0x00, 3), 0, 0);
  check_bounds<std::uint8_t>(fed(0x07, 3), 1, 1);
  check_bounds<std::uint8_t>(fed(0x03, 3), 0, 1);
  check_bounds<std::uint8_t>(fed(0xFF, 8), 1, 1);
  const std::byte two[] = {std::byte{0xFF}, std::byte{0x01}};
  check_bounds<std::uint8_t>(Fed(kBooleanBounds, shape_of(9)).page(two, 2).bounds(), 1, 1);
  check_bounds<std::uint8_t>(Fed(kBooleanBounds, shape_of(10)).page(two, 2).bounds(), 0, 1);
}

TEST("bytes: unsigned, and a prefix comes before what it begins") {
  using namespace microparquet;
  const Bounds bounds = Fed(kBinaryBounds, text_shape(Truncation::kBytes))
                            .bytes({"b", "\x80", "a", "ab"})
                            .bytes({"\x7F"})
                            .bounds();
  CHECK_EQ(text(bounds.min), "a");
  CHECK_EQ(text(bounds.max), "\x80");
  CHECK(bounds.known && !bounds.min_shortened && !bounds.max_shortened);
  const Bounds empty = Fed(kBinaryBounds, text_shape(Truncation::kBytes)).bytes({"", "x"}).bounds();
  CHECK(empty.known && empty.min.empty() && !empty.min_shortened);
  const Bounds fixed = Fed(kBinaryBounds, shape_of(3)).bytes({"bbb", "abc", "bba"}).bounds();
  CHECK_EQ(text(fixed.min), "abc");
  CHECK_EQ(text(fixed.max), "bbb");
}

TEST("bytes: a bound of just the length is whole, a longer one is cut and raised") {
  using namespace microparquet;
  const ValueShape shape = text_shape(Truncation::kBytes, 4);
  const Bounds exact = Fed(kBinaryBounds, shape).bytes({"abcd"}).bounds();
  CHECK_EQ(text(exact.min), "abcd");
  CHECK_EQ(text(exact.max), "abcd");
  CHECK(exact.known && !exact.min_shortened && !exact.max_shortened);
  const Bounds cut = Fed(kBinaryBounds, shape).bytes({"abcde"}).bounds();
  CHECK_EQ(text(cut.min), "abcd");
  CHECK_EQ(text(cut.max), "abce");
  CHECK(cut.known && cut.min_shortened && cut.max_shortened);
  const Bounds carried = Fed(kBinaryBounds, shape).bytes({"a\xFE\xFF\xFF\xFF"}).bounds();
  CHECK_EQ(text(carried.max), "a\xFF");
  const Bounds highest = Fed(kBinaryBounds, shape).bytes({"\xFF\xFF\xFF\xFF\x01"}).bounds();
  CHECK(!highest.known);  // nothing is above it
}

TEST("bytes: a value equal to a cut bound makes the minimum exact, and the maximum not less") {
  using namespace microparquet;
  const ValueShape shape = text_shape(Truncation::kBytes, 4);
  for (const bool whole_first : {false, true}) {
    Fed fed(kBinaryBounds, shape);
    if (whole_first) fed.bytes({"abcd"}).bytes({"abcde"});
    if (!whole_first) fed.bytes({"abcde"}).bytes({"abcd"});
    const Bounds bounds = fed.bounds();
    CHECK_EQ(text(bounds.min), "abcd");
    CHECK(!bounds.min_shortened);
    CHECK_EQ(text(bounds.max), "abce");
    CHECK(bounds.max_shortened);
  }
  // The raised bound is a value that came: larger than what was cut.
  const Bounds raised = Fed(kBinaryBounds, shape).bytes({"abcdz", "abce"}).bounds();
  CHECK_EQ(text(raised.max), "abce");
  CHECK(!raised.max_shortened);
}

TEST("bytes that must stay whole have no longer bound") {
  using namespace microparquet;
  const ValueShape shape = text_shape(Truncation::kNone, 4);
  const Bounds bounds = Fed(kBinaryBounds, shape).bytes({"abcde", "abc"}).bounds();
  CHECK(!bounds.known);
  const Bounds fitting = Fed(kBinaryBounds, shape).bytes({"abcd", "abc"}).bounds();
  CHECK(fitting.known && !fitting.min_shortened && !fitting.max_shortened);
}

TEST("UTF-8 is cut between code points and raised to the next one") {
  using namespace microparquet;
  const auto bounds_of = [](std::string_view value, std::uint8_t bytes) {
    return Fed(kBinaryBounds, text_shape(Truncation::kUtf8, bytes)).bytes({value}).bounds();
  };
  struct Case {
    std::string_view value;
    std::uint8_t bytes;
    std::string_view min;
    std::string_view max;  // empty: none
  };
  const Case cases[] = {
      {"abcdef", 4, "abcd", "abce"},
      {"ab\xC3\xA9z", 3, "ab", "ac"},  // e acute does not fit
      {"ab\xC3\xA9z", 4, "ab\xC3\xA9", "ab\xC3\xAA"},
      {"a\xC2\x80 ", 3, "a\xC2\x80", "a\xC2\x81"},
      {"a\x7F\x7F\x7F\x7F", 4, "a\x7F\x7F\x7F", "b"},  // the next one would be longer
      {"a\xDF\xBF\xDF\xBF ", 5, "a\xDF\xBF\xDF\xBF", "b"},
      {"\xED\x9F\xBFz", 3, "\xED\x9F\xBF", "\xEE\x80\x80"},  // U+D7FF: surrogates are left out
      {"\xEF\xBF\xBFz", 3, "\xEF\xBF\xBF", ""},              // U+FFFF: longer
      {"a\xEF\xBF\xBFz", 4, "a\xEF\xBF\xBF", "b"},
      {"\xF4\x8F\xBF\xBEz", 4, "\xF4\x8F\xBF\xBE", "\xF4\x8F\xBF\xBF"},
      {"\xF4\x8F\xBF\xBFz", 4, "\xF4\x8F\xBF\xBF", ""},  // U+10FFFF: the last one
      {"a\xF4\x8F\xBF\xBFz", 5, "a\xF4\x8F\xBF\xBF", "b"},
      {"\xF0\x9F\x98\x80z", 4, "\xF0\x9F\x98\x80", "\xF0\x9F\x98\x81"},
      {"\xF0\x9F\x98\xBFz", 4, "\xF0\x9F\x98\xBF", "\xF0\x9F\x99\x80"},
      {"\xF0\x9F\x98\x80z", 3, "", ""},  // not one code point fits
  };
  for (const Case& expected : cases) {
    const Bounds bounds = bounds_of(expected.value, expected.bytes);
    CHECK_EQ(bounds.known, !expected.max.empty());
    CHECK(bounds.min_shortened);
    CHECK_EQ(text(bounds.min), expected.min);
    if (bounds.known) {
      CHECK_EQ(text(bounds.max), expected.max);
      CHECK(bounds.max_shortened && text(bounds.max) > expected.value);
    }
  }
}

TEST("bounds of text that is no UTF-8 still bound it") {
  using namespace microparquet;
  // All values of a few awkward bytes, each after a common beginning that fills the bound.
  constexpr std::string_view kBytes = "a\x7F\x80\xBF\xC3\xDF\xE2\xED\xEF\xF0\xF4\xF8\xFF";
  unsigned wrong = 0;
  for (std::uint32_t i = 0; i < 13 * 13 * 13 * 13; ++i) {
    char value[5] = {0, 0, 0, 0, 'z'};
    std::uint32_t digits = i;
    for (int k = 0; k < 4; ++k, digits /= 13) value[k] = kBytes[digits % 13];
    const std::string_view whole(value, 5);
    Fed fed(kBinaryBounds, text_shape(Truncation::kUtf8, 4));
    const Bounds bounds = fed.bytes({whole}).bounds();
    if (bounds.known && (text(bounds.min) > whole || text(bounds.max) < whole)) ++wrong;
  }
  CHECK_EQ(wrong, 0U);
}

TEST("decimals: signed big-endian numbers of any length") {
  using namespace microparquet;
  const auto fed = [](std::initializer_list<std::string_view> values, ValueShape shape) {
    return Fed(kDecimalBounds, shape).bytes(values).bounds();
  };
  const ValueShape any = text_shape(Truncation::kNone);
  Bounds bounds = fed({"\x01", "\xFF", std::string_view("\x00\x80", 2), "\x7F"}, any);  // 1, -1, 128, 127
  CHECK_EQ(text(bounds.min), "\xFF");
  CHECK_EQ(text(bounds.max), std::string_view("\x00\x80", 2));
  bounds = fed({std::string_view("\xFF\x00", 2), "\x80", "\xFE\xFF"}, any);  // -256, -128, -257
  CHECK_EQ(text(bounds.min), "\xFE\xFF");
  CHECK_EQ(text(bounds.max), "\x80");
  bounds = fed({std::string_view("\x00\x00\x00\x05", 4), "\x04"}, any);  // leading zeros say nothing
  CHECK_EQ(text(bounds.min), "\x04");
  CHECK(text(bounds.max) == "\x05" || text(bounds.max) == std::string_view("\x00\x00\x00\x05", 4));
  CHECK(!bounds.min_shortened && !bounds.max_shortened);
  bounds = fed({"\xFF\xFF\xFF\x80", "\x7F"}, any);
  CHECK(text(bounds.min) == "\x80" || text(bounds.min) == "\xFF\xFF\xFF\x80");
  bounds = fed({std::string_view("\x00\x00\x01", 3), "\xFF\xFF\xFE", std::string_view("\x00\x01\x00", 3)},
               shape_of(3));
  CHECK_EQ(text(bounds.min), "\xFF\xFF\xFE");
  CHECK_EQ(text(bounds.max), std::string_view("\x00\x01\x00", 3));
}

TEST("decimals are whole or have no bounds") {
  using namespace microparquet;
  const ValueShape shape = text_shape(Truncation::kNone, 4);
  check_none(Fed(kDecimalBounds, shape).bytes({"\x11\x22\x33\x44\x55", "\x01"}).bounds());
  check_none(Fed(kDecimalBounds, shape).bytes({"\x01"}).bytes({"\x11\x22\x33\x44\x55"}).bounds());
  check_none(Fed(kDecimalBounds, shape).bytes({"", "\x01"}).bounds());
  const Bounds zeros =
      Fed(kDecimalBounds, shape).bytes({std::string_view("\x00\x00\x11\x22\x33\x44", 6)}).bounds();
  CHECK(zeros.known);
  ValueShape fixed = shape_of(6);
  fixed.bound_bytes = 4;
  check_none(Fed(kDecimalBounds, fixed).bytes({std::string_view("\x00\x00\x00\x00\x00\x01", 6)}).bounds());
}
