// A card that is pulled out in the middle of each call in turn and comes back: the log continues, and what is
// missing is what the writer says.
#include <cstring>

#include "lost_card.h"
#include "microparquet/indexed_layout.h"
#include "microparquet/port/memory_file.h"
#include "microparquet/static_writer.h"
#include "microparquet/writer.h"
#include "support/check.h"
#include "support/file_view.h"
#include "support/forwarding_file.h"
#include "support/names.h"
#include "written_file.h"

using lost::Card;
using lost::CardFile;
using lost::Last;
using lost::Loss;
using microparquet::MemoryFile;

namespace {

constexpr Field kFields[] = {microparquet::int64_field("n"), microparquet::string_field("s").as_optional()};
constexpr Field kOthers[] = {microparquet::int64_field("m"), microparquet::string_field("s").as_optional()};
constexpr int kRows = 130;
constexpr std::uint32_t kTickMs = 100;
// Each kind of loss is tried at one call in this many, others for each kind.
constexpr unsigned kStep = 8;

std::string_view text_of(int n) {
  return written::part("a text that some rows have more of than others do, and that fills its pages", 0,
                       written::mix(static_cast<unsigned>(n)) % 75);
}
bool has_text(int n) { return n % 7 != 0; }

Options often(Options options) {
  options.checkpoint_ms = kTickMs * 3;
  options.checkpoint_ratio = 0;
  if (options.layout->in_place && options.row_group_rows == 0) options.row_group_bytes = 3 << 10;
  return options;
}

// Whether a file has just these rows.
bool holds(const view::File& file, const std::int16_t* rows, int count) {
  if (!file.whole() || file.rows() != count) return false;
  view::Column numbers(file, 0);
  view::Column texts(file, 1);
  view::Cell number = {};
  view::Cell text = {};
  for (int i = 0; i < count; ++i) {
    std::int64_t n = -1;
    if (!numbers.next(number) || !texts.next(text)) return false;
    std::memcpy(&n, number.bytes.data(), sizeof n);
    if (n != rows[i] || text.null == has_text(rows[i])) return false;
    if (!text.null && text.bytes != text_of(rows[i])) return false;
  }
  return !numbers.next(number) && !texts.next(text) && numbers.sound() && texts.sound();
}

// A log of kRows rows with all that may happen to one, on a card that is lost now and then.
class Log {
 public:
  explicit Log(const Options& options, bool shrinks = true)
      : options_(options), files_{CardFile(card_, shrinks), CardFile(card_, shrinks)} {}

  // Makes the rest of a file that was cut off within a row group.
  bool begin() {
    bool good = writer_.open(file(), kFields, options_, written::arena_memory()) == Status::kOk;
    for (int n = 0; n < 30 && good; ++n) {
      good = append(n) == Status::kOk && (n != 19 || writer_.checkpoint() == Status::kOk);
    }
    for (; count_ < static_cast<int>(writer_.durable_rows()); ++count_)
      expected_[count_] = static_cast<std::int16_t>(count_);
    writer_.reset();
    card_.insert();
    return good && count_ >= 20;
  }

  // Writes it all, or the rest; false when anything is not as it should be. `patient`: rows are appended as
  // long as the writer takes them, before the card is put back in.
  bool write(const Loss& first, const Loss& second, bool patient) {
    second_ = second;
    patient_ = patient;
    bool good = writer_.resume(file(), kFields, options_, written::arena_memory()) == Status::kOk;
    opened_ = card_.calls();
    card_.plan(first);
    bool has_gap = false;
    for (int n = count_; n < kRows && good; ++n) {
      good = again([&] { return append(n); });
      expected_[count_++] = static_cast<std::int16_t>(n);
      if (n % 4 == 0) good = good && soon(writer_.tick(static_cast<std::uint32_t>(n) * kTickMs));
      if (n >= 50 && !has_gap) {
        Status status = Status::kOk;
        good = good && again([&] {
                 status = writer_.set_key_value("gap", "none");
                 return status == Status::kWrongState ? Status::kOk
                                                      : status;  // a footer is to be finished first
               });
        has_gap = status == Status::kOk;
      }
      if (n == 70) good = good && again([&] { return writer_.end_row_group(); });
      if (n == 90) good = good && soon(writer_.checkpoint());
    }
    return good && again([&] { return writer_.close(); }) && whole();
  }

  Card& card() { return card_; }
  int opened() const { return opened_; }
  std::uint32_t lost_rows() const { return writer_.lost_rows(); }

 private:
  CardFile& file() { return files_[at_]; }

