// Sends a small file through a line that takes few bytes at a time and now and then none, and stores what
// comes out of it.
//
//   uart_stream OUT.parquet
#include <cstdio>
#include <optional>

#include "microparquet/port/uart_file.h"
#include "microparquet/static_writer.h"

namespace {

namespace mpq = microparquet;
using mpq::Status;

struct Row {
  std::int32_t n;
  std::optional<std::int32_t> third;
};
constexpr auto kSchema = mpq::schema(mpq::column("n", &Row::n), mpq::column("third", &Row::third));

constexpr std::int32_t kRows = 11;

constexpr mpq::Options options() {
  mpq::Options options;
  options.layout = &mpq::kForward;
  options.page_bytes = 128;
  options.row_group_bytes = 512;
  options.row_group_rows = 5;
  options.max_row_groups_in_memory = 8;
  return options;
}
constexpr mpq::Options kOptions = options();

class Line final : public mpq::ByteLine {
 public:
  explicit Line(std::FILE* out) : out_(out) {}
  std::size_t write(mpq::Span<const std::byte> data) override {
    const std::size_t most = ++calls_ % 6;
    return std::fwrite(data.data(), 1, data.size() < most ? data.size() : most, out_);
  }
  bool flush() override { return ++calls_ % 2 == 0; }

 private:
  std::FILE* out_;
  std::size_t calls_ = 0;
};

// Repeats a call until the line takes the bytes.
template <typename Call>
bool repeat(Call call) {
  Status status = Status::kIoError;
  while (status == Status::kIoError) status = call();
  return status == Status::kOk;
}

bool send(mpq::File& file) {
  static mpq::StaticWriter<kSchema, kOptions> writer;  // NOLINT(*-dynamic-static-initializers)
  bool good = repeat([&] { return writer.open(file); });
  for (std::int32_t n = 0; n < kRows && good; ++n) {
    Row row = {n, {}};
    if (n % 3 == 0) row.third = n / 3;
    good = repeat([&] { return writer.append(row); });
  }
  return good && repeat([&] { return writer.close(); });
}

}  // namespace

int main(int argc, char** argv) {
  std::FILE* const out = argc == 2 ? std::fopen(argv[1], "wb") : nullptr;
  if (out == nullptr) return 2;
  Line line(out);
  mpq::UartFile file(line);
  const bool sent = send(file);
  return std::fclose(out) == 0 && sent ? 0 : 1;
}
