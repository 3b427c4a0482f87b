#include "fat_store.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace filesystems {

using lives::kSlots;
using lives::Troubles;
using microparquet::FatFsFile;
using microparquet::Status;

namespace {

constexpr unsigned kAccesses = 4;  // of the card, that count as a call
constexpr unsigned kMostAccesses =
    40'000'000;  // in a boot; a long log in pieces, without a link map, takes 10 million
constexpr const char* kPaths[kSlots] = {"LOG.PQT", "NEXT.PQT"};
constexpr char kFiller[] = "FULL.BIN";  // takes the space that is too much
constexpr char kFetched[] = "PHOTO.BIN";
#if FF_FS_EXFAT
constexpr const Format* kFormats[] = {&kFat16, &kFat32, &kExfat};
#else
constexpr const Format* kFormats[] = {&kFat16, &kFat32};
#endif
static_assert(lives::kSector == kSectorBytes);

// Words of a link map of all fragments or of some, or 0 for none.
std::size_t link_words(const lives::Plan& plan, std::size_t most) {
  const std::size_t words[] = {0, 8, most};
  return words[plan.seed / 3 % 3];
}

}  // namespace

FatStore::FatStore(const lives::Plan& plan, FatLosses& losses)
    : plan_(plan),
      format_(*kFormats[plan.seed % std::size(kFormats)]),
      losses_(losses),
      disk_(format_.sectors),
      chance_(plan.seed),
      volume_(disk_),
      files_{FatFsFile(link_map(0)), FatFsFile(link_map(1))} {
  const Calm calm(*this);
  disk_.set_watch([this](RamDisk::Access what, std::uint32_t sector, const std::byte* data) {
    return access(what, sector, data);
  });
  if (!format(disk_, format_) || !refresh() || !move_sets()) {
    complain("the card could not be formatted");
    return;
  }
  const FATFS& fatfs = volume_.fatfs();
  whole_below_ = static_cast<std::uint32_t>(fatfs.database);
  if (fatfs.fs_type == FS_FAT32) whole_below_ += fatfs.csize;  // the root directory
  if (fatfs.fs_type == FS_EXFAT)
    whole_below_ += (static_cast<std::uint32_t>(fatfs.dirbase) - 1) * fatfs.csize;
  free_clusters_ = volume_.free_clusters();
  settle();
}

// Empty files before the logs, so that their entry sets lie across sectors of exFAT's root in many lives.
bool FatStore::move_sets() {
  bool good = true;
  for (std::uint64_t i = 0; i < plan_.seed / 9 % 6 && format_.type == FM_EXFAT; ++i) {
    FIL file;
    good = good && f_open(&file, std::to_string(i).c_str(), FA_CREATE_NEW | FA_WRITE) == FR_OK &&
           f_close(&file) == FR_OK;
  }
  return good;
}

// Clusters that no file owns when all are removed count as lost.
FatStore::~FatStore() {
  const Calm calm(*this);
  for (unsigned slot = 0; slot < kSlots; ++slot) remove(slot);
  f_unlink(kFiller);
  f_unlink(kFetched);
  const std::uint32_t lost = free_clusters_ - volume_.free_clusters();
  losses_.clusters += lost;
  losses_.volumes += lost != 0 ? 1U : 0U;
}

lives::mpq::Span<DWORD> FatStore::link_map(unsigned slot) {
  return {link_maps_[slot].data(), link_words(plan_, link_maps_[slot].size())};
}

void FatStore::complain(const char* text) {
  if (complaint_.empty()) complaint_ = text;
}

// Whether FatFs can do anything.
bool FatStore::refresh() {
  if (!stale_) return true;
  stale_ = false;
  volume_.mount(disk_);
  return volume_.result() == FR_OK;
}

void FatStore::close_all() {
  for (FatFsFile& file : files_) static_cast<void>(file.close());
}

void FatStore::power_on() {
  const Calm calm(*this);
  strike({});
  off_ = out_ = false;
  stale_ = true;
  if (!refresh()) complain("the volume cannot be mounted");
  close_all();  // what was open before the cut, which FatFs does not know any more
  f_unlink(kFiller);
}

void FatStore::strike(const Troubles& troubles) {
  troubles_ = troubles;
  chance_ = lives::Chance(troubles.seed);
  accesses_ = syncs_ = 0;
  if (troubles.capacity != ~std::uint64_t{0}) fill(troubles.capacity);
}

