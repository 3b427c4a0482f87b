// A file in memory that knows what a file system would know after a cut, and rows of 0, 1, 2, ... in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "microparquet/port/memory_file.h"
#include "microparquet/writer.h"
#include "support/check.h"
#include "support/file_view.h"
#include "support/forwarding_file.h"
#include "support/names.h"
#include "written_file.h"

namespace cut {

using microparquet::MemoryFile;

inline constexpr Field kFields[] = {microparquet::int64_field("n"),
                                    microparquet::float_field("x").as_optional()};

// Whether bytes that are there would change if `data` were written over their beginning, or over all of them.
inline bool changes(Span<const std::byte> there, Span<const std::byte> data) {
  const std::size_t bytes = there.size() < data.size() ? there.size() : data.size();
  return std::memcmp(there.data(), data.data(), bytes) != 0;
}

// Calls can be made to fail, before or after they took effect.
class CutFile final : public support::OwningFile<MemoryFile> {
 public:
  explicit CutFile(int slot = 0, bool shrinks = true)
      : OwningFile(written::file_memory(slot)), shrinks_(shrinks) {}
  // The first `bytes` bytes of that memory are a file.
  CutFile(int slot, bool shrinks, std::size_t bytes)
      : OwningFile(written::file_memory(slot), bytes), shrinks_(shrinks) {
    attempt(bytes);
    publish();
  }

  FileAbilities abilities() const override { return {true, true, shrinks_}; }
  Status size(std::uint64_t& bytes) override {
    return fails_size ? Status::kIoError : ForwardingFile::size(bytes);
  }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    read_bytes += out.size();
    if (offset < unreadable + kSectorBytes && offset + out.size() > unreadable) return Status::kIoError;
    return call([&] { return ForwardingFile::read_at(offset, out); });
  }
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    ++writes;
    written_bytes += data.size();
    if (data.size() > longest_write) longest_write = data.size();
    if ((published_.hits(offset, data.size()) || attempted_.hits(offset, data.size())) &&
        changes(offset, data))
      ++violations;
    return call([&] { return ForwardingFile::write_at(offset, data); });
  }
  Status reserve(std::uint64_t end) override {
    if (fails_reserve) return Status::kIoError;
    return call([&] { return is_endless ? Status::kOk : ForwardingFile::reserve(end); });
  }
  Status barrier() override {
    ++barriers;
    return call([] { return Status::kOk; });
  }
  Status sync(std::uint64_t size) override {
    attempt(size);
    if (fails_sync) return Status::kIoError;
    ++syncs;
    return call([&] {
      publish();
      return ForwardingFile::sync(size);
    });
  }
  Status shrink(std::uint64_t size) override {
    if (size > published || !shrinks_) ++violations;
    attempted_.end = 0;
    attempt(size);
    return call([&] {
      publish();
      return ForwardingFile::shrink(size);
    });
  }

  view::File view() const {
    return view::File(inner_file().contents().subspan(0, static_cast<std::size_t>(published)));
  }
  void cut() { static_cast<void>(inner_file().shrink(published)); }

  static constexpr std::uint64_t kSectorBytes = 512;

  std::uint64_t published = 0;
  std::uint64_t unreadable = 1ULL << 62;  // where a sector begins that the medium does not give back
  std::size_t longest_write = 0;
  std::size_t read_bytes = 0;
  std::size_t written_bytes = 0;
  int writes = 0;
  int barriers = 0;
  int syncs = 0;
  bool fails_sync = false;
  bool fails_size = false;
  bool fails_reserve = false;
  bool is_endless = false;  // for all that it reserves
  int calls = 0;
  int fails_at = -1;          // this one of them
  unsigned one_in = 0;        // and one in this many
  bool takes_effect = false;  // though it fails; of those by `one_in` every other one does
  int violations = 0;  // other bytes over a footer that may be live, and sizes that are not to be published

 private:
  // Whether it puts other bytes where published ones are.
  bool changes(std::uint64_t offset, Span<const std::byte> data) const {
    const std::uint64_t end = published_.end > attempted_.end ? published_.end : attempted_.end;
    const auto at = static_cast<std::size_t>(offset);
    return cut::changes(inner_file().contents().subspan(at, static_cast<std::size_t>(end) - at), data);
  }

  // The extent of the footer that ends a file of `end` bytes.
  struct Footer {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    bool hits(std::uint64_t at, std::size_t bytes) const { return at < end && at + bytes > begin; }
  };

  template <typename Work>
  Status call(Work work) {
    const int n = calls++;
    const std::uint32_t chance = one_in != 0 ? written::mix(static_cast<unsigned>(n)) % (2 * one_in) : 2;
    if (n != fails_at && chance > 1) return work();
    const Status status = takes_effect || chance == 1 ? work() : Status::kOk;
    return status == Status::kOk ? Status::kIoError : status;
  }
  // A port may publish what it is asked to, whatever it answers, and refuses a smaller size from then on.
  void attempt(std::uint64_t size) {
    if (size < attempted_.end) ++violations;
    const view::File file(inner_file().contents().subspan(0, static_cast<std::size_t>(size)));
    if (!file.whole()) ++violations;
    attempted_ = {file.whole() ? file.footer_begin() : 0, size};
  }
  void publish() {
    published_ = attempted_;
    published = published_.end;
  }

  bool shrinks_;
  Footer published_;
  Footer attempted_;
};

