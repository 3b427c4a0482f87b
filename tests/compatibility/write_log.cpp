// Plays what happens to a log: makes a file, or continues one that is there.
//
//   write_log FILE SCHEMA LAYOUT PAGE_BYTES SECTORS ROW_GROUP_BYTES CALL...
//
// FILE is read if it exists, and holds the published bytes afterwards. SECTORS: `whole` or `part`, or `blocks`:
// whole ones, on blocks of 4,096 bytes. LAYOUT: `in_place`, `tailed`, `saving`, `uncheckpointed` or `forward`; after it in any order `+index`,
// with a page index, or `+filters`, with all that a desktop writes of pages and values; `+small`, encoded by kAuto under LZ4_RAW,
// booleans in RLE; `+delta`, integers and byte arrays as differences, nothing compressed; `+v2`, in data pages of version 2. Calls:
//
//   open, resume, checkpoint, save, end, close   of the writer; end is end_row_group()
//   log=N      appends N rows; the value of a cell follows from its row and column, see test_compatibility.py
//   others=N   the same with rows that no other file has
//   tick=MS    tells the time
//   key=K:V    sets a key-value
//   cut        the power goes: the size is the published one, the medium keeps its bytes
//   kill       the program ends: the size is that of all that was written
//   tear=N     the last N bytes of the file are lost
//   new        an empty file on the same medium, which keeps its bytes; the run-time writers give it another id
//
// Prints `rows N`, those of the last footer, and `finished N`, those up to the last row group that ended,
// checkpoint or save; or `STATUS at CALL` and exits with 1, having left FILE as it was.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "microparquet/codecs.h"
#include "microparquet/desktop/data_page_v2.h"
#include "microparquet/desktop/full_index.h"
#include "microparquet/desktop/string_encoders.h"
#include "microparquet/encoders.h"
#include "microparquet/indexed_layout.h"
#include "microparquet/microparquet.h"
#include "microparquet/static_nested_writer.h"

namespace {

namespace mpq = microparquet;
using mpq::Field;
using mpq::Status;
using mpq::Type;

// A medium with one file, whose size changes at sync only.
class Medium final : public mpq::File {
 public:
  std::vector<std::byte> bytes;
  std::uint64_t written = 0;    // the end of what was written
  std::uint64_t published = 0;  // the file's size after a power cut

