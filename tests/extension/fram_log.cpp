// A log in a FRAM chip, by the port that port/README.md shows: the power fails again and again, at any byte,
// and the next boot continues it. What the chip then holds is written to a file.
//
//   fram_log FILE    the number of rows to standard output
#include <cstdio>
#include <cstring>
#include <vector>

#include "fram_file.h"
#include "microparquet/static_reader.h"
#include "microparquet/static_writer.h"
#include "support/must.h"

namespace {

namespace mpq = microparquet;
using support::must;

struct Sample {
  std::int64_t number;
  float reading;
};

inline constexpr auto kSchema =
    mpq::schema(mpq::column("number", &Sample::number), mpq::column("reading", &Sample::reading));

constexpr mpq::Options options() {
  mpq::Options options;
  options.row_group_bytes = 8 << 10;
  return options;
}
inline constexpr mpq::Options kOptions = options();

constexpr unsigned kBoots = 60;
constexpr std::uint64_t kRowsInBoot = 1000;
constexpr std::uint64_t kRowsPerCheckpoint = 70;

// The chip, and its power.
class Chip final : public Fram {
 public:
  // Makes it fail after `bytes_to_cut` bytes are written.
  void switch_on(std::size_t bytes_to_cut) { left_ = bytes_to_cut; }
  bool is_off() const { return left_ == 0; }

  bool read(std::uint32_t address, std::byte* to, std::size_t bytes) override {
    if (bytes != 0) std::memcpy(to, memory_.data() + address, bytes);
    return !is_off();
  }
  bool write(std::uint32_t address, const std::byte* from, std::size_t bytes) override {
    const std::size_t arriving = bytes < left_ ? bytes : left_;
    if (arriving != 0) std::memcpy(memory_.data() + address, from, arriving);
    left_ -= arriving;
    return !is_off();
  }
  std::uint32_t bytes() const override { return static_cast<std::uint32_t>(memory_.size()); }

 private:
  std::vector<std::byte> memory_ = std::vector<std::byte>(4U << 20);
  std::size_t left_ = 0;
};

float reading(std::uint64_t number) { return static_cast<float>(number % 100) / 4; }

// One boot, to its end or until the power fails. Returns how many rows are durable then, of those that are
// numbered on.
std::uint64_t log_rows(Chip& chip, std::uint64_t durable) {
  static mpq::StaticWriter<kSchema, kOptions> writer;
  FramFile file(chip);
  writer.reset();
  mpq::Status status = file.open_for_append();
  if (status == mpq::Status::kOk) status = writer.resume(file);
  if (status == mpq::Status::kOk && writer.rows() < durable) must(mpq::Status::kCorrupt, "rows are lost");
  const std::uint64_t end = writer.rows() + kRowsInBoot;
  while (status == mpq::Status::kOk && writer.rows() < end) {
    const std::uint64_t number = writer.rows();
    status = writer.append({static_cast<std::int64_t>(number), reading(number)});
    if (status == mpq::Status::kOk && number % kRowsPerCheckpoint == 0) status = writer.checkpoint();
  }
  if (status == mpq::Status::kOk) status = writer.close();
  if (!chip.is_off()) must(status, "a boot");
  return writer.durable_rows() > durable ? writer.durable_rows() : durable;
}

// All rows are there, and the file is copied.
void copy_rows(Chip& chip, std::uint64_t rows, const char* path) {
  static mpq::StaticReader<kSchema> reader;
  FramFile file(chip);
  must(file.open_for_append(), "open_for_append");
  must(reader.open(file), "open");
  Sample row;
  for (std::uint64_t i = 0; i < rows; ++i) {
    must(reader.next(row), "next");
    const bool same = row.number == static_cast<std::int64_t>(i) && row.reading == reading(i);
    must(same ? mpq::Status::kOk : mpq::Status::kCorrupt, "row");
  }
  std::uint64_t size = 0;
  must(file.size(size), "size");
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  must(file.read_at(0, {bytes.data(), bytes.size()}), "read_at");
  std::FILE* const out = std::fopen(path, "wb");
  const bool good = out != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), out) == bytes.size();
  if (out == nullptr || std::fclose(out) != 0 || !good) must(mpq::Status::kIoError, path);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: fram_log FILE\n");
    return 2;
  }
  Chip chip;
  std::uint64_t durable = 0;
  for (unsigned boot = 0; boot < kBoots; ++boot) {
    chip.switch_on(1 + boot * boot * 7919 % 50000);
    durable = log_rows(chip, durable);
  }
  chip.switch_on(~std::size_t{0});
  durable = log_rows(chip, durable);
  copy_rows(chip, durable, argv[1]);
  std::printf("%llu\n", static_cast<unsigned long long>(durable));
}
