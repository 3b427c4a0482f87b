// Rows in memory that survives a reset: what the next boot finds of them, and what it leaves out.
#include "microparquet/retained_queue.h"

#include <array>
#include <cstring>

#include "microparquet/rolling.h"
#include "microparquet/static_writer.h"
#include "microparquet/typed.h"
#include "support/check.h"
#include "written_file.h"

namespace mpq = microparquet;
using microparquet::RetainedQueue;
using microparquet::Status;

namespace {

struct Row {
  std::uint32_t number;
  std::uint16_t mixed;
  std::uint8_t tail;
};

Row row(std::uint32_t number) {
  return {number, static_cast<std::uint16_t>(written::mix(number)), static_cast<std::uint8_t>(number)};
}
bool is_row(const Row& found, std::uint32_t number) {
  const Row wanted = row(number);
  return found.number == number && found.mixed == wanted.mixed && found.tail == wanted.tail;
}

// A writer and its file: rows are durable by a checkpoint, and a reset takes away the others.
class Log {
 public:
  static constexpr std::uint32_t kMost = 256;

  Status append(const Row& row) {
    const bool fails_now = fails == 1;
    fails -= fails != 0 ? 1 : 0;
    if (fails_now) return failure;
    if (rows_ == kMost) return Status::kNoSpace;
    sound = sound && is_row(row, row.number);
    numbers_[rows_++] = static_cast<std::uint16_t>(row.number);
    return Status::kOk;
  }
  Status checkpoint() {
    ++checkpoints;
    durable_ = rows_;
    return Status::kOk;
  }
  std::uint64_t rows() const { return rows_; }
  std::uint64_t durable_rows() const { return durable_; }
  std::uint64_t safe_rows() const { return durable_; }
  std::uint32_t file_id() const { return id; }

  void reset() { rows_ = durable_; }
  void begin_file() {
    ++id;
    rows_ = durable_ = 0;
  }
  // How often the file has a number.
  std::uint32_t count(std::uint32_t number) const {
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < rows_; ++i) found += numbers_[i] == number ? 1U : 0U;
    return found;
  }
  // Whether the file has exactly the numbers from `first` on, in order.
  bool holds(std::uint32_t first, std::uint32_t rows) const {
    bool all = rows_ == rows && sound;
    for (std::uint32_t i = 0; i < rows_; ++i) all = all && numbers_[i] == first + i;
    return all;
  }

  std::uint32_t id = 7;
  std::uint32_t checkpoints = 0;
  std::uint32_t fails = 0;  // the call of append() that fails, counted from 1
  Status failure = Status::kIoError;
  bool sound = true;

 private:
  std::uint32_t rows_ = 0;
  std::uint32_t durable_ = 0;
  std::array<std::uint16_t, kMost> numbers_ = {};
};

// Memory as start-up code has left it.
template <typename Queue>
Queue& fresh() {
  static_assert(std::is_trivially_default_constructible_v<Queue>, "start-up code would empty it");
  alignas(Queue) static std::byte memory[sizeof(Queue)];
  for (std::size_t i = 0; i < sizeof memory; ++i)
    memory[i] = static_cast<std::byte>(written::mix(static_cast<std::uint32_t>(i)) >> 8);
  return *reinterpret_cast<Queue*>(memory);
}

template <typename Queue>
void push(Queue& queue, std::uint32_t first, std::uint32_t rows) {
  for (std::uint32_t i = 0; i < rows; ++i) CHECK(queue.push(row(first + i)));
}

using Eight = RetainedQueue<Row, 8, 1>;

}  // namespace

TEST("a retained queue in memory of any content is empty") {
  Eight& queue = fresh<Eight>();
  CHECK_EQ(queue.begin(), Status::kSchemaMismatch);
  CHECK_EQ(queue.pending(), 0U);
  CHECK_EQ(queue.begin(), Status::kOk);
  const std::uint32_t dropped = queue.dropped();
  push(queue, 0, 3);
  Log log;
  CHECK_EQ(queue.drain(log), Status::kOk);
  CHECK(log.holds(0, 3));
  CHECK_EQ(queue.dropped(), dropped);
  CHECK_EQ(queue.pending(), 3U);
  CHECK_EQ(log.checkpoint(), Status::kOk);
  queue.settle(log);
  CHECK_EQ(queue.pending(), 0U);
}

TEST("a retained queue of zeros is empty") {
  Eight& queue = fresh<Eight>();
  std::memset(static_cast<void*>(&queue), 0, sizeof queue);
  CHECK_EQ(queue.begin(), Status::kSchemaMismatch);
  CHECK_EQ(queue.pending(), 0U);
}