  mpq::FileAbilities abilities() const override {
    mpq::FileAbilities abilities;
    abilities.seek = abilities.read_back = abilities.shrink = true;
    return abilities;
  }
  Status size(std::uint64_t& size) override {
    size = written;
    return Status::kOk;
  }
  Status read_at(std::uint64_t offset, mpq::Span<std::byte> out) override {
    if (offset + out.size() > written) return Status::kIoError;
    std::memcpy(out.data(), bytes.data() + offset, out.size());
    return Status::kOk;
  }
  Status write_at(std::uint64_t offset, mpq::Span<const std::byte> data) override {
    bytes.resize(std::max<std::size_t>(bytes.size(), offset + data.size()));
    std::memcpy(bytes.data() + offset, data.data(), data.size());
    written = std::max<std::uint64_t>(written, offset + data.size());
    return Status::kOk;
  }
  Status sync(std::uint64_t size) override {
    published = written = size;
    return Status::kOk;
  }
  Status shrink(std::uint64_t size) override { return sync(size); }
};

struct Settings {
  std::string schema, layout;
  std::uint32_t page_bytes, row_group_bytes;
  std::string sectors;
};

std::vector<Field> fields_of(const std::string& schema) {
  using mpq::TimeUnit;
  std::vector<Field> fields = {mpq::int64_field("id")};
  const auto add = [&](std::initializer_list<Field> more) { fields.insert(fields.end(), more); };
  if (schema == "numbers") add({mpq::float_field("a"), mpq::float_field("b"), mpq::int32_field("c")});
  if (schema == "strings") {
    add({mpq::string_field("text"), mpq::byte_array_field("bytes"), mpq::string_field("note").as_optional()});
  }
  if (schema == "types") {
    add({mpq::boolean_field("boolean"),
         mpq::int32_field("int32"),
         mpq::integer_field("int8", 8, true),
         mpq::integer_field("uint8", 8, false),
         mpq::integer_field("int16", 16, true),
         mpq::integer_field("uint16", 16, false),
         mpq::integer_field("uint32", 32, false),
         mpq::integer_field("uint64", 64, false),
         mpq::float_field("float"),
         mpq::double_field("double"),
         mpq::float16_field("float16"),
         mpq::string_field("string"),
         mpq::byte_array_field("binary"),
         mpq::fixed_field("fixed", 5),
         mpq::uuid_field("uuid"),
         mpq::date_field("date"),
         mpq::time_field("time_ms", TimeUnit::kMillis),
         mpq::time_field("time_us", TimeUnit::kMicros),
         mpq::timestamp_field("timestamp_ms", TimeUnit::kMillis),
         mpq::timestamp_field("timestamp_us"),
         mpq::timestamp_field("timestamp_ns", TimeUnit::kNanos, false),
         mpq::decimal32_field("decimal32", 9, 2),
         mpq::decimal64_field("decimal64", 18, 3),
         mpq::decimal_fixed_field("decimal_fixed", 7, 12, 4),
         mpq::decimal_binary_field("decimal_binary", 4, 1)});
  }
  if (schema == "optional") {
    add({mpq::boolean_field("boolean"), mpq::int32_field("int32"), mpq::int64_field("int64"),
         mpq::float_field("float"), mpq::double_field("double"), mpq::string_field("string"),
         mpq::fixed_field("fixed", 3)});
    for (std::size_t i = 1; i < fields.size(); ++i) fields[i] = fields[i].as_optional();
  }
  return fields;
}

// The rule for the values. `number` is what a cell of any type is made of.
mpq::Value value_of(const Field& field, std::int64_t row, std::size_t column, std::string& text) {
  const auto c = static_cast<std::int64_t>(column);
  const std::int64_t number = column == 0 ? row : (row * 7 + c) % 100;
  if (field.repetition == mpq::Repetition::kOptional && (row + c) % 4 == 1) {
    mpq::Value null;
    null.type = field.type;
    return null;
  }
  switch (field.type) {
    case Type::kBoolean: return mpq::Value::of(number % 3 == 0);
    case Type::kInt32: return mpq::Value::of(static_cast<std::int32_t>(number));
    case Type::kInt64: return mpq::Value::of(number);
    case Type::kFloat: return mpq::Value::of(static_cast<float>(number) / 4);
    case Type::kDouble: return mpq::Value::of(static_cast<double>(number) / 8);
    case Type::kFixedLenByteArray:
      text.assign(field.type_length, '\0');
      text.back() = static_cast<char>(number);
      return mpq::Value::of_fixed(text);
    default: break;
  }
  const bool decimal = field.logical.kind == mpq::LogicalKind::kDecimal;
  text = decimal ? std::string(1, static_cast<char>(number))
                 : std::string(static_cast<std::size_t>(number % 23), static_cast<char>('a' + number % 26));
  return mpq::Value::of_bytes(text);
}

class RunTimeWriter {
 public:
  explicit RunTimeWriter(const Settings& settings) : fields_(fields_of(settings.schema)) {
    options_.page_bytes = settings.page_bytes;
    options_.whole_sectors = settings.sectors != "part";
    if (settings.sectors == "blocks") options_.block_bytes = 4096;
    options_.row_group_bytes = settings.row_group_bytes;
    const std::string layout = settings.layout.substr(0, settings.layout.find('+'));
    const auto has = [&](const char* part) { return settings.layout.find(part) != std::string::npos; };
    options_.layout = layout == "forward"          ? &mpq::kForward
                      : layout == "tailed"         ? &mpq::kInPlaceTailed
                      : layout == "saving"         ? &mpq::kInPlaceSaving
                      : layout == "stream"         ? &mpq::kForwardSaving
                      : layout == "uncheckpointed" ? &mpq::kInPlaceNoCheckpoints
                                                   : &mpq::kInPlace;
    if (layout == "saving") options_.save_ms = 1000;
    if (has("+small")) make_small();
    if (has("+delta")) make_differences();
    if (has("+v2")) make_v2();
    if (has("+index") || has("+filters")) add_index(has("+filters"));
    arena_.resize(mpq::Writer::required_bytes(schema(), options_));
  }

