// Lives of logs whose schema is drawn by lot: boots that end in a cut or in order, calls that fail once, a card that is pulled. After
// each boot the file has the rows that were taken, from the first one on, and all that were durable.
//
//   drawn_lives LIVES
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "card.h"
#include "cut.h"
#include "drawn_table.h"
#include "microparquet/codecs.h"
#include "microparquet/port/memory_file.h"
#include "microparquet/read_all.h"
#include "microparquet/reader.h"
#include "microparquet/records.h"

namespace {

namespace mpq = microparquet;
using drawn::Lot;
using drawn::Row;
using drawn::Table;
using power_loss::Card;
using power_loss::CardFault;
using power_loss::Cut;
using power_loss::Log;
using power_loss::Loss;
using power_loss::Medium;

constexpr mpq::FileAbilities kAbilities{true, true, true, 0};

mpq_file* file_of(Card& card) { return reinterpret_cast<mpq_file*>(static_cast<mpq::File*>(&card)); }

// The rows of a file as text, in the form of Row::text().
class Rows {
 public:
  explicit Rows(mpq::File& file) {
    static const mpq::Decompressor* const decompressors[] = {&mpq::kLz4RawDecompressor};
    mpq::ReaderOptions options;
    options.decoders = mpq::kAllDecoders;
    options.decompressors = decompressors;
    status_ = reader_.open(file, options, memory_);
    std::vector<mpq::ColumnChoice> columns;
    for (std::uint32_t i = 0; status_ == mpq::Status::kOk && i < reader_.columns(); ++i)
      columns.push_back({i});
    if (status_ == mpq::Status::kOk) status_ = reader_.choose_items({columns.data(), columns.size()});
    mpq::Records records(reader_, more_memory_);
    if (status_ == mpq::Status::kOk) status_ = records.begin();
    mpq::Event event;
    while (status_ == mpq::Status::kOk && (status_ = records.next(event)) == mpq::Status::kOk) take(event);
  }

  // kEnd: all of them have been read.
  mpq::Status status() const { return status_; }
  const std::vector<std::string>& rows() const { return rows_; }

 private:
  struct Open {
    mpq::EventKind kind;
    unsigned members = 0;
  };

  void take(const mpq::Event& event) {
    using Kind = mpq::EventKind;
    if (event.kind == Kind::kEndRow) {
      rows_.push_back(text_ + '}');
      text_.clear();
      open_.clear();
      return;
    }
    if (event.kind == Kind::kEnd) {
      const Kind kind = open_.back().kind;
      text_ += kind == Kind::kBeginMap ? "]}" : kind == Kind::kBeginList || is_entry() ? "]" : "}";
      open_.pop_back();
      return;
    }
    begin(event);
    if (event.kind == Kind::kNull) {
      text_ += "null";
    } else if (event.kind == Kind::kValue) {
      text_ += text_of(event);
    } else {
      open_.push_back({event.kind});
      text_ += event.kind == Kind::kBeginMap                  ? "{\"map\":["
               : event.kind == Kind::kBeginList || is_entry() ? "["
                                                              : "{";
    }
  }

  // Returns whether the innermost part is an entry of a map.
  bool is_entry() const {
    return open_.size() > 1 && open_[open_.size() - 2].kind == mpq::EventKind::kBeginMap;
  }

  // Puts what stands before a part: a comma, and in a struct its name.
  void begin(const mpq::Event& event) {
    if (open_.empty()) return;
    Open& around = open_.back();
    if (around.members++ != 0) text_ += ',';
    const bool named =
        around.kind == mpq::EventKind::kBeginRow || around.kind == mpq::EventKind::kBeginStruct;
    if (!named || is_entry()) return;
    std::array<char, 256> name;
    mpq::SchemaElement element;
    if (reader_.schema_element(event.element, name, element) == mpq::Status::kOk)
      text_ += '"' + std::string(element.name) + "\":";
  }

  std::string text_of(const mpq::Event& event) {
    const mpq::Cell& cell = event.cell;
    switch (reader_.column_type(static_cast<std::uint32_t>(event.place))) {
      case mpq::Type::kBoolean: return cell.as<bool>() ? "true" : "false";
      case mpq::Type::kInt32: return std::to_string(cell.as<std::int32_t>());
      case mpq::Type::kInt64: return std::to_string(cell.as<std::int64_t>());
      case mpq::Type::kFloat: return std::to_string(static_cast<std::int32_t>(cell.as<float>()));
      case mpq::Type::kDouble: return std::to_string(static_cast<std::int32_t>(cell.as<double>()));
      case mpq::Type::kByteArray: return '"' + std::string(cell.text()) + '"';
      default: return drawn::text_of_bytes(cell.data, cell.bytes);
    }
  }

