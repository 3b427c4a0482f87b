// Measures the dead bytes of a log: footers, gaps between row groups and in extents, records, padding,
// segment that is not used. Page headers are counted apart. `imu8` with the default policy, closed at eight
// moments, and cut off there.
#include <cstdio>

#include "microparquet/durability.h"
#include "microparquet/static_writer.h"
#include "support/imu8_rows.h"
#include "support/sparse_file.h"
#include "write_imu8.h"

namespace {

using namespace microparquet;
using support::must;

constexpr unsigned kRowBytes = 36;
constexpr unsigned kStops = 8;

// Recognises pages by the way they begin.
class PageFile final : public support::SparseFile<std::size_t{1} << 30> {
 public:
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    if (is_page(data)) header_bytes_ += natural_header(data.data());
    return SparseFile::write_at(offset, data);
  }
  Status sync(std::uint64_t bytes) override {
    published_header_bytes_ = header_bytes_;
    return SparseFile::sync(bytes);
  }
  std::uint64_t header_bytes() const { return header_bytes_; }
  // The power goes: what was written since the last footer does not count.
  void cut() { header_bytes_ = published_header_bytes_; }

 private:
  // A page is written alone and begins with its type, 0, in one byte or more.
  static bool is_page(Span<const std::byte> data) {
    const bool type = data[0] == std::byte{0x15} && (data[1] == std::byte{0} || data[1] == std::byte{0x80});
    return type && data.size() == kDefaultOptions.page_bytes;
  }

  // Reads PageHeader's fields, all of type i32: type, size, size, CRC; then those of the page.
  static std::uint32_t natural_header(const std::byte* at) {
    std::uint32_t fields[8] = {};
    for (unsigned i = 0; i < 8; ++i) {
      if (i == 4) ++at;
      ++at;
      for (unsigned shift = 0;; shift += 7) {
        const auto byte = std::to_integer<std::uint32_t>(*at++);
        fields[i] |= (byte & 0x7F) << shift;
        if (byte < 0x80) break;
      }
    }
    return format::page_header_bytes(fields[2] / 2, fields[4] / 2);
  }

  std::uint64_t header_bytes_ = 0;
  std::uint64_t published_header_bytes_ = 0;
};

StaticWriter<bench::kImu8Schema> writer;

struct Overhead {
  double closed;   // percent of the closed file
  double cut;      // and of the file that a cut leaves
  double loss_ms;  // rows that the cut takes away
};

double dead_percent(const PageFile& file, std::uint64_t rows) {
  const double used = static_cast<double>(rows * kRowBytes + file.header_bytes());
  return 100.0 * (1.0 - used / static_cast<double>(file.published()));
}

Overhead measure(std::uint32_t rows, std::uint32_t ms_per_row) {
  PageFile file;
  bench::write_imu8(writer, file, rows, ms_per_row);
  Overhead overhead = {};
  overhead.cut = dead_percent(file, writer.durable_rows());
  overhead.loss_ms = static_cast<double>((rows - writer.durable_rows()) * ms_per_row);
  if (writer.blocking_footers() != 0) must(Status::kLimitReached, "a footer was forced");
  must(writer.close(), "close");
  overhead.closed = dead_percent(file, rows);
  return overhead;
}

// Measures a file that was cut off, after the next start has logged for ten minutes and closed it.
double measure_continued(std::uint32_t rows, std::uint32_t ms_per_row) {
  PageFile file;
  bench::write_imu8(writer, file, rows, ms_per_row);
  const std::uint64_t durable = writer.durable_rows();
  writer.reset();
  file.cut();
  must(writer.resume(file), "resume");
  const std::uint32_t more = 600'000 / ms_per_row;
  bench::Imu8Generator generator(static_cast<std::int32_t>(more));
  bench::Imu8Row row = {};
  for (std::uint32_t i = 0; i < more; ++i) {
    generator.next(row);
    must(writer.append(row), "append");
    must(writer.tick(i * ms_per_row), "tick");
  }
  must(writer.close(), "close");
  return dead_percent(file, durable + more);
}

void print_continued(const char* name, std::uint32_t seconds, std::uint32_t hertz) {
  double mean = 0;
  for (unsigned stop = 0; stop < kStops; ++stop)
    mean += measure_continued(seconds * hertz * (100 - stop) / 100, 1000 / hertz) / kStops;
  std::printf("overhead.%s_cut_continued %.1f percent\n", name, mean);
}

// Stops at the time given and at seven before it, a hundredth apart.
void print(const char* name, std::uint32_t seconds, std::uint32_t hertz) {
  Overhead mean = {};
  double loss_ms = 0;
  for (unsigned stop = 0; stop < kStops; ++stop) {
    const std::uint32_t rows = seconds * hertz * (100 - stop) / 100;
    const Overhead one = measure(rows, 1000 / hertz);
    mean.closed += one.closed / kStops;
    mean.cut += one.cut / kStops;
    loss_ms = one.loss_ms > loss_ms ? one.loss_ms : loss_ms;
  }
  const LogRate rate{hertz * 3600, kRowBytes, 1000 / hertz};
  const LossBound bound =
      loss_bound(Schema(bench::kImu8Schema.fields), kDefaultOptions, rate, writer.row_groups() + 1);
  std::printf("overhead.%s %.1f percent\n", name, mean.closed);
  std::printf("overhead.%s_cut %.1f percent\n", name, mean.cut);
  std::printf("overhead.%s_loss %.0f s\n", name, loss_ms / 1000);
  std::printf("overhead.%s_loss_bound %.0f s\n", name, bound.ms / 1000.0);
}

}  // namespace

int main() {
  print("imu8_10min", 600, 100);
  print("imu8_1h", 3600, 100);
  print("imu8_24h", 86400, 100);
  print("imu8_1hz_10min", 600, 1);
  print("imu8_1hz_1h", 3600, 1);
  print("imu8_1hz_24h", 86400, 1);
  print_continued("imu8_1hz_1h", 3600, 1);
  print_continued("imu8_1hz_24h", 86400, 1);
}
