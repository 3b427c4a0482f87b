// Writes a log with a struct that may be missing and with arrays, for tests of what is drawn of them:
//   made_arrays PATH
// 600 rows, one a second from 2026-01-01 on: `fix`, missing from row 300 to 359; `accel`, three elements that are row, -row and 7;
// `spectrum`, 32 elements of which number row * 32 / 600 is 1 + row, the others 1; and two `satellites`.
#include <array>
#include <cstdint>
#include <optional>

#include "microparquet/microparquet.h"
#include "microparquet/nested.h"
#include "microparquet/port/posix_file.h"
#include "microparquet/static_nested_writer.h"

namespace mpq = microparquet;

namespace {

constexpr std::uint32_t kRows = 600;
constexpr std::uint32_t kElements = 32;

struct Fix {
  double latitude;
  double longitude;
};

struct Satellite {
  std::uint8_t id;
  float cn0;
};

struct Second {
  std::int64_t time_us;
  std::optional<Fix> fix;
  std::array<float, 3> accel;
  std::array<float, kElements> spectrum;
  std::array<Satellite, 2> satellites;
};

constexpr auto kSchema = mpq::schema(
    mpq::timestamp_us_column("time", &Second::time_us),
    mpq::group("fix", &Second::fix, mpq::column("lat", &Fix::latitude), mpq::column("lon", &Fix::longitude)),
    mpq::list("accel", &Second::accel), mpq::list("spectrum", &Second::spectrum).with_page_bytes(2048),
    mpq::list("satellites", &Second::satellites, mpq::column("id", &Satellite::id),
              mpq::column("cn0", &Satellite::cn0)));

mpq::StaticWriter<kSchema> writer;

Second second_at(std::uint32_t row) {
  constexpr std::int64_t kBeginUs = 1'767'225'600'000'000;
  constexpr std::uint32_t kTunnelBegins = 300;
  constexpr std::uint32_t kTunnelEnds = 360;
  Second second = {};
  second.time_us = kBeginUs + std::int64_t{1'000'000} * row;
  if (row < kTunnelBegins || row >= kTunnelEnds) second.fix = Fix{47 + row / 1e4, 8 + row / 1e4};
  second.accel = {static_cast<float>(row), -static_cast<float>(row), 7};
  second.spectrum.fill(1);
  second.spectrum[row * kElements / kRows] = 1 + static_cast<float>(row);
  second.satellites = {{{5, 40}, {9, static_cast<float>(row % 50)}}};
  return second;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  mpq::PosixFile file;
  mpq::Status status = file.create(argv[1], mpq::Existing::kOverwrite);
  const mpq::KeyValue about[] = {{"step.spectrum", "2 Hz"}, {"unit.satellites.cn0", "dBHz"}};
  if (status == mpq::Status::kOk) status = writer.open(file, {about});
  for (std::uint32_t row = 0; row < kRows && status == mpq::Status::kOk; ++row)
    status = writer.append(second_at(row));
  if (status == mpq::Status::kOk) status = writer.close();
  return status == mpq::Status::kOk ? 0 : 1;
}
