#include "port_contract.h"

#include <cstring>

namespace port_contract {
namespace {

using microparquet::File;
using microparquet::FileAbilities;
using microparquet::Span;
using microparquet::Status;

constexpr std::size_t kChunk = 200;

// The byte at an offset, which differs from one time of writing to the next.
std::byte byte_at(std::uint64_t offset, unsigned time) {
  return static_cast<std::byte>(offset * 31 + offset / 256 * 7 + time * 101 + 1);
}

Status write(File& file, std::uint64_t offset, std::size_t bytes, unsigned time = 0) {
  std::byte chunk[kChunk];
  while (bytes != 0) {
    const std::size_t some = bytes < kChunk ? bytes : kChunk;
    for (std::size_t i = 0; i < some; ++i) chunk[i] = byte_at(offset + i, time);
    const Status status = file.write_at(offset, Span<const std::byte>(chunk, some));
    if (status != Status::kOk) return status;
    offset += some;
    bytes -= some;
  }
  return Status::kOk;
}

bool holds(File& file, std::uint64_t offset, std::size_t bytes, unsigned time = 0) {
  std::byte chunk[kChunk];
  while (bytes != 0) {
    const std::size_t some = bytes < kChunk ? bytes : kChunk;
    if (file.read_at(offset, Span<std::byte>(chunk, some)) != Status::kOk) return false;
    for (std::size_t i = 0; i < some; ++i) {
      if (chunk[i] != byte_at(offset + i, time)) return false;
    }
    offset += some;
    bytes -= some;
  }
  return true;
}

bool is_long(File& file, std::uint64_t bytes) {
  std::uint64_t size = ~std::uint64_t{0};
  return file.size(size) == Status::kOk && size == bytes;
}

bool is_written(File& file, std::size_t bytes) {
  return write(file, 0, bytes) == Status::kOk && is_long(file, bytes);
}

bool synced(File& file, std::uint64_t size) { return file.sync(size) == Status::kOk && is_long(file, size); }

enum Needs : unsigned {
  kNothing = 0,
  kSeek = 1,
  kRead = 2,
  kShrink = 4,
  kNoSeek = 8,
  kNoRead = 16,
  kNoShrink = 32,
  kAgain = 64,
  kCut = 128,
  kFail = 256
};

// One clause: the file is new and empty. Where it needs kAgain or kCut, it asks the port for the file again.
struct Clause {
  const char* text;
  unsigned needs;
  bool (*holds)(File& file, Port& port);
};

bool names_a_block(File& file, Port& /*port*/) {
  const unsigned block = file.abilities().block_bytes;
  return block >= 512 && (block & (block - 1)) == 0;
}

bool is_empty_at_first(File& file, Port& /*port*/) { return is_long(file, 0); }

bool writes_all_bytes(File& file, Port& /*port*/) {
  return is_written(file, 1) && write(file, 1, 1499) == Status::kOk && is_long(file, 1500);
}

bool takes_no_bytes(File& file, Port& /*port*/) {
  return is_written(file, 700) && file.write_at(700, {}) == Status::kOk && is_long(file, 700);
}

bool has_a_barrier(File& file, Port& /*port*/) {
  return is_written(file, 700) && file.barrier() == Status::kOk && is_long(file, 700) &&
         write(file, 700, 300) == Status::kOk && file.barrier() == Status::kOk && is_long(file, 1000);
}

bool syncs_again(File& file, Port& /*port*/) {
  return is_written(file, 900) && synced(file, 900) && synced(file, 900) &&
         write(file, 900, 100) == Status::kOk && synced(file, 1000);
}

bool is_written_after_reserve(File& file, Port& /*port*/) {
  return is_written(file, 600) && file.reserve(16 << 10) == Status::kOk &&
         write(file, 600, 600) == Status::kOk && synced(file, 1200);
}

bool reserves_unseen(File& file, Port& port) {
  if (!is_written(file, 600) || !synced(file, 600) || file.reserve(16 << 10) != Status::kOk) return false;
  File* const again = port.open_again();
  return again != nullptr && is_long(*again, 600) && holds(*again, 0, 600);
}

bool reads_before_sync(File& file, Port& /*port*/) {
  return is_written(file, 3000) && holds(file, 0, 3000) && write(file, 3000, 100) == Status::kOk &&
         holds(file, 2950, 150);
}

bool reads_anywhere(File& file, Port& /*port*/) {
  return is_written(file, 3000) && synced(file, 3000) && holds(file, 2999, 1) && holds(file, 511, 2) &&
         holds(file, 1023, 700) && holds(file, 0, 1);
}

bool refuses_to_read_past_the_end(File& file, Port& /*port*/) {
  std::byte bytes[2];
  return is_written(file, 1000) && synced(file, 1000) && file.read_at(999, bytes) == Status::kIoError &&
         file.read_at(5000, bytes) == Status::kIoError &&
         file.read_at(~std::uint64_t{0}, bytes) == Status::kIoError && holds(file, 0, 1000);
}

bool reads_no_bytes(File& file, Port& /*port*/) {
  return is_written(file, 1000) && file.read_at(1000, {}) == Status::kOk;
}

bool says_it_cannot_read(File& file, Port& /*port*/) {
  std::byte bytes[1];
  return is_written(file, 10) && file.read_at(0, bytes) == Status::kUnsupported && is_long(file, 10);
}

bool overwrites_in_place(File& file, Port& /*port*/) {
  return is_written(file, 3000) && synced(file, 3000) && write(file, 500, 1100, 1) == Status::kOk &&
         write(file, 2047, 3, 2) == Status::kOk && is_long(file, 3000) && holds(file, 0, 500) &&
         holds(file, 500, 1100, 1) && holds(file, 1600, 447) && holds(file, 2047, 3, 2) &&
         holds(file, 2050, 950);
}

// Writes as a writer in place does that adds space: it publishes the footer after the space before anything
// lies in it.
bool writes_beyond_its_end(File& file, Port& /*port*/) {
  return is_written(file, 100) && synced(file, 100) && file.reserve(9000) == Status::kOk &&
         write(file, 8192, 600, 1) == Status::kOk && holds(file, 8192, 600, 1) && synced(file, 8792) &&
         write(file, 100, 1000) == Status::kOk && holds(file, 0, 1100) && holds(file, 8192, 600, 1) &&
         is_long(file, 8792);
}

// One that the medium cannot take is refused; no offset is cut to 32 bits.
bool keeps_offsets_whole(File& file, Port& /*port*/) {
  if (!is_written(file, 1000) || !synced(file, 1000)) return false;
  constexpr std::uint64_t kFar = (std::uint64_t{1} << 32) + 16;
  const Status status = write(file, kFar, 20, 1);
  if (status == Status::kOk) return holds(file, kFar, 20, 1) && holds(file, 0, 1000);
  return status == Status::kNoSpace && is_long(file, 1000) && holds(file, 0, 1000);
}

bool refuses_to_seek(File& file, Port& /*port*/) {
  return is_written(file, 1000) && write(file, 500, 10, 1) == Status::kInvalidArgument &&
         write(file, 1001, 10, 1) == Status::kInvalidArgument && is_long(file, 1000) &&
         write(file, 1000, 10) == Status::kOk && is_long(file, 1010);
}

bool shrinks(File& file, Port& port) {
  if (!is_written(file, 5000) || !synced(file, 5000) || file.shrink(1500) != Status::kOk) return false;
  if (!is_long(file, 1500) || !holds(file, 0, 1500)) return false;
  if (write(file, 1500, 100) != Status::kOk || !synced(file, 1600)) return false;
  File* const again = port.open_again();
  return again != nullptr && is_long(*again, 1600) && holds(*again, 0, 1600);
}

bool says_it_cannot_shrink(File& file, Port& /*port*/) {
  return is_written(file, 1000) && file.shrink(500) == Status::kUnsupported && is_long(file, 1000);
}

// The file that `open` finds has what was synced.
bool leaves_what_was_synced(File& file, Port& port, File* (Port::*open)()) {
  if (!is_written(file, 2345) || file.reserve(16 << 10) != Status::kOk || !synced(file, 2345)) return false;
  File* const again = (port.*open)();
  return again != nullptr && is_long(*again, 2345) && holds(*again, 0, 2345);
}

bool publishes_the_size(File& file, Port& port) {
  return leaves_what_was_synced(file, port, &Port::open_again);
}

bool survives_cuts_after_sync(File& file, Port& port) {
  return leaves_what_was_synced(file, port, &Port::open_after_cut);
}

bool is_continued(File& file, Port& port) {
  if (!is_written(file, 1000) || !synced(file, 1000)) return false;
  File* again = port.open_again();
  if (again == nullptr || write(*again, 1000, 1000) != Status::kOk || !synced(*again, 2000)) return false;
  again = port.open_again();
  return again != nullptr && is_long(*again, 2000) && holds(*again, 0, 2000);
}

bool survives_cuts_after_barrier(File& file, Port& port) {
  if (!is_written(file, 3000) || !synced(file, 3000)) return false;
  if (write(file, 500, 1100, 1) != Status::kOk || file.barrier() != Status::kOk) return false;
  File* const again = port.open_after_cut();
  return again != nullptr && is_long(*again, 3000) && holds(*again, 0, 500) && holds(*again, 500, 1100, 1) &&
         holds(*again, 1600, 1400);
}

// Opens a file that may be left of a program which was killed before its sync.
bool opens_what_survives_cuts(File& file, Port& port) {
  if (!is_written(file, 1000) || !synced(file, 1000) || write(file, 1000, 1000) != Status::kOk) return false;
  File* again = port.open_again();
  std::uint64_t size = 0;
  if (again == nullptr || again->size(size) != Status::kOk || size < 1000) return false;
  again = port.open_after_cut();
  return again != nullptr && is_long(*again, size) && holds(*again, 0, static_cast<std::size_t>(size));
}

// Outcomes of a call during which the medium fails once.
enum class Ending { kDone, kLost, kWrong };

template <typename Call>
Ending fail_once(Port& port, Call call) {
  static_cast<void>(port.fail_next(true));
  const Status status = call();
  static_cast<void>(port.fail_next(false));
  if (status == Status::kOk) return Ending::kDone;  // the medium was not asked
  const Status again = call();
  if (status == Status::kMediumLost && again == status) return Ending::kLost;
  return status == Status::kIoError && again == Status::kOk ? Ending::kDone : Ending::kWrong;
}

// Whether the file has `bytes` bytes; or, where the medium is lost, those that were synced.
bool has(File& file, Port& port, Ending ending, std::size_t bytes, std::size_t synced) {
  if (ending == Ending::kDone) {
    return is_long(file, bytes) && (!file.abilities().read_back || holds(file, 0, bytes));
  }
  if (ending == Ending::kWrong) return false;
  File* const again = port.open_again();
  std::uint64_t size = 0;
  return again != nullptr && again->size(size) == Status::kOk && size >= synced && holds(*again, 0, synced);
}

bool repeats_writes(File& file, Port& port) {
  if (!is_written(file, 1000) || !synced(file, 1000)) return false;
  std::size_t end = 1000;
  Ending ending = Ending::kDone;
  for (; ending == Ending::kDone && end < 3000; end += kChunk) {
    ending = fail_once(port, [&] { return write(file, end, kChunk); });
  }
  return has(file, port, ending, end, 1000);
}

bool repeats_reads(File& file, Port& port) {
  if (!is_written(file, 3000) || !synced(file, 3000)) return false;
  std::byte bytes[10];
  const Ending ending = fail_once(port, [&] { return file.read_at(700, bytes); });
  return has(file, port, ending, 3000, 3000);
}

bool repeats_syncs(File& file, Port& port) {
  if (!is_written(file, 1000) || !synced(file, 1000) || write(file, 1000, 800) != Status::kOk) return false;
  const Ending ending = fail_once(port, [&] { return file.sync(1800); });
  return has(file, port, ending, 1800, 1000);
}

constexpr Clause kClauses[] = {
    {"abilities().block_bytes is a power of two, 512 or more", kNothing, &names_a_block},
    {"a new file is empty", kNothing, &is_empty_at_first},
    {"write_at() writes all bytes, and size() counts them at once", kNothing, &writes_all_bytes},
    {"a write of no bytes changes nothing", kNothing, &takes_no_bytes},
    {"barrier() answers kOk and changes no size", kNothing, &has_a_barrier},
    {"sync(size) may be repeated, and writing continues after it", kNothing, &syncs_again},
    {"reserve() answers kOk, and writing continues after it", kNothing, &is_written_after_reserve},
    {"reserve() publishes no size", kRead | kAgain, &reserves_unseen},
    {"read_at() reads what was written before a sync", kRead, &reads_before_sync},
    {"read_at() reads any range, aligned or not", kRead, &reads_anywhere},
    {"read_at() past the end answers kIoError", kRead, &refuses_to_read_past_the_end},
    {"read_at() of no bytes at the end answers kOk", kRead, &reads_no_bytes},
    {"without read_back read_at() answers kUnsupported", kNoRead, &says_it_cannot_read},
    {"write_at() overwrites in place and leaves its neighbours", kSeek | kRead, &overwrites_in_place},
    {"write_at() writes beyond the end, and in between once that is synced", kSeek | kRead,
     &writes_beyond_its_end},
    {"offsets are 64 bits wide, or refused with kNoSpace", kSeek | kRead, &keeps_offsets_whole},
    {"without seek write_at() elsewhere than at the end answers kInvalidArgument", kNoSeek, &refuses_to_seek},
    {"shrink() publishes the smaller size, and the file can grow again", kShrink | kRead | kAgain, &shrinks},
    {"without shrink the call answers kUnsupported", kNoShrink, &says_it_cannot_shrink},
    {"what sync(size) has published is there after opening again, no more and no less", kRead | kAgain,
     &publishes_the_size},
    {"a file that is opened to append is continued", kRead | kAgain, &is_continued},
    {"what sync(size) has published survives a power cut, no more and no less", kRead | kCut,
     &survives_cuts_after_sync},
    {"what barrier() has confirmed survives a power cut", kSeek | kRead | kCut, &survives_cuts_after_barrier},
    {"what a file holds that is opened to append survives a power cut", kRead | kAgain | kCut,
     &opens_what_survives_cuts},
    {"a write_at() that failed is repeated with success, or the medium is lost until the file is opened "
     "again",
     kFail, &repeats_writes},
    {"so is a read_at()", kFail | kRead, &repeats_reads},
    {"so is a sync()", kFail, &repeats_syncs},
};

unsigned offers(Port& port) {
  File* const file = port.create();
  if (file == nullptr) return ~0U;
  const FileAbilities can = file->abilities();
  const unsigned abilities =
      (can.seek ? kSeek : kNoSeek) | (can.read_back ? kRead : kNoRead) | (can.shrink ? kShrink : kNoShrink);
  const unsigned again = port.open_again() != nullptr ? kAgain : 0U;
  const unsigned cut = port.open_after_cut() != nullptr ? kCut : 0U;
  return abilities | again | cut | (port.fail_next(false) ? kFail : 0U);
}

}  // namespace

Result check(Port& port) {
  Result result;
  const unsigned offered = offers(port);
  for (const Clause& clause : kClauses) {
    if ((clause.needs & offered) != clause.needs) continue;
    File* const file = port.create();
    const bool held = file != nullptr && clause.holds(*file, port);
    port.report(held, clause.text);
    ++(held ? result.held : result.broken);
  }
  return result;
}

}  // namespace port_contract
