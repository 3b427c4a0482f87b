// A struct that is not written, -D and the name of the mistake: it must not compile, and the compiler says which it is and the
// part's name. With none of them it must.
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "microparquet/microparquet.h"

namespace mpq = microparquet;

struct Axes {
  std::int16_t x, y, z;
};
struct Fix {
  double latitude;
  std::optional<std::array<float, 4>> bins;
};
struct Burst {
  std::int64_t time_us;
#if defined LONG_ARRAY
  std::array<float, 200> bins;
#elif defined LONG_DIFFERENCES
  std::array<std::int32_t, 120> bins;
#elif defined ARRAY_OF_BYTES
  std::array<std::uint8_t, 8> bins;
#elif defined INTEGERS || defined DIFFERENCES_WITH_TAILS
  std::array<std::int32_t, 8> bins;
#else
  std::array<float, 8> bins;
#endif
#if defined FOUR_LISTS
  mpq::List<mpq::List<mpq::List<mpq::List<float, 2>, 2>, 2>, 2> levels;
#elif defined LIST_OF_INTEGERS
  mpq::List<std::int32_t, 8> levels;
#elif defined LIST_OF_VIEWS
  mpq::List<std::string_view, 8> levels;
#elif defined LIST_FROM_MAP
  mpq::List<mpq::Entry<std::int32_t, float>, 8> levels;
#else
  mpq::List<std::optional<float>, 8> levels;
#endif
#ifdef MISSING_KEY
  mpq::List<mpq::Entry<std::optional<mpq::Text<4>>, float>, 8> tags;
#else
  mpq::List<mpq::Entry<mpq::Text<4>, float>, 8> tags;
#endif
  std::array<Axes, 4> axes;
  std::optional<Fix> fix;
  Axes last;
};

#ifdef EMPTY_NAME
#define NAME ""
#else
#define NAME "bins"
#endif
#ifdef NO_COLUMNS
#define AXES mpq::list("axes", &Burst::axes)
#else
#define AXES mpq::list("axes", &Burst::axes, mpq::column("x", &Axes::x))
#endif
#ifdef LIST_AS_COLUMN
#define BINS mpq::column(NAME, &Burst::bins)
#else
#define BINS mpq::list(NAME, &Burst::bins)
#endif
#ifdef TWICE
#define LAST "x"
#else
#define LAST "y"
#endif

// An encoder that is none of the library's.
void put_numbers(mpq::PageBody& page, const void* values, std::uint32_t count);
constexpr mpq::Encoder own_encoder() {
  mpq::Encoder encoder = mpq::kDeltaInt32;
  encoder.put = &put_numbers;
  return encoder;
}
constexpr mpq::Encoder kOwnEncoder = own_encoder();

#if defined LIST_OF_INTEGERS
#define LEVELS mpq::list("levels", &Burst::levels).with_encoder(kOwnEncoder)
#else
#define LEVELS mpq::list("levels", &Burst::levels)
#endif
constexpr mpq::Options options() {
  mpq::Options options;
#if defined LIST_WITH_TAILS || defined DIFFERENCES_WITH_TAILS
  options.layout = &mpq::kInPlaceTailed;
#endif
  return options;
}
constexpr mpq::Options kOptions = options();

constexpr auto kSchema = mpq::schema(
    mpq::timestamp_us_column("time", &Burst::time_us),
    BINS
#if defined INTEGERS
        .with_encoder(kOwnEncoder)
#elif defined DIFFERENCES_WITH_TAILS || defined LONG_DIFFERENCES
        .with_encoder(mpq::kDeltaBinaryPacked)
#endif
        ,
    AXES, LEVELS, mpq::map("tags", &Burst::tags),
    mpq::group("fix", &Burst::fix, mpq::column("lat", &Fix::latitude), mpq::list("bins", &Fix::bins)),
    mpq::group("last", &Burst::last, mpq::column("x", &Axes::x), mpq::column(LAST, &Axes::y)));
int main() {
  static mpq::StaticWriter<kSchema, kOptions> writer;
  return writer.append(Burst{}) == mpq::Status::kOk ? 0 : 1;
}
