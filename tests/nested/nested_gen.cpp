// Writes files with structs and arrays of random rows, and beside each its rows as lines of JSON.
//
//   nested_gen FOLDER SEEDS    for each shape and seed FOLDER/SHAPE_SEED.parquet and .json
//
// By the seed, checkpoints and ends of row groups come often, seldom or never, writes fail, the program starts again
// without closing the file, and the medium goes away and comes back.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "microparquet/microparquet.h"
#include "microparquet/port/posix_file.h"
#include "microparquet/static_nested_writer.h"

namespace mpq = microparquet;

namespace {

struct Axis {
  std::int16_t x, y, z;
};
struct Inner {
  std::optional<std::int32_t> number;
  mpq::Text<10> text;
};
struct Middle {
  std::optional<Inner> inner;
  double weight;
};
struct Outer {
  std::optional<Middle> middle;
  Axis axis;
  std::optional<bool> flag;
};
struct Pair {
  float level;
  mpq::Text<6> name;
  Axis axis;
};

struct Structs {
  std::int64_t time;
  Axis axis;
  Inner required;
  std::optional<Inner> maybe;
  std::optional<Outer> outer;
  std::optional<std::array<std::uint8_t, 5>> bytes;
};
inline constexpr auto kStructs = mpq::schema(
    mpq::column("time", &Structs::time),
    mpq::group("axis", &Structs::axis, mpq::column("x", &Axis::x), mpq::column("y", &Axis::y),
               mpq::column("z", &Axis::z)),
    mpq::group("required", &Structs::required, mpq::column("number", &Inner::number),
               mpq::column("text", &Inner::text)),
    mpq::group("maybe", &Structs::maybe,
               mpq::column("number", &Inner::number).with_encoder(mpq::kDeltaBinaryPacked),
               mpq::column("text", &Inner::text).with_encoder(mpq::kDictionary))
        .with_page_bytes(1024),
    mpq::group("outer", &Structs::outer,
               mpq::group("middle", &Outer::middle,
                          mpq::group("inner", &Middle::inner, mpq::column("number", &Inner::number),
                                     mpq::column("text", &Inner::text)),
                          mpq::column("weight", &Middle::weight)),
               mpq::group("axis", &Outer::axis, mpq::column("x", &Axis::x), mpq::column("y", &Axis::y),
                          mpq::column("z", &Axis::z)),
               mpq::column("flag", &Outer::flag)),
    mpq::column("bytes", &Structs::bytes));

// The same with every encoder, and compressed.
inline constexpr auto kPackedStructs = mpq::schema(
    mpq::column("time", &Structs::time).with_encoder(mpq::kDeltaBinaryPacked),
    mpq::group("axis", &Structs::axis, mpq::column("x", &Axis::x), mpq::column("y", &Axis::y),
               mpq::column("z", &Axis::z))
        .with_encoder(mpq::kAuto)
        .with_page_bytes(1024),
    mpq::group("required", &Structs::required, mpq::column("number", &Inner::number),
               mpq::column("text", &Inner::text))
        .with_compressor(mpq::kLz4RawCompressor)
        .with_page_bytes(2048),
    mpq::group("maybe", &Structs::maybe, mpq::column("number", &Inner::number),
               mpq::column("text", &Inner::text))
        .with_encoder(mpq::kAuto)
        .with_page_bytes(1024),
    mpq::group(
        "outer", &Structs::outer,
        mpq::group("middle", &Outer::middle,
                   mpq::group("inner", &Middle::inner,
                              mpq::column("number", &Inner::number).with_encoder(mpq::kDeltaBinaryPacked),
                              mpq::column("text", &Inner::text).with_encoder(mpq::kDictionary)),
                   mpq::column("weight", &Middle::weight).with_compressor(mpq::kLz4RawCompressor)),
        mpq::group("axis", &Outer::axis, mpq::column("x", &Axis::x), mpq::column("y", &Axis::y),
                   mpq::column("z", &Axis::z).with_encoder(mpq::kDictionary)),
        mpq::column("flag", &Outer::flag).with_encoder(mpq::kRleBoolean))
        .with_page_bytes(1024),
    mpq::column("bytes", &Structs::bytes));

// Pages of two encodings in a struct that may be missing, which Polars does not read.
inline constexpr auto kSplitStructs = mpq::schema(
    mpq::column("time", &Structs::time), mpq::group("outer", &Structs::outer,
                                                    mpq::group("middle", &Outer::middle,
                                                               mpq::column("weight", &Middle::weight)
                                                                   .with_encoder(mpq::kByteStreamSplit)
                                                                   .with_compressor(mpq::kLz4RawCompressor)
                                                                   .with_page_bytes(1024))));

struct Arrays {
  std::int64_t time;
  std::array<float, 32> spectrum;
  std::array<Axis, 16> fifo;
  std::array<double, 1> one;
  std::array<std::int64_t, 7> seven;
  std::array<float, 33> more;
  std::array<bool, 9> bits;
  std::array<mpq::Text<8>, 3> names;
  std::array<std::array<std::uint8_t, 3>, 4> raw;
  std::array<std::uint16_t, 5> counts;
  std::array<Pair, 4> pairs;
  std::optional<mpq::Text<6>> word;
};
constexpr auto arrays(std::uint32_t page) {
  return mpq::schema(
      mpq::column("time", &Arrays::time), mpq::list("spectrum", &Arrays::spectrum).with_page_bytes(page),
      mpq::list("fifo", &Arrays::fifo, mpq::column("x", &Axis::x), mpq::column("y", &Axis::y),
                mpq::column("z", &Axis::z)),
      mpq::list("one", &Arrays::one), mpq::list("seven", &Arrays::seven), mpq::list("more", &Arrays::more),
      mpq::list("bits", &Arrays::bits), mpq::list("names", &Arrays::names), mpq::list("raw", &Arrays::raw),
      mpq::list("counts", &Arrays::counts),
      mpq::list("pairs", &Arrays::pairs, mpq::column("level", &Pair::level), mpq::column("name", &Pair::name),
                mpq::group("axis", &Pair::axis, mpq::column("x", &Axis::x), mpq::column("y", &Axis::y),
                           mpq::column("z", &Axis::z))),
      mpq::column("word", &Arrays::word));
}
inline constexpr auto kArrays = arrays(1024);
inline constexpr auto kSmallArrays =
    mpq::schema(mpq::column("time", &Arrays::time), mpq::list("spectrum", &Arrays::spectrum),
                mpq::list("fifo", &Arrays::fifo, mpq::column("x", &Axis::x)), mpq::list("one", &Arrays::one));

// Compressed, split, and beside columns with dictionaries and differences.
inline constexpr auto kPackedArrays = mpq::schema(
    mpq::column("time", &Arrays::time).with_encoder(mpq::kDeltaBinaryPacked),
    mpq::list("spectrum", &Arrays::spectrum)
        .with_encoder(mpq::kByteStreamSplit)
        .with_compressor(mpq::kLz4RawCompressor)
        .with_page_bytes(1536),
    mpq::list("fifo", &Arrays::fifo, mpq::column("x", &Axis::x), mpq::column("y", &Axis::y),
              mpq::column("z", &Axis::z))
        .with_compressor(mpq::kLz4RawCompressor)
        .with_page_bytes(1024),
    mpq::list("one", &Arrays::one).with_compressor(mpq::kLz4RawCompressor).with_page_bytes(1024),
    mpq::list("seven", &Arrays::seven).with_compressor(mpq::kLz4RawCompressor).with_page_bytes(1024),
    mpq::list("more", &Arrays::more)
        .with_encoder(mpq::kByteStreamSplit)
        .with_compressor(mpq::kLz4RawCompressor)
        .with_page_bytes(2048),
    mpq::list("bits", &Arrays::bits).with_compressor(mpq::kLz4RawCompressor).with_page_bytes(1024),
    mpq::list("names", &Arrays::names).with_compressor(mpq::kLz4RawCompressor).with_page_bytes(1024),
    mpq::list("raw", &Arrays::raw).with_compressor(mpq::kLz4RawCompressor).with_page_bytes(1024),
    mpq::list("counts", &Arrays::counts),
    mpq::list("pairs", &Arrays::pairs, mpq::column("level", &Pair::level), mpq::column("name", &Pair::name)),
    mpq::column("word", &Arrays::word).with_encoder(mpq::kDictionary));

constexpr mpq::Options options(std::uint32_t page_bytes, bool sectors, const mpq::Layout& layout,
                               std::uint16_t block_bytes = 512) {
  mpq::Options options;
  options.page_bytes = page_bytes;
  options.whole_sectors = sectors;
  options.layout = &layout;
  options.block_bytes = block_bytes;
  return options;
}
inline constexpr mpq::Options kUsual = options(512, true, mpq::kInPlace);
inline constexpr mpq::Options kOdd = options(520, false, mpq::kInPlace);
inline constexpr mpq::Options kLarge = options(4096, true, mpq::kInPlace);
inline constexpr mpq::Options kBlocks = options(1024, true, mpq::kInPlace, 4096);
inline constexpr mpq::Options kPlain = options(512, true, mpq::kInPlaceNoCheckpoints);
inline constexpr mpq::Options kStream = options(512, true, mpq::kForward);
inline constexpr mpq::Options kSaving = options(512, true, mpq::kInPlaceSaving);

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

class Values {
 public:
  explicit Values(unsigned seed) : random_(seed) {}

