// Rows from a producer to a consumer, and how many were refused on the way.
#include "microparquet/row_queue.h"

#include "check.h"
#include "written_file.h"

using microparquet::row_queue_depth;
using microparquet::RowQueue;
using microparquet::Status;

namespace {

struct Row {
  std::int32_t number;
  float value;
};

Row row(std::uint32_t number) { return {static_cast<std::int32_t>(number), 0.5F}; }

// Takes rows up to a limit, which must come in order.
class Taker {
 public:
  Status append(const Row& taken) {
    if (left == 0) return Status::kIoError;
    --left;
    in_order = in_order && taken.number == next;
    ++next;
    if (during_append != nullptr) during_append();
    return Status::kOk;
  }

  std::uint32_t left = 0;
  std::int32_t next = 0;
  bool in_order = true;
  void (*during_append)() = nullptr;
};

template <typename Queue>
bool fill(Queue& queue, std::uint32_t first, std::uint32_t rows) {
  bool all = true;
  for (std::uint32_t i = 0; i < rows; ++i) all = queue.push(row(first + i)) && all;
  return all;
}

}  // namespace

TEST("a queue gives back the rows it took, in order, through many turns of its places") {
  static RowQueue<Row, 7> queue;
  std::uint32_t pushed = 0;
  std::uint32_t popped = 0;
  for (std::uint32_t turn = 0; turn < 1000; ++turn) {
    const std::uint32_t rows = written::mix(turn) % 8;
    for (std::uint32_t i = 0; i < rows && pushed - popped != 7; ++i) CHECK(queue.push(row(pushed++)));
    CHECK_EQ(queue.pending(), pushed - popped);
    for (std::uint32_t i = written::mix(turn, 1) % 8; i != 0 && queue.pending() != 0; --i) {
      CHECK_EQ(queue.front().number, popped++);
      queue.pop();
    }
  }
  CHECK(pushed > 2000);
  CHECK_EQ(queue.refused(), 0);
}

TEST("a full queue refuses rows, counts them, and keeps those it has") {
  static RowQueue<Row, 3> queue;
  CHECK(fill(queue, 0, 3));
  CHECK_EQ(queue.pending(), 3);
  CHECK_EQ(fill(queue, 3, 2), false);
  CHECK_EQ(queue.refused(), 2);
  CHECK_EQ(queue.pending(), 3);
  CHECK_EQ(queue.front().number, 0);
  queue.pop();
  CHECK(queue.push(row(5)));
  CHECK_EQ(queue.front().number, 1);
  CHECK_EQ(queue.refused(), 2);
}

TEST("a queue of one row works") {
  static RowQueue<Row, 1> queue;
  for (std::uint32_t i = 0; i < 5; ++i) {
    CHECK_EQ(queue.pending(), 0);
    CHECK(queue.push(row(i)));
    CHECK_EQ(queue.push(row(100)), false);
    CHECK_EQ(queue.front().number, i);
    queue.pop();
  }
  CHECK_EQ(queue.refused(), 5);
}

TEST("what a queue takes in memory is its rows and 16 bytes") {
  CHECK_EQ((sizeof(RowQueue<Row, 100>)), 100 * sizeof(Row) + 16 - alignof(Row));
  struct Wide {
    std::int64_t time;
  };
  CHECK_EQ((sizeof(RowQueue<Wide, 100>)), 100 * sizeof(Wide) + 16);
}

TEST("drain stops at a status, and the row it was for stays") {
  static RowQueue<Row, 10> queue;
  Taker taker;
  CHECK(fill(queue, 0, 10));
  taker.left = 4;
  CHECK_EQ(queue.drain(taker), Status::kIoError);
  CHECK_EQ(queue.pending(), 6);
  CHECK_EQ(queue.front().number, 4);
  taker.left = 100;
  CHECK_EQ(queue.drain(taker), Status::kOk);
  CHECK_EQ(queue.pending(), 0);
  CHECK_EQ(taker.next, 10);
  CHECK(taker.in_order);
  CHECK_EQ(queue.drain(taker), Status::kOk);
}

TEST("drain returns though a row arrives for each that it appends") {
  static RowQueue<Row, 10> queue;
  static std::uint32_t next = 5;
  Taker taker;
  taker.left = 1000;
  taker.during_append = [] { queue.push(row(next++)); };
  CHECK(fill(queue, 0, 5));
  CHECK_EQ(queue.drain(taker), Status::kOk);
  CHECK_EQ(taker.next, 5);
  CHECK_EQ(queue.pending(), 5);
  CHECK_EQ(queue.refused(), 0);
}

TEST("the depth is what arrives in the longest stall and beside it, and the row that waits for the medium") {
  static_assert(row_queue_depth(100, 1000, 0) == 102);
  static_assert(row_queue_depth(100, 1000, 50) == 107);
  static_assert(row_queue_depth(1000, 250, 0) == 252);
  static_assert(row_queue_depth(1, 999, 0) == 2);
  static_assert(row_queue_depth(100'000, 3'600'000, 0) == 360'000'002);
  CHECK_EQ(row_queue_depth(104, 250, 1), 28);
}
