// A schema or options that no file can have, -D DUPLICATE, SMALL_PAGE, MANY_COLUMNS, BLOCK or SORTED: it must not compile, and the
// compiler says which fault it is and the column's name. With none of them it must.
#include <cstdint>

#include "microparquet/indexed_layout.h"
#include "microparquet/sorting.h"
#include "microparquet/static_writer.h"

namespace mpq = microparquet;

struct Sample {
  std::int64_t time_us;
  float speed;
  float height;
};

#ifdef DUPLICATE
#define NAME "speed"
#else
#define NAME "height"
#endif
constexpr auto kSchema =
    mpq::schema(mpq::timestamp_us_column("time", &Sample::time_us), mpq::column("speed", &Sample::speed),
                mpq::column(NAME, &Sample::height)
#ifdef SMALL_PAGE
                    .with_page_bytes(64)
#endif
    );

#ifdef MANY_COLUMNS
constexpr auto kSmallIndex = mpq::with_page_index(mpq::kInPlace, 64);
#endif
constexpr mpq::SortingColumn kKeys[] = {{7}};
constexpr mpq::Options kOptions = [] {
  mpq::Options options;
#ifdef MANY_COLUMNS
  options.layout = {&kSmallIndex};
#endif
#ifdef BLOCK
  options.block_bytes = 1000;
#endif
#ifdef SORTED
  options.sorting = mpq::sorted_by(kKeys);
#endif
  return options;
}();

int main() {
  static mpq::StaticWriter<kSchema, kOptions> writer;
  return writer.rows() == 0 ? 0 : 1;
}