  mpq::Writer& writer() { return writer_; }
  Status open(mpq::File& file) { return writer_.open(file, schema(), options_, arena()); }
  Status resume(mpq::File& file) { return writer_.resume(file, schema(), options_, arena()); }
  void begin_other() { ++options_.file_id; }
  Status append(std::int64_t row) {
    std::vector<mpq::Value> values;
    std::vector<std::string> texts(fields_.size());
    for (std::size_t i = 0; i < fields_.size(); ++i) values.push_back(value_of(fields_[i], row, i, texts[i]));
    return writer_.append({values.data(), values.size()});
  }

 private:
  mpq::Schema schema() const { return {fields_.data(), fields_.size()}; }
  mpq::Span<std::byte> arena() { return {arena_.data(), arena_.size()}; }

  void make_small() {
    for (Field& field : fields_) {
      field = field.type == Type::kBoolean ? field.with_encoder(mpq::kRleBoolean)
                                           : field.with_encoder(mpq::kAuto.under(mpq::kLz4RawCompressor));
    }
  }
  void make_differences() {
    for (Field& field : fields_) {
      if (field.type == Type::kInt32 || field.type == Type::kInt64)
        field = field.with_encoder(mpq::kDeltaBinaryPacked);
      if (field.type == Type::kByteArray) field = field.with_encoder(mpq::desktop::kDeltaByteArray);
    }
  }
  // Turns every page into version 2, whether or not it is compressed.
  void make_v2() {
    static constexpr mpq::desktop::DataPageV2 kPages;
    static constexpr mpq::desktop::DataPageV2 kLz4Pages(mpq::kLz4RawCompressor);
    for (Field& field : fields_)
      field = field.with_compressor(field.compressor != nullptr ? kLz4Pages : kPages);
  }

  void add_index(bool has_filters) {
    constexpr std::uint32_t kPages = 200;
    constexpr std::uint32_t kFilterBytes = 256;
    if (has_filters) {
      for (Field& field : fields_) {
        filters_.emplace_back(field.type == Type::kBoolean ? 0 : kFilterBytes);
        noted_.push_back(std::make_unique<mpq::desktop::NotedColumn>(*field.encoder, filters_.back()));
        field = field.with_encoder(*noted_.back());
      }
    }
    const mpq::IndexedLayout indexed =
        mpq::with_page_index(*options_.layout, mpq::page_index_bytes(schema(), options_, kPages));
    index_ = mpq::desktop::with_full_index(indexed, schema());
    if (!has_filters) static_cast<mpq::IndexedLayout&>(index_) = indexed;
    options_.layout = &index_;
  }

  std::vector<Field> fields_;
  std::vector<std::vector<std::byte>> filters_;
  std::vector<std::unique_ptr<mpq::desktop::NotedColumn>> noted_;
  mpq::desktop::FullIndexLayout index_ = {};
  mpq::Options options_;
  std::vector<std::byte> arena_;
  mpq::Writer writer_;
};

// The columns of `numbers` again, as a struct.
struct Sample {
  std::int64_t id;
  float a, b;
  std::int32_t c;
};
constexpr auto kSchema = mpq::schema(mpq::column("id", &Sample::id), mpq::column("a", &Sample::a),
                                     mpq::column("b", &Sample::b), mpq::column("c", &Sample::c));
constexpr mpq::Options struct_options() {
  mpq::Options options;
  options.row_group_bytes = 8192;
  return options;
}
constexpr mpq::Options kOptions = struct_options();

class StructWriter {
 public:
  mpq::StaticWriter<kSchema, kOptions>& writer() { return writer_; }
  Status open(mpq::File& file) { return writer_.open(file); }
  Status resume(mpq::File& file) { return writer_.resume(file); }
  void begin_other() {}
  Status append(std::int64_t row) {
    const auto number = [&](int column) { return (row * 7 + column) % 100; };
    return writer_.append(Sample{row, static_cast<float>(number(1)) / 4, static_cast<float>(number(2)) / 4,
                                 static_cast<std::int32_t>(number(3))});
  }