  Status append(int n) {
    const Value row[] = {Value::of(std::int64_t{n}), has_text(n) ? Value::of_bytes(text_of(n)) : Value()};
    return writer_.append(row);
  }

  template <typename Call>
  bool again(Call call) {
    for (;;) {
      const Status status = call();
      if (status != Status::kMediumLost) return status == Status::kOk;
      if (!reconnect()) return false;
    }
  }

  // A checkpoint that failed may wait.
  bool soon(Status status) {
    if (status == Status::kUnsupported) return options_.layout == &microparquet::kInPlaceNoCheckpoints;
    if (status == Status::kMediumLost) return patient_ || reconnect();
    return status == Status::kOk;
  }

  bool reconnect() {
    const std::uint64_t durable = writer_.durable_rows();
    const std::uint32_t before = writer_.lost_rows();
    Status status = Status::kMediumLost;
    while (status == Status::kMediumLost) {
      if (!card_.is_out()) return false;
      card_.insert();
      Loss next = second_;
      second_ = {};
      if (next.call >= 0) next.call += card_.calls();
      card_.plan(next);
      at_ ^= 1;
      file().reopen();
      status = writer_.reconnect(file());
    }
    if (status != Status::kOk) return false;
    const auto lost = static_cast<int>(writer_.lost_rows() - before);
    if (writer_.durable_rows() < durable || lost > count_ - static_cast<int>(durable)) return false;
    forget(lost);
    return writer_.rows() == static_cast<std::uint64_t>(count_);
  }

  // The forward layout loses row groups before the open one, others the last rows.
  void forget(int lost) {
    const int first =
        options_.layout == &microparquet::kForward ? static_cast<int>(writer_.durable_rows()) : count_ - lost;
    for (int i = first; i + lost < count_; ++i) expected_[i] = expected_[i + lost];
    count_ -= lost;
  }

  bool whole() {
    const view::File view(card_.contents());
    return card_.sound() && holds(view, expected_, count_) && view.key_values() == 1 &&
           view.key_value("gap") == "none" && writer_.durable_rows() == static_cast<std::uint64_t>(count_) &&
           writer_.file_bytes() == view.bytes().size();
  }

  Card card_;
  Options options_;
  CardFile files_[2];
  Writer writer_;
  Loss second_;
  bool patient_ = false;
  int at_ = 0;
  int opened_ = 0;
  std::int16_t expected_[kRows] = {};
  int count_ = 0;
};

struct Case {
  bool shrinks = true;
  bool resumes = false;
};

// Pulls the card out in each call of a log in turn.
void pull_out_each_call(const Options& options, const Case& what = {}) {
  int calls = 0;
  int opened = 0;
  {
    Log log(options, what.shrinks);
    REQUIRE(!what.resumes || log.begin());
    REQUIRE(log.write({}, {}, false));
    calls = log.card().calls();
    opened = log.opened();
    CHECK_EQ(log.lost_rows(), 0U);
  }
  CHECK(calls - opened > 100);

  constexpr struct {
    Last last;
    unsigned dropped;
    bool torn;
    int again;  // the card is pulled out once more that many calls later; below 0: not
  } kKinds[] = {
      {Last::kNotDone, 0, false, -1}, {Last::kHalfDone, 0, false, 3},  {Last::kUnheard, 0, false, -1},
      {Last::kUnheard, 0, false, 30}, {Last::kNotDone, 1, false, -1},  {Last::kHalfDone, 3, true, 9},
      {Last::kUnheard, 5, false, 21}, {Last::kUnheard, 99, false, -1}, {Last::kHalfDone, 2, true, -1}};
  unsigned wrong = 0;
  unsigned with_losses = 0;
  unsigned kind_number = 0;
  for (const auto& kind : kKinds) {
    const auto begin = static_cast<int>(kind_number % kStep + check::stride().first * kStep);
    const auto step = static_cast<int>(kStep * check::stride().step);
    for (int call = opened + begin; call < calls; call += step) {
      Log log(options, what.shrinks);
      const Loss first{call, kind.last, kind.dropped, kind.torn};
      const Loss second{kind.again, kind.last, kind.dropped, kind.torn};
      bool good = (!what.resumes || log.begin()) && log.write(first, second, call % 2 != 0);
      if (log.lost_rows() != 0) ++with_losses;
      // Data that the card kept is not lost; but the forward layout begins after the last footer.
      if (kind.dropped == 0 && options.layout != &microparquet::kForward) good = good && log.lost_rows() == 0;
      if (!good && wrong++ == 0) {
        CHECK_EQ(kind_number, 1000U);  // prints which one
        CHECK_EQ(call, -1);
      }
    }
    ++kind_number;
  }
  CHECK_EQ(wrong, 0U);
  CHECK(with_losses != 0 || check::stride().step != 1);
}

}  // namespace

