// A dictionary larger than its encoder's state can be: it must not compile. With FITS it has the largest size, and it must.
#include "microparquet/encoders.h"

namespace mpq = microparquet;

#ifdef FITS
constexpr const mpq::Encoder* kEncoder = mpq::kDictionaryOf<16'384, 4096>.float64;
#else
constexpr const mpq::Encoder* kEncoder = mpq::kDictionaryOf<65'536, 4096>.float64;
#endif

int main() { return kEncoder->state_bytes == 0 ? 1 : 0; }
