// A struct whose member has another type than its column stores: it must not compile. With COLUMN_OF_MEMBER
// the column is one of its type, and it must.
#include <cstdint>

#include "microparquet/static_writer.h"

namespace mpq = microparquet;

struct Sample {
  std::int64_t ticks;
  std::int32_t height;
};

#ifdef COLUMN_OF_MEMBER
constexpr auto kTime = mpq::column(mpq::timestamp_field("time"), &Sample::ticks);
#else
constexpr auto kTime = mpq::column(mpq::timestamp_field("time"), &Sample::height);
#endif
constexpr auto kSchema = mpq::schema(kTime, mpq::column("height", &Sample::height));

int main() {
  static mpq::StaticWriter<kSchema> writer;
  return writer.rows() == 0 ? 0 : 1;
}
