// Instantiates the templates of the public headers: what they do not say until then, they say here.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "microparquet/microparquet.h"
#include "microparquet/nested.h"
#include "microparquet/static_nested_reader.h"
#include "microparquet/static_nested_writer.h"

namespace mpq = microparquet;

namespace uses {

struct Position {
  double x;
  std::optional<float> y;
};

struct Sample {
  std::int64_t time_us;
  float speed;
  double height;
  bool valid;
  std::int8_t level;
  std::uint16_t number;
  std::uint64_t serial;
  std::optional<std::int32_t> status;
  std::optional<std::string_view> note;
  std::string_view bytes;
  mpq::Text<12> name;
  std::array<std::uint8_t, 16> id;
};

constexpr auto kSchema =
    mpq::schema(mpq::timestamp_us_column("time", &Sample::time_us),
                mpq::column("speed", &Sample::speed).with_compressor(mpq::kLz4RawCompressor),
                mpq::column("height", &Sample::height).with_resolution(0.25),
                mpq::column("valid", &Sample::valid).with_encoder(mpq::kRleBoolean),
                mpq::column("level", &Sample::level), mpq::column("number", &Sample::number),
                mpq::column("serial", &Sample::serial).with_encoder(mpq::kDeltaInt64),
                mpq::column("status", &Sample::status).with_encoder(mpq::kDictionary),
                mpq::string_column("note", &Sample::note), mpq::column("bytes", &Sample::bytes),
                mpq::column("name", &Sample::name), mpq::uuid_column("id", &Sample::id));
constexpr mpq::Options kOptions = [] {
  mpq::Options options;
  options.max_loss_ms = 10'000;
  return options;
}();

struct Track {
  std::int64_t time_us;
  mpq::List<float, 8> levels;
  mpq::List<Position, 4> positions;
  std::optional<Position> last;
  mpq::List<mpq::Entry<mpq::Text<8>, std::int32_t>, 4> tags;
};

constexpr auto kTree = mpq::schema(
    mpq::timestamp_us_column("time", &Track::time_us), mpq::list("levels", &Track::levels),
    mpq::list("positions", &Track::positions, mpq::column("x", &Position::x), mpq::column("y", &Position::y)),
    mpq::group("last", &Track::last, mpq::column("x", &Position::x), mpq::column("y", &Position::y)),
    mpq::map("tags", &Track::tags));
constexpr mpq::ReaderOptions kReaderOptions = {};

struct Burst {
  std::int64_t time_us;
  std::optional<Position> fix;
  std::array<float, 8> levels;
  std::array<mpq::Text<4>, 2> names;
  std::array<std::uint16_t, 40> counts;
};

constexpr auto kWritten = mpq::schema(
    mpq::timestamp_us_column("time", &Burst::time_us),
    mpq::group("fix", &Burst::fix, mpq::column("x", &Position::x), mpq::column("y", &Position::y)),
    mpq::list("levels", &Burst::levels)
        .with_encoder(mpq::kByteStreamSplit)
        .with_compressor(mpq::kLz4RawCompressor)
        .with_page_bytes(1024),
    mpq::list("names", &Burst::names), mpq::list("counts", &Burst::counts));

// NOLINTBEGIN(bugprone-dynamic-static-initializers)
mpq::StaticWriter<kSchema, kOptions> writer;
mpq::StaticWriter<kSchema> writer_by_default;
mpq::StaticWriter<kWritten> nested_writer;
mpq::StaticWriter<kTree> list_writer;
mpq::StaticReader<kSchema> reader;
mpq::StaticReader<kTree, kReaderOptions> nested_reader;
mpq::RowQueue<Position, 8> queue;
// NOLINTEND(bugprone-dynamic-static-initializers)

mpq::Status use(mpq::File& file, mpq::FileSequence& files, const Sample& sample, Track& track);
mpq::Status use(mpq::File& file, mpq::FileSequence& files, const Sample& sample, Track& track) {
  Sample row = sample;
  mpq::Status status = writer.open(file);
  if (status == mpq::Status::kOk) status = writer.append(sample);
  if (status == mpq::Status::kOk) status = writer_by_default.resume(file);
  if (status == mpq::Status::kOk) status = reader.open(file);
  if (status == mpq::Status::kOk) status = reader.next(row);
  if (status == mpq::Status::kOk) status = nested_writer.open(file);
  if (status == mpq::Status::kOk) status = nested_writer.append(Burst{});
  if (status == mpq::Status::kOk) status = list_writer.open(file);
  if (status == mpq::Status::kOk) status = list_writer.append(track);
  if (status == mpq::Status::kOk) status = nested_reader.open(file);
  if (status == mpq::Status::kOk) status = nested_reader.next(track);
  mpq::RollingWriter rolling(writer, files, {});
  if (status == mpq::Status::kOk) status = rolling.append(sample);
  if (!queue.push({})) status = mpq::Status::kOutOfMemory;
  std::array<float, 4> values{};
  const mpq::Batch<float> batch{mpq::Span<float>(values.data(), values.size())};
  return batch.read().empty() ? status : mpq::Status::kOk;
}

}  // namespace uses
