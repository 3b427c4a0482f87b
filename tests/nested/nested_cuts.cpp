// Power cuts while structs, arrays and lists are written: of what the card then holds the rows are the first ones, none that was
// durable is missing, and the log continues, with those that were safe.
//
//   nested_cuts CUTS    as many for each shape
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

#include "card.h"
#include "cut.h"
#include "microparquet/read_all.h"
#include "microparquet/static_nested_reader.h"
#include "shapes.h"
#include "support/chance.h"

namespace mpq = microparquet;

namespace {

using namespace nested;
using lives::Chance;
using power_loss::Card;
using power_loss::Cut;
using power_loss::Log;
using power_loss::Loss;
using power_loss::Medium;

constexpr std::size_t kRows = 90;
constexpr mpq::FileAbilities kAbilities{true, true, true, 0};

inline constexpr const mpq::Decompressor* kDecompressors[] = {&mpq::kLz4RawDecompressor};
inline constexpr mpq::ReaderOptions kReading = [] {
  mpq::ReaderOptions options;
  options.buffer_bytes = 8192;
  options.decoders = mpq::kAllDecoders;
  options.decompressors = kDecompressors;
  return options;
}();

struct Tally {
  unsigned cuts = 0;
  unsigned wrong = 0;

  void complain(const char* shape, unsigned seed, const char* what, std::uint64_t number) {
    ++wrong;
    std::printf("%s, cut %u: %s, %llu\n", shape, seed, what, static_cast<unsigned long long>(number));
  }
};

template <const auto& kSchema, const auto& kOptions>
class Shape {
 public:
  using Row = typename std::remove_reference_t<decltype(kSchema)>::Row;

  explicit Shape(const char* name) : name_(name) {
    Values values(7);
    rows_ = make_rows<Row>(kRows, values);
  }

  void run(unsigned cuts, Tally& tally) {
    Chance chance(3);
    Medium base;
    Log log = write(base, chance);
    for (unsigned seed = 0; seed < cuts; ++seed) {
      Cut cut;
      cut.loss = seed % 2 != 0 ? Loss::kSome : Loss::kNone;
      cut.event = chance.below(static_cast<unsigned>(log.events.size()) + 1);
      cut.seed = seed;
      if (seed % 5 == 0) cut.tear = chance.below(power_loss::kTrash + 1);
      const power_loss::Progress& progress =
          cut.event < log.events.size() ? log.events[cut.event].progress : log.end;
      const Medium medium = power_loss::after_cut(base, log, cut);
      ++tally.cuts;
      check_rows(medium, progress.durable, seed, tally);
      if (seed % 4 == 0) go_on(medium, progress.safe, seed, tally);
    }
  }

 private:
  static constexpr bool kHasCheckpoints = kOptions.layout != &mpq::kInPlaceNoCheckpoints;
  static constexpr bool kHasSaves =
      kOptions.layout == &mpq::kInPlaceSaving || kOptions.layout == &mpq::kForwardSaving;

  static mpq::StaticWriter<kSchema, kOptions>& writer() {
    static mpq::StaticWriter<kSchema, kOptions> writer;
    return writer;
  }

  Log write(const Medium& base, Chance& chance) {
    Card card(base, {}, kAbilities);
    card.set_watch([] {
      return power_loss::Progress{static_cast<unsigned>(writer().rows()), writer().durable_rows(),
                                  writer().safe_rows()};
    });
    mpq::Status status = writer().open(card);
    for (std::size_t i = 0; i < kRows && status == mpq::Status::kOk; ++i) {
      status = writer().append(rows_[i]);
      const bool checkpoint = kHasCheckpoints && chance.below(9) == 0;
      if (status == mpq::Status::kOk && checkpoint) status = writer().checkpoint();
      const bool save = kHasSaves && chance.below(6) == 0;
      if (status == mpq::Status::kOk && save) status = writer().save();
      if (status == mpq::Status::kOk && chance.below(40) == 0) status = writer().end_row_group();
    }
    if (status == mpq::Status::kOk) status = writer().close();
    if (status != mpq::Status::kOk || !card.breach().empty()) {
      std::printf("%s: status %d, %s\n", name_, static_cast<int>(status), card.breach().c_str());
      std::exit(1);
    }
    return card.take_log();
  }