inline Status append(Writer& writer, std::int64_t n) {
  const Value row[] = {Value::of(n), n % 3 == 0 ? Value() : Value::of(static_cast<float>(n))};
  return writer.append(row);
}

// Rows of 0, 1, 2, ... but for the gaps that `skips` tells of.
inline bool holds(const view::File& file, std::int64_t rows, std::int64_t skip_at = -1,
                  std::int64_t skip = 0) {
  if (!file.whole() || file.rows() != rows) return false;
  view::Column column(file, 0);
  view::Cell cell = {};
  std::int64_t i = 0;
  for (; column.next(cell); ++i) {
    std::int64_t n = -1;
    std::memcpy(&n, cell.bytes.data(), sizeof n);
    if (n != (skip_at >= 0 && i >= skip_at ? i + skip : i)) return false;
  }
  return column.sound() && i == rows;
}

inline Options options_of(std::uint32_t page_bytes) {
  Options options = written::in_place(page_bytes);
  options.row_group_bytes = 16 << 10;
  return options;
}

inline Options with_blocks(std::uint32_t page_bytes, std::uint16_t block_bytes) {
  Options options = options_of(page_bytes);
  options.block_bytes = block_bytes;
  return options;
}

// Rows to write by append(writer, n) for n = 0, 1, 2, ...
struct Workload {
  Span<const Field> fields;
  const Options& options;
  std::uint32_t rows;
  std::uint32_t rows_per_checkpoint;
};

// Writes them where every seventh call fails, before or after it took effect, and is repeated until it succeeds.
template <typename Append>
void write_where_calls_fail(CutFile& file, bool takes_effect, const Workload& work, const Append& append) {
  file.one_in = 7;
  file.takes_effect = takes_effect;
  Writer writer;
  Status status = Status::kIoError;
  for (int i = 0; i < 100 && status != Status::kOk; ++i)
    status = writer.open(file, work.fields, work.options, written::arena_memory());
  REQUIRE_EQ(status, Status::kOk);
  for (std::uint32_t n = 0; n < work.rows; ++n) {
    while (append(writer, n) != Status::kOk) continue;
    if (n % work.rows_per_checkpoint == 0) static_cast<void>(writer.checkpoint());
  }
  while (writer.close() != Status::kOk) continue;
}

// Writes `rows`, looks into the file after each checkpoint and at the end, and then lets `look` do so.
template <typename Rows, typename Look>
void write_and_read(const Workload& work, const Rows& rows, const Look& look) {
  CutFile file;
  Writer writer;
  REQUIRE_EQ(writer.open(file, work.fields, work.options, written::arena_memory()), Status::kOk);
  for (std::uint32_t n = 0; n < work.rows; ++n) {
    REQUIRE_EQ(rows.append(writer, n), Status::kOk);
    if (n % work.rows_per_checkpoint != work.rows_per_checkpoint - 1) continue;
    REQUIRE_EQ(writer.checkpoint(), Status::kOk);
    REQUIRE(rows.are_in(file.view().bytes(), n + 1));
  }
  REQUIRE_EQ(writer.close(), Status::kOk);
  REQUIRE(rows.are_in(file.view().bytes(), work.rows));
  CHECK_EQ(file.violations, 0);
  look(file.view());
}

// Six boots: each resumes what the one before has left, writes `more` rows more than that one, a checkpoint,
// and rows that are cut.
template <typename Rows>
void write_over_boots(const Workload& work, std::uint32_t more, const Rows& rows) {
  CutFile file;
  std::uint32_t row = 0;
  for (std::uint32_t boot = 0; boot < 6; ++boot) {
    Writer writer;
    REQUIRE_EQ(writer.resume(file, work.fields, work.options, written::arena_memory()), Status::kOk);
    REQUIRE_EQ(writer.rows(), row);
    for (std::uint32_t i = 0; i < work.rows_per_checkpoint + more * boot; ++i)
      REQUIRE_EQ(rows.append(writer, row++), Status::kOk);
    REQUIRE_EQ(writer.checkpoint(), Status::kOk);
    for (std::uint32_t i = 0; i < work.rows; ++i) REQUIRE_EQ(rows.append(writer, 1'000 + i), Status::kOk);
    file.cut();
    CHECK(rows.are_in(file.view().bytes(), row));
  }
}

}  // namespace cut