TEST("a reset at any time leaves each row of a retained queue once, in order") {
  for (std::uint32_t pushed = 0; pushed <= 8; ++pushed) {
    for (std::uint32_t durable = 0; durable <= pushed; ++durable) {
      for (std::uint32_t turn = 0; turn < 20; ++turn) {
        Eight& queue = fresh<Eight>();
        static_cast<void>(queue.begin());
        Log log;
        for (std::uint32_t i = 0; i < turn; ++i) {  // so that the ring begins anywhere
          push(queue, i, 1);
          CHECK_EQ(queue.drain(log), Status::kOk);
          CHECK_EQ(log.checkpoint(), Status::kOk);
          queue.settle(log);
        }
        push(queue, turn, durable);
        CHECK_EQ(queue.drain(log), Status::kOk);
        CHECK_EQ(log.checkpoint(), Status::kOk);
        push(queue, turn + durable, pushed - durable);
        if (turn % 2 == 0) CHECK_EQ(queue.drain(log), Status::kOk);
        const std::uint64_t known = log.durable_rows();
        log.reset();
        CHECK_EQ(queue.begin(), Status::kOk);
        push(queue, turn + pushed, pushed < 8 ? 1 : 0);
        CHECK_EQ(queue.drain(log), Status::kOk);
        CHECK(log.holds(0, turn + pushed + (pushed < 8 ? 1 : 0)));
        CHECK(log.durable_rows() >= known);
      }
    }
  }
}

TEST("a retained queue carries rows over boots that open no file") {
  Eight& queue = fresh<Eight>();
  static_cast<void>(queue.begin());
  Log log;
  for (std::uint32_t boot = 0; boot < 40; ++boot) {
    CHECK_EQ(queue.begin(), Status::kOk);
    push(queue, boot, 1);
    if (boot % 4 != 3) continue;
    log.reset();
    CHECK_EQ(queue.drain(log), Status::kOk);
    CHECK_EQ(log.checkpoint(), Status::kOk);
    if (boot % 8 == 3) queue.settle(log);
  }
  CHECK(log.holds(0, 40));
}

TEST("a full retained queue refuses rows and counts them, and has a place for a mark") {
  Eight& queue = fresh<Eight>();
  static_cast<void>(queue.begin());
  const std::uint32_t before = queue.dropped();
  push(queue, 0, 8);
  CHECK(!queue.push(row(8)));
  CHECK_EQ(queue.dropped(), before + 1);
  CHECK(queue.push_mark(row(8)));
  while (queue.push_mark(row(9))) {
  }
  CHECK_EQ(queue.begin(), Status::kOk);
  Log log;
  CHECK_EQ(queue.drain(log), Status::kOk);
  CHECK_EQ(log.count(8), 1U);
  CHECK(log.checkpoints != 0);  // or it would stay full
}

TEST("a retained queue of one row") {
  using One = RetainedQueue<Row, 1>;
  One& queue = fresh<One>();
  static_cast<void>(queue.begin());
  Log log;
  for (std::uint32_t i = 0; i < 20; ++i) {
    push(queue, 2 * i, 1);
    CHECK(!queue.push(row(99)));
    CHECK(queue.push_mark(row(2 * i + 1)));
    if (i % 3 == 0) {
      log.reset();
      CHECK_EQ(queue.begin(), Status::kOk);
    }
    CHECK_EQ(queue.drain(log), Status::kOk);
    CHECK_EQ(log.checkpoint(), Status::kOk);
    if (i % 3 == 1) {
      log.reset();
      CHECK_EQ(queue.begin(), Status::kOk);
    }
    queue.settle(log);
  }
  CHECK(log.holds(0, 40));
}

TEST("a retained queue drops the rows of another layout") {
  using Other = RetainedQueue<Row, 8, 2>;
  Eight& queue = fresh<Eight>();
  static_cast<void>(queue.begin());
  push(queue, 0, 5);
  auto& other = *reinterpret_cast<Other*>(&queue);
  CHECK_EQ(other.begin(), Status::kSchemaMismatch);
  CHECK_EQ(other.pending(), 0U);
  CHECK_EQ(other.dropped(), 5U);
  CHECK_EQ(other.begin(), Status::kOk);
}