  // Returns how many rows the file has, which must be the first ones.
  std::uint64_t read(Card& card, unsigned seed, Tally& tally) {
    static mpq::StaticReader<kSchema, kReading> reader;
    Row row = {};
    mpq::Status status = reader.open(card);
    std::uint64_t count = 0;
    for (; status == mpq::Status::kOk; ++count) {
      status = reader.next(row);
      if (status != mpq::Status::kOk) break;
      if (count >= kRows || line_of(row, kSchema) != line_of(rows_[count], kSchema)) {
        tally.complain(name_, seed, "a wrong row", count);
        return count;
      }
    }
    if (status != mpq::Status::kEnd)
      tally.complain(name_, seed, "a status of the reader", static_cast<unsigned>(status));
    return count;
  }

  void check_rows(const Medium& medium, std::uint64_t durable, unsigned seed, Tally& tally) {
    Card card(medium, {}, kAbilities);
    if (medium.size == 0) {
      if (durable != 0) tally.complain(name_, seed, "an empty file instead of durable rows", durable);
      return;
    }
    const std::uint64_t rows = read(card, seed, tally);
    if (rows < durable) tally.complain(name_, seed, "rows, of which more were durable", rows);
  }

  void go_on(const Medium& medium, std::uint64_t safe, unsigned seed, Tally& tally) {
    Card card(medium, {}, kAbilities);
    mpq::Status status = writer().resume(card);
    if (status == mpq::Status::kOk && writer().rows() < safe) {
      tally.complain(name_, seed, "rows resumed, of which more were safe", writer().rows());
    }
    while (status == mpq::Status::kOk && writer().rows() < kRows)
      status = writer().append(rows_[writer().rows()]);
    if (status == mpq::Status::kOk) status = writer().close();
    if (status != mpq::Status::kOk) {
      tally.complain(name_, seed, "a status of the writer", static_cast<unsigned>(status));
      writer().reset();
      return;
    }
    if (const std::uint64_t rows = read(card, seed, tally); rows != kRows)
      tally.complain(name_, seed, "rows of the file that went on", rows);
  }

  const char* name_;
  std::vector<Row> rows_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto cuts = static_cast<unsigned>(std::atoi(argv[1]));
  Tally tally;
  Shape<kStructs, kUsual>("structs").run(cuts, tally);
  Shape<kStructs, kSaving>("structs, saving").run(cuts, tally);
  Shape<kStructs, kStream>("structs in a stream").run(cuts, tally);
  Shape<kArrays, kUsual>("arrays").run(cuts, tally);
  Shape<kArrays, kLarge>("arrays in large pages").run(cuts, tally);
  Shape<kSmallArrays, kPlain>("arrays without checkpoints").run(cuts, tally);
  Shape<kPackedArrays, kUsual>("packed arrays").run(cuts, tally);
  Shape<kArrays, kTailed>("arrays with tails").run(cuts, tally);
  Shape<kArrays, kSaving>("arrays, saving").run(cuts, tally);
  Shape<kArrays, kStream>("arrays in a stream").run(cuts, tally);
  Shape<kPackedArrays, kPool>("packed arrays in a stream").run(cuts, tally);
  Shape<kArrays, kSavingStream>("arrays in a stream, saving").run(cuts, tally);
  Shape<kLists, kUsual>("lists").run(cuts, tally);
  Shape<kLists, kBlocks>("lists in blocks").run(cuts, tally);
  Shape<kSmallLists, kPlain>("lists without checkpoints").run(cuts, tally);
  Shape<kPackedLists, kUsual>("packed lists").run(cuts, tally);
  Shape<kLists, kStream>("lists in a stream").run(cuts, tally);
  Shape<kSmallLists, kSavingStream>("lists in a stream, saving").run(cuts, tally);
  Shape<kStagedLists, kUsual>("lists of differences, runs and indices").run(cuts, tally);
  std::printf("%u passed, %u failed\n", tally.cuts - tally.wrong, tally.wrong);
  return tally.wrong == 0 && tally.cuts != 0 ? 0 : 1;
}
