// Resets at any instruction of a program that logs through a RetainedQueue: every row that the queue has taken is in the
// files once.
//
//   retained_resets [--resets N] [--seed N]
//
// A life is a program over many boots on one card. Each boot ends in a reset: the processor stops after an arbitrary
// number of instructions from an arbitrary call of the queue or the card on. What lies in the queue's memory stays, of
// what the card was given only what a barrier has confirmed.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "card_file.h"
#include "microparquet/port/memory_file.h"
#include "microparquet/retained_queue.h"
#include "microparquet/rolling.h"
#include "microparquet/static_reader.h"
#include "microparquet/static_writer.h"
#include "stepper.h"

namespace retained {
namespace {

using lives::Chance;
using mpq::Status;

struct Sample {
  std::int64_t time = 0;
  float value = 0;
  std::uint32_t number = 0;
};

Sample sample(std::uint32_t number) {
  const std::uint64_t mixed = lives::mix(number);
  return {static_cast<std::int64_t>(mixed >> 1), static_cast<float>(mixed & 0xFFFF), number};
}

constexpr auto kSchema =
    mpq::schema(mpq::timestamp_us_column("time", &Sample::time), mpq::column("value", &Sample::value),
                mpq::column("number", &Sample::number));

constexpr mpq::Options options_of(const mpq::Layout& layout) {
  mpq::Options options;
  options.layout = &layout;
  options.page_bytes = 512;
  options.row_group_bytes = 4096;
  options.checkpoint_ms = 1000;
  options.max_loss_ms = 5000;
  return options;
}
constexpr mpq::Options kInPlaceOptions = options_of(mpq::kInPlace);
constexpr mpq::Options kForwardOptions = options_of(mpq::kForward);

struct Counts {
  std::uint32_t resets = 0;
  std::uint32_t rows = 0;
  std::uint32_t lost = 0;
  std::uint32_t twice = 0;
  std::uint32_t wrong = 0;  // other values than were pushed, or rows that were refused, or out of order
  std::uint32_t files = 0;
};

// What is known of a row that was given to push().
enum class Fate : std::uint8_t { kUnknown, kTaken, kRefused };

constexpr std::uint32_t kMostRows = 20000;
constexpr std::uint32_t kMostFiles = 24;

// The card, and what the test knows.
struct World {
  explicit World(std::uint64_t seed) : chance(seed) {}

  void create_file() {
    const bool bad = files == bad_file;
    cards[files++].create(shrinks, bad ? chance.between(20, 200) : 0);
  }

  Chance chance;
  std::uint32_t pushed = 0;
  std::uint32_t files = 0;
  std::uint32_t bad_file = kMostFiles;
  std::uint32_t now_ms = 0;
  bool shrinks = true;
  bool fails = false;
  Fate fates[kMostRows] = {};
  std::uint8_t found[kMostRows] = {};
  CardFile cards[kMostFiles] = {};
};

template <const mpq::Options& kOptions, std::uint32_t kDepth>
class Life {
 public:
  using Queue = mpq::RetainedQueue<Sample, kDepth, mpq::retained_layout(kSchema.fields)>;
  using Writer = mpq::StaticWriter<kSchema, kOptions>;

  explicit Life(World& world) : world_(world) {
    for (std::byte& byte : memory_) byte = static_cast<std::byte>(world.chance.next());
    static_cast<void>(queue().begin());
    world.create_file();
  }

  // One boot of the program, to be left at any instruction.
  void boot() {
    Chance& chance = world_.chance;
    point();
    if (queue().begin() != Status::kOk) world_.fails = true;
    for (unsigned rows = chance.below(3); rows != 0; --rows) push();
    if (chance.percent(15)) return;  // the card stays off
    do {
      Log log(*this);
      if (!log.open()) return;
      for (unsigned step = chance.between(1, 30); step != 0 && world_.pushed + kDepth + 8 < kMostRows;
           --step) {
        for (unsigned rows = chance.below(kDepth + 2); rows != 0; --rows) push();
        log.step();
      }
      if (chance.percent(80)) return;
      pull_card();  // and a new writer resumes the file
    } while (world_.pushed + kDepth + 8 < kMostRows);
  }

