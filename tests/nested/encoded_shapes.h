// Schemas whose columns all have one type and one encoder, in every kind of place inside arrays, lists and maps; and rows for them,
// of a given length, whose values suit the encoder well or badly.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <string_view>
#include <type_traits>
#include <vector>

#include "microparquet/microparquet.h"
#include "microparquet/static_nested_writer.h"

namespace mpq = microparquet;

namespace nested {

// More elements than a page of 512 bytes holds in PLAIN.
template <typename T>
inline constexpr std::size_t kOverfull = 512 / sizeof(T) + 1;
template <>
inline constexpr std::size_t kOverfull<bool> = 4100;
template <std::size_t N>
inline constexpr std::size_t kOverfull<mpq::Text<N>> = 129;  // of none but a length

template <typename T>
struct Both {
  T here;
  std::optional<T> perhaps;
};

template <typename T>
struct Encoded {
  std::int64_t time;
  std::array<T, 1> one;
  std::array<T, 31> most;
  std::array<T, 32> all;
  std::array<T, 33> over;
  std::array<T, 64> twice;
  std::optional<std::array<T, 33>> missing;
  std::array<std::optional<T>, 33> holes;
  mpq::List<T, 64> list;
  std::optional<mpq::List<T, 64>> maybe;
  mpq::List<std::optional<T>, 64> gaps;
  mpq::List<Both<T>, 33> both;
  mpq::List<mpq::List<T, 33>, 3> two;
  mpq::List<mpq::Entry<std::int32_t, T>, 33> words;
  mpq::List<T, kOverfull<T>> full;
};

// A part of the schema as its encoder has it.
template <typename T, const auto& kEncoder, bool kCompressed>
struct Coding {
  template <typename Part>
  static constexpr auto of(const Part& part) {
    if constexpr (kCompressed) {
      return part.with_encoder(kEncoder).with_compressor(mpq::kLz4RawCompressor).with_page_bytes(2048);
    } else {
      return part.with_encoder(kEncoder);
    }
  }
  using Row = Encoded<T>;
  static constexpr auto make() {
    constexpr std::uint32_t kPage = 1024;
    const auto words = mpq::map("words", &Row::words);
    return mpq::schema(mpq::column("time", &Row::time), of(mpq::list("one", &Row::one)),
                       of(mpq::list("most", &Row::most).with_page_bytes(kPage)),
                       of(mpq::list("all", &Row::all).with_page_bytes(kPage)),
                       of(mpq::list("over", &Row::over).with_page_bytes(kPage)),
                       of(mpq::list("twice", &Row::twice).with_page_bytes(kPage)),
                       of(mpq::list("missing", &Row::missing).with_page_bytes(kPage)),
                       of(mpq::list("holes", &Row::holes).with_page_bytes(kPage)),
                       of(mpq::list("list", &Row::list).with_page_bytes(kPage)),
                       of(mpq::list("maybe", &Row::maybe).with_page_bytes(kPage)),
                       of(mpq::list("gaps", &Row::gaps).with_page_bytes(kPage)),
                       of(mpq::list("both", &Row::both, mpq::column("here", &Both<T>::here),
                                    mpq::column("perhaps", &Both<T>::perhaps))
                              .with_page_bytes(kPage)),
                       of(mpq::list("two", &Row::two).with_page_bytes(kPage)),
                       // A key is a number.
                       coded_map(words), of(mpq::list("full", &Row::full).with_page_bytes(512)));
  }
  template <typename Map>
  static constexpr auto coded_map(const Map& map) {
    if constexpr (std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t>) {
      return of(map.with_page_bytes(1024));
    } else {
      return map;
    }
  }
  static constexpr auto kSchema = make();
};

// Values in rows of one length.
class Series {
 public:
  // How values follow one another.
  enum Pattern : unsigned { kSteps, kChance, kEqual, kFew, kJumps, kPatterns };