 private:
  mpq::StaticWriter<kSchema, kOptions> writer_;
};

// Structs and arrays.
struct NestedPlace {
  std::int32_t x;
};
struct NestedFix {
  double lat;
  std::optional<NestedPlace> place;
};
struct NestedAxes {
  std::int16_t x, y;
};
struct NestedSample {
  std::int64_t id;
  std::optional<NestedFix> fix;
  std::array<float, 5> bins;
  std::array<NestedAxes, 3> axes;
  std::array<std::int32_t, 40> counts;
};
constexpr auto kNestedSchema = mpq::schema(
    mpq::column("id", &NestedSample::id),
    mpq::group("fix", &NestedSample::fix, mpq::column("lat", &NestedFix::lat),
               mpq::group("place", &NestedFix::place, mpq::column("x", &NestedPlace::x))),
    mpq::list("bins", &NestedSample::bins),
    mpq::list("axes", &NestedSample::axes, mpq::column("x", &NestedAxes::x), mpq::column("y", &NestedAxes::y))
        .with_compressor(mpq::kLz4RawCompressor)
        .with_page_bytes(1024),
    mpq::list("counts", &NestedSample::counts));

class NestedWriter {
 public:
  mpq::StaticWriter<kNestedSchema, kOptions>& writer() { return writer_; }
  Status open(mpq::File& file) { return writer_.open(file); }
  Status resume(mpq::File& file) { return writer_.resume(file); }
  void begin_other() {}
  Status append(std::int64_t row) {
    const auto number = [&](std::size_t column) {
      return static_cast<std::int16_t>((row * 7 + static_cast<std::int64_t>(column)) % 100);
    };
    NestedSample sample = {};
    sample.id = row;
    if (row % 4 != 1) sample.fix = NestedFix{static_cast<double>(number(1)) / 8, {}};
    if (sample.fix && row % 3 != 1) sample.fix->place = NestedPlace{number(2)};
    for (std::size_t i = 0; i < sample.bins.size(); ++i) sample.bins[i] = static_cast<float>(number(i)) / 4;
    for (std::size_t i = 0; i < sample.axes.size(); ++i) sample.axes[i] = {number(i), number(i + 1)};
    for (std::size_t i = 0; i < sample.counts.size(); ++i) sample.counts[i] = number(i);
    return writer_.append(sample);
  }

 private:
  mpq::StaticWriter<kNestedSchema, kOptions> writer_;
};

// Lists, a map, and lists in lists.
struct ListPoint {
  std::int16_t x;
  std::optional<float> height;
};
struct ListSample {
  std::int64_t id;
  mpq::List<float, 20> levels;
  std::optional<mpq::List<std::int32_t, 5>> counts;
  mpq::List<ListPoint, 6> points;
  mpq::List<mpq::List<std::int16_t, 3>, 3> two;
  mpq::List<mpq::Entry<mpq::Text<4>, double>, 3> tags;
};
constexpr auto kListSchema = mpq::schema(
    mpq::column("id", &ListSample::id), mpq::list("levels", &ListSample::levels),
    mpq::list("counts", &ListSample::counts).with_compressor(mpq::kLz4RawCompressor).with_page_bytes(1024),
    mpq::list("points", &ListSample::points, mpq::column("x", &ListPoint::x),
              mpq::column("height", &ListPoint::height)),
    mpq::list("two", &ListSample::two), mpq::map("tags", &ListSample::tags));

class ListWriter {
 public:
  mpq::StaticWriter<kListSchema, kOptions>& writer() { return writer_; }
  Status open(mpq::File& file) { return writer_.open(file); }
  Status resume(mpq::File& file) { return writer_.resume(file); }
  void begin_other() {}
  Status append(std::int64_t row) {
    constexpr const char* kKeys[] = {"a", "bc", "def"};
    const auto number = [&](std::int64_t column) {
      return static_cast<std::int16_t>((row * 7 + column) % 100);
    };
    ListSample sample = {};
    sample.id = row;
    for (std::int64_t i = 0; i < row % 21; ++i) sample.levels.push_back(static_cast<float>(number(i)) / 4);
    if (row % 4 != 1) sample.counts.emplace();
    for (std::int64_t i = 0; sample.counts && i < row % 6; ++i) sample.counts->push_back(number(i));
    for (std::int64_t i = 0; i < row % 7; ++i) {
      ListPoint point = {number(i), {}};
      if ((row + i) % 3 != 0) point.height = static_cast<float>(i) / 2;
      sample.points.push_back(point);
    }
    for (std::int64_t i = 0; i < row % 4; ++i) {
      mpq::List<std::int16_t, 3> inner;
      for (std::int64_t k = 0; k < (row + i) % 4; ++k) inner.push_back(number(k));
      sample.two.push_back(inner);
      sample.tags.push_back({kKeys[i], static_cast<double>(number(i)) / 8});
    }
    return writer_.append(sample);
  }

