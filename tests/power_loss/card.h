// A file on a simulated card: every sector that is written is kept, in order, so that what the card held at
// any moment, or would hold had some of the writes been lost, can be built afterwards.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "microparquet/file.h"

namespace power_loss {

namespace mpq = microparquet;

inline constexpr std::size_t kSector = 512;
using Sector = std::array<std::byte, kSector>;

// The sectors that the file has or may come to have, with whatever they hold, and the size that is published.
// Media share the sectors they have in common.
class Medium {
 public:
  void read(std::uint64_t offset, mpq::Span<std::byte> out) const;
  std::vector<std::byte> file() const;
  // Sectors that nothing was written to are zeros.
  const Sector& sector(std::uint32_t index) const;
  std::uint32_t sectors() const { return static_cast<std::uint32_t>(sectors_.size()); }
  void set_sector(std::uint32_t index, std::shared_ptr<const Sector> sector);
  // Forgets the bytes past the size; the file has zeros there when it grows again.
  void forget_behind();
  void flip(std::uint64_t bit);

  std::uint64_t size = 0;

 private:
  std::vector<std::shared_ptr<const Sector>> sectors_;  // null: zeros
};

// The writing program's knowledge when a call of the file began.
struct Progress {
  unsigned offered = 0;       // rows given to append, whether or not it has returned
  std::uint64_t durable = 0;  // rows that the writer says are durable
  std::uint64_t safe = 0;     // rows that it says the next resume() keeps
  std::uint32_t now_ms = 0;   // as told to tick
};

struct Event {
  enum class Kind : std::uint8_t { kWrite, kBarrier, kPublish };

  Kind kind = Kind::kWrite;
  bool special = false;                // kWrite: part of a footer, or a record's last sector
  std::uint32_t sector = 0;            // kWrite
  std::shared_ptr<const Sector> data;  // kWrite: what the sector then holds
  std::uint64_t size = 0;              // of the file after this event, if size is published at each write
  Progress progress;
};

struct Log {
  std::vector<Event> events;
  Progress end;  // when the last call had returned
};

// Faults of the calls of a file.
struct CardFault {
  enum class Kind : std::uint8_t {
    kNone,
    kOnce,      // call `nth` fails
    kForGood,   // and all after it
    kMisread,   // read_at number `nth` gives one wrong bit
    kLost,      // the medium is lost at call `nth`, until it comes back
    kCapacity,  // the medium ends at `nth` sectors, or where the file does
  };
  Kind kind = Kind::kNone;
  unsigned nth = 0;
};

class Card final : public mpq::File {
 public:
  // A write that fails has done all, none or a part of its work, in turn with the number of the call.
  Card(Medium medium, const CardFault& fault, mpq::FileAbilities abilities);

  // The driver refuses memory for whole sectors that is not on a word, 4 bytes; and of what it reads it
  // invalidates all of the lines.
  void set_cache_line(std::size_t bytes) { line_ = bytes; }
  // Number of transfers whose memory does not begin and end on a line.
  unsigned misaligned() const { return misaligned_; }

  // Asked at each call.
  void set_watch(std::function<Progress()> watch) { watch_ = std::move(watch); }

  mpq::FileAbilities abilities() const override { return abilities_; }
  mpq::Status size(std::uint64_t& bytes) override;
  mpq::Status read_at(std::uint64_t offset, mpq::Span<std::byte> out) override;
  mpq::Status write_at(std::uint64_t offset, mpq::Span<const std::byte> data) override;
  mpq::Status reserve(std::uint64_t end) override;
  mpq::Status barrier() override;
  mpq::Status sync(std::uint64_t size) override;
  mpq::Status shrink(std::uint64_t size) override;

  // The medium with nothing lost.
  const Medium& medium() const { return medium_; }
  unsigned calls() const { return calls_; }
  unsigned reads() const { return reads_; }
  // Whether any call did not do what it was to do, and whether all that are repeated will.
  bool failed() const { return failed_; }
  bool fails_once() const {
    using Kind = CardFault::Kind;
    return fault_.kind == Kind::kOnce || fault_.kind == Kind::kMisread || fault_.kind == Kind::kLost;
  }
  // Whether kLost keeps the writes since the last barrier.
  bool keeps_all() const { return fault_.nth % 2 != 0; }
  // The medium is there again, without some of what was written since the last barrier, or with all of it.
  void come_back();
  bool came_back() const { return came_back_; }
  // Whether anything was written.
  bool touched() const;
  // The first breach of File's contract; empty: none.
  const std::string& breach() const { return breach_; }
  Log take_log();

 private:
  enum class Extent : std::uint8_t { kNothing, kPart, kAll };

  bool fails(Extent& extent);
  bool takes(std::uint64_t offset, const void* memory, std::size_t bytes);
  mpq::Status fail(mpq::Status status);
  mpq::Status fail();
  Event begin(Event::Kind kind) const;
  void store(std::uint64_t offset, mpq::Span<const std::byte> data);
  void publish(std::uint64_t size);
  void complain(const char* text);

  Medium base_;  // with which the log begins
  Medium medium_;
  bool lost_ = false;
  bool came_back_ = false;
  std::uint64_t written_to_;  // the size, published or not
  std::uint64_t reserved_ = 0;
  CardFault fault_;
  mpq::FileAbilities abilities_;
  std::size_t line_ = 1;
  unsigned misaligned_ = 0;
  std::function<Progress()> watch_;
  Log log_;
  unsigned calls_ = 0;
  unsigned reads_ = 0;
  std::uint64_t capacity_ = std::numeric_limits<std::uint64_t>::max();
  bool failed_ = false;
  bool misled_ = false;  // by a wrong read: where it reads then is not its fault
  std::string breach_;
};

}  // namespace power_loss