TEST("one wrong bit in a retained queue: each row is in the file once, or dropped and counted") {
  constexpr std::uint32_t kDurable = 3;
  constexpr std::uint32_t kRows = 8;
  for (std::size_t bit = 0; bit < sizeof(Eight) * 8; ++bit) {
    Eight& queue = fresh<Eight>();
    static_cast<void>(queue.begin());
    Log log;
    push(queue, 0, kDurable);
    CHECK_EQ(queue.drain(log), Status::kOk);
    CHECK_EQ(log.checkpoint(), Status::kOk);
    push(queue, kDurable, 2);
    CHECK_EQ(queue.drain(log), Status::kOk);
    push(queue, kDurable + 2, kRows - kDurable - 2);
    if (bit % 2 == 0) CHECK_EQ(log.checkpoint(), Status::kOk);
    log.reset();
    const std::uint64_t durable = log.durable_rows();
    const std::uint32_t before = queue.dropped();
    std::byte& wrong = reinterpret_cast<std::byte*>(&queue)[bit / 8];
    wrong ^= static_cast<std::byte>(1U << bit % 8);
    const bool counts = queue.dropped() == before;  // the count itself may be the one
    const Status begun = queue.begin();
    CHECK(begun == Status::kOk || begun == Status::kSchemaMismatch);
    CHECK_EQ(queue.drain(log), Status::kOk);
    std::uint32_t missing = 0;
    for (std::uint32_t i = 0; i < kRows; ++i) {
      CHECK(log.count(i) <= 1);
      CHECK(i >= durable || log.count(i) == 1);
      missing += 1 - log.count(i);
    }
    CHECK(log.sound);
    CHECK(missing <= 1);
    if (counts && begun == Status::kOk) CHECK(queue.dropped() - before >= missing);
  }
}

TEST("where a retained row is missing, those before it are durable before those after it") {
  Eight& queue = fresh<Eight>();
  static_cast<void>(queue.begin());
  push(queue, 0, 5);
  reinterpret_cast<std::byte*>(&queue)[sizeof(Eight) - 1] ^= std::byte{1};  // in an unused place
  std::byte* const bytes = reinterpret_cast<std::byte*>(&queue);
  for (std::size_t i = 0; i + sizeof(Row) <= sizeof(Eight); i += 4) {
    if (std::memcmp(bytes + i, "\2\0\0\0", 4) == 0 && bytes[i + 6] == std::byte{2})
      bytes[i + 6] ^= std::byte{1};
  }
  const std::uint32_t before = queue.dropped();
  CHECK_EQ(queue.begin(), Status::kOk);
  CHECK_EQ(queue.dropped(), before + 1);
  Log log;
  CHECK_EQ(queue.drain(log), Status::kOk);
  CHECK_EQ(log.durable_rows(), 2U);
  log.reset();
  CHECK_EQ(queue.begin(), Status::kOk);
  CHECK_EQ(queue.drain(log), Status::kOk);
  CHECK_EQ(log.rows(), 4U);
  for (const std::uint32_t number : {0U, 1U, 3U, 4U}) CHECK_EQ(log.count(number), 1U);
}

TEST("a call that fails leaves the row in the retained queue; skip() drops one that no file takes") {
  Eight& queue = fresh<Eight>();
  static_cast<void>(queue.begin());
  push(queue, 0, 4);
  Log log;
  log.fails = 3;
  CHECK_EQ(queue.drain(log), Status::kIoError);
  CHECK_EQ(log.rows(), 2U);
  log.fails = 1;
  log.failure = Status::kValueTooLarge;
  CHECK_EQ(queue.drain(log), Status::kValueTooLarge);
  const std::uint32_t before = queue.dropped();
  queue.skip();
  CHECK_EQ(queue.dropped(), before + 1);
  CHECK_EQ(queue.drain(log), Status::kOk);
  CHECK_EQ(log.count(2), 0U);
  log.reset();
  CHECK_EQ(queue.begin(), Status::kOk);
  CHECK_EQ(queue.drain(log), Status::kOk);
  for (const std::uint32_t number : {0U, 1U, 3U}) CHECK_EQ(log.count(number), 1U);
}

TEST("rows of a retained queue that a file has lost come into the next one, in order") {
  for (const bool closes : {true, false}) {
    Eight& queue = fresh<Eight>();
    static_cast<void>(queue.begin());
    Log log;
    push(queue, 0, 3);
    CHECK_EQ(queue.drain(log), Status::kOk);
    CHECK_EQ(log.checkpoint(), Status::kOk);
    push(queue, 3, 2);
    CHECK_EQ(queue.drain(log), Status::kOk);
    push(queue, 5, 1);
    if (closes) CHECK_EQ(log.checkpoint(), Status::kOk);
    CHECK_EQ(queue.end_file(log), closes);
    log.begin_file();
    CHECK_EQ(queue.drain(log), Status::kOk);
    CHECK(closes ? log.holds(5, 1) : log.holds(3, 3));
    log.reset();
    CHECK_EQ(queue.begin(), Status::kOk);
    CHECK_EQ(queue.drain(log), Status::kOk);
    CHECK(closes ? log.holds(5, 1) : log.holds(3, 3));
  }
}

