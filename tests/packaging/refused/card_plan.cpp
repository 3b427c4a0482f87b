// A log planned from one byte less than it needs: it must not compile, and the compiler says how many are the least. With
// ENOUGH it has these, and it must.
#include "microparquet/card_plan.h"

namespace mpq = microparquet;

struct Sample {
  std::int64_t time_us;
  float speed;
};

constexpr auto kSchema =
    mpq::schema(mpq::timestamp_us_column("time", &Sample::time_us), mpq::column("speed", &Sample::speed));

constexpr mpq::CardPlan kNothing = {1000, {360'000, 12}};
constexpr auto kLeast = static_cast<std::uint32_t>(mpq::kPlannedLog<kSchema, kNothing>.least_ram_bytes);
#ifdef ENOUGH
constexpr mpq::CardPlan kCard = {kLeast, {360'000, 12}};
#else
constexpr mpq::CardPlan kCard = {kLeast - 1, {360'000, 12}};
#endif

int main() {
  static mpq::PlannedWriter<kSchema, kCard> writer;
  return writer.rows() == 0 ? 0 : 1;
}