  mpq::Reader reader_;
  alignas(8) std::array<std::byte, 1 << 18> memory_ = {};
  alignas(8) std::array<std::byte, 1 << 14> more_memory_ = {};
  mpq::Status status_;
  std::vector<Open> open_;
  std::string text_;
  std::vector<std::string> rows_;
};

class Life {
 public:
  explicit Life(unsigned seed) : seed_(seed), lot_(seed) {
    setup_.options().whole_sectors =
        true;  // else the memory of a large page suits no driver with DMA, as the card's is
  }

  // Returns whether all was as it should be.
  bool live() {
    const unsigned boots = 2 + lot_.below(4);
    for (unsigned i = 0; i < boots && good_; ++i) boot();
    return good_;
  }
  unsigned cuts() const { return cuts_; }

 private:
  void wrong(const std::string& what) {
    good_ = false;
    std::printf("life %u: %s\n", seed_, what.c_str());
  }

  CardFault draw_fault() {
    CardFault fault;
    const unsigned kind = lot_.below(4);
    if (kind == 0) fault.kind = CardFault::Kind::kOnce;
    if (kind == 1) fault.kind = CardFault::Kind::kLost;
    fault.nth = 1 + lot_.below(200);
    return fault;
  }

  void boot() {
    Card card(medium_, draw_fault(), kAbilities);
    writer_ = {};
    if (!resume(card)) return;
    card.set_watch([this] {
      return power_loss::Progress{static_cast<unsigned>(taken_.size()), mpq_writer_durable_rows(&writer_), 0};
    });
    lost_ = 0;
    for (unsigned i = lot_.below(120); i > 0 && good_; --i) act(card);
    const bool ends = lot_.below(3) == 0;
    if (good_ && ends) repeat(card, [this] { return mpq_writer_close(&writer_); });
    if (!card.breach().empty()) wrong(card.breach());
    if (good_) ends ? end(card) : cut(card);
  }

  // Opens the file with as much memory as it takes, and with pages that a row of each array fits in.
  bool resume(Card& card) {
    for (;;) {
      const mpq_status status = mpq_nested_resume(&writer_, file_of(card), setup_.get());
      if (status == MPQ_OK) break;
      if (setup_.gives(status, writer_, taken_.empty())) continue;
      if (status == MPQ_MEDIUM_LOST) {
        card.come_back();
        mpq_writer_reset(&writer_);
      } else if (status != MPQ_IO_ERROR) {
        wrong(std::string("resume() answers ") + mpq_status_text(status));
        return false;
      }
    }
    const std::uint64_t rows = mpq_writer_rows(&writer_);
    if (rows < durable_ || rows > taken_.size())
      wrong(std::to_string(rows) + " rows resumed of " + std::to_string(durable_));
    taken_.resize(std::min<std::size_t>(rows, taken_.size()));
    return good_;
  }

  // Repeats a call that has failed: pulled cards come back.
  template <typename Call>
  mpq_status repeat(Card& card, Call call) {
    for (unsigned i = 0; i < kMostTries; ++i) {
      const mpq_status status = call();
      if (status == MPQ_MEDIUM_LOST) {
        if (!reconnect(card)) return status;
      } else if (status != MPQ_IO_ERROR) {
        if (status != MPQ_OK && status != MPQ_VALUE_TOO_LARGE) wrong(mpq_status_text(status));
        return status;
      }
    }
    wrong("no end of failures");
    return MPQ_IO_ERROR;
  }

  bool reconnect(Card& card) {
    const std::uint64_t durable = mpq_writer_durable_rows(&writer_);
    card.come_back();
    mpq_status status = MPQ_IO_ERROR;
    for (unsigned i = 0; i < kMostTries && status == MPQ_IO_ERROR; ++i)
      status = mpq_nested_reconnect(&writer_, file_of(card));
    if (status != MPQ_OK) {
      wrong(std::string("reconnect() answers ") + mpq_status_text(status));
      return false;
    }
    const std::uint32_t lost = mpq_writer_lost_rows(&writer_) - lost_;
    lost_ += lost;
    if (durable + lost > taken_.size()) {
      wrong("more rows lost than there are");
      return false;
    }
    const auto begin = taken_.begin() + static_cast<std::ptrdiff_t>(durable);
    taken_.erase(begin, begin + static_cast<std::ptrdiff_t>(lost));
    return true;
  }