TEST("a card pulled out in each call: checkpoints, small row groups") {
  pull_out_each_call(often(written::in_place(512, 5)));
}
TEST("a card pulled out in each call: checkpoints within row groups") {
  pull_out_each_call(often(written::in_place(512)));
}
TEST("a card pulled out in each call: checkpoints, pages that are not whole sectors") {
  pull_out_each_call(often(written::in_place(256)));
}
TEST("a card pulled out in each call: a file that cannot shrink") {
  pull_out_each_call(often(written::in_place(512, 7)), {false, false});
}
TEST("a card pulled out in each call: a file that is resumed") {
  pull_out_each_call(often(written::in_place(512)), {true, true});
}
TEST("a card pulled out in each call: a file that is resumed, checkpoints on request only") {
  Options options = written::in_place(512, 9);
  options.checkpoint_ms = 0;
  pull_out_each_call(options, {true, true});
}
TEST("a card pulled out in each call: a file of small pages that is resumed") {
  pull_out_each_call(often(written::in_place(256)), {true, true});
}
TEST("a card pulled out in each call: page indexes") {
  Options options = often(written::in_place(512, 5));
  const microparquet::IndexedLayout layout =
      microparquet::with_page_index(*options.layout, page_index_bytes(kFields, options, 20));
  options.layout = &layout;
  pull_out_each_call(options, {true, true});
}
TEST("a card pulled out in each call: no checkpoints") {
  Options options = written::in_place(512, 3);
  options.layout = &microparquet::kInPlaceNoCheckpoints;
  pull_out_each_call(options);
}
TEST("a card pulled out in each call: forward") { pull_out_each_call(often(written::forward(256, 1100))); }
TEST("a card pulled out in each call: forward, a file that is resumed") {
  pull_out_each_call(often(written::forward(256, 1100)), {true, true});
}
TEST("a card pulled out in each call: forward, on a driver with DMA and a line of cache") {
  Options options = often(written::forward(256, 4096));
  options.whole_sectors = false;
  options.transfer_align = 32;
  pull_out_each_call(options);
}

namespace {

struct Numbers {
  constexpr Numbers() {
    for (int n = 0; n < 100; ++n) rows[n] = static_cast<std::int16_t>(n);
  }
  std::int16_t rows[100] = {};
};
constexpr Numbers kNumbers;

// A writer on a card with rows in records, in stored pages and in memory.
struct Logged {
  explicit Logged(const Options& given) : options(given) {
    bool good = writer.open(file, kFields, options, written::arena_memory()) == Status::kOk;
    for (; rows < 120; ++rows) {
      good = good && append(rows) == Status::kOk && (rows != 60 || writer.checkpoint() == Status::kOk);
    }
    ok = good && writer.durable_rows() == 61;
  }

  Status append(int n) {
    const Value row[] = {Value::of(std::int64_t{n}), has_text(n) ? Value::of_bytes(text_of(n)) : Value()};
    return writer.append(row);
  }

  // Whether the last footer's rows are there.
  bool durable() const { return holds(view::File(card.contents()), kNumbers.rows, 61); }

  // Closes the file, which must have the rows below `first_lost`, and those from `rows` on that come now.
  void finish(int first_lost) {
    std::int16_t expected[200];
    int count = 0;
    for (int n = 0; n < first_lost; ++n) expected[count++] = static_cast<std::int16_t>(n);
    for (int n = rows; n < rows + 30; ++n) {
      CHECK_EQ(append(n), Status::kOk);
      expected[count++] = static_cast<std::int16_t>(n);
    }
    CHECK_EQ(writer.close(), Status::kOk);
    CHECK_EQ(writer.lost_rows(), rows - first_lost);
    CHECK(holds(view::File(card.contents()), expected, count));
  }

  Options options;
  Card card;
  CardFile file{card};
  Writer writer;
  int rows = 0;
  bool ok = false;
};

}  // namespace

TEST("reconnect: nothing is lost, and the file need not be the same object") {
  Logged log(often(written::in_place(512, 40)));
  REQUIRE(log.ok);
  CardFile another(log.card);
  CHECK_EQ(log.writer.reconnect(another), Status::kOk);
  CHECK_EQ(log.writer.reconnect(log.file), Status::kOk);
  log.finish(log.rows);
}

TEST("reconnect: the open row group of the forward layout continues in pages of its own") {
  Logged log(often(written::forward(256, 6000)));
  REQUIRE(log.ok);
  CHECK_EQ(log.writer.reconnect(log.file), Status::kOk);
  log.finish(log.rows);
}

