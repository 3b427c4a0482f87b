// Rows that the tests log, of two kinds. Each can be made again from the number of the boot that logged it
// and its place in that boot.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "checksum.h"
#include "microparquet/options.h"
#include "microparquet/static_reader.h"
#include "microparquet/static_writer.h"
#include "microparquet/typed.h"

namespace filesystems {

namespace mpq = microparquet;

constexpr std::int64_t row_id(std::uint32_t boot, std::uint32_t index) {
  return static_cast<std::int64_t>((std::uint64_t{boot} << 32) | index);
}

inline std::uint32_t mix(std::int64_t id, std::uint32_t column) {
  std::uint64_t x = static_cast<std::uint64_t>(id) * 0x9E3779B97F4A7C15U + column;
  x = (x ^ (x >> 29)) * 0xBF58476D1CE4E5B9U;
  return static_cast<std::uint32_t>(x >> 32);
}

constexpr mpq::Options imu_options() {
  mpq::Options options;
  options.row_group_bytes = 24 << 10;
  options.checkpoint_ratio = 1;
  options.file_id = 0x51DE;
  options.checksum = kChecksum;
  return options;
}

// Options with pages smaller than a sector.
constexpr mpq::Options texts_options() {
  mpq::Options options;
  options.page_bytes = 256;
  options.whole_sectors = false;
  options.row_group_bytes = 16 << 10;
  options.checkpoint_ratio = 1;
  options.file_id = 0x7E87;
  options.checksum = kChecksum;
  return options;
}

// The same, in the forward layout and small pages.
constexpr mpq::Options forward(mpq::Options options) {
  options.layout = &mpq::kForward;
  options.page_bytes = 256;
  options.whole_sectors = false;
  options.row_group_bytes = 3 << 10;
  return options;
}

// The workload `imu8`: eight columns of numbers, all required, in 512-byte pages and small row groups.
struct Imu {
  struct Row {
    std::int64_t id;
    std::int32_t seq;
    float ax, ay, az, temp;
    std::int32_t status, battery_mv;
  };
  static Row make(std::int64_t id) {
    const auto value = [id](std::uint32_t column) {
      return static_cast<float>(mix(id, column) % 20000) * 0.001F;
    };
    return {id,
            static_cast<std::int32_t>(mix(id, 1)),
            value(2),
            value(3),
            value(4),
            value(5),
            static_cast<std::int32_t>(mix(id, 6) % 4),
            static_cast<std::int32_t>(4200 - mix(id, 7) % 900)};
  }
  static bool equal(const Row& a, const Row& b) {
    return a.id == b.id && a.seq == b.seq && a.ax == b.ax && a.ay == b.ay && a.az == b.az &&
           a.temp == b.temp && a.status == b.status && a.battery_mv == b.battery_mv;
  }
  static constexpr const char* kName = "imu";
  static constexpr auto kSchema =
      mpq::schema(mpq::column("id", &Row::id), mpq::column("seq", &Row::seq), mpq::column("ax", &Row::ax),
                  mpq::column("ay", &Row::ay), mpq::column("az", &Row::az), mpq::column("temp", &Row::temp),
                  mpq::column("status", &Row::status), mpq::column("battery_mv", &Row::battery_mv));
  static constexpr mpq::Options kOptions = imu_options();
};

// The same as a stream of whole sectors.
constexpr mpq::Options stream_options() {
  mpq::Options options = imu_options();
  options.layout = &mpq::kForward;
  options.page_bytes = 4 << 10;
  options.row_group_bytes = 6 << 10;
  return options;
}
struct StreamImu : Imu {
  static constexpr const char* kName = "stream";
  static constexpr mpq::Options kOptions = stream_options();
};

// The same in row groups that have a place of 256 MiB each: ended early, a log of some thousand rows passes 4 GiB.
constexpr mpq::Options long_imu_options() {
  mpq::Options options = imu_options();
  options.row_group_bytes = 256 << 20;
  return options;
}
struct LongImu : Imu {
  static constexpr mpq::Options kOptions = long_imu_options();
};

// Strings and nulls.
struct Texts {
  struct Row {
    std::int64_t id;
    mpq::Text<40> message;
    std::optional<double> level;
    std::optional<mpq::Text<12>> remark;
  };
  static Row make(std::int64_t id) {
    static constexpr std::string_view kWords = "a logger writes until its power is cut";
    Row row = {id, kWords.substr(0, mix(id, 1) % 39), {}, {}};
    if (mix(id, 2) % 3 != 0) row.level = mix(id, 3) * 0.25;
    if (mix(id, 4) % 4 == 0) row.remark = mpq::Text<12>(kWords.substr(mix(id, 5) % 30, mix(id, 6) % 9));
    return row;
  }
  static bool equal(const Row& a, const Row& b) {
    return a.id == b.id && std::string_view(a.message) == std::string_view(b.message) && a.level == b.level &&
           a.remark.has_value() == b.remark.has_value() &&
           (!a.remark || std::string_view(*a.remark) == std::string_view(*b.remark));
  }
  static constexpr const char* kName = "texts";
  static constexpr auto kSchema =
      mpq::schema(mpq::column("id", &Row::id), mpq::column("message", &Row::message),
                  mpq::column("level", &Row::level), mpq::column("remark", &Row::remark));
  static constexpr mpq::Options kOptions = texts_options();
};

// The rows that a file is known to have, or must have: a number of each boot, one boot after the other.
struct Logged {
  std::uint32_t boot;
  std::uint32_t rows;
};

}  // namespace filesystems
