// Counts of 32 bits with a step of 10^-10, more digits than the column has: it must not compile. With FITS the
// step is 10^-9, and it must.
#include <cstdint>

#include "microparquet/static_writer.h"

namespace mpq = microparquet;

struct Sample {
  std::int16_t height;
};

#ifdef FITS
constexpr auto kHeight = mpq::scaled("height", &Sample::height, -9);
#else
constexpr auto kHeight = mpq::scaled("height", &Sample::height, -10);
#endif

int main() { return kHeight.field.name.empty() ? 1 : 0; }
