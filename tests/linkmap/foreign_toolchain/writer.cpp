// A writer of four columns, and nothing else.
#include "microparquet/microparquet.h"
#include "microparquet/port/memory_file.h"

namespace {

struct Sample {
  std::int64_t time;
  float x;
  float y;
  float z;
};

constexpr auto kSchema = microparquet::schema(
    microparquet::timestamp_us_column("time", &Sample::time), microparquet::column("x", &Sample::x),
    microparquet::column("y", &Sample::y), microparquet::column("z", &Sample::z));

microparquet::StaticWriter<kSchema> writer;
std::byte memory[4096];
microparquet::MemoryFile file(memory);

}  // namespace

int main() {
  const bool written =
      writer.open(file) == microparquet::Status::kOk && writer.append({}) == microparquet::Status::kOk &&
      writer.tick(5) == microparquet::Status::kOk && writer.close() == microparquet::Status::kOk;
  return written ? 0 : 1;
}