  // The last boot, which nothing interrupts.
  void end() {
    if (queue().begin() != Status::kOk) world_.fails = true;
    Log log(*this);
    if (!log.open()) return;
    for (int i = 0; i < 200 && !log.finish(); ++i) world_.now_ms += 100'000;
    if (queue().pending() != 0) world_.fails = true;
  }

  // The handler of the fault that ended a boot may leave a mark.
  void crash() {
    if (world_.chance.percent(30)) push_row(true);
    pull_card();
  }

 private:
  Queue& queue() { return *reinterpret_cast<Queue*>(memory_); }

  // Objects of one boot.
  class Log final : mpq::FileSequence {
   public:
    explicit Log(Life& life) : life_(life), rolling_(*new (life.writer_memory_) Writer, *this, limits()) {}

    bool open() {
      World& world = life_.world_;
      const mpq::FileStart start = {{}, 1000 + world.files};
      const Status status = writer().resume(world.cards[world.files - 1], start);
      if (status != Status::kOk && status != Status::kIoError) world.fails = true;
      return status == Status::kOk;
    }

    void step() {
      World& world = life_.world_;
      point();
      static_cast<void>(life_.queue().drain(rolling_, writer()));
      world.now_ms += world.chance.below(1500);
      point();
      static_cast<void>(rolling_.tick(world.now_ms));
      if (world.chance.percent(10)) {
        point();
        static_cast<void>(rolling_.checkpoint());
      }
      if (kOptions.layout->in_place && !rolling_.is_between_files() && world.chance.percent(5)) reconnect();
    }

    bool finish() {
      static_cast<void>(rolling_.tick(life_.world_.now_ms));
      if (life_.queue().drain(rolling_, writer()) != Status::kOk) return false;
      if (rolling_.checkpoint() != Status::kOk) return false;
      if (life_.queue().drain(rolling_, writer()) != Status::kOk) return false;
      return life_.queue().pending() == 0 && writer().close() == Status::kOk;
    }

   private:
    // The card was pulled out and put back.
    void reconnect() {
      World& world = life_.world_;
      life_.pull_card();
      static_cast<void>(writer().reconnect(world.cards[world.files - 1]));
    }

    static mpq::RollLimits limits() { return {24 << 10, 0, 4}; }
    Writer& writer() { return *reinterpret_cast<Writer*>(life_.writer_memory_); }

    Status next(mpq::File*& file) override {
      World& world = life_.world_;
      point();
      if (!life_.queue().end_file(writer())) return Status::kWrongState;
      if (world.files == kMostFiles) return Status::kNoSpace;
      world.create_file();
      file = &world.cards[world.files - 1];
      return Status::kOk;
    }

    Life& life_;
    mpq::RollingWriter<Writer> rolling_;
  };

  void pull_card() {
    const Aside aside;
    for (std::uint32_t i = 0; i < world_.files; ++i) world_.cards[i].reset(world_.chance);
  }

  void push() {
    point();
    push_row(false);
  }

  void push_row(bool mark) {
    const std::uint32_t number = world_.pushed++;
    world_.fates[number] = Fate::kUnknown;
    asm volatile("" : : : "memory");
    const bool taken = mark ? queue().push_mark(sample(number)) : queue().push(sample(number));
    world_.fates[number] = taken ? Fate::kTaken : Fate::kRefused;
  }