  unsigned below(unsigned limit) { return static_cast<unsigned>(random_()) % limit; }
  std::mt19937& random() { return random_; }

  void make(bool& value) { value = below(3) != 0; }
  void make(std::uint8_t& value) { value = static_cast<std::uint8_t>(below(256)); }
  void make(std::int16_t& value) {
    value = static_cast<std::int16_t>(below(3) != 0 ? below(9) : below(65536));
  }
  void make(std::uint16_t& value) { value = static_cast<std::uint16_t>(below(65536)); }
  void make(std::int32_t& value) { value = static_cast<std::int32_t>(below(4) != 0 ? below(50) : random_()); }
  void make(std::int64_t& value) { value = static_cast<std::int64_t>(below(1U << 30)) << below(22); }
  void make(float& value) { value = static_cast<float>(below(4000)) / 8 - 100; }
  void make(double& value) { value = static_cast<double>(below(1U << 30)) / 1024 - 1000; }
  template <std::size_t N>
  void make(mpq::Text<N>& value) {
    char letters[N];
    const unsigned size = below(N + 1);
    for (unsigned i = 0; i < size; ++i) letters[i] = static_cast<char>('a' + below(below(2) != 0 ? 3 : 26));
    value = std::string_view(letters, size);
  }
  template <typename T, std::size_t N>
  void make(std::array<T, N>& values) {
    for (T& value : values) make(value);
  }
  template <typename T>
  void make(std::optional<T>& value) {
    value.reset();
    if (below(3) != 0) make(value.emplace());
  }
  void make(Axis& axis) { make(axis.x), make(axis.y), make(axis.z); }
  void make(Inner& inner) { make(inner.number), make(inner.text); }
  void make(Middle& middle) { make(middle.inner), make(middle.weight); }
  void make(Outer& outer) { make(outer.middle), make(outer.axis), make(outer.flag); }
  void make(Pair& pair) { make(pair.level), make(pair.name), make(pair.axis); }
  void make(Structs& row) {
    make(row.axis), make(row.required), make(row.maybe), make(row.outer), make(row.bytes);
  }
  void make(Arrays& row) {
    make(row.spectrum), make(row.fifo), make(row.one), make(row.seven), make(row.more), make(row.bits);
    make(row.names), make(row.raw), make(row.counts), make(row.pairs), make(row.word);
  }