TEST("a retained queue takes no other file for the one of the last boot") {
  for (const std::uint32_t rows : {0U, 2U, 5U, 200U}) {
    Eight& queue = fresh<Eight>();
    static_cast<void>(queue.begin());
    Log log;
    push(queue, 0, 5);
    CHECK_EQ(queue.drain(log), Status::kOk);
    CHECK_EQ(queue.begin(), Status::kOk);
    Log other;
    other.id = log.id + 1;
    for (std::uint32_t i = 0; i < rows; ++i) CHECK_EQ(other.append(row(1000 + i)), Status::kOk);
    CHECK_EQ(other.checkpoint(), Status::kOk);
    CHECK_EQ(queue.drain(other), Status::kOk);
    for (std::uint32_t i = 0; i < 5; ++i) CHECK_EQ(other.count(i), 1U);
  }
}

TEST("rows of a retained queue that a writer no longer has are appended again") {
  Eight& queue = fresh<Eight>();
  static_cast<void>(queue.begin());
  Log log;
  push(queue, 0, 2);
  CHECK_EQ(queue.drain(log), Status::kOk);
  CHECK_EQ(log.checkpoint(), Status::kOk);
  push(queue, 2, 3);
  CHECK_EQ(queue.drain(log), Status::kOk);
  log.reset();
  CHECK_EQ(queue.drain(log), Status::kOk);
  CHECK(log.holds(0, 5));
}

TEST("the sum of a retained row tells each change of up to three bits, and any run of 32") {
  const auto sum_of = [](const std::uint32_t (&words)[3]) {
    std::uint32_t sum = 1;
    for (const std::uint32_t word : words) sum = mpq::detail::retained_step(sum, word);
    return sum;
  };
  const std::uint32_t right = sum_of({1, 2, 3});
  const auto flipped = [&](unsigned a, unsigned b, unsigned c) {
    std::uint32_t words[3] = {1, 2, 3};
    for (const unsigned bit : {a, b, c}) words[bit / 32] ^= 1U << bit % 32;
    return sum_of(words);
  };
  for (unsigned a = 0; a < 96; ++a) {
    CHECK(flipped(a, 0, 0) != right);
    for (unsigned b = 0; b < a; ++b) {
      CHECK(flipped(a, b, 95 - (a + b) % 96) != right || 95 - (a + b) % 96 == a || 95 - (a + b) % 96 == b);
      CHECK(flipped(a, a, b) != right);
    }
    for (unsigned c = 0; c < 96; c += 7) {
      if (c != a && c != 95 - a && a != 95 - a) CHECK(flipped(a, 95 - a, c) != right);
    }
  }
  for (unsigned first = 0; first <= 64; ++first) {
    for (std::uint32_t run = 1; run != 0; run = run * 3 + (run >> 30)) {
      std::uint32_t words[3] = {1, 2, 3};
      const std::uint64_t wide = std::uint64_t{run} << first % 32;
      words[first / 32] ^= static_cast<std::uint32_t>(wide);
      if (first / 32 + 1 < 3) words[first / 32 + 1] ^= static_cast<std::uint32_t>(wide >> 32);
      if (first % 32 == 0 || first < 64) CHECK(sum_of(words) != right);
      if (run > 0x4000'0000) break;
    }
  }
}

TEST("the layout id of a retained queue changes with names, types and order") {
  constexpr mpq::Field kTime = mpq::timestamp_field("time");
  constexpr mpq::Field kValue = mpq::float_field("value");
  constexpr mpq::Field kFirst[] = {kTime, kValue};
  constexpr mpq::Field kTurned[] = {kValue, kTime};
  constexpr mpq::Field kOther[] = {kTime, mpq::int32_field("value")};
  constexpr mpq::Field kRenamed[] = {kTime, mpq::float_field("volts")};
  constexpr mpq::Field kOptional[] = {kTime, kValue.as_optional()};
  constexpr std::uint32_t kId = mpq::retained_layout(kFirst);
  CHECK_EQ(kId, mpq::retained_layout(kFirst));
  CHECK(kId != mpq::retained_layout(kTurned));
  CHECK(kId != mpq::retained_layout(kOther));
  CHECK(kId != mpq::retained_layout(kRenamed));
  CHECK(kId != mpq::retained_layout(kOptional));
}
