// Rows from a producer to a consumer, and how many were dropped on the way.
#include "microparquet/row_queue.h"

#include <algorithm>
#include <string_view>

#include "microparquet/port/memory_file.h"
#include "microparquet/static_writer.h"
#include "support/check.h"
#include "written_file.h"

namespace mpq = microparquet;
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
  CHECK_EQ(queue.dropped(), 0);
}

TEST("a full queue refuses rows, counts them, and keeps those it has") {
  static RowQueue<Row, 3> queue;
  CHECK(fill(queue, 0, 3));
  CHECK_EQ(queue.pending(), 3);
  CHECK_EQ(fill(queue, 3, 2), false);
  CHECK_EQ(queue.dropped(), 2);
  CHECK_EQ(queue.pending(), 3);
  CHECK_EQ(queue.front().number, 0);
  queue.pop();
  CHECK(queue.push(row(5)));
  CHECK_EQ(queue.front().number, 1);
  CHECK_EQ(queue.dropped(), 2);
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
  CHECK_EQ(queue.dropped(), 5);
}

TEST("what a queue takes in memory is its rows and 16 bytes") {
  CHECK_EQ((sizeof(RowQueue<Row, 100>)), 100 * sizeof(Row) + 16);
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
  CHECK_EQ(queue.dropped(), 0);
}

TEST("a loop continues after a row that the writer never takes") {
  struct Message {
    std::int32_t number;
    std::string_view text;
  };
  static constexpr auto kSchema =
      mpq::schema(mpq::column("number", &Message::number), mpq::column("text", &Message::text));
  static constexpr mpq::Options kOptions = [] {
    mpq::Options options;
    options.row_group_bytes = 4 << 10;
    return options;
  }();
  static mpq::StaticWriter<kSchema, kOptions> writer;
  static RowQueue<Message, 8> queue;
  static char text[600];  // more than a page holds
  std::fill(text, text + sizeof text, 'x');
  mpq::MemoryFile file(written::file_memory());
  REQUIRE(writer.open(file) == Status::kOk);
  unsigned dropped = 0;
  for (std::int32_t turn = 0; turn < 20; ++turn) {
    const std::string_view what(text, turn % 5 == 3 ? sizeof text : 5);
    CHECK(queue.push({turn, what}));
    Status status = queue.drain(writer);
    if (mpq::is_row_error(status)) {
      CHECK_EQ(status, Status::kValueTooLarge);
      queue.pop();
      ++dropped;
    }
  }
  CHECK_EQ(dropped, 4U);
  CHECK_EQ(queue.pending(), 0);
  CHECK_EQ(queue.dropped(), 0);
  CHECK_EQ(writer.rows(), 16U);
  CHECK(writer.close() == Status::kOk);
  static_assert(mpq::is_row_error(Status::kNullValue));
  static_assert(!mpq::is_row_error(Status::kInvalidArgument));  // the file may not suit the layout
  static_assert(!mpq::is_row_error(Status::kOk) && !mpq::is_row_error(Status::kIoError) &&
                !mpq::is_row_error(Status::kLimitReached) && !mpq::is_row_error(Status::kWrongState));
}

TEST("the depth is what arrives in the longest stall and beside it, and the row that waits for the medium") {
  static_assert(row_queue_depth(100, 1000, 0) == 102);
  static_assert(row_queue_depth(100, 1000, 50) == 107);
  static_assert(row_queue_depth(1000, 250, 0) == 252);
  static_assert(row_queue_depth(1, 999, 0) == 2);
  static_assert(row_queue_depth(100'000, 3'600'000, 0) == 360'000'002);
  CHECK_EQ(row_queue_depth(104, 250, 1), 28);
}

TEST("a queue that holds keeps the newest rows, and gives them first after the trigger") {
  static RowQueue<Row, 7> queue;
  for (const std::uint32_t rows : {1U, 3U, 7U}) {
    const auto first = static_cast<std::int32_t>(rows * 100);
    queue.hold(rows);
    CHECK(fill(queue, rows * 100, 40));
    CHECK_EQ(queue.pending(), 0U);
    Taker taker;
    taker.left = 100;
    CHECK_EQ(queue.drain(taker), Status::kOk);
    CHECK_EQ(taker.left, 100U);
    queue.trigger();
    CHECK_EQ(queue.pending(), 0U);  // until a row comes
    CHECK(fill(queue, rows * 100 + 40, 1));
    CHECK_EQ(queue.pending(), rows);
    taker.next = first + 41 - static_cast<std::int32_t>(rows);
    CHECK_EQ(queue.drain(taker), Status::kOk);
    CHECK(taker.in_order);
    CHECK_EQ(taker.next, first + 41);
    CHECK_EQ(queue.dropped(), 0U);
  }
}

TEST("rows that wait when a hold begins count among the newest, and a second hold or trigger does nothing") {
  static RowQueue<Row, 7> queue;
  queue.trigger();
  CHECK(fill(queue, 0, 6));
  CHECK_EQ(queue.pending(), 6U);
  queue.hold(4);
  queue.hold(1);
  CHECK(fill(queue, 6, 1));
  queue.trigger();
  queue.trigger();
  CHECK(fill(queue, 7, 2));
  CHECK_EQ(queue.pending(), 5U);
  Taker taker;
  taker.left = 5;
  taker.next = 4;
  CHECK_EQ(queue.drain(taker), Status::kOk);
  CHECK(taker.in_order);
  CHECK_EQ(queue.dropped(), 0U);
  CHECK(fill(queue, 9, 7));
  CHECK_EQ(queue.push(row(16)), false);
  CHECK_EQ(queue.dropped(), 1U);
}

TEST("random holds, triggers, rows and drains give what a list of the newest rows would") {
  static RowQueue<Row, 5> queue;
  std::int32_t numbers[5] = {};
  std::uint32_t waiting = 0;
  std::uint32_t hold = 0;
  bool triggered = false;
  std::uint32_t pushed = 0;
  std::uint32_t dropped = 0;
  const auto forget = [&](std::uint32_t rows) {
    while (waiting > rows) {
      --waiting;
      std::copy(numbers + 1, numbers + 5, numbers);
    }
  };
  for (std::uint32_t step = 0; step < 20'000; ++step) {
    const std::uint32_t what = written::mix(step) % 16;
    if (what == 0 && hold == 0) {
      hold = written::mix(step + 1) % 5 + 1;
      queue.hold(hold);
      forget(hold);
    } else if (what == 1) {
      queue.trigger();
      triggered = hold != 0;
    } else if (what < 11) {
      if (hold != 0) forget(hold - 1);
      const bool fits = waiting < 5;
      CHECK_EQ(queue.push(row(pushed)), fits);
      if (fits) numbers[waiting++] = static_cast<std::int32_t>(pushed);
      if (!fits) ++dropped;
      ++pushed;
      if (triggered) hold = 0;
      triggered = triggered && hold != 0;
    } else if (queue.pending() != 0) {
      CHECK_EQ(queue.front().number, numbers[0]);
      queue.pop();
      forget(waiting - 1);
    }
    CHECK_EQ(queue.pending(), hold != 0 ? 0 : waiting);
    CHECK_EQ(queue.dropped(), dropped);
  }
}