 private:
  std::mt19937 random_;
};

// Prints the columns of a schema as JSON, in their order.
class Json {
 public:
  explicit Json(std::FILE* file) : file_(file) {}

  template <typename Row, typename... Parts>
  void print(const Row& row, const mpq::ColumnList<Parts...>& parts) {
    std::fputc('{', file_);
    mpq::detail::for_each_column(parts, [&](auto index, const auto& part) {
      if (index != 0) std::fputc(',', file_);
      name_and_value(row, part);
    });
    std::fputc('}', file_);
  }

 private:
  template <typename Row, typename R, typename Accessor>
  void name_and_value(const Row& row, const mpq::TypedColumn<R, Accessor>& part) {
    std::fprintf(file_, "\"%s\":", std::string(part.field.name).c_str());
    value(mpq::detail::access(row, part.accessor));
  }
  template <typename Row, typename R, typename Accessor, typename... Parts>
  void name_and_value(const Row& row, const mpq::TypedGroup<R, Accessor, Parts...>& part) {
    std::fprintf(file_, "\"%s\":", std::string(part.name).c_str());
    inside(mpq::detail::access(row, part.accessor), part.members);
  }
  template <typename Row, typename R, typename Accessor, typename Element>
  void name_and_value(const Row& row, const mpq::TypedList<R, Accessor, Element>& part) {
    std::fprintf(file_, "\"%s\":[", std::string(part.name).c_str());
    bool first = true;
    for (const auto& element : mpq::detail::access(row, part.accessor)) {
      if (!first) std::fputc(',', file_);
      first = false;
      element_of(element, part.element);
    }
    std::fputc(']', file_);
  }
  template <typename T, typename R, typename Accessor>
  void element_of(const T& element, const mpq::TypedColumn<R, Accessor>&) {
    value(element);
  }
  template <typename T, typename R, typename Accessor, typename... Parts>
  void element_of(const T& element, const mpq::TypedGroup<R, Accessor, Parts...>& part) {
    print(element, part.members);
  }
  template <typename T, typename... Parts>
  void inside(const std::optional<T>& row, const mpq::ColumnList<Parts...>& parts) {
    if (!row) {
      std::fputs("null", file_);
    } else {
      print(*row, parts);
    }
  }
  template <typename T, typename... Parts>
  void inside(const T& row, const mpq::ColumnList<Parts...>& parts) {
    print(row, parts);
  }

