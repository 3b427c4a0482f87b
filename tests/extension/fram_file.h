// A small port, whole: a file in a FRAM chip, which keeps each byte as soon as it is written. port/README.md
// explains it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/crc32.h"
#include "microparquet/file.h"

// The program's own driver of the chip. False: the bus did not answer.
class Fram {
 public:
  virtual bool read(std::uint32_t address, std::byte* to, std::size_t bytes) = 0;
  virtual bool write(std::uint32_t address, const std::byte* from, std::size_t bytes) = 0;
  virtual std::uint32_t bytes() const = 0;

 protected:
  ~Fram() = default;
};

// Seeks and reads back. The size stands in one of two places before the file, written in turn: a power cut
// inside one of them leaves the other. One thread.
class FramFile final : public microparquet::File {
 public:
  explicit FramFile(Fram& fram) : fram_(fram) {}

  // There is one file in the chip, and it has no name.
  // - kIoError: the chip does not answer; or it holds bytes, and `existing` says to leave them
  microparquet::Status create(microparquet::Existing existing = microparquet::Existing::kRefuse) {
    microparquet::Status status = open_for_append();
    if (status != microparquet::Status::kOk || size_ == 0) return status;
    if (existing == microparquet::Existing::kRefuse) return microparquet::Status::kIoError;
    size_ = 0;
    return publish();
  }
  microparquet::Status open_for_append() {
    place_ = {};
    for (std::uint32_t i = 0; i < 2; ++i) {
      Place place;
      if (!fram_.read(i * sizeof place, reinterpret_cast<std::byte*>(&place), sizeof place)) return kFailed;
      if (place.crc == crc_of(place) && place.turn >= place_.turn) place_ = place;
    }
    size_ = place_.size;
    return microparquet::Status::kOk;
  }

  microparquet::FileAbilities abilities() const override {
    microparquet::FileAbilities abilities;
    abilities.seek = true;
    abilities.read_back = true;
    return abilities;
  }
  microparquet::Status size(std::uint64_t& bytes) override {
    bytes = size_;
    return microparquet::Status::kOk;
  }
  microparquet::Status read_at(std::uint64_t offset, microparquet::Span<std::byte> out) override {
    if (offset > size_ || out.size() > size_ - offset) return microparquet::Status::kIoError;
    return fram_.read(address(offset), out.data(), out.size()) ? microparquet::Status::kOk : kFailed;
  }
  microparquet::Status write_at(std::uint64_t offset, microparquet::Span<const std::byte> data) override {
    if (!has_space(offset) || data.size() > space() - offset) return microparquet::Status::kNoSpace;
    if (!fram_.write(address(offset), data.data(), data.size())) return kFailed;
    const auto end = static_cast<std::uint32_t>(offset + data.size());
    if (end > size_) size_ = end;
    return microparquet::Status::kOk;
  }
  microparquet::Status reserve(std::uint64_t end) override {
    return has_space(end) ? microparquet::Status::kOk : microparquet::Status::kNoSpace;
  }
  microparquet::Status sync(std::uint64_t size) override {
    if (size > size_) return microparquet::Status::kInvalidArgument;
    size_ = static_cast<std::uint32_t>(size);
    return size_ == place_.size ? microparquet::Status::kOk : publish();
  }

 private:
  struct Place {
    std::uint32_t turn;  // 0: there is none yet
    std::uint32_t size;
    std::uint32_t crc;  // of the two
  };
  static constexpr microparquet::Status kFailed = microparquet::Status::kIoError;
  static constexpr std::uint32_t kBegin = 2 * sizeof(Place);

  static std::uint32_t crc_of(const Place& place) {
    return microparquet::crc32_small(0, &place, offsetof(Place, crc));
  }
  static std::uint32_t address(std::uint64_t offset) { return kBegin + static_cast<std::uint32_t>(offset); }
  std::uint64_t space() const { return fram_.bytes() - kBegin; }
  bool has_space(std::uint64_t end) const { return end <= space(); }

  microparquet::Status publish() {
    Place place = {place_.turn + 1, size_, 0};
    place.crc = crc_of(place);
    const std::uint32_t at = place.turn % 2 * sizeof place;
    if (!fram_.write(at, reinterpret_cast<const std::byte*>(&place), sizeof place)) return kFailed;
    place_ = place;
    return microparquet::Status::kOk;
  }

  Fram& fram_;
  Place place_ = {};
  std::uint32_t size_ = 0;  // published or not
};