TEST("reconnect: another file is refused, and the right one taken afterwards") {
  const Options options = often(written::in_place(512, 40));
  Logged log(options);
  REQUIRE(log.ok);
  static std::byte memory[64 << 10];
  const Span<const std::byte> contents = log.card.contents();
  REQUIRE(contents.size() < sizeof memory);
  const auto refused = [&](std::size_t bytes) {
    MemoryFile file(memory, bytes);
    return log.writer.reconnect(file) == Status::kSchemaMismatch;
  };

  std::memset(memory, 0, sizeof memory);
  CHECK(refused(0));
  CHECK(refused(5000));
  std::memcpy(memory, contents.data(), contents.size());
  for (std::size_t bytes = 0; bytes < contents.size(); bytes += 97) {
    if (!CHECK(refused(bytes))) break;
  }
  // The last footer is another one when any of its bytes is.
  const view::File view(contents);
  for (std::size_t at = view.footer_begin(); at < contents.size(); ++at) {
    memory[at] ^= std::byte{4};
    if (!CHECK(refused(contents.size()))) break;
    memory[at] ^= std::byte{4};
  }

  // Other files are refused, whether of the same schema or another one.
  static std::byte arena[8 << 10];
  REQUIRE(Writer::required_bytes(kFields, options) <= sizeof arena - 8);
  const Span<std::byte> aligned(arena + (8 - reinterpret_cast<std::uintptr_t>(arena) % 8), sizeof arena - 8);
  for (const bool same : {true, false}) {
    MemoryFile file(memory);
    Writer writer;
    REQUIRE_EQ(writer.open(file, same ? kFields : kOthers, options, aligned), Status::kOk);
    CHECK_EQ(log.writer.reconnect(file), Status::kSchemaMismatch);
    CHECK_EQ(writer.close(), Status::kOk);
    CHECK_EQ(log.writer.reconnect(file), Status::kSchemaMismatch);
  }
  CHECK_EQ(log.writer.durable_rows(), 61);
  CHECK_EQ(log.writer.checkpoint(), Status::kOk);
  CHECK_EQ(log.writer.durable_rows(), 120);
  CHECK_EQ(log.writer.reconnect(log.file), Status::kOk);
  log.finish(log.rows);
}

TEST("reconnect: a bit that has flipped in what no footer describes costs the rows since the last one") {
  const Options options = often(written::in_place(512, 40));
  std::size_t begin = 0;
  std::size_t end = 0;
  {
    Logged log(options);
    REQUIRE(log.ok);
    begin = 512;
    end = view::File(log.card.contents()).footer_begin();
  }
  unsigned lost = 0;
  unsigned kept = 0;
  for (std::size_t at = begin; at < end; at += 173) {
    Logged log(options);
    written::file_memory(0)[at] ^= std::byte{16};
    if (!log.durable()) continue;
    CHECK_EQ(log.writer.reconnect(log.file), Status::kOk);
    if (log.writer.lost_rows() != 0) {
      CHECK_EQ(log.writer.durable_rows(), 61);
      CHECK_EQ(log.writer.rows(), 61);
      log.finish(61);
      ++lost;
    } else {
      ++kept;  // dead bytes
    }
  }
  CHECK(lost > 5);
  CHECK(kept > 5);
}

namespace {

// A file of which one sector answers with an error until it is written: as often as it is read, or once.
class TornFile final : public support::ForwardingFile {
 public:
  TornFile(microparquet::File& file, std::uint64_t sector, bool heals)
      : ForwardingFile(file), begin_(sector * 512), heals_(heals) {}

  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    const bool torn = touches(offset, out.size());
    if (torn && heals_) begin_ = kNone;
    return torn ? Status::kIoError : ForwardingFile::read_at(offset, out);
  }
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    if (touches(offset, data.size())) begin_ = kNone;
    return ForwardingFile::write_at(offset, data);
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0} - 512;

  bool touches(std::uint64_t offset, std::size_t bytes) const {
    return offset < begin_ + 512 && offset + bytes > begin_;
  }

  std::uint64_t begin_;
  bool heals_;
};

}  // namespace