  void value(bool held) { std::fputs(held ? "true" : "false", file_); }
  template <typename T>
  void value(const std::optional<T>& held) {
    if (!held) {
      std::fputs("null", file_);
    } else {
      value(*held);
    }
  }
  template <std::size_t N>
  void value(const mpq::Text<N>& held) {
    std::fprintf(file_, "\"%s\"", std::string(std::string_view(held)).c_str());
  }
  template <std::size_t N>
  void value(const std::array<std::uint8_t, N>& held) {
    std::fputs("{\"hex\":\"", file_);
    for (const std::uint8_t byte : held) std::fprintf(file_, "%02x", byte);
    std::fputs("\"}", file_);
  }
  template <typename T, std::enable_if_t<std::is_arithmetic_v<T> && !std::is_same_v<T, bool>, int> = 0>
  void value(T held) {
    if constexpr (std::is_floating_point_v<T>) {
      std::fprintf(file_, "%.17g", static_cast<double>(held));
    } else {
      std::fprintf(file_, "%lld", static_cast<long long>(held));
    }
  }

  std::FILE* file_;
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

Pace pace_of(unsigned seed, bool has_checkpoints) {
  constexpr Pace kPaces[] = {{60, 200, 0, 0, 0}, {7, 0, 0, 0, 0},      {0, 0, 0, 0, 0},  {40, 0, 0, 0, 20},
                             {30, 0, 90, 0, 0},  {25, 300, 120, 0, 8}, {30, 0, 0, 60, 0}};
  Pace pace = kPaces[seed % (sizeof kPaces / sizeof *kPaces)];
  if (!has_checkpoints) pace.checkpoints = 0;
  return pace;
}

template <const auto& kSchema, const auto& kOptions>
bool write_file(const std::string& name, unsigned seed) {
  using Row = typename std::remove_reference_t<decltype(kSchema)>::Row;
  static mpq::StaticWriter<kSchema, kOptions> writer;
  constexpr std::size_t kRows = 400;
  Values values(seed);
  const Pace pace = pace_of(seed, kOptions.layout != &mpq::kInPlaceNoCheckpoints);
  std::vector<Row> rows(kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    values.make(rows[i]);
    rows[i].time = static_cast<std::int64_t>(i);
  }

  mpq::PosixFile posix;
  if (posix.create((name + ".parquet").c_str(), mpq::Existing::kOverwrite) != mpq::Status::kOk) return false;
  FailingFile file(posix, values.random(), pace.failures);
  mpq::Status status = repeated([&] { return writer.open(file); });
  const auto comes = [&](unsigned one_in) { return one_in != 0 && values.below(one_in) == 0; };
  std::size_t i = 0;
  std::size_t calls = 0;
  while (i < kRows && status == mpq::Status::kOk && ++calls < 20 * kRows) {
    status = repeated([&] { return writer.append(rows[i]); });
    ++i;
    if (status == mpq::Status::kOk && comes(pace.checkpoints))
      status = repeated([&] { return writer.checkpoint(); });
    if (status == mpq::Status::kOk && comes(pace.row_groups))
      status = repeated([&] { return writer.end_row_group(); });
    if (status == mpq::Status::kOk && comes(pace.boots)) {
      writer.reset();
      status = repeated([&] { return writer.resume(file); });
      i = static_cast<std::size_t>(writer.rows());
    }
    if (status == mpq::Status::kOk && comes(pace.reconnects)) {
      status = repeated([&] { return writer.reconnect(file); });
      if (writer.rows() != i)
        std::printf("%s: reconnect() at row %zu, %llu are there\n", name.c_str(), i,
                    static_cast<unsigned long long>(writer.rows()));
      i = static_cast<std::size_t>(writer.rows());
    }
  }
  if (status == mpq::Status::kOk) status = repeated([&] { return writer.close(); });
  if (status != mpq::Status::kOk || i != kRows) {
    std::printf("%s: status %d after row %zu\n", name.c_str(), static_cast<int>(status), i);
    writer.reset();
    return false;
  }

  std::FILE* const text = std::fopen((name + ".json").c_str(), "w");
  if (text == nullptr) return false;
  for (const Row& row : rows) {
    Json(text).print(row, kSchema.columns);
    std::fputc('\n', text);
  }
  return std::fclose(text) == 0;
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
    {"packed_arrays", &write_file<kPackedArrays, kUsual>},
    {"packed_arrays_blocks", &write_file<kPackedArrays, kBlocks>},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto seeds = static_cast<unsigned>(std::atoi(argv[2]));
  bool all = true;
  for (const Shape& shape : kShapes) {
    for (unsigned seed = 0; seed < seeds; ++seed) {
      const std::string name = std::string(argv[1]) + "/" + shape.name + "_" + std::to_string(seed);
      all = shape.write(name, seed) && all;
    }
  }
  return all ? 0 : 1;
}
