// Schemas with structs, arrays, lists and maps, their rows by chance, and these as JSON.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "microparquet/indexed_layout.h"
#include "microparquet/microparquet.h"
#include "microparquet/static_nested_writer.h"

namespace mpq = microparquet;

namespace nested {

struct Axis {
  std::int16_t x, y, z;
};
struct Inner {
  std::optional<std::int32_t> number;
  mpq::Text<10> text;
};
struct Middle {
  std::optional<Inner> inner;
  double weight;
};
struct Outer {
  std::optional<Middle> middle;
  Axis axis;
  std::optional<bool> flag;
};
struct Pair {
  float level;
  mpq::Text<6> name;
  Axis axis;
};

struct Structs {
  std::int64_t time;
  Axis axis;
  Inner required;
  std::optional<Inner> maybe;
  std::optional<Outer> outer;
  std::optional<std::array<std::uint8_t, 5>> bytes;
};
inline constexpr auto kStructs = mpq::schema(
    mpq::column("time", &Structs::time),
    mpq::group("axis", &Structs::axis, mpq::column("x", &Axis::x), mpq::column("y", &Axis::y),
               mpq::column("z", &Axis::z)),
    mpq::group("required", &Structs::required, mpq::column("number", &Inner::number),
               mpq::column("text", &Inner::text)),
    mpq::group("maybe", &Structs::maybe,
               mpq::column("number", &Inner::number).with_encoder(mpq::kDeltaBinaryPacked),
               mpq::column("text", &Inner::text).with_encoder(mpq::kDictionary))
        .with_page_bytes(1024),
    mpq::group("outer", &Structs::outer,
               mpq::group("middle", &Outer::middle,
                          mpq::group("inner", &Middle::inner, mpq::column("number", &Inner::number),
                                     mpq::column("text", &Inner::text)),
                          mpq::column("weight", &Middle::weight)),
               mpq::group("axis", &Outer::axis, mpq::column("x", &Axis::x), mpq::column("y", &Axis::y),
                          mpq::column("z", &Axis::z)),
               mpq::column("flag", &Outer::flag)),
    mpq::column("bytes", &Structs::bytes));

// The same with every encoder, and compressed.
inline constexpr auto kPackedStructs = mpq::schema(
    mpq::column("time", &Structs::time).with_encoder(mpq::kDeltaBinaryPacked),
    mpq::group("axis", &Structs::axis, mpq::column("x", &Axis::x), mpq::column("y", &Axis::y),
               mpq::column("z", &Axis::z))
        .with_encoder(mpq::kAuto)
        .with_page_bytes(1024),
    mpq::group("required", &Structs::required, mpq::column("number", &Inner::number),
               mpq::column("text", &Inner::text))
        .with_compressor(mpq::kLz4RawCompressor)
        .with_page_bytes(2048),
    mpq::group("maybe", &Structs::maybe, mpq::column("number", &Inner::number),
               mpq::column("text", &Inner::text))
        .with_encoder(mpq::kAuto)
        .with_page_bytes(1024),
    mpq::group(
        "outer", &Structs::outer,
        mpq::group("middle", &Outer::middle,
                   mpq::group("inner", &Middle::inner,
                              mpq::column("number", &Inner::number).with_encoder(mpq::kDeltaBinaryPacked),
                              mpq::column("text", &Inner::text).with_encoder(mpq::kDictionary)),
                   mpq::column("weight", &Middle::weight).with_compressor(mpq::kLz4RawCompressor)),
        mpq::group("axis", &Outer::axis, mpq::column("x", &Axis::x), mpq::column("y", &Axis::y),
                   mpq::column("z", &Axis::z).with_encoder(mpq::kDictionary)),
        mpq::column("flag", &Outer::flag).with_encoder(mpq::kRleBoolean))
        .with_page_bytes(1024),
    mpq::column("bytes", &Structs::bytes));

// Pages of two encodings in a struct that may be missing, which Polars does not read.
inline constexpr auto kSplitStructs = mpq::schema(
    mpq::column("time", &Structs::time), mpq::group("outer", &Structs::outer,
                                                    mpq::group("middle", &Outer::middle,
                                                               mpq::column("weight", &Middle::weight)
                                                                   .with_encoder(mpq::kByteStreamSplit)
                                                                   .with_compressor(mpq::kLz4RawCompressor)
                                                                   .with_page_bytes(1024))));

struct Arrays {
  std::int64_t time;
  std::array<float, 32> spectrum;
  std::array<Axis, 16> fifo;
  std::array<double, 1> one;
  std::array<std::int64_t, 7> seven;
  std::array<float, 33> more;
  std::array<bool, 9> bits;
  std::array<mpq::Text<8>, 3> names;
  std::array<std::array<std::uint8_t, 3>, 4> raw;
  std::array<std::uint16_t, 5> counts;
  std::array<Pair, 4> pairs;
  std::optional<mpq::Text<6>> word;
};
constexpr auto arrays(std::uint32_t page) {
  return mpq::schema(
      mpq::column("time", &Arrays::time), mpq::list("spectrum", &Arrays::spectrum).with_page_bytes(page),
      mpq::list("fifo", &Arrays::fifo, mpq::column("x", &Axis::x), mpq::column("y", &Axis::y),
                mpq::column("z", &Axis::z)),
      mpq::list("one", &Arrays::one), mpq::list("seven", &Arrays::seven), mpq::list("more", &Arrays::more),
      mpq::list("bits", &Arrays::bits), mpq::list("names", &Arrays::names), mpq::list("raw", &Arrays::raw),
      mpq::list("counts", &Arrays::counts),
      mpq::list("pairs", &Arrays::pairs, mpq::column("level", &Pair::level), mpq::column("name", &Pair::name),
                mpq::group("axis", &Pair::axis, mpq::column("x", &Axis::x), mpq::column("y", &Axis::y),
                           mpq::column("z", &Axis::z))),
      mpq::column("word", &Arrays::word));
}
inline constexpr auto kArrays = arrays(1024);
inline constexpr auto kSmallArrays =
    mpq::schema(mpq::column("time", &Arrays::time), mpq::list("spectrum", &Arrays::spectrum),
                mpq::list("fifo", &Arrays::fifo, mpq::column("x", &Axis::x)), mpq::list("one", &Arrays::one));

// Compressed, split, and beside columns with dictionaries and differences.
inline constexpr auto kPackedArrays = mpq::schema(
    mpq::column("time", &Arrays::time).with_encoder(mpq::kDeltaBinaryPacked),
    mpq::list("spectrum", &Arrays::spectrum)
        .with_encoder(mpq::kByteStreamSplit)
        .with_compressor(mpq::kLz4RawCompressor)
        .with_page_bytes(1536),
    mpq::list("fifo", &Arrays::fifo, mpq::column("x", &Axis::x), mpq::column("y", &Axis::y),
              mpq::column("z", &Axis::z))
        .with_compressor(mpq::kLz4RawCompressor)
        .with_page_bytes(1024),
    mpq::list("one", &Arrays::one).with_compressor(mpq::kLz4RawCompressor).with_page_bytes(1024),
    mpq::list("seven", &Arrays::seven).with_compressor(mpq::kLz4RawCompressor).with_page_bytes(1024),
    mpq::list("more", &Arrays::more)
        .with_encoder(mpq::kByteStreamSplit)
        .with_compressor(mpq::kLz4RawCompressor)
        .with_page_bytes(2048),
    mpq::list("bits", &Arrays::bits).with_compressor(mpq::kLz4RawCompressor).with_page_bytes(1024),
    mpq::list("names", &Arrays::names).with_compressor(mpq::kLz4RawCompressor).with_page_bytes(1024),
    mpq::list("raw", &Arrays::raw).with_compressor(mpq::kLz4RawCompressor).with_page_bytes(1024),
    mpq::list("counts", &Arrays::counts),
    mpq::list("pairs", &Arrays::pairs, mpq::column("level", &Pair::level), mpq::column("name", &Pair::name)),
    mpq::column("word", &Arrays::word).with_encoder(mpq::kDictionary));

// Lists of every type, whose rows have none, one, some or all of the elements, and whatever may be missing.
struct Spot {
  std::uint8_t id;
  std::optional<float> height;
  mpq::Text<6> name;
  Axis axis;
};
struct Deep {
  mpq::List<std::int16_t, 5> counts;
  std::optional<mpq::List<std::optional<double>, 4>> maybe;
};
struct Lists {
  std::int64_t time;
  mpq::List<float, 40> levels;
  std::optional<mpq::List<std::int32_t, 9>> maybe;
  mpq::List<std::optional<std::int64_t>, 12> gaps;
  mpq::List<Spot, 6> spots;
  mpq::List<std::optional<Inner>, 5> inners;
  mpq::List<mpq::List<std::int16_t, 5>, 4> two;
  mpq::List<mpq::List<mpq::List<std::uint16_t, 3>, 3>, 3> three;
  mpq::List<Deep, 3> deep;
  mpq::List<mpq::Entry<mpq::Text<5>, double>, 4> tags;
  std::optional<mpq::List<mpq::Entry<std::int32_t, std::optional<mpq::Text<9>>>, 3>> words;
  std::optional<std::array<float, 3>> missing;
  std::array<std::array<std::int16_t, 3>, 2> matrix;
  std::array<std::optional<std::int32_t>, 4> holes;
  mpq::List<bool, 19> bits;
  mpq::List<std::array<std::uint8_t, 3>, 4> raw;
  mpq::List<mpq::Text<8>, 5> names;
  std::array<float, 8> array;
  std::optional<mpq::Text<6>> word;
};
constexpr auto lists(std::uint32_t page) {
  return mpq::schema(
      mpq::column("time", &Lists::time), mpq::list("levels", &Lists::levels).with_page_bytes(page),
      mpq::list("maybe", &Lists::maybe), mpq::list("gaps", &Lists::gaps),
      mpq::list("spots", &Lists::spots, mpq::column("id", &Spot::id), mpq::column("height", &Spot::height),
                mpq::column("name", &Spot::name),
                mpq::group("axis", &Spot::axis, mpq::column("x", &Axis::x), mpq::column("z", &Axis::z))),
      mpq::list("inners", &Lists::inners, mpq::column("number", &Inner::number),
                mpq::column("text", &Inner::text)),
      mpq::list("two", &Lists::two), mpq::list("three", &Lists::three),
      mpq::list("deep", &Lists::deep, mpq::list("counts", &Deep::counts), mpq::list("maybe", &Deep::maybe)),
      mpq::map("tags", &Lists::tags), mpq::map("words", &Lists::words), mpq::list("missing", &Lists::missing),
      mpq::list("matrix", &Lists::matrix), mpq::list("holes", &Lists::holes), mpq::list("bits", &Lists::bits),
      mpq::list("raw", &Lists::raw), mpq::list("names", &Lists::names), mpq::list("array", &Lists::array),
      mpq::column("word", &Lists::word));
}
inline constexpr auto kLists = lists(1024);
inline constexpr auto kSmallLists =
    mpq::schema(mpq::column("time", &Lists::time), mpq::list("levels", &Lists::levels),
                mpq::list("gaps", &Lists::gaps), mpq::map("tags", &Lists::tags));

// Compressed, split, and beside columns with dictionaries and differences.
inline constexpr auto kPackedLists = mpq::schema(
    mpq::column("time", &Lists::time).with_encoder(mpq::kDeltaBinaryPacked),
    mpq::list("levels", &Lists::levels)
        .with_encoder(mpq::kByteStreamSplit)
        .with_compressor(mpq::kLz4RawCompressor)
        .with_page_bytes(1536),
    mpq::list("maybe", &Lists::maybe).with_compressor(mpq::kLz4RawCompressor).with_page_bytes(1024),
    mpq::list("gaps", &Lists::gaps).with_compressor(mpq::kLz4RawCompressor).with_page_bytes(1024),
    mpq::list("spots", &Lists::spots, mpq::column("id", &Spot::id), mpq::column("height", &Spot::height),
              mpq::column("name", &Spot::name))
        .with_compressor(mpq::kLz4RawCompressor)
        .with_page_bytes(1024),
    mpq::list("two", &Lists::two).with_compressor(mpq::kLz4RawCompressor).with_page_bytes(1024),
    mpq::map("tags", &Lists::tags), mpq::list("bits", &Lists::bits), mpq::list("array", &Lists::array),
    mpq::column("word", &Lists::word).with_encoder(mpq::kDictionary));

// Encoders that stage values, keep runs or look values up.
inline constexpr auto kStagedLists =
    mpq::schema(mpq::column("time", &Lists::time).with_encoder(mpq::kDeltaBinaryPacked),
                mpq::list("levels", &Lists::levels).with_encoder(mpq::kDictionary).with_page_bytes(1024),
                mpq::list("maybe", &Lists::maybe).with_encoder(mpq::kDeltaBinaryPacked),
                mpq::list("gaps", &Lists::gaps).with_encoder(mpq::kDeltaBinaryPacked).with_page_bytes(1024),
                mpq::list("spots", &Lists::spots, mpq::column("id", &Spot::id),
                          mpq::column("height", &Spot::height), mpq::column("name", &Spot::name))
                    .with_encoder(mpq::kAuto)
                    .with_page_bytes(1024),
                mpq::list("two", &Lists::two).with_encoder(mpq::kDeltaBinaryPacked),
                mpq::map("words", &Lists::words).with_encoder(mpq::kDictionary),
                mpq::list("matrix", &Lists::matrix).with_encoder(mpq::kDeltaBinaryPacked),
                mpq::list("bits", &Lists::bits).with_encoder(mpq::kRleBoolean),
                mpq::list("names", &Lists::names).with_encoder(mpq::kDictionary));

constexpr mpq::Options options(std::uint32_t page_bytes, bool sectors, const mpq::Layout& layout,
                               std::uint16_t block_bytes = 512) {
  mpq::Options options;
  options.page_bytes = page_bytes;
  options.whole_sectors = sectors;
  options.layout = &layout;
  options.block_bytes = block_bytes;
  return options;
}
inline constexpr mpq::Options kUsual = options(512, true, mpq::kInPlace);
inline constexpr mpq::Options kOdd = options(520, false, mpq::kInPlace);
inline constexpr mpq::Options kLarge = options(4096, true, mpq::kInPlace);
inline constexpr mpq::Options kBlocks = options(1024, true, mpq::kInPlace, 4096);
inline constexpr mpq::Options kPlain = options(512, true, mpq::kInPlaceNoCheckpoints);
inline constexpr mpq::Options kStream = options(512, true, mpq::kForward);
inline constexpr mpq::Options kPool = [] {
  mpq::Options options = nested::options(1024, true, mpq::kForward);
  options.row_group_bytes = 40 << 10;
  return options;
}();
inline constexpr mpq::IndexedLayout kIndexedLayout = mpq::with_page_index(mpq::kInPlace, 16384);
inline constexpr mpq::IndexedLayout kIndexedStreamLayout = mpq::with_page_index(mpq::kForward, 16384);
inline constexpr mpq::Options kIndexed = options(512, true, kIndexedLayout);
inline constexpr mpq::Options kIndexedStream = options(512, true, kIndexedStreamLayout);
inline constexpr mpq::Options kTailed = options(512, true, mpq::kInPlaceTailed);
inline constexpr mpq::Options kSaving = options(512, true, mpq::kInPlaceSaving);
inline constexpr mpq::Options kSavingStream = options(512, true, mpq::kForwardSaving);

class Values {
 public:
  explicit Values(unsigned seed) : random_(seed) {}

