// Going on with a file: its last footer is read once, checked, and becomes what the writer starts from. It is
// the only thing believed, and nothing is written.
#include "microparquet/writer.h"
#include "thrift/window_sink.h"
#include "util/try.h"
#include "write/begin_file.h"
#include "write/carried.h"
#include "write/footer.h"
#include "write/forward_store.h"
#include "write/record_format.h"
#include "write/room_store.h"

namespace microparquet {
namespace write {
namespace {

using detail::ColumnWriter;
using detail::FooterExtension;
using detail::WriterState;

constexpr std::uint32_t kMagic = 0x31524150;  // "PAR1"
constexpr std::uint32_t kEndBytes = 8;        // a footer's length, and PAR1

template <typename T>
Status read(const WriterState& state, std::uint64_t at, T& value, std::size_t bytes = sizeof(T)) {
  return state.file->read_at(at, Span<std::byte>(reinterpret_cast<std::byte*>(&value), bytes));
}

// Continues `crc` over `bytes` bytes of the file from `at`, which moves on.
[[gnu::noinline]] Status sum(const WriterState& state, std::uint64_t& at, std::uint32_t bytes,
                             std::uint32_t& crc) {
  while (bytes != 0) {
    const std::uint32_t window = state.plan->arena.window_bytes;
    const std::uint32_t part = bytes < window ? bytes : window;
    MICROPARQUET_TRY(state.file->read_at(at, Span<std::byte>(state.window, part)));
    crc = state.options->crc32(crc, state.window, part);
    at += part;
    bytes -= part;
  }
  return Status::kOk;
}

// Whether what a footer says of places lies inside the file; a closed file's room may end behind it.
bool places_are_sound(const WriterState& state, std::uint32_t sectors) {
  const FooterExtension& now = state.footer.now;
  if (now.next > sectors || now.free_begin > now.free_end || now.free_end > sectors) return false;
  if (now.open_bytes == 0) return true;
  for (const ColumnWriter& column : columns_of(state)) {
    if (column.cut_begin > column.cut_end || column.cut_end > now.room_end || now.room_end > sectors)
      return false;
    if (column.cut_begin < now.next) return false;
  }
  return true;
}

// Continues `crc` over the columns' free extents, which it reads from `at` on.
Status read_rests(WriterState& state, std::uint64_t at, std::uint32_t& crc) {
  if (!state.options->layout->in_place) return Status::kOk;
  constexpr std::uint32_t kExtent = 2 * sizeof(std::uint32_t);
  for (ColumnWriter& column : columns_of(state)) {
    MICROPARQUET_TRY(read(state, at, column.cut_begin, kExtent));
    crc = state.options->crc32(crc, &column.cut_begin, kExtent);
    at += kExtent;
  }
  return Status::kOk;
}

// Reads the footer that ends at `size` into footer.now. What is summed up is what has been read, not what a
// medium may give when it is asked again.
[[gnu::noinline]] Status read_footer(WriterState& state, std::uint64_t size) {
  FooterExtension& now = state.footer.now;
  const std::uint32_t least = footer_bytes(state, now);
  const std::uint32_t slot_bytes = now.slot_bytes;
  const std::uint32_t entries_offset = now.entries_offset;
  if (size < 2 * kMagicBytes + sizeof(std::uint32_t)) return Status::kNotParquet;
  // The beginning of the file is never written again: PAR1, and the head that all its footers have.
  std::uint32_t magic = 0;
  MICROPARQUET_TRY(read(state, 0, magic));
  if (magic != kMagic) return Status::kNotParquet;
  const auto head = static_cast<std::uint32_t>(state.plan->footer_head.size());
  const std::uint32_t head_crc = state.options->crc32(0, state.plan->footer_head.data(), head);
  std::uint64_t at = kMagicBytes;
  std::uint32_t crc = 0;
  if (size < kMagicBytes + head) return Status::kSchemaMismatch;
  MICROPARQUET_TRY(sum(state, at, head, crc));
  if (crc != head_crc) return Status::kSchemaMismatch;

  std::uint32_t end[2];  // length, PAR1
  MICROPARQUET_TRY(read(state, size - kEndBytes, end));
  const std::uint32_t bytes = end[0] + kEndBytes;
  if (end[1] != kMagic || bytes < least || bytes > size - kMagicBytes) return Status::kCorrupt;
  const std::uint64_t extension = size - kEndBytes - 1 - state.plan->arena.extension_bytes;
  MICROPARQUET_TRY(read(state, extension, now, detail::kFooterExtensionBytes));
  if (now.tag != kFooterTag || now.version != kFormatVersion) return Status::kCorrupt;
  if (now.slot_bytes != slot_bytes || now.entries_offset != entries_offset) return Status::kSchemaMismatch;

  at = size - bytes;
  crc = 0;
  MICROPARQUET_TRY(sum(state, at, entries_offset, crc));
  if (now.entries_bytes > bytes - least || now.open_bytes > bytes - least - now.entries_bytes)
    return Status::kCorrupt;
  state.footer.entries_begin = at;
  std::uint32_t entries_crc = 0;
  MICROPARQUET_TRY(sum(state, at, now.entries_bytes, entries_crc));
  bool sound = entries_crc == now.finished_crc;
  MICROPARQUET_TRY(sum(state, at, now.open_bytes, entries_crc));
  sound = sound && entries_crc == now.entries_crc;

  state.carried_begin = at;
  state.carried_bytes = bytes - least - now.entries_bytes - now.open_bytes;
  state.carried_crc = 0;
  MICROPARQUET_TRY(sum(state, at, state.carried_bytes, state.carried_crc));
  crc = join_crc(state.options->crc32, crc, state.carried_crc, state.carried_bytes);
  MICROPARQUET_TRY(sum(state, at, static_cast<std::uint32_t>(extension - at), crc));
  crc = state.options->crc32(crc, &now, detail::kFooterExtensionBytes);
  MICROPARQUET_TRY(read_rests(state, extension + detail::kFooterExtensionBytes, crc));
  std::uint32_t footer_crc[2] = {};  // and the stop byte behind it
  constexpr std::uint32_t kCrcBytes = sizeof(std::uint32_t) + 1;
  MICROPARQUET_TRY(read(state, size - kEndBytes - kCrcBytes, footer_crc, kCrcBytes));
  if (!sound || crc != footer_crc[0] || footer_crc[1] != 0) return Status::kCorrupt;
  return places_are_sound(state, static_cast<std::uint32_t>(size >> 9)) ? Status::kOk : Status::kCorrupt;
}

// An open row group is finished as the footer describes it. Sequences begin anew, far enough above the
// footer's that none of an interrupted history can be among them.
void count_found(WriterState& state) {
  constexpr std::uint32_t kHistory = 16384;
  detail::FooterState& footer = state.footer;
  FooterExtension& now = footer.now;
  if (now.open_bytes != 0) ++now.row_groups;
  now.entries_bytes += now.open_bytes;
  now.finished_crc = now.entries_crc;
  now.sequence = (now.sequence / kHistory + 2) * kHistory - 1;
  footer.entries_bytes = now.entries_bytes;
  footer.row_groups = now.row_groups;
  state.durable_rows = now.rows;
  if (state.carried_bytes != 0) {
    state.key_values_bytes = state.carried_bytes;
    state.write_key_values = &put_carried;
  }
}

}  // namespace
}  // namespace write

Status Writer::resume(File& file, Schema schema, const Options& options, Span<std::byte> arena) {
  const detail::WriterPlan* plan = state_.plan;
  if (state_.phase == detail::WriterPhase::kIdle)
    MICROPARQUET_TRY(write::prepare(schema, options, arena, plan));
  std::byte* const memory = arena.data() + detail::place_plan(schema, options).bytes;
  const bool rooms = options.layout->in_place;
  const Status status =
      resume_planned(file, *plan, memory, rooms ? &detail::resume_room_store : &detail::resume_forward_store);
  state_.fields = schema.data();
  return status;
}

Status Writer::resume_planned(File& file, const detail::WriterPlan& plan, std::byte* arena,
                              detail::ResumeStore resume_store) {
  if (state_.phase != detail::WriterPhase::kIdle) return open_planned(file, plan, arena);
  std::uint64_t size = 0;
  MICROPARQUET_TRY(write::begin_file(state_, file, plan, arena, size));
  if (size == 0) return open_planned(file, plan, arena);
  MICROPARQUET_TRY(write::read_footer(state_, size));
  write::count_found(state_);
  resume_store(state_, size);
  state_.found_rows = state_.durable_rows;
  state_.resumed = true;
  state_.phase = detail::WriterPhase::kOpen;
  return Status::kOk;
}

}  // namespace microparquet

namespace microparquet::detail {

void resume_room_store(WriterState& state, std::uint64_t bytes) {
  static_cast<write::RoomStore*>(state.store)
      ->resume(state, static_cast<std::uint32_t>((bytes + kSectorBytes - 1) >> 9));
}

void resume_forward_store(WriterState& state, std::uint64_t bytes) {
  static_cast<write::ForwardStore*>(state.store)->resume(state, bytes);
}

}  // namespace microparquet::detail