 private:
  mpq::StaticWriter<kListSchema, kOptions> writer_;
};

// Arrays and lists of differences, indices and runs.
struct CodedPart {
  std::optional<std::int64_t> number;
  mpq::Text<4> word;
};
struct CodedSample {
  std::int64_t id;
  std::array<std::int32_t, 33> counts;
  std::optional<mpq::List<std::int64_t, 40>> times;
  mpq::List<CodedPart, 6> parts;
  mpq::List<float, 20> levels;
  mpq::List<bool, 50> bits;
};
constexpr auto kCodedSchema = mpq::schema(
    mpq::column("id", &CodedSample::id),
    mpq::list("counts", &CodedSample::counts).with_encoder(mpq::kDeltaBinaryPacked).with_page_bytes(1024),
    mpq::list("times", &CodedSample::times).with_encoder(mpq::kDeltaBinaryPacked).with_page_bytes(1024),
    mpq::list("parts", &CodedSample::parts, mpq::column("number", &CodedPart::number),
              mpq::column("word", &CodedPart::word))
        .with_encoder(mpq::kAuto),
    mpq::list("levels", &CodedSample::levels)
        .with_encoder(mpq::kAuto.under(mpq::kLz4RawCompressor))
        .with_page_bytes(1024),
    mpq::list("bits", &CodedSample::bits).with_encoder(mpq::kRleBoolean));

class CodedWriter {
 public:
  mpq::StaticWriter<kCodedSchema, kOptions>& writer() { return writer_; }
  Status open(mpq::File& file) { return writer_.open(file); }
  Status resume(mpq::File& file) { return writer_.resume(file); }
  void begin_other() {}
  Status append(std::int64_t row) {
    constexpr const char* kWords[] = {"", "a", "bc", "def"};
    const auto number = [&](std::int64_t column) { return (row * 7 + column) % 100; };
    CodedSample sample = {};
    sample.id = row;
    for (std::size_t i = 0; i < sample.counts.size(); ++i)
      sample.counts[i] = static_cast<std::int32_t>(row * 1000 + 25 * static_cast<std::int64_t>(i));
    if (row % 4 != 1) sample.times.emplace();
    for (std::int64_t i = 0; sample.times && i < row % 41; ++i)
      sample.times->push_back(number(i) * 10000000000 + i);
    for (std::int64_t i = 0; i < row % 7; ++i) {
      CodedPart part = {{}, kWords[(row + i) % 4]};
      if ((row + i) % 3 != 0) part.number = number(i);
      sample.parts.push_back(part);
    }
    for (std::int64_t i = 0; i < row % 21; ++i)
      sample.levels.push_back(static_cast<float>(row < 90 ? number(i) % 5 : number(i)) / 4);
    for (std::int64_t i = 0; i < row % 51; ++i) sample.bits.push_back((i / (1 + row % 9)) % 2 != 0);
    return writer_.append(sample);
  }

 private:
  mpq::StaticWriter<kCodedSchema, kOptions> writer_;
};

template <typename Log>
class Life {
 public:
  Life(Log& log, Medium& medium) : log_(log), medium_(medium) {}