  unsigned below(unsigned limit) { return static_cast<unsigned>(random_()) % limit; }
  std::mt19937& random() { return random_; }

  void make(bool& value) { value = below(3) != 0; }
  void make(std::uint8_t& value) { value = static_cast<std::uint8_t>(below(256)); }
  void make(std::int16_t& value) {
    value = static_cast<std::int16_t>(below(3) != 0 ? below(9) : below(65536));
  }
  void make(std::uint16_t& value) { value = static_cast<std::uint16_t>(below(65536)); }
  void make(std::int32_t& value) { value = static_cast<std::int32_t>(below(4) != 0 ? below(50) : random_()); }
  void make(std::int64_t& value) { value = static_cast<std::int64_t>(below(1U << 30)) << below(22); }
  void make(float& value) { value = static_cast<float>(below(4000)) / 8 - 100; }
  void make(double& value) { value = static_cast<double>(below(1U << 30)) / 1024 - 1000; }
  template <std::size_t N>
  void make(mpq::Text<N>& value) {
    char letters[N];
    const unsigned size = below(N + 1);
    for (unsigned i = 0; i < size; ++i) letters[i] = static_cast<char>('a' + below(below(2) != 0 ? 3 : 26));
    value = std::string_view(letters, size);
  }
  template <typename T, std::size_t N>
  void make(std::array<T, N>& values) {
    for (T& value : values) make(value);
  }
  // Any number of elements, often none or all.
  template <typename T, std::size_t N>
  void make(mpq::List<T, N>& list) {
    list.clear();
    const unsigned kind = below(4);
    const unsigned size = kind == 0 ? 0 : kind == 1 ? static_cast<unsigned>(N) : below(N + 1);
    for (unsigned i = 0; i < size; ++i) {
      T element = {};
      make(element);
      list.push_back(element);
    }
  }
  template <typename Value, std::size_t N>
  void make(mpq::List<mpq::Entry<mpq::Text<N>, Value>, 4>& map) {
    constexpr const char* kKeys[] = {"a", "bc", "def", "ghij"};
    map.clear();
    const unsigned size = below(5);
    for (unsigned i = 0; i < size; ++i) {
      mpq::Entry<mpq::Text<N>, Value> entry = {kKeys[i], {}};
      make(entry.value);
      map.push_back(entry);
    }
  }
  template <typename Value>
  void make(mpq::List<mpq::Entry<std::int32_t, Value>, 3>& map) {
    map.clear();
    const unsigned size = below(4);
    for (unsigned i = 0; i < size; ++i) {
      mpq::Entry<std::int32_t, Value> entry = {static_cast<std::int32_t>(i) - 1, {}};
      make(entry.value);
      map.push_back(entry);
    }
  }
  template <typename T>
  void make(std::optional<T>& value) {
    value.reset();
    if (below(3) != 0) make(value.emplace());
  }
  void make(Axis& axis) { make(axis.x), make(axis.y), make(axis.z); }
  void make(Inner& inner) { make(inner.number), make(inner.text); }
  void make(Middle& middle) { make(middle.inner), make(middle.weight); }
  void make(Outer& outer) { make(outer.middle), make(outer.axis), make(outer.flag); }
  void make(Pair& pair) { make(pair.level), make(pair.name), make(pair.axis); }
  void make(Spot& spot) { make(spot.id), make(spot.height), make(spot.name), make(spot.axis); }
  void make(Deep& deep) { make(deep.counts), make(deep.maybe); }
  void make(Lists& row) {
    make(row.levels), make(row.maybe), make(row.gaps), make(row.spots), make(row.inners), make(row.two);
    make(row.three), make(row.deep), make(row.tags), make(row.words), make(row.missing), make(row.matrix);
    make(row.holes), make(row.bits), make(row.raw), make(row.names), make(row.array), make(row.word);
  }
  void make(Structs& row) {
    make(row.axis), make(row.required), make(row.maybe), make(row.outer), make(row.bytes);
  }
  void make(Arrays& row) {
    make(row.spectrum), make(row.fifo), make(row.one), make(row.seven), make(row.more), make(row.bits);
    make(row.names), make(row.raw), make(row.counts), make(row.pairs), make(row.word);
  }