  Series(unsigned pattern, unsigned length, unsigned seed)
      : pattern_(pattern), length_(length), random_(seed) {}

  template <typename T>
  void make(Encoded<T>& row) {
    make(row.one), make(row.most), make(row.all), make(row.over), make(row.twice), make(row.missing);
    make(row.holes), make(row.list), make(row.maybe), make(row.gaps), make(row.both), make(row.two);
    row.words.clear();
    for (std::uint32_t i = 0, size = size_of(row.words); i < size; ++i) {
      mpq::Entry<std::int32_t, T> entry = {static_cast<std::int32_t>(3 * i), {}};
      make(entry.value);
      row.words.push_back(entry);
    }
    make(row.full);
  }

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_()) % limit; }

  // Mostly the row's length, as far as there are places.
  template <typename T, std::size_t N>
  std::uint32_t size_of(const mpq::List<T, N>& /*list*/) {
    const unsigned size = length_ < N ? length_ : static_cast<unsigned>(N);
    return below(8) != 0 ? size : below(size + 1);
  }

  std::int64_t next() {
    constexpr unsigned kFewValues = 7;
    switch (pattern_) {
      case kSteps: return at_ += 3 + below(4);
      case kChance: return static_cast<std::int64_t>(random_());
      case kEqual: return 12;
      case kFew: return below(kFewValues);
      default: break;
    }
    if (below(40) == 0) at_ = static_cast<std::int64_t>(random_());
    return at_ -= below(100);
  }

  void make(bool& value) {
    value = pattern_ == kEqual || (pattern_ == kChance ? below(2) != 0 : next() / 64 % 2 != 0);
  }
  void make(std::int32_t& value) { value = static_cast<std::int32_t>(next()); }
  void make(std::int64_t& value) {
    const std::int64_t number = next();
    const auto bits = static_cast<std::uint64_t>(number);
    value = pattern_ == kChance || pattern_ == kJumps ? static_cast<std::int64_t>(bits << 31 ^ bits) : number;
  }
  void make(float& value) { value = static_cast<float>(next() % 5000) / 8; }
  void make(double& value) { value = static_cast<double>(next()) / 4; }
  template <std::size_t N>
  void make(mpq::Text<N>& value) {
    char letters[N];
    std::size_t size = 0;
    for (std::int64_t left = next() % 9999; left > 0 && size < N; left /= 10)
      letters[size++] = static_cast<char>('0' + left % 10);
    value = std::string_view(letters, size);
  }
  template <typename T>
  void make(std::optional<T>& value) {
    value.reset();
    if (below(5) != 0) make(value.emplace());
  }
  template <typename T>
  void make(Both<T>& both) {
    make(both.here), make(both.perhaps);
  }
  template <typename T, std::size_t N>
  void make(std::array<T, N>& values) {
    for (T& value : values) make(value);
  }
  template <typename T, std::size_t N>
  void make(mpq::List<T, N>& list) {
    list.clear();
    for (std::uint32_t left = size_of(list); left != 0; --left) {
      T element = {};
      make(element);
      list.push_back(element);
    }
  }

  unsigned pattern_;
  unsigned length_;
  std::mt19937 random_;
  std::int64_t at_ = 0;
};

// Lengths of rows: around a miniblock, and as long as a page takes.
inline constexpr unsigned kRowLengths[] = {1, 31, 32, 33, 64, 0xFFFF};
inline constexpr unsigned kRowLengthCount = sizeof kRowLengths / sizeof *kRowLengths;

// Takes the last element off the longest list; returns whether there was one.
template <typename T>
bool shorten(Encoded<T>& row) {
  if (row.full.empty()) return false;
  const auto all = row.full;
  row.full.clear();
  for (std::size_t i = 0; i + 1 < all.size(); ++i) row.full.push_back(all[i]);
  return true;
}
template <typename Row>
bool shorten(Row& /*row*/) {
  return false;
}

}  // namespace nested
