#include "write/left_out.h"

#include "base/try.h"
#include "format/written_key_values.h"
#include "write/found_bytes.h"
#include "write/inherited_key_values.h"
#include "write/writer_key_values.h"

namespace microparquet::write {
namespace {

using detail::InheritedKeyValues;
using detail::WriterState;

// A text in the file; `begin` counts from InheritedKeyValues::begin.
struct Text {
  std::uint32_t begin;
  std::uint32_t bytes;
};

// Walks from key-value to key-value. A failure ends the walk; the caller checks status() then.
class InheritedWalk {
 public:
  explicit InheritedWalk(const WriterState& state, std::uint32_t at = 0) : state_(state), end_(at) {}

  // Goes to the key-value that begins where this one ends.
  bool next() {
    begin_ = end_;
    if (status_ != Status::kOk || end_ == state_.inherited.bytes) return false;
    if (!find(key_) || !find(value_)) return false;
    end_ += format::kKeyValueStop;
    return true;
  }
  std::uint32_t begin() const { return begin_; }
  std::uint32_t end() const { return end_; }

  // Returns whether its key is the key of one of the pairs.
  bool has_key_of(Span<const KeyValue> pairs) {
    for (const KeyValue& pair : pairs) {
      if (has_key(pair.key)) return true;
    }
    return false;
  }
  bool has_key(std::string_view key) { return is(key_, key); }
  bool has_value(std::string_view value) { return is(value_, value); }

  Status status() const { return status_; }

 private:
  bool read(std::uint32_t at, std::uint32_t bytes);
  bool find(Text& text);
  bool is(const Text& text, std::string_view wanted);

  static constexpr std::uint32_t kPart = format::kTextHead;

