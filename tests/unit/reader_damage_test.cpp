// Files truncated and with bytes changed, and a medium that fails: no wrong row, no crash, and no row lost.
#include <cstring>
#include <optional>
#include <string_view>

#include "microparquet/port/memory_file.h"
#include "microparquet/static_reader.h"
#include "microparquet/static_writer.h"
#include "support/check.h"
#include "support/names.h"
#include "support/read_only_file.h"
#include "written_file.h"

using microparquet::MemoryFile;

namespace {

struct Row {
  std::int32_t number;
  std::optional<std::string_view> text;
  std::optional<bool> flag;
  double value;
};

inline constexpr auto kSchema = microparquet::schema(
    microparquet::column("number", &Row::number), microparquet::string_column("text", &Row::text),
    microparquet::column("flag", &Row::flag), microparquet::column("value", &Row::value));
constexpr std::size_t kColumns = 4;

inline constexpr Options kOptions = [] {
  Options options;
  options.page_bytes = 128;
  options.whole_sectors = false;
  options.layout = &microparquet::kForward;
  options.row_group_bytes = 4096;
  options.row_group_rows = 20;
  return options;
}();

constexpr int kRows = 36;

Row row_at(int i) {
  static constexpr std::string_view kText = "some text that is as long as the row says";
  Row row = {};
  row.number = i * 1000003;
  if (i % 4 != 0) row.text = written::part(kText, 0, static_cast<std::size_t>(i % 40));
  if (i % 3 != 0) row.flag = i % 2 == 0;
  row.value = i * (1.0 / 7.0);
  return row;
}

bool equal(const Row& a, const Row& b) {
  return a.number == b.number && a.text == b.text && a.flag == b.flag && a.value == b.value;
}

std::byte file_memory[16 * 1024];
std::size_t file_bytes = 0;

// Written once, without gaps, so that every byte counts.
void write_file() {
  if (file_bytes != 0) return;
  static microparquet::StaticWriter<kSchema, kOptions> writer;
  MemoryFile file(file_memory);
  bool right = writer.open(file) == Status::kOk;
  for (int i = 0; i < kRows; ++i) right = right && writer.append(row_at(i)) == Status::kOk;
  right = right && writer.close() == Status::kOk;
  if (CHECK(right)) file_bytes = file.contents().size();
}

constexpr ReaderOptions options_of(std::uint32_t buffer_bytes) {
  ReaderOptions options;
  options.buffer_bytes = buffer_bytes;
  options.footer_bytes = 64;
  return options;
}
inline constexpr ReaderOptions kSmall = options_of(64);
inline constexpr ReaderOptions kLarge = options_of(512);
microparquet::StaticReader<kSchema, kSmall> small_reader;
microparquet::StaticReader<kSchema, kLarge> large_reader;

// A file in memory that is shorter than it is, and whose reads fail when they are to.
class Medium final : public support::ReadOnlyFile {
 public:
  explicit Medium(std::size_t size) : size_(size) {}

  int reads() const { return reads_; }
  // The read of this number, from 0, fails; -1: none does.
  void fail_at(int read) { fail_at_ = read; }

  Status size(std::uint64_t& bytes) override {
    bytes = size_;
    return Status::kOk;
  }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    if (offset > size_ || out.size() > size_ - offset) return Status::kIoError;
    const bool fails = reads_++ == fail_at_;
    // A read that fails may leave anything.
    const std::size_t bytes = fails ? out.size() / 2 : out.size();
    if (bytes != 0) std::memcpy(out.data(), file_memory + offset, bytes);
    return fails ? Status::kIoError : Status::kOk;
  }

 private:
  std::size_t size_;
  int reads_ = 0;
  int fail_at_ = -1;
};

struct Outcome {
  Status status = Status::kOk;
  int rows = 0;
  bool right = true;
};

// Reads all rows, repeating a call that failed by the medium once.
template <typename AnyReader>
Outcome read_rows(AnyReader& reader, File& file) {
  Outcome outcome;
  outcome.status = reader.open(file);
  if (outcome.status == Status::kIoError) outcome.status = reader.open(file);
  while (outcome.status == Status::kOk) {
    Row row = {};
    outcome.status = reader.next(row);
    if (outcome.status == Status::kIoError) outcome.status = reader.next(row);
    if (outcome.status != Status::kOk) break;
    outcome.right = outcome.right && outcome.rows < kRows && equal(row, row_at(outcome.rows));
    ++outcome.rows;
  }
  return outcome;
}

// The same through the columns, by batches; counts the rows of the first column.
template <typename AnyReader>
Outcome read_columns(AnyReader& owner, File& file) {
  Outcome outcome;
  outcome.status = owner.open(file);
  if (outcome.status == Status::kIoError) outcome.status = owner.open(file);
  Reader& reader = owner.reader();
  for (int first = 0; outcome.status == Status::kOk; first = outcome.rows) {
    outcome.status = reader.next_row_group();
    if (outcome.status == Status::kIoError) outcome.status = reader.next_row_group();
    for (std::size_t column = 0; outcome.status == Status::kOk && column < kColumns; ++column) {
      int at = first;
      Status status = Status::kOk;
      while (status == Status::kOk) {
        alignas(16) std::byte values[16 * 9];
        std::uint8_t levels[9];
        microparquet::AnyBatch batch{values, 9, levels};
        status = reader.next_batch(column, batch);
        if (status == Status::kIoError) status = reader.next_batch(column, batch);
        std::size_t next = 0;
        for (std::size_t i = 0; status == Status::kOk && i < batch.level_count; ++i, ++at) {
          const Row expected = row_at(at);
          const auto value = [&](auto sample) {
            std::memcpy(&sample, values + next * sizeof sample, sizeof sample);
            return sample;
          };
          bool right = at < kRows;
          if (column == 0) right = right && value(std::int32_t{}) == expected.number;
          if (column == 1) right = right && (levels[i] == 1) == expected.text.has_value();
          if (column == 1 && levels[i] == 1)
            right = right && value(std::string_view{}) == expected.text.value_or("");
          if (column == 2) right = right && (levels[i] == 1) == expected.flag.has_value();
          if (column == 2 && levels[i] == 1) right = right && value(bool{}) == expected.flag.value_or(false);
          if (column == 3) right = right && value(double{}) == expected.value;
          outcome.right = outcome.right && right;
          if (column == 0 || column == 3 || levels[i] == 1) ++next;
        }
      }
      if (status != Status::kEnd) outcome.status = status;
      if (column == 0) outcome.rows = at;
    }
  }
  return outcome;
}