 private:
  std::mt19937 random_;
};

// Prints the columns of a schema as JSON, in their order.
class Json {
 public:
  explicit Json(std::string& text) : text_(text) {}

  template <typename Row, typename... Parts>
  void print(const Row& row, const mpq::ColumnList<Parts...>& parts) {
    text_ += '{';
    mpq::detail::for_each_column(parts, [&](auto index, const auto& part) {
      if (index != 0) text_ += ',';
      name_and_value(row, part);
    });
    text_ += '}';
  }

 private:
  template <typename Row, typename R, typename Accessor>
  void name_and_value(const Row& row, const mpq::TypedColumn<R, Accessor>& part) {
    begin(part.field.name);
    value(mpq::detail::access(row, part.accessor));
  }
  template <typename Row, typename R, typename Accessor, typename... Parts>
  void name_and_value(const Row& row, const mpq::TypedGroup<R, Accessor, Parts...>& part) {
    begin(part.name);
    inside(mpq::detail::access(row, part.accessor), part.members);
  }
  template <typename Row, typename R, typename Accessor, typename Element>
  void name_and_value(const Row& row, const mpq::TypedList<R, Accessor, Element>& part) {
    begin(part.name);
    element_of(row, part);
  }
  template <typename T, typename R, typename Accessor>
  void element_of(const T& element, const mpq::TypedColumn<R, Accessor>& part) {
    value(mpq::detail::access(element, part.accessor));
  }
  template <typename T, typename R, typename Accessor, typename... Parts>
  void element_of(const T& element, const mpq::TypedGroup<R, Accessor, Parts...>& part) {
    inside(mpq::detail::access(element, part.accessor), part.members);
  }
  template <typename Row, typename R, typename Accessor, typename Element>
  void element_of(const Row& row, const mpq::TypedList<R, Accessor, Element>& part) {
    const auto& member = mpq::detail::access(row, part.accessor);
    if constexpr (mpq::detail::OptionalValue<
                      std::remove_cv_t<std::remove_reference_t<decltype(member)>>>::kOptional) {
      if (!member) {
        text_ += "null";
      } else {
        elements(*member, part);
      }
    } else {
      elements(member, part);
    }
  }
  // A map is its entries, each a pair in an array.
  template <typename Elements, typename R, typename Accessor, typename Element>
  void elements(const Elements& all, const mpq::TypedList<R, Accessor, Element>& part) {
    text_ += part.map ? "{\"map\":[" : "[";
    bool first = true;
    for (const auto& element : all) {
      if (!first) text_ += ',';
      first = false;
      if constexpr (mpq::detail::IsEntry<
                        std::remove_cv_t<std::remove_reference_t<decltype(element)>>>::value) {
        text_ += '[';
        value(element.key);
        text_ += ',';
        value(element.value);
        text_ += ']';
      } else {
        element_of(element, part.element);
      }
    }
    text_ += part.map ? "]}" : "]";
  }
  template <typename T, typename... Parts>
  void inside(const std::optional<T>& row, const mpq::ColumnList<Parts...>& parts) {
    if (!row) {
      text_ += "null";
    } else {
      print(*row, parts);
    }
  }
  template <typename T, typename... Parts>
  void inside(const T& row, const mpq::ColumnList<Parts...>& parts) {
    print(row, parts);
  }

