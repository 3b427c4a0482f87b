// A file in memory that fails where a test wants it to.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "microparquet/file.h"

namespace faults {

namespace mpq = microparquet;

enum class Call : std::uint8_t { kSize, kReadAt, kWriteAt, kReserve, kBarrier, kSync, kShrink };
inline constexpr std::size_t kCalls = 7;
const char* to_string(Call call);

// The part of a failing call that took effect before it answered.
enum class Extent : std::uint8_t { kNothing, kPart, kAll };
const char* to_string(Extent extent);

// The call of a kind that fails, counted from 0.
struct Fault {
  Call call = Call::kWriteAt;
  unsigned nth = std::numeric_limits<unsigned>::max();
  mpq::Status status = mpq::Status::kIoError;
  Extent extent = Extent::kNothing;
  bool permanent = false;  // and so does every later one of the kind
};

// Keeps apart what was written and what size is published, as a file system does; checks that its user keeps
// to the contract of File.
class FaultFile final : public mpq::File {
 public:
  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

  FaultFile(mpq::FileAbilities abilities, const Fault& fault, std::uint64_t capacity = kUnlimited)
      : abilities_(abilities), fault_(fault), capacity_(capacity) {}

  // Gives the file the bytes that an earlier writer left. The medium has space for them; nothing is reserved.
  void start_with(mpq::Span<const std::byte> bytes);

  mpq::FileAbilities abilities() const override { return abilities_; }
  mpq::Status size(std::uint64_t& bytes) override;
  mpq::Status read_at(std::uint64_t offset, mpq::Span<std::byte> out) override;
  mpq::Status write_at(std::uint64_t offset, mpq::Span<const std::byte> data) override;
  mpq::Status reserve(std::uint64_t end) override;
  mpq::Status barrier() override;
  mpq::Status sync(std::uint64_t size) override;
  mpq::Status shrink(std::uint64_t size) override;

  unsigned calls(Call call) const { return calls_[static_cast<std::size_t>(call)]; }

  // The first failure answered since it was last asked for; kOk if there was none.
  mpq::Status take_failure();
  Call failed_call() const { return failed_call_; }
  // True: the first failure was of a read, and the same bytes were read later.
  bool read_again() const { return read_again_; }

  // The least end of a write or reservation that was refused for lack of space.
  std::uint64_t least_refused() const { return least_refused_; }

  mpq::Span<const std::byte> contents() const { return {bytes_.data(), bytes_.size()}; }
  // The content as a file system knows it.
  mpq::Span<const std::byte> published() const { return {bytes_.data(), published_}; }

  // The first breach of File's contract; empty: none.
  const std::string& breach() const { return breach_; }

 private:
  bool fails(Call call);
  mpq::Status answer(Call call, mpq::Status status);
  mpq::Status refuse(Call call, std::uint64_t end);
  void store(std::uint64_t offset, mpq::Span<const std::byte> data, std::size_t bytes);
  void check_place(std::uint64_t offset, std::size_t bytes);
  void complain(const std::string& text);

  mpq::FileAbilities abilities_;
  Fault fault_;
  std::uint64_t capacity_;
  std::vector<std::byte> bytes_;
  std::uint64_t reserved_ = 0;
  std::uint64_t next_write_ = 0;  // where a file that cannot seek continues
  std::size_t published_ = 0;
  std::uint64_t least_refused_ = kUnlimited;
  std::array<unsigned, kCalls> calls_ = {};
  mpq::Status failure_ = mpq::Status::kOk;
  Call failed_call_ = Call::kSize;
  std::uint64_t failed_read_ = 0;  // the offset of the read that failed last
  std::size_t failed_bytes_ = 0;
  bool read_again_ = false;
  std::string breach_;
};

}  // namespace faults
