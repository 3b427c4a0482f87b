// Writes the logs of many devices, as field loggers leave them on their cards, for tests of mpq collect:
//   made_fleet FOLDER DEVICES SESSIONS MOST_ROWS SEED
// FOLDER/LOG/<device>/<session>/00000001.parquet. Later sessions are of a second firmware, which counts in 64 bits, calls
// gyroscope_z gyro_z, and has a temperature now and then. One file of ten ends without its last footers, as a power cut
// leaves it. Prints of each file: path, firmware, rows taken, and whether it was cut. The same arguments make the same files.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "microparquet/microparquet.h"
#include "microparquet/port/posix_file.h"

namespace mpq = microparquet;

namespace {

constexpr mpq::Field kFirst[] = {
    mpq::int32_field("number"),          mpq::timestamp_field("time"),
    mpq::float_field("gyroscope_x"),     mpq::float_field("gyroscope_y"),
    mpq::float_field("gyroscope_z"),     mpq::float_field("accelerometer_x"),
    mpq::float_field("accelerometer_y"), mpq::float_field("accelerometer_z"),
};
constexpr mpq::Field kSecond[] = {
    mpq::int64_field("number"),
    mpq::timestamp_field("time"),
    mpq::float_field("gyroscope_x"),
    mpq::float_field("gyroscope_y"),
    mpq::float_field("gyro_z"),
    mpq::float_field("accelerometer_x"),
    mpq::float_field("accelerometer_y"),
    mpq::float_field("accelerometer_z"),
    mpq::float_field("temperature").as_optional(),
};
constexpr std::int64_t kInterval = 2500;  // microseconds
constexpr std::int64_t kDay = 86'400'000'000;
constexpr std::int64_t kFirstDay = 20454 * kDay;  // 2026-01-01

// A number of a sensor: steps of `step`.
float stepped(double value, float step) { return std::round(static_cast<float>(value) / step) * step; }

class Session {
 public:
  Session(std::uint32_t device, std::uint32_t session, bool second)
      : second_(second), random_(device * 1000 + session), number_text_(8, '0') {
    char text[9];
    std::snprintf(text, sizeof text, "%08X", 0x6A1B0000 + device);
    device_text_ = text;
    std::snprintf(text, sizeof text, "%08u", session);
    number_text_ = text;
    options_.checkpoint_ms = 10'000;
    options_.max_loss_ms = 60'000;
    options_.max_key_values = 8;
    options_.file_id = device * 100'000 + session * 100 + 1;
    time_ = kFirstDay + (session - 1) * kDay + static_cast<std::int64_t>(random_() % 80'000) * 1'000'000;
  }

  std::string path(const std::string& root) const {
    return root + "/LOG/" + device_text_ + "/" + number_text_ + "/00000001.parquet";
  }

  mpq::Status write(const std::string& path, std::uint32_t rows, bool cut) {
    const mpq::Schema schema = second_ ? mpq::Schema(kSecond) : mpq::Schema(kFirst);
    std::vector<std::uint64_t> arena(mpq::Writer::required_bytes(schema, options_) / sizeof(std::uint64_t) +
                                     1);
    mpq::PosixFile file;
    mpq::Writer writer;
    mpq::Status status = file.create(path.c_str(), mpq::Existing::kOverwrite);
    if (status != mpq::Status::kOk) {
      return status;
    }
    const mpq::KeyValue about[] = {
        {"device_id", device_text_}, {"firmware_version", second_ ? "2.0.0" : "1.0.0"},
        {"session", number_text_},   {"split", "00000001"},
        {"sampling_rate_hz", "400"}, {"rows_dropped", "3"}};
    status =
        writer.open(file, schema, options_,
                    {reinterpret_cast<std::byte*>(arena.data()), arena.size() * sizeof arena[0]}, {about, 0});
    for (std::uint32_t i = 0; i < rows && status == mpq::Status::kOk; ++i) {
      status = append(writer, i);
    }
    return status == mpq::Status::kOk && !cut ? writer.close() : status;
  }

 private:
  double noise() { return std::normal_distribution<double>(0, 1)(random_); }

  mpq::Status append(mpq::Writer& writer, std::uint32_t i) {
    constexpr std::uint32_t kGapEvery = 7919;
    constexpr float kRotation = 0.0175F;
    constexpr float kForce = 0.000488F;
    const double phase = 0.02 * i;
    const float gyroscope[] = {stepped(30 * std::sin(phase) + noise(), kRotation),
                               stepped(20 * std::cos(phase) + noise(), kRotation),
                               stepped(noise(), kRotation)};
    const float force[] = {stepped(0.1 * noise(), kForce), stepped(0.1 * noise(), kForce),
                           stepped(1 + 0.1 * noise(), kForce)};
    const std::uint32_t missed = i / kGapEvery * 40;
    std::vector<mpq::Value> row;
    row.push_back(second_ ? mpq::Value::of(std::int64_t{i} + missed)
                          : mpq::Value::of(static_cast<std::int32_t>(i + missed)));
    row.push_back(mpq::Value::of(time_ + (i + missed) * kInterval));
    for (const float value : gyroscope) {
      row.push_back(mpq::Value::of(value));
    }
    for (const float value : force) {
      row.push_back(mpq::Value::of(value));
    }
    if (second_) {
      temperature_ += i % 400 == 0 ? 0.05 * noise() : 0;
      row.push_back(i % 400 == 0 ? mpq::Value::of(stepped(temperature_, 0.0625F)) : mpq::Value());
    }
    const mpq::Status status = writer.append(row);
    return status == mpq::Status::kOk ? writer.tick(i * 5 / 2) : status;
  }

  bool second_;
  std::mt19937 random_;
  std::string device_text_;
  std::string number_text_;
  mpq::Options options_;
  std::int64_t time_ = 0;
  double temperature_ = 20;
};

std::uint32_t number(const char* text) { return static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10)); }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    return 2;
  }
  const std::uint32_t devices = number(argv[2]);
  const std::uint32_t sessions = number(argv[3]);
  std::mt19937 random(number(argv[5]));
  std::uniform_real_distribution<double> logarithm(std::log(500), std::log(number(argv[4])));
  for (std::uint32_t device = 1; device <= devices; ++device) {
    for (std::uint32_t number = 1; number <= sessions; ++number) {
      const bool second = number > sessions / 2 + device % 10 * sessions / 30;
      const bool cut = random() % 10 == 0;
      const auto rows = static_cast<std::uint32_t>(std::exp(logarithm(random)));
      Session session(device, number, second);
      const std::string path = session.path(argv[1]);
      std::filesystem::create_directories(std::filesystem::path(path).parent_path());
      if (const mpq::Status status = session.write(path, rows, cut); status != mpq::Status::kOk) {
        std::fprintf(stderr, "made_fleet: %s: %s\n", path.c_str(), to_string(status));
        return 1;
      }
      std::printf("%s %s %u %s\n", path.c_str(), second ? "2.0.0" : "1.0.0", rows, cut ? "cut" : "closed");
    }
  }
  return 0;
}
