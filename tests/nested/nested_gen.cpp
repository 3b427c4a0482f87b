// Writes files with structs, arrays, lists and maps of random rows, and beside each its rows as lines of JSON.
//
//   nested_gen FOLDER SEEDS ENCODED    for each shape and seed FOLDER/SHAPE_SEED.parquet and .json; ENCODED: seeds of the
//                                      shapes of encoded_shapes.h
//
// By the seed, checkpoints and ends of row groups come often, seldom or never, writes fail, the program starts again
// without closing the file, and the medium goes away and comes back.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "encoded_shapes.h"
#include "microparquet/port/posix_file.h"
#include "shapes.h"

namespace mpq = microparquet;

namespace {

using namespace nested;

// A file whose writes fail now and then.
class FailingFile final : public mpq::File {
 public:
  FailingFile(mpq::File& file, std::mt19937& random, unsigned one_in)
      : file_(file), random_(random), one_in_(one_in) {}
  mpq::FileAbilities abilities() const override { return file_.abilities(); }
  mpq::Status size(std::uint64_t& bytes) override { return file_.size(bytes); }
  mpq::Status read_at(std::uint64_t at, mpq::Span<std::byte> to) override { return file_.read_at(at, to); }
  mpq::Status write_at(std::uint64_t at, mpq::Span<const std::byte> from) override {
    return fails() ? mpq::Status::kIoError : file_.write_at(at, from);
  }
  mpq::Status sync(std::uint64_t size) override { return fails() ? mpq::Status::kIoError : file_.sync(size); }
  mpq::Status reserve(std::uint64_t end) override { return file_.reserve(end); }
  mpq::Status barrier() override { return file_.barrier(); }
  mpq::Status shrink(std::uint64_t size) override { return file_.shrink(size); }

 private:
  bool fails() { return one_in_ != 0 && random_() % one_in_ == 0; }

