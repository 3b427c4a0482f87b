// Counts all bytes that the reader asks of a closed log of `imu8`, an hour at 100 Hz, and divides them by the
// file's size. It reads row by row with buffers that hold two pages, and prints the largest result among all
// encodings and page sizes.
#include <algorithm>
#include <cstdio>

#include "microparquet/read_all.h"
#include "microparquet/static_reader.h"
#include "microparquet/static_writer.h"
#include "support/forwarding_file.h"
#include "support/imu8_rows.h"
#include "support/must.h"
#include "support/sparse_file.h"
#include "write_imu8.h"

namespace {

using namespace microparquet;
using support::must;

constexpr std::uint32_t kRows = 360'000;
constexpr std::uint32_t kMsPerRow = 10;
constexpr std::uint32_t kPagesOfBuffer = 2;

using LogFile = support::SparseFile<std::size_t{64} << 20>;

class CountingReads final : public support::ForwardingFile {
 public:
  using ForwardingFile::ForwardingFile;
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    bytes += static_cast<double>(out.size());
    return file().read_at(offset, out);
  }
  double bytes = 0;
};

constexpr Options writing(std::uint32_t page_bytes) {
  Options options;
  options.page_bytes = page_bytes;
  return options;
}

constexpr ReaderOptions reading(std::uint32_t page_bytes) {
  ReaderOptions options;
  options.buffer_bytes = kPagesOfBuffer * page_bytes;
  options.decoders = kAllDecoders;
  options.decompressors = kAllDecompressors;
  return options;
}

template <const auto& kSchema, std::uint32_t kPageBytes>
struct Log {
  static constexpr Options kOptions = writing(kPageBytes);
  static constexpr ReaderOptions kReaderOptions = reading(kPageBytes);
  static inline StaticWriter<kSchema, kOptions> writer;
  static inline StaticReader<kSchema, kReaderOptions> reader;
};

// Bytes read by bytes of the file.
template <const auto& kSchema, std::uint32_t kPageBytes>
double bytes_read(LogFile& file) {
  using Bytes = Log<kSchema, kPageBytes>;
  bench::write_imu8(Bytes::writer, file, kRows, kMsPerRow);
  must(Bytes::writer.close(), "close");
  CountingReads counted(file);
  must(Bytes::reader.open(counted), "open to read");
  bench::Imu8Generator expected(static_cast<std::int32_t>(kRows));
  bench::Imu8Row row = {};
  bench::Imu8Row wanted = {};
  for (std::uint32_t i = 0; i < kRows; ++i) {
    must(Bytes::reader.next(row), "next");
    expected.next(wanted);
    must(row.ts == wanted.ts && row.seq == wanted.seq ? Status::kOk : Status::kCorrupt, "another row");
  }
  const double ratio = counted.bytes / static_cast<double>(file.published());
  std::fprintf(stderr, "pages of %u bytes: %.3f\n", static_cast<unsigned>(kPageBytes), ratio);
  must(file.sync(0), "empty");
  return ratio;
}

}  // namespace

int main() {
  static LogFile file;
  const double most = std::max(
      {bytes_read<bench::kImu8Schema, 512>(file), bytes_read<bench::kImu8Schema, 4096>(file),
       bytes_read<bench::kImu8DeltaSchema<>, 512>(file), bytes_read<bench::kImu8DeltaSchema<>, 4096>(file),
       bytes_read<bench::kImu8DictionarySchema, 512>(file),
       bytes_read<bench::kImu8DictionarySchema, 4096>(file),
       bytes_read<bench::kImu8SmallSchema<1024>, 1024>(file),
       bytes_read<bench::kImu8SmallSchema<4096>, 4096>(file)});
  std::printf("reader.bytes_read %.2f times\n", most);
}