template <typename Check>
void read_all_ways(Medium& medium, Check check) {
  check(read_rows(small_reader, medium));
  check(read_rows(large_reader, medium));
  check(read_columns(small_reader, medium));
  check(read_columns(large_reader, medium));
}

}  // namespace

TEST("reader: a file truncated anywhere is reported, and nothing is read beyond its end") {
  write_file();
  for (std::size_t size = 0; size < file_bytes; ++size) {
    Medium medium(size);
    const Status status = large_reader.open(medium);
    // The writer begins with a whole file without rows.
    const bool empty = status == Status::kOk && large_reader.reader().rows() == 0;
    CHECK(status == Status::kNotParquet || status == Status::kCorrupt || empty);
  }
  Medium whole(file_bytes);
  read_all_ways(whole, [](const Outcome& outcome) {
    CHECK_EQ(outcome.status, Status::kEnd);
    CHECK_EQ(outcome.rows, kRows);
    CHECK(outcome.right);
  });
}

TEST("reader: a read that fails, each in turn, is reported, and the call repeated continues") {
  write_file();
  for (const bool columns : {false, true}) {
    for (const bool small : {false, true}) {
      Medium counting(file_bytes);
      const auto read = [&](Medium& medium) {
        if (columns) return small ? read_columns(small_reader, medium) : read_columns(large_reader, medium);
        return small ? read_rows(small_reader, medium) : read_rows(large_reader, medium);
      };
      read(counting);
      const int reads = counting.reads();
      REQUIRE(reads > 10);
      for (int fail = static_cast<int>(check::stride().first); fail < reads;
           fail += static_cast<int>(check::stride().step)) {
        Medium medium(file_bytes);
        medium.fail_at(fail);
        const Outcome outcome = read(medium);
        CHECK_EQ(outcome.status, Status::kEnd);
        CHECK_EQ(outcome.rows, kRows);
        CHECK(outcome.right);
      }
    }
  }
}

namespace {

// Whether a byte lies in the footer. Checksums guard only the pages' bodies; a change of any other byte may
// go unnoticed.
bool in_footer(std::size_t offset) {
  std::uint32_t footer = 0;
  std::memcpy(&footer, file_memory + file_bytes - 8, 4);
  return offset >= file_bytes - 8 - footer;
}

// Checks that a changed byte causes an error, or leaves the rows the same. Other values may be read only if
// the byte has no checksum.
void check_flip(std::size_t offset, unsigned mask) {
  file_memory[offset] ^= static_cast<std::byte>(mask);
  Medium medium(file_bytes);
  int wrong = 0;
  int ended = 0;
  read_all_ways(medium, [&](const Outcome& outcome) {
    CHECK(outcome.status != Status::kOk && outcome.status != Status::kIoError);
    wrong += outcome.right ? 0 : 1;
    ended += outcome.status == Status::kEnd && outcome.rows == kRows ? 1 : 0;
  });
  // All ways agree whether the file is whole.
  if (!in_footer(offset)) CHECK(ended == 0 || ended == 4);
  if (wrong != 0) CHECK(in_footer(offset) || ended == 0);
  file_memory[offset] ^= static_cast<std::byte>(mask);
}

}  // namespace

TEST("reader: any byte changed gives an error or the same rows") {
  write_file();
  for (std::size_t offset = check::stride().first; offset < file_bytes; offset += check::stride().step) {
    for (const unsigned mask : {0xFFU, 0x01U, 0x80U}) check_flip(offset, mask);
  }
}

TEST("reader: every page of the writer has a checksum that notices any bit of its values") {
  write_file();
  // The numbers of the first column. Their bytes stand in statistics too, of the footer and of records that
  // no reader looks at; in pages the change is noticed, through a buffer that holds the page before any row
  // of it.
  for (int i = 1 + static_cast<int>(check::stride().first); i < kRows;
       i += static_cast<int>(check::stride().step)) {
    const std::int32_t number = row_at(i).number;
    int noticed = 0;
    for (std::size_t offset = 4; offset + 4 < file_bytes; ++offset) {
      if (std::memcmp(file_memory + offset, &number, 4) != 0 || in_footer(offset)) continue;
      file_memory[offset + 1] ^= std::byte{0x10};
      Medium medium(file_bytes);
      const Outcome whole = read_rows(large_reader, medium);
      CHECK(whole.right);
      if (whole.status == Status::kCorrupt) {
        ++noticed;
        CHECK_EQ(read_rows(small_reader, medium).status, Status::kCorrupt);
        CHECK_EQ(read_columns(small_reader, medium).status, Status::kCorrupt);
        CHECK_EQ(read_columns(large_reader, medium).status, Status::kCorrupt);
      } else {
        CHECK_EQ(whole.rows, kRows);
      }
      file_memory[offset + 1] ^= std::byte{0x10};
    }
    CHECK_EQ(noticed, 1);
  }
}