  void act(Card& card) {
    const unsigned kind = lot_.below(40);
    if (kind == 0 && setup_.options().layout != &mpq_in_place_no_checkpoints) {
      repeat(card, [this] { return mpq_writer_checkpoint(&writer_); });
    } else if (kind == 1) {
      repeat(card, [this] { return mpq_writer_end_row_group(&writer_); });
    } else if (kind < 5) {
      now_ms_ += lot_.below(20000);
      repeat(card, [this] { return mpq_writer_tick(&writer_, now_ms_); });
    } else {
      append(card);
    }
  }

  void append(Card& card) {
    Row row(lot_, table_);
    const mpq_status status = repeat(card, [&] { return mpq_nested_append(&writer_, row.data()); });
    if (status == MPQ_OK) taken_.push_back(row.text());
    if (lot_.below(10) == 0 && row.count_too_much() &&
        repeat(card, [&] { return mpq_nested_append(&writer_, row.data()); }) != MPQ_VALUE_TOO_LARGE)
      wrong("a row is taken whose list counts more than there can be");
    if (good_ && mpq_writer_rows(&writer_) != taken_.size()) wrong("another number of rows");
  }

  void end(Card& card) {
    medium_ = card.medium();
    durable_ = taken_.size();
    check();
  }

  void cut(Card& card) {
    const Log log = card.take_log();
    Cut cut;
    cut.loss = lot_.below(2) != 0 ? Loss::kSome : Loss::kNone;
    cut.event = lot_.below(static_cast<unsigned>(log.events.size()) + 1);
    cut.seed = lot_.below(1000);
    const power_loss::Progress& at = cut.event < log.events.size() ? log.events[cut.event].progress : log.end;
    // A card that came back had lost rows, which the rows of before the cut may still have: it is cut at its end.
    if (card.came_back()) return end_of_power(card);
    medium_ = power_loss::after_cut(medium_, log, cut);
    durable_ = std::max<std::uint64_t>(durable_, at.durable);
    ++cuts_;
    check();
  }

  void end_of_power(Card& card) {
    medium_ = card.medium();
    durable_ = mpq_writer_durable_rows(&writer_);
    ++cuts_;
    check();
  }

  // The file has the first of the rows that were taken, and those that were durable.
  void check() {
    if (medium_.size == 0 && durable_ == 0) return;
    std::vector<std::byte> bytes = medium_.file();
    mpq::MemoryFile file({bytes.data(), bytes.size()}, bytes.size());
    const Rows found(file);
    const std::vector<std::string>& rows = found.rows();
    if (found.status() != mpq::Status::kEnd)
      wrong("the reader answers " + std::to_string(static_cast<int>(found.status())));
    if (rows.size() < durable_ || rows.size() > taken_.size()) {
      wrong(std::to_string(rows.size()) + " rows, durable " + std::to_string(durable_) + ", taken " +
            std::to_string(taken_.size()));
    }
    for (std::size_t i = 0; i < rows.size() && good_; ++i) {
      if (rows[i] != taken_[i]) wrong("row " + std::to_string(i) + " is " + rows[i] + ", not " + taken_[i]);
    }
  }

  static constexpr unsigned kMostTries = 8;

  unsigned seed_;
  Lot lot_;
  Table table_{lot_};
  drawn::Setup setup_{lot_, table_};
  mpq_writer writer_ = {};
  Medium medium_;
  std::vector<std::string> taken_;
  std::uint64_t durable_ = 0;
  std::uint32_t lost_ = 0;
  std::uint32_t now_ms_ = 0;
  unsigned cuts_ = 0;
  bool good_ = true;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  unsigned passed = 0;
  unsigned failed = 0;
  unsigned cuts = 0;
  for (unsigned seed = 0; seed < static_cast<unsigned>(std::atoi(argv[1])); ++seed) {
    Life life(seed);
    ++(life.live() ? passed : failed);
    cuts += life.cuts();
  }
  std::printf("%u cuts\n%u passed, %u failed\n", cuts, passed, failed);
  return failed == 0 && passed != 0 ? 0 : 1;
}
