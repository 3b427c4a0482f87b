// Times what a log asks of an SD card, inside a file of its own, and prints it as one line of JSON. README.md says what it
// writes and how long it takes. Standard C++11 without a heap: for any board.
#pragma once

#include <stdint.h>

namespace card_bench {

constexpr uint32_t kSectorBytes = 512;
constexpr uint32_t kUnitSectors = 8192;  // 4 MiB, in which cards erase
constexpr char kFileName[] = "CARDBNCH.TMP";

// What is known about a card and about what drives it. Zeros: not known.
struct Identity {
  uint8_t cid[16];  // the register
  bool has_cid;
  uint32_t sectors;
  const char* driver;
  bool is_emulated;  // times mean nothing then
  uint32_t clock_hz;
};

enum class Allocated : uint8_t { kYes, kFull, kNameTaken, kFailed };

// A card with a volume: implemented for each library.
class Card {
 public:
  // Starts the card, and identifies it. False: there is none.
  virtual bool start(Identity& identity) = 0;
  virtual bool mount() = 0;

  // Makes a file kFileName of that many bytes in one piece, whose first sector on the card is then `first`. Removes one that an
  // interrupted run has left, which holds a mark or nothing, and leaves alone any other one.
  virtual Allocated allocate(uint32_t bytes, uint32_t& first) = 0;
  virtual bool remove() = 0;

  // Writes sectors of the card itself. sync() waits until all is written.
  virtual bool write(uint32_t sector, const uint8_t* data, uint32_t count) = 0;
  virtual bool sync() = 0;

  // Goes to the end of the file's last cluster. grow() then writes a sector, which takes another one, and syncs the volume.
  virtual bool go_to_end() = 0;
  virtual Allocated grow() = 0;

  // Sends CMD56, which reads a block. False: the card does not know it, or the driver cannot.
  virtual bool ask(uint32_t argument, uint8_t* block) = 0;

  virtual uint32_t now_us() = 0;  // may start again
  virtual void wait_ms(uint32_t ms) = 0;

 protected:
  ~Card() = default;
};

// The first sector of the file, by which the next run knows it again.
void fill_mark(uint8_t* sector);
bool is_mark(const uint8_t* sector);

// What a card says about its own wear.
struct Wear {
  bool is_known;
  uint32_t argument;
  uint8_t signature[2];
  const struct WearPage* page;  // null: nobody has published what it means
  uint8_t block[96];
};

// Reads the wear that the card tells. `block`: 512 bytes of memory.
Wear read_wear(Card& card, uint8_t* block);

struct Result {
  uint32_t writes;
  uint32_t bytes;
  uint32_t us_total;
  uint32_t us_longest;
};

enum class Kind : uint8_t { kRandom, kSequential, kByTurns, kSingles, kSyncedSingles, kTable };

struct Phase {
  const char* name;
  Kind kind;
  uint32_t sectors;  // of a write
  uint32_t writes;
  uint32_t units;  // that are written by turns
};

constexpr unsigned kPhases = 10;
// NOLINTNEXTLINE(readability-identifier-naming, bugprone-dynamic-static-initializers)
extern const Phase kPlan[kPhases];

class Bench {
 public:
  // `buffer`: its whole sectors, one or more, are what a call of the driver writes. `divisor`: 1, or more for a shorter run.
  Bench(Card& card, uint8_t* buffer, uint32_t buffer_bytes, uint32_t divisor = 1);

  // Returns whether all went well; the file is removed in any case, if the card lets it.
  bool run();

  // Prints the one line, without an end of line.
  using Print = void (*)(void* to, const char* text);
  void print(Print print, void* to) const;

 private:
  bool fail(const char* place, const char* call);
  bool make_file();
  bool run_phase(const Phase& phase, Result& result);
  bool write_once(const Phase& phase, uint32_t number);
  bool time_write(const Phase& phase, uint32_t number, Result& result);
  uint32_t place_of(const Phase& phase, uint32_t number);
  bool write_sectors(const char* place, uint32_t first, uint32_t count);
  bool grow(const char* place);

  Card& card_;
  uint8_t* buffer_;
  uint32_t buffer_sectors_;
  uint32_t divisor_;
  Identity identity_ = {};
  Wear before_ = {};
  Wear after_ = {};
  Result results_[kPhases] = {};
  uint32_t first_ = 0;    // sector of the range that is written
  uint32_t sectors_ = 0;  // of it
  uint32_t chance_ = 1;
  bool has_file_ = false;
  bool is_full_ = false;
  const char* error_place_ = nullptr;
  const char* error_call_ = nullptr;
};

}  // namespace card_bench
