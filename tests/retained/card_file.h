// A file on a card that keeps its power, or loses it, when the program is reset.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "microparquet/file.h"
#include "support/chance.h"

namespace retained {

namespace mpq = microparquet;

// What is written lies in the card's cache until a barrier. A reset may come between any two instructions of these
// functions: a sector is taken whole or not at all.
class CardFile final : public mpq::File {
 public:
  static constexpr std::size_t kSector = 512;
  static constexpr std::size_t kSectors = 384;
  static constexpr std::size_t kBytes = kSector * kSectors;

  // Makes it an empty file. From the call `fails_at` on it takes nothing more.
  void create(bool shrinks, std::uint32_t fails_at);

  mpq::FileAbilities abilities() const override { return {true, true, shrinks_}; }
  mpq::Status size(std::uint64_t& bytes) override;
  mpq::Status read_at(std::uint64_t offset, mpq::Span<std::byte> out) override;
  mpq::Status write_at(std::uint64_t offset, mpq::Span<const std::byte> data) override;
  mpq::Status reserve(std::uint64_t end) override;
  mpq::Status barrier() override;
  mpq::Status sync(std::uint64_t size) override;
  mpq::Status shrink(std::uint64_t size) override;

  // The program was reset: sectors that no barrier has confirmed are there or not.
  void reset(lives::Chance& chance);

  mpq::Span<std::byte> contents() { return {safe_.data(), static_cast<std::size_t>(published_)}; }

 private:
  static constexpr std::size_t kNone = kSectors;

  bool fails();
  void confirm(std::size_t sector);

  std::array<std::byte, kBytes> now_;   // with the cache
  std::array<std::byte, kBytes> safe_;  // without it
  std::array<bool, kSectors> cached_;
  volatile std::size_t taking_ = kNone;      // sector that is on its way to the cache
  volatile std::size_t confirming_ = kNone;  // sector that is on its way from it
  volatile std::uint64_t published_ = 0;
  std::uint64_t end_ = 0;
  std::uint32_t calls_ = 0;
  std::uint32_t fails_at_ = 0;
  bool shrinks_ = true;
};

}  // namespace retained