  void value(bool held) { text_ += held ? "true" : "false"; }
  template <typename T>
  void value(const std::optional<T>& held) {
    if (!held) {
      text_ += "null";
    } else {
      value(*held);
    }
  }
  template <std::size_t N>
  void value(const mpq::Text<N>& held) {
    text_.append("\"").append(std::string_view(held)).append("\"");
  }
  template <std::size_t N>
  void value(const std::array<std::uint8_t, N>& held) {
    text_ += "{\"hex\":\"";
    for (const std::uint8_t byte : held) number("%02x", byte);
    text_ += "\"}";
  }
  template <typename T, std::enable_if_t<std::is_arithmetic_v<T> && !std::is_same_v<T, bool>, int> = 0>
  void value(T held) {
    if constexpr (std::is_floating_point_v<T>) {
      number("%.17g", static_cast<double>(held));
    } else {
      number("%lld", static_cast<long long>(held));
    }
  }

  void begin(std::string_view name) { text_.append("\"").append(name).append("\":"); }
  template <typename Number>
  void number(const char* format, Number held) {
    char digits[40];
    std::snprintf(digits, sizeof digits, format, held);
    text_ += digits;
  }

  std::string& text_;
};

// Returns a row as a line of JSON.
template <typename Row, typename Schema>
std::string line_of(const Row& row, const Schema& schema) {
  std::string text;
  Json(text).print(row, schema.columns);
  return text;
}

// Makes random rows, each with its number as time.
template <typename Row>
std::vector<Row> make_rows(std::size_t count, Values& values) {
  std::vector<Row> rows(count);
  for (std::size_t i = 0; i < count; ++i) {
    values.make(rows[i]);
    rows[i].time = static_cast<std::int64_t>(i);
  }
  return rows;
}

}  // namespace nested