  mpq::File& file_;
  std::mt19937& random_;
  unsigned one_in_;
};

// A call that fails is repeated.
template <typename Call>
mpq::Status repeated(Call call) {
  mpq::Status status = call();
  while (status == mpq::Status::kIoError) status = call();
  return status;
}

struct Pace {
  unsigned checkpoints;  // one in this many rows; 0: none
  unsigned row_groups;
  unsigned boots;
  unsigned reconnects;
  unsigned failures;
};

// A stream on a file system of this machine ends in a footer only after a checkpoint: its boots are those of nested_cuts.cpp.
Pace pace_of(unsigned seed, const mpq::Layout& layout) {
  constexpr Pace kPaces[] = {{60, 200, 0, 0, 0}, {7, 0, 0, 0, 0},      {0, 0, 0, 0, 0},  {40, 0, 0, 0, 20},
                             {30, 0, 90, 0, 0},  {25, 300, 120, 0, 8}, {30, 0, 0, 60, 0}};
  Pace pace = kPaces[seed % (sizeof kPaces / sizeof *kPaces)];
  if (&layout == &mpq::kInPlaceNoCheckpoints) pace.checkpoints = 0;
  if (!layout.in_place) pace.boots = 0;
  if (!layout.in_place) pace.reconnects = 0;
  return pace;
}

// Appends a row; one that no page takes is shortened until one does.
template <typename Writer, typename Row>
mpq::Status append_fitting(Writer& writer, Row& row) {
  for (;;) {
    const mpq::Status status = repeated([&] { return writer.append(row); });
    if (status != mpq::Status::kValueTooLarge || !shorten(row)) return status;
  }
}

template <const auto& kSchema, const auto& kOptions, typename Row>
bool write_rows(const std::string& name, unsigned seed, Values& values, std::vector<Row>& rows) {
  static mpq::StaticWriter<kSchema, kOptions> writer;
  const Pace pace = pace_of(seed, *kOptions.layout);
  const std::size_t row_count = rows.size();

  mpq::PosixFile posix;
  if (posix.create((name + ".parquet").c_str(), mpq::Existing::kOverwrite) != mpq::Status::kOk) return false;
  FailingFile file(posix, values.random(), pace.failures);
  mpq::Status status = repeated([&] { return writer.open(file); });
  const auto comes = [&](unsigned one_in) { return one_in != 0 && values.below(one_in) == 0; };
  std::size_t i = 0;
  std::size_t calls = 0;
  while (i < row_count && status == mpq::Status::kOk && ++calls < 20 * row_count) {
    status = append_fitting(writer, rows[i]);
    ++i;
    if (status == mpq::Status::kOk && comes(pace.checkpoints))
      status = repeated([&] { return writer.checkpoint(); });
    if (status == mpq::Status::kOk && comes(pace.row_groups))
      status = repeated([&] { return writer.end_row_group(); });
    if (status == mpq::Status::kOk && comes(pace.boots)) {
      writer.reset();
      status = posix.close();
      if (status == mpq::Status::kOk) status = posix.open_for_append((name + ".parquet").c_str());
      if (status == mpq::Status::kOk) status = repeated([&] { return writer.resume(file); });
      i = static_cast<std::size_t>(writer.rows());
    }
    const std::uint64_t durable = writer.durable_rows();
    if (status == mpq::Status::kOk && comes(pace.reconnects)) {
      status = posix.close();
      if (status == mpq::Status::kOk) status = posix.open_for_append((name + ".parquet").c_str());
      if (status == mpq::Status::kOk) status = repeated([&] { return writer.reconnect(file); });
      // Headers of compressed pages of lists do not tell their rows: those since the last footer are lost.
      const bool may_lose = name.find("packed_lists") != std::string::npos;
      if (writer.rows() != i && !(may_lose && writer.rows() >= durable)) {
        std::printf("%s: reconnect() at row %zu, %llu are there\n", name.c_str(), i,
                    static_cast<unsigned long long>(writer.rows()));
      }
      i = static_cast<std::size_t>(writer.rows());
    }
  }
  if (status == mpq::Status::kOk) status = repeated([&] { return writer.close(); });
  if (status != mpq::Status::kOk || i != row_count) {
    std::printf("%s: status %d after row %zu\n", name.c_str(), static_cast<int>(status), i);
    writer.reset();
    return false;
  }

  std::FILE* const text = std::fopen((name + ".json").c_str(), "w");
  if (text == nullptr) return false;
  for (const Row& row : rows) {
    std::fprintf(text, "%s\n", line_of(row, kSchema).c_str());
  }
  return std::fclose(text) == 0;
}

template <const auto& kSchema, const auto& kOptions>
bool write_file(const std::string& name, unsigned seed) {
  constexpr std::size_t kRows = 200;
  Values values(seed);
  auto rows = make_rows<typename std::remove_reference_t<decltype(kSchema)>::Row>(kRows, values);
  return write_rows<kSchema, kOptions>(name, seed, values, rows);
}

// Rows of one length and one pattern, both by the seed.
template <typename T, const auto& kEncoder, bool kCompressed, const auto& kOptions>
bool write_encoded(const std::string& name, unsigned seed) {
  constexpr std::size_t kRows = 30;
  Series series((seed + seed / kRowLengthCount) % Series::kPatterns, kRowLengths[seed % kRowLengthCount],
                seed);
  std::vector<Encoded<T>> rows(kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    series.make(rows[i]);
    rows[i].time = static_cast<std::int64_t>(i);
  }
  Values values(seed);
  return write_rows<Coding<T, kEncoder, kCompressed>::kSchema, kOptions>(
      name, seed + static_cast<unsigned>(name.size()), values, rows);
}

// Fixes of which some are missing, as GeoParquet has them.
struct WkbFix {
  std::int64_t time;
  std::optional<mpq::Bytes<mpq::kWkbPointBytes>> position;
};
struct Point {
  double x, y;
};
struct PointFix {
  std::int64_t time;
  std::optional<Point> position;
};
inline constexpr auto kWkbFixes =
    mpq::schema(mpq::column("time", &WkbFix::time), mpq::column("position", &WkbFix::position));
inline constexpr auto kPointFixes = mpq::schema(
    mpq::column("time", &PointFix::time),
    mpq::group("position", &PointFix::position, mpq::column("x", &Point::x), mpq::column("y", &Point::y)));
inline constexpr auto kWkbText = mpq::geo_points("position", mpq::GeoEncoding::kWkb);
inline constexpr auto kPointText = mpq::geo_points("position", mpq::GeoEncoding::kPoint);

template <const auto& kSchema, typename Make>
bool write_fixes(const std::string& name, std::string_view geo, Make make) {
  using Row = typename std::remove_reference_t<decltype(kSchema)>::Row;
  static mpq::StaticWriter<kSchema> writer;
  mpq::PosixFile file;
  mpq::Status status = file.create(name.c_str(), mpq::Existing::kOverwrite);
  if (status == mpq::Status::kOk) status = writer.open(file);
  if (status == mpq::Status::kOk) status = writer.set_key_value(mpq::kGeoKey, geo);
  for (int i = 0; i < 300 && status == mpq::Status::kOk; ++i) {
    Row row = {i, {}};
    if (i % 3 != 0) row.position = make(i * 0.5 - 70, i * 0.25 - 40);
    status = writer.append(row);
  }
  if (status == mpq::Status::kOk) status = writer.close();
  return status == mpq::Status::kOk;
}

bool write_geo(const std::string& folder) {
  const bool wkb = write_fixes<kWkbFixes>(folder + "/wkb.parquet", kWkbText.text(),
                                          [](double x, double y) { return mpq::wkb_point(x, y); });
  const bool point = write_fixes<kPointFixes>(folder + "/point.parquet", kPointText.text(),
                                              [](double x, double y) { return Point{x, y}; });
  return wkb && point;
}

// Rows of none to 60 floats, whose file is compared with its values.
struct Spectrum {
  std::int64_t time;
  mpq::List<float, 60> levels;
};
inline constexpr auto kSpectra =
    mpq::schema(mpq::column("time", &Spectrum::time), mpq::list("levels", &Spectrum::levels));
inline constexpr mpq::Options kSpectraOptions = options(1024, true, mpq::kInPlace);

bool write_spectra(const std::string& folder) {
  static mpq::StaticWriter<kSpectra, kSpectraOptions> writer;
  constexpr std::int64_t kRows = 10000;
  Values values(1);
  mpq::PosixFile file;
  mpq::Status status = file.create((folder + "/spectra.parquet").c_str(), mpq::Existing::kOverwrite);
  if (status == mpq::Status::kOk) status = writer.open(file);
  for (std::int64_t i = 0; i < kRows && status == mpq::Status::kOk; ++i) {
    Spectrum row = {i, {}};
    for (unsigned left = values.below(61); left != 0; --left) {
      float level = 0;
      values.make(level);
      row.levels.push_back(level);
    }
    status = writer.append(row);
  }
  if (status == mpq::Status::kOk) status = writer.close();
  return status == mpq::Status::kOk;
}

struct Shape {
  const char* name;
  bool (*write)(const std::string& name, unsigned seed);
};
constexpr Shape kShapes[] = {
    {"structs", &write_file<kStructs, kUsual>},
    {"structs_odd", &write_file<kStructs, kOdd>},
    {"structs_large", &write_file<kStructs, kLarge>},
    {"structs_stream", &write_file<kStructs, kStream>},
    {"structs_saving", &write_file<kStructs, kSaving>},
    {"packed_structs", &write_file<kPackedStructs, kUsual>},
    {"split_structs", &write_file<kSplitStructs, kUsual>},
    {"packed_structs_blocks", &write_file<kPackedStructs, kBlocks>},
    {"arrays", &write_file<kArrays, kUsual>},
    {"arrays_odd", &write_file<kArrays, kOdd>},
    {"arrays_large", &write_file<kArrays, kLarge>},
    {"arrays_blocks", &write_file<kArrays, kBlocks>},
    {"small_arrays", &write_file<kSmallArrays, kPlain>},
    {"arrays_stream", &write_file<kArrays, kStream>},
    {"arrays_pool", &write_file<kArrays, kPool>},
    {"small_arrays_stream", &write_file<kSmallArrays, kStream>},
    {"packed_arrays_stream", &write_file<kPackedArrays, kStream>},
    {"arrays_indexed", &write_file<kArrays, kIndexed>},
    {"packed_arrays_indexed", &write_file<kPackedArrays, kIndexed>},
    {"arrays_stream_indexed", &write_file<kArrays, kIndexedStream>},
    {"structs_indexed", &write_file<kStructs, kIndexed>},
    {"arrays_tailed", &write_file<kArrays, kTailed>},
    {"arrays_saving", &write_file<kArrays, kSaving>},
    {"packed_arrays_tailed", &write_file<kPackedArrays, kTailed>},
    {"packed_arrays", &write_file<kPackedArrays, kUsual>},
    {"packed_arrays_blocks", &write_file<kPackedArrays, kBlocks>},
    {"lists", &write_file<kLists, kUsual>},
    {"lists_odd", &write_file<kLists, kOdd>},
    {"lists_large", &write_file<kLists, kLarge>},
    {"lists_blocks", &write_file<kLists, kBlocks>},
    {"small_lists", &write_file<kSmallLists, kPlain>},
    {"lists_stream", &write_file<kLists, kStream>},
    {"lists_pool", &write_file<kLists, kPool>},
    {"small_lists_stream", &write_file<kSmallLists, kStream>},
    {"lists_indexed", &write_file<kLists, kIndexed>},
    {"lists_stream_indexed", &write_file<kLists, kIndexedStream>},
    {"packed_lists_indexed", &write_file<kPackedLists, kIndexed>},
    {"packed_lists", &write_file<kPackedLists, kUsual>},
    {"packed_lists_blocks", &write_file<kPackedLists, kBlocks>},
    {"packed_lists_stream", &write_file<kPackedLists, kStream>},
};

// Each encoder with two kinds of options, by turns.
struct EncodedShape {
  const char* name;
  bool (*write)(const std::string& name, unsigned seed);
  bool (*write_otherwise)(const std::string& name, unsigned seed);
};
using Name = mpq::Text<6>;
inline constexpr mpq::DictionaryEncoders kFewEntries = mpq::kDictionaryOf<256, 40>;
constexpr EncodedShape kEncodedShapes[] = {
    {"of_int32", &write_encoded<std::int32_t, mpq::kPlainFixed, false, kUsual>,
     &write_encoded<std::int32_t, mpq::kPlainFixed, false, kStream>},
    {"of_text", &write_encoded<Name, mpq::kPlainByteArray, false, kOdd>,
     &write_encoded<Name, mpq::kPlainByteArray, false, kStream>},
    {"packed_lists_of_split", &write_encoded<float, mpq::kByteStreamSplit, true, kUsual>,
     &write_encoded<float, mpq::kByteStreamSplit, true, kStream>},
    {"of_deltas", &write_encoded<std::int32_t, mpq::kDeltaBinaryPacked, false, kUsual>,
     &write_encoded<std::int32_t, mpq::kDeltaBinaryPacked, false, kStream>},
    {"of_long_deltas", &write_encoded<std::int64_t, mpq::kDeltaBinaryPacked, false, kOdd>,
     &write_encoded<std::int64_t, mpq::kDeltaBinaryPacked, false, kPlain>},
    {"packed_lists_of_deltas", &write_encoded<std::int32_t, mpq::kDeltaBinaryPacked, true, kUsual>,
     &write_encoded<std::int32_t, mpq::kDeltaBinaryPacked, true, kStream>},
    {"of_known_int32", &write_encoded<std::int32_t, kFewEntries, false, kUsual>,
     &write_encoded<std::int32_t, kFewEntries, false, kStream>},
    {"of_known_double", &write_encoded<double, kFewEntries, false, kOdd>,
     &write_encoded<double, mpq::kDictionary, false, kPlain>},
    {"of_known_text", &write_encoded<Name, kFewEntries, false, kUsual>,
     &write_encoded<Name, kFewEntries, false, kStream>},
    {"packed_lists_of_known", &write_encoded<float, mpq::kAuto, true, kUsual>,
     &write_encoded<Name, mpq::kDictionary, true, kStream>},
    {"of_runs", &write_encoded<bool, mpq::kRleBoolean, false, kUsual>,
     &write_encoded<bool, mpq::kRleBoolean, false, kStream>},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const auto seeds = static_cast<unsigned>(std::atoi(argv[2]));
  bool all = write_geo(argv[1]) && write_spectra(argv[1]);
  for (const Shape& shape : kShapes) {
    for (unsigned seed = 0; seed < seeds; ++seed) {
      const std::string name = std::string(argv[1]) + "/" + shape.name + "_" + std::to_string(seed);
      all = shape.write(name, seed) && all;
    }
  }
  unsigned turn = 0;
  for (const EncodedShape& shape : kEncodedShapes) {
    ++turn;
    for (unsigned seed = 0; seed < static_cast<unsigned>(std::atoi(argv[3])); ++seed) {
      const std::string name = std::string(argv[1]) + "/" + shape.name + "_" + std::to_string(seed);
      const bool otherwise = (seed + seed / kRowLengthCount + turn) % 2 != 0;
      all = (otherwise ? shape.write_otherwise : shape.write)(name, seed) && all;
    }
  }
  return all ? 0 : 1;
}