TEST(
    "reconnect: a sector that cannot be read costs the rows since the last footer, one that heals costs "
    "none") {
  const Options options = often(written::in_place(512, 40));
  std::size_t first_of_footer = 0;
  {
    Logged log(options);
    REQUIRE(log.ok);
    first_of_footer = view::File(log.card.contents()).footer_begin() / 512;
  }
  unsigned lost = 0;
  for (std::size_t sector = 1; sector < first_of_footer; ++sector) {
    for (const bool heals : {false, true}) {
      Logged log(options);
      TornFile torn(log.file, sector, heals);
      CHECK_EQ(log.writer.reconnect(torn), Status::kOk);
      lost += log.writer.lost_rows() != 0 ? 1U : 0U;
      if (heals) CHECK_EQ(log.writer.lost_rows(), 0U);
      CHECK_EQ(log.writer.durable_rows(), 61);
      log.finish(log.writer.lost_rows() != 0 ? 61 : log.rows);
    }
  }
  CHECK(lost > 5);

  // The footer itself has to be read.
  Logged log(options);
  TornFile torn(log.file, first_of_footer, false);
  for (int i = 0; i < 3; ++i) CHECK_EQ(log.writer.reconnect(torn), Status::kIoError);
  CHECK_EQ(log.writer.reconnect(log.file), Status::kOk);
  log.finish(log.rows);
}

TEST("reconnect: key-values stay, those of the file and those that were set") {
  Card card;
  CardFile file(card);
  const Options options = often(written::in_place(512, 40));
  Writer writer;
  const auto append = [&](int n) {
    const Value row[] = {Value::of(std::int64_t{n}), Value()};
    return writer.append(row);
  };
  REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
  CHECK_EQ(append(0), Status::kOk);
  CHECK_EQ(writer.set_key_value("device", "42"), Status::kOk);
  CHECK_EQ(writer.close(), Status::kOk);
  REQUIRE_EQ(writer.resume(file, kFields, options, written::arena_memory()), Status::kOk);
  CHECK_EQ(append(1), Status::kOk);
  CHECK_EQ(writer.set_key_value("gap", "0"), Status::kOk);
  CHECK_EQ(writer.checkpoint(), Status::kOk);
  CHECK_EQ(writer.set_key_value("gap", "1"), Status::kOk);
  for (int n = 2; n < 100; ++n) CHECK_EQ(append(n), Status::kOk);
  card.plan({card.calls(), Last::kNotDone, 99, false});
  CHECK_EQ(writer.checkpoint(), Status::kMediumLost);
  card.insert();
  CardFile again(card);
  CHECK_EQ(writer.reconnect(again), Status::kOk);
  CHECK_EQ(writer.lost_rows(), 98U);
  CHECK_EQ(writer.close(), Status::kOk);
  const view::File view(card.contents());
  REQUIRE(view.whole());
  CHECK_EQ(view.rows(), 2);
  CHECK_EQ(view.key_values(), 2U);
  CHECK_EQ(view.key_value("device"), "42");
  CHECK_EQ(view.key_value("gap"), "1");
}

TEST("resume: a key-value alone is added to a file that was cut off within a row group") {
  const Options options = often(written::in_place(512));
  {
    Logged log(options);
    REQUIRE(log.ok);
    log.card.insert();
    CardFile file(log.card);
    log.writer.reset();
    REQUIRE_EQ(log.writer.resume(file, kFields, options, written::arena_memory()), Status::kOk);
    CHECK_EQ(log.writer.set_key_value("gap", "2"), Status::kOk);
    CHECK_EQ(log.writer.close(), Status::kOk);
    CHECK(log.durable());
    CHECK_EQ(view::File(log.card.contents()).key_value("gap"), "2");
  }
}

struct Row {
  std::int64_t n;
};
inline constexpr auto kStructs = microparquet::schema(microparquet::column("n", &Row::n));

TEST("reconnect: a writer of structs, and when it does not belong") {
  static microparquet::StaticWriter<kStructs> writer;
  Card card;
  CardFile file(card);
  CHECK_EQ(writer.reconnect(file), Status::kWrongState);
  Writer idle;
  CHECK_EQ(idle.reconnect(file), Status::kWrongState);
  REQUIRE_EQ(writer.open(file), Status::kOk);
  for (int n = 0; n < 1000; ++n) CHECK_EQ(writer.append(Row{n}), Status::kOk);
  card.plan({card.calls(), Last::kNotDone, 0, false});
  CHECK_EQ(writer.checkpoint(), Status::kMediumLost);
  CHECK_EQ(writer.reconnect(file), Status::kMediumLost);
  card.insert();
  file.reopen();
  CHECK_EQ(writer.reconnect(file), Status::kOk);
  CHECK_EQ(writer.lost_rows(), 0U);
  CHECK_EQ(writer.close(), Status::kOk);
  CHECK_EQ(view::File(card.contents()).rows(), 1000);
  CHECK_EQ(writer.reconnect(file), Status::kWrongState);
}
