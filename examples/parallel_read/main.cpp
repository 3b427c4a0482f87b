// parallel_read FILE: writes a million rows by columns, and reads them with a Reader a thread: each column's mean.
//
// Nothing of a Reader is shared, so each thread has a file, a memory and a Reader of its own, for columns of its own.
// Row groups could be divided in the same way, by seek_row_group().
#include <cmath>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

#include "microparquet/microparquet.h"
#include "microparquet/port/desktop.h"
#include "microparquet/port/mapped_posix_file.h"
#include "microparquet/port/posix_file.h"

namespace mpq = microparquet;

namespace {

constexpr std::uint32_t kRows = 1'000'000;
constexpr std::uint32_t kColumns = 4;
constexpr mpq::Field kFields[] = {mpq::float_field("x"), mpq::float_field("y"), mpq::float_field("z"),
                                  mpq::float_field("speed")};

// Memory that is not set to zeros: the library needs none.
struct Memory {
  explicit Memory(std::size_t size) : bytes(new std::byte[size]), span(bytes.get(), size) {}
  std::unique_ptr<std::byte[]> bytes;
  mpq::Span<std::byte> span;
};

mpq::Status write(const char* path) {
  std::vector<float> values[kColumns];
  mpq::ColumnData columns[kColumns];
  for (std::uint32_t i = 0; i < kColumns; ++i) {
    for (std::uint32_t row = 0; row < kRows; ++row)
      values[i].push_back(static_cast<float>(i) + std::sin(static_cast<float>(row) * 0.001F));
    columns[i].values = values[i].data();
  }
  const mpq::Options options = mpq::desktop_options(kRows);
  const Memory memory(mpq::Writer::required_bytes(kFields, options));
  mpq::PosixFile file;
  mpq::Writer writer;
  mpq::Status status = file.create(path, mpq::Existing::kOverwrite);
  if (status == mpq::Status::kOk) status = writer.open(file, kFields, options, memory.span);
  if (status == mpq::Status::kOk) status = writer.append_columns(columns, kRows);
  if (status == mpq::Status::kOk) status = writer.close();
  return status == mpq::Status::kOk ? file.close() : status;
}

// The mean of column `i`, in a thread of its own.
mpq::Status find_mean(const char* path, std::uint32_t i, double& mean) {
  const mpq::ReaderOptions options = mpq::desktop_reader_options();
  const Memory memory(mpq::Reader::required_bytes(kColumns, 1, options));
  mpq::MappedPosixFile file;
  mpq::Reader reader;
  mpq::Status status = file.open_for_reading(path);
  if (status == mpq::Status::kOk) status = reader.open(file, options, memory.span);
  const std::uint32_t columns[] = {i};
  if (status == mpq::Status::kOk) status = reader.choose(columns);
  double sum = 0;
  while (status == mpq::Status::kOk && (status = reader.next_row_group()) == mpq::Status::kOk) {
    mpq::ColumnRun run;  // values where they lie in the file
    while ((status = reader.next_run(0, run)) == mpq::Status::kOk) {
      for (std::uint32_t row = 0; row < run.rows; ++row) sum += static_cast<double>(run.value<float>(row));
    }
    if (status == mpq::Status::kEnd) status = mpq::Status::kOk;
  }
  mean = sum / kRows;
  return status == mpq::Status::kEnd ? mpq::Status::kOk : status;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  if (const mpq::Status status = write(argv[1]); status != mpq::Status::kOk) {
    std::fprintf(stderr, "%s: %s\n", argv[1], mpq::to_string(status));
    return 1;
  }
  std::thread threads[kColumns];
  mpq::Status results[kColumns];
  double means[kColumns];
  for (std::uint32_t i = 0; i < kColumns; ++i)
    threads[i] = std::thread([&, i] { results[i] = find_mean(argv[1], i, means[i]); });
  for (std::thread& thread : threads) thread.join();
  bool right = true;
  for (std::uint32_t i = 0; i < kColumns; ++i) {
    std::printf("%-6.*s %s %.3f\n", static_cast<int>(kFields[i].name.size()), kFields[i].name.data(),
                mpq::to_string(results[i]), means[i]);
    right = right && results[i] == mpq::Status::kOk && std::abs(means[i] - i) < 0.01;
  }
  return right ? 0 : 1;
}