// Leaves so much space that the files have this size together.
void FatStore::fill(std::uint64_t capacity) {
  const Calm calm(*this);
  if (!refresh()) return;
  for (const char* path : kPaths) {
    FILINFO info;
    if (f_stat(path, &info) == FR_OK) capacity -= std::min<std::uint64_t>(capacity, info.fsize);
  }
  const std::uint64_t free = std::uint64_t{volume_.free_clusters()} * format_.cluster_bytes;
  FIL filler;
  if (free <= capacity || f_open(&filler, kFiller, FA_CREATE_ALWAYS | FA_WRITE) != FR_OK) return;
  f_lseek(&filler, static_cast<FSIZE_t>(free - capacity));
  f_close(&filler);
}

lives::mpq::File* FatStore::open(unsigned slot) {
  if (off_ || !refresh()) return nullptr;
  return files_[slot].open_for_append(kPaths[slot]) == Status::kOk ? &files_[slot] : nullptr;
}

void FatStore::remove(unsigned slot) {
  const Calm calm(*this);
  if (!refresh()) return complain("the volume cannot be mounted");
  static_cast<void>(files_[slot].close());
  FRESULT result = FR_OK;
  if (FatFsFile::remove(kPaths[slot], &result) != Status::kOk && result != FR_NO_FILE)
    complain("a file cannot be removed");
}

void FatStore::come_back() {
  out_ = false;
  stale_ = true;
}

void FatStore::power_off(bool keeps_all) {
  if (!off_ && !keeps_all) lose();
  if (!off_ && keeps_all && chance_.percent(50)) {
    const Calm calm(*this);
    close_all();
  }
  settle();
  off_ = true;
  stale_ = true;
}

bool FatStore::read(unsigned slot, lives::Bytes& bytes) {
  const Calm calm(*this);
  bytes.clear();
  if (!refresh()) {
    complain("the volume cannot be mounted");
    return false;
  }
  FatFsFile file;
  if (file.open_for_reading(kPaths[slot]) != Status::kOk) {
    if (file.native_error() != FR_NO_FILE) complain("a file cannot be opened");
    return false;
  }
  const bool good = lives::read_whole(file, bytes);
  if (!good) complain("a file cannot be read to its end");
  static_cast<void>(file.close());
  return good;
}

// Another file comes, or becomes another one.
void FatStore::change_remains(unsigned /*slot*/, lives::Chance& chance) {
  const Calm calm(*this);
  FIL other;
  if (f_open(&other, kFetched, FA_CREATE_ALWAYS | FA_WRITE) != FR_OK) return;
  std::vector<std::uint64_t> noise(chance.between(1, 8192));
  for (std::uint64_t& bits : noise) bits = chance.next();
  UINT written = 0;
  f_write(&other, noise.data(), static_cast<UINT>(noise.size() * sizeof noise[0]), &written);
  f_close(&other);
}

void FatStore::take(std::uint32_t sector, const std::byte* data) {
  medium_.write(std::uint64_t{sector} * kSectorBytes, {data, kSectorBytes});
  unsynced_.push_back(sector);
}

void FatStore::settle() {
  medium_.settle();
  unsynced_.clear();
}

void FatStore::lose() {
  medium_.lose({chance_.next(), kSectorBytes, plan_.destroys, whole_below_});
  for (const std::uint32_t sector : unsynced_)
    std::memcpy(disk_.sector(sector), &medium_.all()[sector * kSectorBytes], kSectorBytes);
  unsynced_.clear();
}

bool FatStore::access(RamDisk::Access access, std::uint32_t sector, const std::byte* data) {
  const bool gone = !calm_ && (off_ || out_);
  const bool fails = gone || (!calm_ && strikes(access));
  stale_ = stale_ || fails;
  const bool cuts = fails && !gone && (off_ || out_);
  const bool arrives = !fails || cuts || (!gone && chance_.percent(50));
  if (access == RamDisk::Access::kWrite && arrives) {
    take(sector, data);
    if (fails) std::memcpy(disk_.sector(sector), data, kSectorBytes);
  }
  if (access == RamDisk::Access::kSync && arrives && !cuts) settle();
  if (cuts) lose();
  return !fails;
}

// Whether something goes wrong with this access of the card.
bool FatStore::strikes(RamDisk::Access access) {
  const bool told_to_fail = access == RamDisk::Access::kSync && syncs_++ == troubles_.failing_sync;
  const unsigned call = accesses_++ / kAccesses;
  if (accesses_ > kMostAccesses) {
    complain("a call does not come to an end");
    off_ = true;
  }
  if (call == troubles_.cut_at) off_ = true;
  if (call == troubles_.pull_at) out_ = true;
  const bool in_row = call >= troubles_.fails_from && call - troubles_.fails_from < troubles_.failures;
  const bool by_chance =
      troubles_.fails_one_in != 0 && chance_.below(troubles_.fails_one_in * 4 * kAccesses) == 0;
  return off_ || out_ || told_to_fail || in_row || by_chance;
}

}  // namespace filesystems