  World& world_;
  alignas(Queue) std::byte memory_[sizeof(Queue)];
  alignas(Writer) std::byte writer_memory_[sizeof(Writer)];
};

constexpr mpq::ReaderOptions kReaderOptions = {};

// Counts the rows of a file.
void read(World& world, CardFile& card, Counts& counts) {
  static mpq::StaticReader<kSchema, kReaderOptions> reader;
  mpq::MemoryFile file(card.contents(), card.contents().size());
  if (card.contents().empty()) return;
  ++counts.files;
  if (reader.open(file) != Status::kOk) {
    ++counts.wrong;
    return;
  }
  Sample row;
  std::uint32_t after = 0;
  Status status = Status::kOk;
  while ((status = reader.next(row)) == Status::kOk) {
    ++counts.rows;
    const bool known = row.number < world.pushed;
    const Sample wanted = sample(row.number);
    const bool right = known && row.time == wanted.time && row.value == wanted.value && row.number >= after &&
                       world.fates[row.number] != Fate::kRefused;
    if (!right) ++counts.wrong;
    if (known) ++world.found[row.number];
    after = row.number;
  }
  if (status != Status::kEnd) ++counts.wrong;
}

void count(World& world, Counts& counts) {
  for (std::uint32_t i = 0; i < world.files; ++i) read(world, world.cards[i], counts);
  for (std::uint32_t number = 0; number < world.pushed; ++number) {
    if (world.found[number] > 1) ++counts.twice;
    if (world.found[number] == 0 && world.fates[number] == Fate::kTaken) ++counts.lost;
  }
  if (world.fails) ++counts.wrong;
}

// Few instructions as a rule, so that each of a short call is met, and sometimes many.
std::uint32_t some_instructions(Chance& chance) {
  const unsigned kind = chance.below(100);
  return 1 + chance.below(kind < 70 ? 150 : kind < 96 ? 600 : 4000);
}

template <const mpq::Options& kOptions, std::uint32_t kDepth>
void live(std::uint64_t seed, std::uint32_t resets, Counts& counts) {
  const auto world = std::make_unique<World>(seed);
  world->shrinks = seed % 3 != 0;
  if (seed % 4 == 3) world->bad_file = world->chance.below(4);
  Life<kOptions, kDepth> life(*world);
  const auto boot = [](void* context) { static_cast<decltype(life)*>(context)->boot(); };
  for (std::uint32_t done = 0;
       done != resets && world->pushed + 200 < kMostRows && world->files < kMostFiles - 2; ++done) {
    const std::uint32_t instructions = some_instructions(world->chance);
    const std::uint32_t point = world->chance.below(world->chance.percent(50) ? 60 : 600);
    if (run_until_reset(boot, &life, point, instructions)) ++counts.resets;
    life.crash();
  }
  life.end();
  count(*world, counts);
}

void live(std::uint64_t seed, std::uint32_t resets, Counts& counts) {
  switch (seed % 6) {
    case 0: return live<kInPlaceOptions, 20>(seed, resets, counts);
    case 1: return live<kForwardOptions, 20>(seed, resets, counts);
    case 2: return live<kInPlaceOptions, 1>(seed, resets, counts);
    case 3: return live<kForwardOptions, 3>(seed, resets, counts);
    case 4: return live<kInPlaceOptions, 63>(seed, resets, counts);
    default: return live<kForwardOptions, 100>(seed, resets, counts);
  }
}

}  // namespace
}  // namespace retained

int main(int argc, char** argv) {
  std::uint32_t resets = 10'000;
  std::uint64_t seed = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    const unsigned long long value = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--resets") == 0) resets = static_cast<std::uint32_t>(value);
    if (std::strcmp(argv[i], "--seed") == 0) seed = value;
  }
  retained::Counts counts;
  std::uint32_t passed = 0;
  std::uint32_t failed = 0;
  for (; counts.resets < resets; ++seed) {
    const retained::Counts before = counts;
    retained::live(seed, 40, counts);
    const bool good = counts.lost == before.lost && counts.twice == before.twice &&
                      counts.wrong == before.wrong && counts.rows != before.rows;
    ++(good ? passed : failed);
    if (!good) {
      std::fprintf(stderr, "life %llu: %u lost, %u twice, %u wrong\n", static_cast<unsigned long long>(seed),
                   counts.lost - before.lost, counts.twice - before.twice, counts.wrong - before.wrong);
    }
  }
  std::printf("retained.resets %u resets\nretained.rows %u rows\nretained.files %u files\n", counts.resets,
              counts.rows, counts.files);
  std::printf("retained.lost %u rows\nretained.twice %u rows\nretained.wrong %u rows\n", counts.lost,
              counts.twice, counts.wrong);
  std::printf("%u passed, %u failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
