// Every public call of the writer and the reader, so that what they use of the C library is linked and can be
// sized.
#include "counting_file.h"
#include "imu8_log.h"
#include "microparquet/sorting.h"
#include "opaque.h"

namespace {
using namespace microparquet;

constexpr Field encoded(Field field) {
#if MICROPARQUET_BENCH_SMALL
  return field.with_encoder(kAuto.under(kLz4RawCompressor));
#elif MICROPARQUET_BENCH_DELTA
  return field.with_encoder(
      AutoEncoders{kDeltaBinaryPacked, &kPlainFixed, &kPlainFixed, &kPlainByteArray, nullptr});
#else
  return field;
#endif
}
constexpr Field kFields[] = {encoded(timestamp_field("time")),
                             encoded(boolean_field("on").as_optional()),
                             encoded(double_field("volts")),
                             encoded(string_field("note").as_optional()),
                             encoded(decimal_fixed_field("price", 5, 11, 2)),
                             encoded(float16_field("gain")),
                             encoded(integer_field("count", 16, false)),
                             encoded(integer_field("total", 64, false))};
constexpr SortingColumn kSorting[] = {{0}};

constexpr Options make_options(const Layout& layout) {
  Options options;
  options.layout = &layout;
  options.sorting = sorted_by(kSorting);
  return options;
}

constexpr Options kOptions[] = {make_options(kInPlace), make_options(kForward)};

// Pages that are not whole sectors.
constexpr Options small_pages(Options options) {
  options.page_bytes = 256;
  options.whole_sectors = false;
  return options;
}
constexpr Options kSmallPages = small_pages(make_options(kInPlace));

bench::CountingFile file;
bench::Imu8Writer log_writer;
Writer writer;
alignas(8) std::byte arena[16384];

Status write(const Options& options, const Value* row, const ColumnData* columns) {
  Status status = writer.open(file, kFields, options, arena);
  if (status == Status::kOk) status = writer.append(Span<const Value>(row, 8));
  if (status == Status::kOk) status = writer.append_columns(Span<const ColumnData>(columns, 8), 8);
  if (status == Status::kOk) status = writer.tick(1);
  if (status == Status::kOk) status = writer.set_key_value("key", "value");
  if (status == Status::kOk) status = writer.end_row_group();
  if (status == Status::kOk) status = writer.checkpoint();
  if (status == Status::kMediumLost) status = writer.reconnect(file);
  if (status == Status::kOk) status = writer.roll(file);
  if (status == Status::kOk) status = writer.close();
  if (status == Status::kOk) status = writer.resume(file, kFields, options, arena);
  return status;
}

// A function of its own: in a program the typed append is part of its caller.
[[gnu::noinline]] Status append_struct(const bench::Imu8Row& row) { return log_writer.append(row); }

Status write_structs() {
  bench::Imu8Row row;
  bench::opaque(row);
  Status status = log_writer.open(file);
  if (status == Status::kOk) status = append_struct(row);
  if (status == Status::kOk) status = log_writer.close();
  return status;
}

}  // namespace

int main() {
  Value row[8];
  ColumnData columns[8];
  bench::opaque(row);
  bench::opaque(columns);
  bench::opaque(file);
  Status status = write_structs();
  for (const Options& options : kOptions) {
    if (status == Status::kOk) status = write(options, row, columns);
  }
  if (status == Status::kOk) status = write(kSmallPages, row, columns);
  return static_cast<int>(status);
}