  Status call(const std::string& text) {
    const std::size_t sign = text.find('=');
    const std::string name = text.substr(0, sign);
    const std::string argument = sign == std::string::npos ? "" : text.substr(sign + 1);
    auto& writer = log_.writer();
    Status status = Status::kOk;
    if (name == "open") status = log_.open(medium_);
    if (name == "resume") status = resume();
    if (name == "log") status = append(std::stoll(argument), 0);
    if (name == "others") status = append(std::stoll(argument), 1'000'000);
    if (name == "checkpoint") status = writer.checkpoint();
    if (name == "save") status = writer.save();
    if (name == "end") status = writer.end_row_group();
    if (name == "tick") status = writer.tick(static_cast<std::uint32_t>(std::stoul(argument)));
    if (name == "key") status = set_key(argument);
    if (name == "close") status = writer.close();
    if (status != Status::kOk) return status;
    if (name == "end" || name == "checkpoint" || name == "save" || name == "close") finished_ = next_;
    if (name == "checkpoint" || name == "close" || name == "tick") rows_ = writer.durable_rows();
    if (name == "cut") lose(medium_.published);
    if (name == "kill") lose(medium_.written);
    if (name == "tear") lose(medium_.published - std::stoull(argument));
    if (name == "new") begin_new();
    return status;
  }

  std::int64_t finished() const { return std::max(finished_, static_cast<std::int64_t>(rows_)); }
  std::uint64_t rows() const { return rows_; }

 private:
  Status resume() {
    const Status status = log_.resume(medium_);
    rows_ = log_.writer().rows();
    next_ = finished_ = static_cast<std::int64_t>(rows_);
    return status;
  }
  Status append(std::int64_t rows, std::int64_t from) {
    for (Status status; rows > 0; --rows) {
      if (status = log_.append(from + next_); status != Status::kOk) return status;
      ++next_;
    }
    rows_ = log_.writer().durable_rows();
    return Status::kOk;
  }
  // Key-values stay with the caller.
  Status set_key(const std::string& text) {
    texts_.push_back(std::make_unique<std::string>(text));
    const std::string_view pair = *texts_.back();
    const std::size_t colon = pair.find(':');
    return log_.writer().set_key_value(pair.substr(0, colon), pair.substr(colon + 1));
  }
  void lose(std::uint64_t size) {
    log_.writer().reset();
    medium_.published = medium_.written = size;
  }
  void begin_new() {
    lose(0);
    log_.begin_other();
    next_ = finished_ = 0;
    rows_ = 0;
  }

  Log& log_;
  Medium& medium_;
  std::int64_t next_ = 0;
  std::int64_t finished_ = 0;
  std::uint64_t rows_ = 0;
  std::vector<std::unique_ptr<std::string>> texts_;
};

void read(const char* path, Medium& medium) {
  std::ifstream in(path, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  medium.bytes.resize(bytes.size());
  if (!bytes.empty()) std::memcpy(medium.bytes.data(), bytes.data(), bytes.size());
  medium.written = medium.published = bytes.size();
}

template <typename Log>
int play(Log&& log, const char* path, char** calls) {
  Medium medium;
  read(path, medium);
  Life<Log> life(log, medium);
  for (; *calls != nullptr; ++calls) {
    const Status status = life.call(*calls);
    if (status == Status::kOk) continue;
    std::printf("%s at %s\n", mpq::to_string(status), *calls);
    return 1;
  }
  std::printf("rows %llu\nfinished %lld\n", static_cast<unsigned long long>(life.rows()),
              static_cast<long long>(life.finished()));
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(medium.bytes.data()),
            static_cast<std::streamsize>(medium.published));
  return out.good() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 7) {
    std::fprintf(stderr, "usage: write_log FILE SCHEMA LAYOUT PAGE_BYTES SECTORS ROW_GROUP_BYTES CALL...\n");
    return 2;
  }
  const Settings settings = {argv[2], argv[3], static_cast<std::uint32_t>(std::atol(argv[4])),
                             static_cast<std::uint32_t>(std::atol(argv[6])), argv[5]};
  if (settings.schema == "struct") return play(StructWriter(), argv[1], argv + 7);
  if (settings.schema == "lists") return play(ListWriter(), argv[1], argv + 7);
  if (settings.schema == "coded_lists") return play(CodedWriter(), argv[1], argv + 7);
  if (settings.schema == "nested") return play(NestedWriter(), argv[1], argv + 7);
  return play(RunTimeWriter(settings), argv[1], argv + 7);
}
