// Logs a GNSS receiver, on a Cortex-M4F: the fix, which may be missing, as a struct, the point that GeoPandas and DuckDB open as
// geometry, and the channels of the receiver as an array of structs. viewer.html draws `fix.lat`, `fix.lon` as a track, and how
// strong each channel's signal is as a picture. A ride of ten minutes, with a tunnel.
//
// Needs: a board with a debugger or emulator attached, whose semihosting gives it gnss.parquet of a host; in the project's build
// that is QEMU's mps2-an386 (toolchains/qemu/run). The receiver is made up; a product parses UBX-NAV-PVT and UBX-NAV-SAT, and logs
// to its card's File in place of SemihostingFile.
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include "microparquet/geo.h"
#include "microparquet/nested.h"
#include "microparquet/port/semihosting.h"
#include "microparquet/port/semihosting_console.h"
#include "microparquet/port/semihosting_file.h"
#include "microparquet/static_nested_writer.h"

namespace mpq = microparquet;

namespace {

constexpr std::uint32_t kChannels = 12;
constexpr std::uint32_t kSeconds = 600;

struct Fix {
  double latitude;   // degrees
  double longitude;  // degrees
  float altitude;    // m
  float accuracy;    // m
};

// A channel of the receiver; with nothing tracked, all of it is 0.
struct Channel {
  std::uint8_t satellite;
  float cn0;  // dBHz
};

struct Second {
  std::int64_t time_us;  // UTC
  std::optional<Fix> fix;
  std::optional<mpq::Bytes<mpq::kWkbPointBytes>> position;
  std::array<Channel, kChannels> channels;
};

constexpr auto kSchema = mpq::schema(
    mpq::timestamp_us_column("time", &Second::time_us),
    mpq::group("fix", &Second::fix, mpq::column("lat", &Fix::latitude), mpq::column("lon", &Fix::longitude),
               mpq::column("alt", &Fix::altitude), mpq::column("accuracy", &Fix::accuracy)),
    mpq::column("position", &Second::position),
    mpq::list("channels", &Second::channels, mpq::column("satellite", &Channel::satellite),
              mpq::column("cn0", &Channel::cn0)));

constexpr auto kGeo = mpq::geo_points("position", mpq::GeoEncoding::kWkb);

// Semihosting cannot shorten a file: what a row group has reserved and not used stays in it.
constexpr mpq::Options options() {
  mpq::Options options;
  options.row_group_bytes = 32 << 10;
  options.max_key_values = 4;
  return options;
}
constexpr mpq::Options kOptions = options();

mpq::StaticWriter<kSchema, kOptions> writer;
mpq::SemihostingFile file;

constexpr std::int64_t kBeginUs = 1'772'347'200'000'000;  // 2026-03-01T06:40:00Z

bool is_in_tunnel(std::uint32_t at) { return at >= 300 && at < 345; }

// Once around a lake.
Fix fix_at(std::uint32_t at) {
  constexpr double kTurn = 6.283185307179586;
  const double angle = kTurn * at / kSeconds;
  return {47.25 + 0.02 * std::sin(angle), 8.65 + 0.06 * std::cos(angle) + 0.005 * std::sin(3 * angle),
          408 + 20 * static_cast<float>(std::sin(2 * angle)), 1.5F + static_cast<float>(at % 7) / 10};
}

// Satellites rise and set over the hills, and a tunnel has none.
void track(std::uint32_t at, std::array<Channel, kChannels>& channels) {
  for (std::uint32_t i = 0; i < kChannels; ++i) {
    const float height = std::sin(static_cast<float>(at) / 150 + static_cast<float>(i) * 1.7F);
    const bool seen = height > -0.5F && !is_in_tunnel(at);
    channels[i] = seen ? Channel{static_cast<std::uint8_t>(1 + 5 * i % 32), 35 + 12 * height} : Channel{};
  }
}

mpq::Status log_seconds() {
  mpq::Status status = file.create("gnss.parquet", mpq::Existing::kOverwrite);
  const mpq::KeyValue about[] = {{mpq::kGeoKey, kGeo.text()},
                                 {"unit.fix.alt", "m"},
                                 {"unit.fix.accuracy", "m"},
                                 {"unit.channels.cn0", "dBHz"}};
  if (status == mpq::Status::kOk) status = writer.open(file, {about});
  for (std::uint32_t at = 0; at < kSeconds && status == mpq::Status::kOk; ++at) {
    Second second = {};
    second.time_us = kBeginUs + std::int64_t{1'000'000} * at;
    track(at, second.channels);
    if (!is_in_tunnel(at)) {
      second.fix = fix_at(at);
      second.position = mpq::wkb_point(second.fix->longitude, second.fix->latitude);
    }
    status = writer.append(second);
    if (status == mpq::Status::kOk) status = writer.tick(at * 1000);
  }
  if (status == mpq::Status::kOk) status = writer.close();
  mpq::semihosting::Console console;
  console.print("gnss.parquet: ").print_grouped(writer.rows()).print(" rows, ");
  console.print_grouped(writer.file_bytes()).print(" bytes\n");
  return status == mpq::Status::kOk ? file.close() : status;
}

}  // namespace

int main() {
  const mpq::Status status = log_seconds();
  if (status == mpq::Status::kOk) return 0;
  mpq::semihosting::print_error("gnss_logger: ");
  mpq::semihosting::print_error(mpq::to_string(status));
  mpq::semihosting::print_error("\n");
  return 1;
}
