// The queue between two threads; meant for ThreadSanitizer, which sees what the order of memory promises and
// not only what this machine happens to do.
#include <atomic>
#include <thread>

#include "microparquet/row_queue.h"
#include "microparquet/status.h"
#include "support/check.h"

using microparquet::RowQueue;
using microparquet::Status;

namespace {

// Wrong when a part of it is missing.
struct Row {
  std::uint64_t number;
  std::uint64_t inverse;
};

struct Taker {
  Status append(const Row& row) {
    whole = whole && row.inverse == ~row.number;
    in_order = in_order && row.number >= next;
    missing += row.number - next;
    next = row.number + 1;
    return Status::kOk;
  }
  std::uint64_t next = 0;
  std::uint64_t missing = 0;
  bool whole = true;
  bool in_order = true;
};

RowQueue<Row, 50> queue;

}  // namespace

TEST("two threads: every row arrives whole and in order, or is counted as dropped") {
  constexpr std::uint64_t kRows = 300'000;
  std::thread producer([] {
    for (std::uint64_t i = 0; i < kRows; ++i) {
      queue.push({i, ~i});
      if (i % 40 == 0) std::this_thread::yield();
    }
    while (!queue.push({kRows, ~kRows})) std::this_thread::yield();
  });
  Taker taker;
  while (taker.next <= kRows) {
    if (queue.drain(taker) != Status::kOk) break;
    std::this_thread::yield();
  }
  producer.join();
  CHECK(taker.whole);
  CHECK(taker.in_order);
  CHECK(queue.dropped() >= taker.missing);  // and the tries of the last row
  CHECK(taker.missing < kRows);
  CHECK_EQ(queue.pending(), 0);
}

TEST("two threads: rows that are held arrive whole and in order, the newest of them, after each trigger") {
  static RowQueue<Row, 50> held;
  static std::atomic<bool> finished = false;
  constexpr std::uint64_t kRows = 300'000;
  std::thread producer([] {
    for (std::uint64_t i = 0; !finished; ++i) {
      while (!held.push({i, ~i}) && !finished) std::this_thread::yield();
      if (i % 40 == 0) std::this_thread::yield();
    }
  });
  Taker taker;
  for (std::uint32_t turn = 0; taker.next <= kRows; ++turn) {
    if (turn % 8 == 0) held.hold(turn % 50 + 1);
    if (turn % 8 == 5) held.trigger();
    if (held.drain(taker) != Status::kOk) break;
    std::this_thread::yield();
  }
  finished = true;
  producer.join();
  CHECK(taker.whole);
  CHECK(taker.in_order);
  CHECK(taker.missing != 0);  // let go by the holds
}
