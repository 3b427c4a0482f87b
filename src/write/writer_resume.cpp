#include "write/writer_resume.h"

#include "base/bytes.h"
#include "base/try.h"
#include "format/file_metadata_writer.h"
#include "format/record_format.h"
#include "format/written_key_values.h"
#include "microparquet/detail/sectors.h"
#include "microparquet/writer.h"
#include "write/begin_file.h"
#include "write/footer.h"
#include "write/layout_ops.h"
#include "write/writer_key_values.h"
#include "write/writer_reconnect.h"

namespace microparquet::write {

bool FoundBytes::at_end() {
  if (next_ != end_) return false;
  // A whole sector must go to memory that a driver can take (Options::transfer_align): bytes lie as far from a
  // multiple of 256 in the window as in the file.
  const std::uint32_t begin = static_cast<std::uint8_t>(at_);
  const Span<std::byte> window = window_of(state_);
  std::uint32_t part = static_cast<std::uint32_t>(window.size()) - begin;
  if (left_ < part) part = left_;
  if (part == 0 || status_ != Status::kOk) return true;
  next_ = window.data() + begin;
  end_ = next_ + part;
  status_ = state_.file->read_at(at_, window.subspan(begin, part));
  crc = state_.options->checksum(crc, next_, part);
  at_ += part;
  left_ -= part;
  return false;
}

unsigned FoundBytes::byte() { return at_end() ? 0 : std::to_integer<unsigned>(*next_++); }

void FoundBytes::get(void* to, std::uint32_t bytes) {
  auto* at = static_cast<std::byte*>(to);
  for (; bytes != 0; --bytes) *at++ = static_cast<std::byte>(byte());
}

void FoundBytes::pass(std::uint32_t bytes) {
  begin(bytes);
  while (!at_end()) next_ = end_;
}

void FoundBytes::expect_varint(unsigned bytes, std::uint64_t value) {
  for (; bytes != 0; --bytes) {
    if (((byte() ^ static_cast<unsigned>(value)) & 0x7F) != 0) fail(Status::kCorrupt);
    value >>= 7;
  }
}

void FoundBytes::expect_crc(std::uint32_t expected, Status status) {
  if (crc != expected) fail(status);
}

Status update_crc(const detail::WriterState& state, std::uint64_t& at, std::uint32_t bytes,
                  std::uint32_t& crc) {
  FoundBytes run(state, at);
  run.crc = crc;
  run.pass(bytes);
  MICROPARQUET_TRY(run.status());
  at = run.at();
  crc = run.crc;
  return Status::kOk;
}

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
  bool begins_with(std::string_view prefix) {
    const Text begin = {key_.begin, static_cast<std::uint32_t>(prefix.size())};
    return key_.bytes >= begin.bytes && is(begin, prefix);
  }

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

Status count_inherited(WriterState& state, std::string_view prefix, std::uint32_t& count) {
  count = 0;
  if (state.inherited.bytes == 0) return Status::kOk;
  const InheritedKeyValues before = state.inherited;
  Status status = before.count == 0 ? open_inherited(state) : Status::kOk;
  if (status == Status::kOk) {
    InheritedWalk walk(state);
    while (walk.next()) count += walk.begins_with(prefix);
    status = walk.status();
  }
  state.inherited = before;  // nothing but its CRC, later, proves that the header was read right
  return status;
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

// A CRC is linear apart from the inversion before and after it: appending bytes shifts the first CRC as zeros
// would. There are few bytes, so they go one at a time.
std::uint32_t join_crc(Crc32 checksum, std::uint32_t first, std::uint32_t second,
                       std::uint32_t second_bytes) {
  constexpr std::byte kZero{0};
  first = ~first;
  for (; second_bytes != 0; --second_bytes) first = checksum(first, &kZero, 1);
  return ~first ^ second;
}

void put_inherited(thrift::WindowSink& sink, detail::WriterState& state) {
  begin_inherited(sink, state);
  sink.copy(state.inherited.begin, state.inherited.bytes);
  end_inherited(sink, state, state.inherited.bytes);
}

namespace {

using detail::ColumnWriter;
using detail::FooterExtension;
using detail::kNowhere;
using detail::SectorIndex;
using format::kMagic;
using format::kMagicBytes;
using format::kMagicCrc;

constexpr std::uint32_t kCrcBytes = sizeof(std::uint32_t);
constexpr std::uint32_t kExtent = 2 * sizeof(std::uint32_t);

// Bytes after the extension, without its checksum.
constexpr std::uint32_t kEndBytes = format::FileEnd::kBytes;

// Returns whether the places in a footer are possible: segments lie before the footer, which begins in sector
// `end`, and the rests of extents lie in the segment, apart from each other.
bool places_are_sound(const WriterState& state, const FooterExtension& contents, SectorIndex end) {
  if (contents.next == kNowhere)
    return (contents.segment_end.number() | contents.free_end.number() | contents.open_bytes) == 0;
  if (contents.free_begin > contents.free_end || contents.free_end > end) return false;
  if (contents.open_bytes == 0) return true;
  if (contents.segment_end > end) return false;
  for (const ColumnWriter& column : columns_of(state)) {
    if (column.free_begin > column.free_end || column.free_end > contents.segment_end) return false;
    if (column.free_begin < contents.next) return false;
    for (const ColumnWriter* other = state.columns; other != &column; ++other) {
      if (other->free_begin < column.free_end && column.free_begin < other->free_end) return false;
    }
  }
  return true;
}

bool has_extents(const detail::ArenaPlan& arena) {
  return arena.extension_bytes != detail::kFooterExtensionBytes + kCrcBytes;
}

}  // namespace

// Sums up exactly the bytes that it has parsed, since a medium may return other bytes when asked again.
// An earlier version of this library, closing a resumed file before a row came, stored the last row group's
// offset as the next one's. Such a segment is given up. In a stream, whose footers describe no extents, it is the one
// that saves are in.
Status read_footer(WriterState& state, FooterExtension& contents, std::uint64_t size) {
  const Crc32 checksum = state.options->checksum;
  const detail::ArenaPlan& arena = state.plan->arena;
  detail::FooterDraft& draft = state.footer.draft;
  // The beginning of the file is never written again: PAR1, and the head that all its footers share.
  FoundBytes in(state, 0);
  const auto head = static_cast<std::uint32_t>(state.plan->footer_head.size());
  if (size < kMagicBytes + head + arena.extension_bytes) return Status::kNotParquet;
  in.pass(kMagicBytes);
  in.expect_crc(kMagicCrc, Status::kNotParquet);
  in.pass(head);
  in.expect_crc(checksum(kMagicCrc, state.plan->footer_head.data(), head), Status::kSchemaMismatch);

  const std::uint64_t extension = size - kEndBytes - arena.extension_bytes;
  in.go_to(extension);
  in.crc = 0;
  in.begin(arena.extension_bytes - kCrcBytes);
  in.get(&contents, detail::kFooterExtensionBytes);
  for (ColumnWriter* column = state.columns; !in.at_end(); ++column) in.get(&column->free_begin, kExtent);
  const std::uint32_t extension_crc = in.crc;
  in.begin(kCrcBytes + kEndBytes);
  in.get(&draft.footer_crc, kCrcBytes);
  format::FileEnd end;
  end.take(in);
  MICROPARQUET_TRY(in.status());
  const std::uint32_t bytes = end.footer_bytes();
  if (end.tail.magic != kMagic || bytes > size - kMagicBytes) return Status::kCorrupt;
  if (contents.tag != kFooterTag) return Status::kCorrupt;
  const std::uint32_t other =
      (contents.slot_bytes ^ arena.record_bytes) | (contents.entries_offset ^ (head + kCountsBytes));
  if (other != 0) return Status::kSchemaMismatch;
  const std::uint32_t own_bytes = footer_bytes(state, contents) - state.key_values_bytes;
  draft.inherited_bytes = bytes - own_bytes;
  if ((contents.entries_bytes | contents.open_bytes) > bytes || own_bytes > bytes || end.stop != 0)
    return Status::kCorrupt;

  draft.offset = size - bytes;
  draft.written = bytes;
  in.go_to(draft.offset);
  in.crc = 0;
  in.pass(head);
  in.begin(kCountsBytes);
  format::expect_counts(in, contents.rows, contents.row_groups + (contents.open_bytes != 0 ? 1 : 0));
  const std::uint32_t crc = in.crc;

  in.crc = 0;
  const bool used = any_chunk_begins(in, contents.entries_bytes, contents.next, contents.segment_end);
  in.expect_crc(contents.finished_crc, Status::kCorrupt);
  in.pass(contents.open_bytes);
  in.expect_crc(contents.entries_crc, Status::kCorrupt);

  in.crc = crc;
  in.pass(draft.inherited_bytes);
  draft.inherited_crc = join_crc(checksum, crc, in.crc, draft.inherited_bytes);
  in.pass(static_cast<std::uint32_t>(extension - in.at()));
  in.crc = join_crc(checksum, in.crc, extension_crc, arena.extension_bytes - kCrcBytes);
  in.expect_crc(draft.footer_crc, Status::kCorrupt);
  MICROPARQUET_TRY(in.status());
  if (contents.version != kFormatVersion) return Status::kUnsupported;
  const auto end_sector = SectorIndex::of(draft.offset);
  if (contents.row_groups > detail::kMaxRowGroups || !places_are_sound(state, contents, end_sector))
    return Status::kCorrupt;
  if (used && contents.open_bytes == 0 && has_extents(arena)) contents.segment_end = kNowhere;
  return Status::kOk;
}

// Counts the open row group as finished, as the footer describes it. New sequence numbers begin far enough
// above the footer's to differ from all those of an interrupted history.
void start_from_footer(WriterState& state) {
  detail::FooterState& footer = state.footer;
  FooterExtension& now = footer.now;
  if (now.open_bytes != 0) ++now.row_groups;
  now.entries_bytes += now.open_bytes;
  now.finished_crc = now.entries_crc;
  now.sequence = next_history(now.sequence) - 1;
  footer.entries_begin = footer.draft.offset + now.entries_offset;
  footer.entries_bytes = now.entries_bytes;
  footer.row_groups = now.row_groups;
  state.footer_crc = footer.draft.footer_crc;
  state.durable_rows = now.rows;
  state.resumed = true;
  state.phase = detail::WriterPhase::kOpen;
}

}  // namespace microparquet::write

namespace microparquet {

// Resuming a file. The writer reads and checks the last footer once and starts from it. It trusts nothing
// else in the file, and writes nothing.

namespace write {
namespace {

using detail::WriterState;

// Carries the file's key-values, as a whole list, from footer to footer: they follow the entries. Requires:
// the writer has started from that footer.
void carry_key_values(WriterState& state) {
  const detail::FooterDraft& draft = state.footer.draft;
  state.inherited.begin = state.footer.entries_begin + state.footer.entries_bytes;
  state.inherited.bytes = draft.inherited_bytes;
  state.inherited.crc = draft.inherited_crc;
  state.key_values_bytes = state.inherited.bytes;
  state.write_key_values = &put_inherited;
}

}  // namespace

Status start_behind_footer(WriterState& state) {
  Status status = read_footer(state, state.footer.now, found_bytes(state));
  const detail::Blocks* const blocks = state.plan->blocks;
  if (status == Status::kOk && blocks != nullptr && !blocks->suit(state)) status = Status::kSchemaMismatch;
  if (status != Status::kOk) {
    util::clear_bytes(&state.footer.now, sizeof state.footer.now);  // no file is open, so it has no rows
    return status;
  }
  start_from_footer(state);
  carry_key_values(state);
  return Status::kOk;
}

}  // namespace write

Status Writer::resume(File& file, Schema schema, const Options& options, Span<std::byte> arena) {
  const detail::WriterPlan* plan = nullptr;
  MICROPARQUET_TRY(write::prepare(state_, schema, options, arena, plan));
  const Status status = open_planned(file, *plan, arena.data(), detail::resume_layout(*plan));
  if (state_.fields == nullptr) state_.fields = schema.data();
  return status;
}

}  // namespace microparquet
