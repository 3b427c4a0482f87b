// Measures the bytes of a row of `imu8` in column chunks as a desktop would pack it: an hour at 100 Hz in
// pages of a megabyte, integers as differences, slow values in dictionaries, floats split, all of them
// compressed by zstd.
#include <cstdio>
#include <memory>
#include <vector>

#include "imu8_columns.h"
#include "microparquet/desktop/zstd_codec.h"
#include "microparquet/encoders.h"
#include "microparquet/port/desktop.h"
#include "microparquet/port/memory_file.h"
#include "microparquet/writer.h"
#include "support/imu8_schema.h"
#include "support/must.h"

namespace {

using namespace microparquet;
using support::must;

constexpr std::uint32_t kHour = 3600 * 100;

Field packed(const Field& field) {
  if (field.name == "temp" || field.name == "status") {
    return field.with_encoder(kDictionaryOf<8192, 2048>).with_compressor(desktop::kZstdCompressor);
  }
  if (field.type != Type::kFloat)
    return field.with_encoder(kDeltaBinaryPacked).with_compressor(desktop::kZstdCompressor);
  return field.with_encoder(kByteStreamSplit).with_compressor(desktop::kZstdCompressor);
}

double chunk_bytes(MemoryFile& file) {
  const ReaderOptions options = desktop_reader_options();
  std::vector<std::byte> arena(Reader::required_bytes(std::size(bench::kImu8Fields), 1, options));
  Reader reader;
  must(reader.open(file, options, Span<std::byte>(arena.data(), arena.size())), "open to read");
  double bytes = 0;
  while (reader.next_row_group() == Status::kOk) {
    for (std::uint32_t column = 0; column < reader.columns(); ++column) {
      ColumnChunkInfo chunk;
      must(reader.column_chunk(column, chunk), "chunk");
      bytes += static_cast<double>(chunk.compressed_bytes);
    }
  }
  return bytes;
}

}  // namespace

int main() {
  const bench::Imu8Columns columns(static_cast<std::int32_t>(kHour));
  std::vector<Field> fields;
  for (const Field& field : bench::kImu8Fields) fields.push_back(packed(field));
  const Schema schema(fields.data(), fields.size());
  Options options = desktop_options(kHour);
  options.page_bytes = 1 << 20;

  constexpr std::size_t kFileBytes = std::size_t{64} << 20;
  const std::unique_ptr<std::byte[]> memory(new std::byte[kFileBytes]);
  MemoryFile file(Span<std::byte>(memory.get(), kFileBytes));
  std::vector<std::byte> arena(Writer::required_bytes(schema, options));
  Writer writer;
  must(writer.open(file, schema, options, Span<std::byte>(arena.data(), arena.size())), "open");
  const ColumnData data[] = {{columns.ts.data()},     {columns.seq.data()},       {columns.ax.data()},
                             {columns.ay.data()},     {columns.az.data()},        {columns.temp.data()},
                             {columns.status.data()}, {columns.battery_mv.data()}};
  must(writer.append_columns(data, kHour), "append");
  must(writer.close(), "close");
  std::printf("size.imu8_desktop.chunks %.2f bytes_per_row\n", chunk_bytes(file) / kHour);
}
