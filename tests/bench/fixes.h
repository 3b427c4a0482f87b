// GNSS fixes with their satellites as an Arrow stream, for the programs that time how one is written: the same numbers as in
// peers/arrow_rs/src/fixes.rs.
//
//   time        timestamp, 100 ms apart
//   lat, lon    double
//   satellites  list of structs, from 0 to 20: id uint8; elevation, azimuth float; snr float, of which a tenth is null
//
// All columns may have nulls, as those of a pandas.DataFrame.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "microparquet/desktop/arrow_abi.h"

namespace microparquet::bench {

struct Fixes {
  std::vector<std::int64_t> time;
  std::vector<double> lat, lon;
  std::vector<std::int32_t> offsets = {0};
  std::vector<std::uint8_t> id;
  std::vector<float> elevation, azimuth, snr;
  std::vector<std::uint8_t> has_snr;  // bits

  explicit Fixes(std::size_t rows) {
    for (std::size_t i = 0; i < rows; ++i) add_fix(i);
  }

 private:
  std::uint32_t next() {
    random_ = random_ * 1664525U + 1013904223U;
    return random_ >> 8;
  }

  void add_fix(std::size_t i) {
    constexpr std::int64_t kStart = 1'700'000'000'000'000;
    constexpr std::int64_t kPeriod = 100'000;
    time.push_back(kStart + static_cast<std::int64_t>(i) * kPeriod);
    lat.push_back(52.5 + next() * 1e-9);
    lon.push_back(13.4 + next() * 1e-9);
    for (std::uint32_t count = next() % 21; count != 0; --count) add_satellite();
    offsets.push_back(static_cast<std::int32_t>(id.size()));
  }

  void add_satellite() {
    constexpr std::size_t kByte = 8;
    if (id.size() % kByte == 0) has_snr.push_back(0);
    const unsigned there = next() % 10 != 0 ? 1 : 0;
    has_snr.back() = static_cast<std::uint8_t>(has_snr.back() | there << (id.size() % kByte));
    id.push_back(static_cast<std::uint8_t>(next() % 32 + 1));
    elevation.push_back(static_cast<float>(next() % 90));
    azimuth.push_back(static_cast<float>(next() % 360));
    snr.push_back(static_cast<float>(next() % 50) * 0.5F);
  }

  std::uint32_t random_ = 12345;
};

// A stream of one array, which shows the memory of the fixes. Both must stay, and where they are.
class FixStream {
 public:
  explicit FixStream(const Fixes& fixes) {
    make_schema();
    make_array(fixes);
    stream_.get_schema = [](ArrowArrayStream* stream, ArrowSchema* out) {
      *out = of(*stream).schema_.nodes[kRow];
      return 0;
    };
    stream_.get_next = [](ArrowArrayStream* stream, ArrowArray* out) {
      *out = of(*stream).given_ ? ArrowArray{} : of(*stream).array_.nodes[kRow];
      of(*stream).given_ = true;
      return 0;
    };
    stream_.get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
    stream_.release = [](ArrowArrayStream* stream) { stream->release = nullptr; };
    stream_.private_data = this;
  }
  FixStream(const FixStream&) = delete;
  FixStream& operator=(const FixStream&) = delete;

  ArrowArrayStream& stream() { return stream_; }

 private:
  // The row, its columns, and the struct that is the list's element with its members.
  enum Node : std::size_t {
    kRow,
    kTime,
    kLat,
    kLon,
    kList,
    kElement,
    kId,
    kElevation,
    kAzimuth,
    kSnr,
    kNodes
  };

  // Children stand one after another. They are released with the row, of which the consumer has a copy.
  template <typename Structure>
  struct Tree {
    std::array<Structure, kNodes> nodes = {};
    std::array<Structure*, kNodes> pointers = {};

    Tree() {
      for (std::size_t i = 0; i < kNodes; ++i) {
        pointers[i] = &nodes[i];
        nodes[i].release = [](Structure* node) { node->release = nullptr; };
      }
      adopt(kRow, kTime, 4);
      adopt(kList, kElement, 1);
      adopt(kElement, kId, 4);
    }
    void adopt(Node parent, Node first, std::int64_t count) {
      nodes[parent].n_children = count;
      nodes[parent].children = &pointers[first];
    }
  };

  static FixStream& of(ArrowArrayStream& stream) { return *static_cast<FixStream*>(stream.private_data); }

  void make_schema() {
    constexpr std::array<std::array<const char*, 2>, kNodes> kTypes = {{{"", "+s"},
                                                                        {"time", "tsu:UTC"},
                                                                        {"lat", "g"},
                                                                        {"lon", "g"},
                                                                        {"satellites", "+l"},
                                                                        {"element", "+s"},
                                                                        {"id", "C"},
                                                                        {"elevation", "f"},
                                                                        {"azimuth", "f"},
                                                                        {"snr", "f"}}};
    for (std::size_t i = 0; i < kNodes; ++i) {
      schema_.nodes[i].name = kTypes[i][0];
      schema_.nodes[i].format = kTypes[i][1];
      schema_.nodes[i].flags = i != kRow ? ARROW_FLAG_NULLABLE : 0;
    }
  }

  void make_array(const Fixes& fixes) {
    for (const Node group : {kRow, kElement}) array_.nodes[group].n_buffers = 1;
    set(kTime, fixes.time);
    set(kLat, fixes.lat);
    set(kLon, fixes.lon);
    set(kList, fixes.offsets);
    set(kId, fixes.id);
    set(kElevation, fixes.elevation);
    set(kAzimuth, fixes.azimuth);
    set(kSnr, fixes.snr);
    array_.nodes[kSnr].null_count = -1;
    buffers_[kSnr][0] = fixes.has_snr.data();
    for (std::size_t i = 0; i < kNodes; ++i) {
      array_.nodes[i].length = static_cast<std::int64_t>(i < kElement ? fixes.time.size() : fixes.id.size());
      array_.nodes[i].buffers = buffers_[i].data();
    }
  }

  template <typename Value>
  void set(Node node, const std::vector<Value>& values) {
    array_.nodes[node].n_buffers = 2;
    buffers_[node][1] = values.data();
  }

  Tree<ArrowSchema> schema_;
  Tree<ArrowArray> array_;
  std::array<std::array<const void*, 2>, kNodes> buffers_ = {};  // validity, and values or offsets
  bool given_ = false;
  ArrowArrayStream stream_ = {};
};

}  // namespace microparquet::bench