  const WriterState& state_;
  std::uint32_t begin_ = 0;
  std::uint32_t end_;
  Text key_ = {};
  Text value_ = {};
  std::byte part_[kPart] = {};
  Status status_ = Status::kOk;
};

// Reads `bytes` bytes at `at` into part_. After a failure it reads nothing, which keeps the status.
[[gnu::noinline]] bool InheritedWalk::read(std::uint32_t at, std::uint32_t bytes) {
  if (status_ != Status::kOk) return false;
  status_ = state_.file->read_at(state_.inherited.begin + at, Span<std::byte>(part_, bytes));
  return status_ == Status::kOk;
}

// Finds a key or a value whose field begins at end_, and moves end_ past it.
[[gnu::noinline]] bool InheritedWalk::find(Text& text) {
  const std::uint32_t left = state_.inherited.bytes - end_;
  if (!read(end_, left < kPart ? left : kPart)) return false;
  std::uint32_t used = 1;
  text.bytes = format::take_varint(part_, used, kPart);
  text.begin = end_ + used;
  end_ = text.begin + text.bytes;
  const bool more = used < left && text.bytes < left - used;
  if (!more || part_[0] != format::kTextField) status_ = Status::kCorrupt;
  return status_ == Status::kOk;
}

[[gnu::noinline]] bool InheritedWalk::is(const Text& text, std::string_view wanted) {
  if (wanted.size() != text.bytes) return false;
  std::uint32_t at = 0;
  while (at != text.bytes && read(text.begin + at, 1) && part_[0] == static_cast<std::byte>(wanted[at])) ++at;
  return at == text.bytes;
}

// Reads and drops the list's header: the next list may have another number of key-values.
[[gnu::noinline]] Status open_inherited(WriterState& state) {
  constexpr std::uint32_t kMaxBytes = format::kMostKeyValuesHeader;
  std::byte header[kMaxBytes] = {};
  const std::uint32_t bytes = state.inherited.bytes < kMaxBytes ? state.inherited.bytes : kMaxBytes;
  MICROPARQUET_TRY(state.file->read_at(state.inherited.begin, Span<std::byte>(header, bytes)));
  std::uint32_t count = 0;
  const std::uint32_t used = format::read_key_values_header(header, count);
  if (used > bytes || count == 0) return Status::kCorrupt;
  // Computes the CRC of the rest from that of the whole. A header that was misread shows as a wrong CRC
  // later.
  const std::uint32_t header_crc = state.options->checksum(0, header, used);
  state.inherited.begin += used;
  state.inherited.bytes -= used;
  state.inherited.crc ^= join_crc(state.options->checksum, header_crc, 0, state.inherited.bytes);
  state.inherited.count = count;
  return Status::kOk;
}

// Inherited key-values with other keys than the one about to be set.
struct Others {
  std::uint32_t bytes;
  std::uint32_t count;
  std::uint32_t crc;
  std::uint32_t found;  // number with that key
  std::uint32_t same;   // number with its value as well
};

[[gnu::noinline]] Status find_others(const WriterState& state, const KeyValue& pair, Others& others) {
  const Crc32 checksum = state.options->checksum;
  std::uint32_t crc_of_all = 0;
  InheritedWalk walk(state);
  while (walk.next()) {
    if (walk.has_key_of(set_key_values(state))) continue;
    const std::uint32_t bytes = walk.end() - walk.begin();
    std::uint64_t at = state.inherited.begin + walk.begin();
    std::uint32_t crc = 0;
    MICROPARQUET_TRY(update_crc(state, at, bytes, crc));
    crc_of_all = join_crc(checksum, crc_of_all, crc, bytes);
    if (walk.has_key(pair.key)) {
      ++others.found;
      if (walk.has_value(pair.value)) ++others.same;
    } else {
      others.crc = join_crc(checksum, others.crc, crc, bytes);
      others.bytes += bytes;
      ++others.count;
    }
  }
  MICROPARQUET_TRY(walk.status());
  return crc_of_all == state.inherited.crc ? Status::kOk : Status::kCorrupt;
}

// Searches twice: checksums prove the bytes that are kept, but not the result of the search.
[[gnu::noinline]] Status find_twice(WriterState& state, const KeyValue& pair, Others& others) {
  InheritedKeyValues& inherited = state.inherited;
  if (inherited.bytes != 0 && inherited.count == 0) MICROPARQUET_TRY(open_inherited(state));
  MICROPARQUET_TRY(find_others(state, pair, others));
  const std::uint32_t crc = others.crc;
  const std::uint32_t found = others.found;
  const std::uint32_t same = others.same;
  others = {};
  MICROPARQUET_TRY(find_others(state, pair, others));
  const bool alike = others.crc == crc && others.found == found && others.same == same;
  return alike ? Status::kOk : Status::kCorrupt;
}

}  // namespace

Status next_others(const WriterState& state, std::uint32_t others_bytes, InheritedRun& run) {
  const std::uint32_t all = state.inherited.bytes;
  if (others_bytes == all) {
    run.bytes = all;
    return Status::kOk;
  }
  InheritedWalk walk(state, run.begin + run.bytes);
  run.bytes = 0;
  while (walk.next()) {
    const bool set = walk.has_key_of(set_key_values(state));
    if (set && run.bytes != 0) break;
    if (set) continue;
    if (run.bytes == 0) run.begin = walk.begin();
    run.bytes = walk.end() - run.begin;
  }
  if (run.bytes == 0 || walk.status() != Status::kOk) run = {all, 0};
  return walk.status();
}

Status leave_out(WriterState& state, const KeyValue& pair, std::uint32_t& bytes) {
  InheritedKeyValues& inherited = state.inherited;
  // The search may have passed the header of the list: these undo it on failure.
  const std::uint32_t bytes_before = inherited.bytes;
  const std::uint32_t crc_before = inherited.crc;
  const std::uint32_t count_before = inherited.count;
  Others others{};
  const Status status = find_twice(state, pair, others);
  if (status != Status::kOk) {
    inherited.begin -= bytes_before - inherited.bytes;
    inherited.bytes = bytes_before;
    inherited.crc = crc_before;
    inherited.count = count_before;
    return status;
  }
  if (others.found != 1 || others.same != 1) inherited.changed = true;
  inherited.crc = others.crc;
  inherited.count = others.count;
  if (others.count == 0) inherited.bytes = 0;
  bytes = others.bytes;
  return Status::kOk;
}

}  // namespace microparquet::write
