// A struct that is not written, -D and the name of the mistake: it must not compile, and the compiler says which it is and the
// part's name. With none of them it must.
#include <array>
#include <cstdint>
#include <optional>

#include "microparquet/microparquet.h"

namespace mpq = microparquet;

struct Axes {
  std::int16_t x, y, z;
};
struct Fix {
  double latitude;
#ifdef ARRAY_IN_OPTIONAL
  std::array<float, 4> bins;
#else
  std::optional<float> bins;
#endif
};
struct Burst {
  std::int64_t time_us;
#if defined LIST
  mpq::List<float, 8> bins;
#elif defined OPTIONAL_ARRAY
  std::optional<std::array<float, 8>> bins;
#elif defined ARRAY_OF_ARRAYS
  std::array<std::array<float, 2>, 8> bins;
#elif defined OPTIONAL_ELEMENT
  std::array<std::optional<float>, 8> bins;
#elif defined LONG_ARRAY
  std::array<float, 200> bins;
#elif defined ARRAY_OF_BYTES
  std::array<std::uint8_t, 8> bins;
#elif defined INTEGERS
  std::array<std::int32_t, 8> bins;
#else
  std::array<float, 8> bins;
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

constexpr auto kSchema =
    mpq::schema(mpq::timestamp_us_column("time", &Burst::time_us),
                BINS
#ifdef INTEGERS
                    .with_encoder(mpq::kDeltaBinaryPacked)
#endif
                    ,
                AXES,
                mpq::group("fix", &Burst::fix, mpq::column("lat", &Fix::latitude),
#ifdef ARRAY_IN_OPTIONAL
                           mpq::list("inside", &Fix::bins)
#else
                           mpq::column("bins", &Fix::bins)
#endif
                               ),
                mpq::group("last", &Burst::last, mpq::column("x", &Axes::x), mpq::column(LAST, &Axes::y)));
int main() {
  static mpq::StaticWriter<kSchema> writer;
  return writer.append(Burst{}) == mpq::Status::kOk ? 0 : 1;
}
