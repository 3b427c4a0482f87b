#include "flash_store.h"

#include <algorithm>
#include <vector>

namespace filesystems {

using lives::kSlots;
using lives::Troubles;
using microparquet::LittleFsFile;
using microparquet::Status;

namespace {

constexpr std::uint32_t kBlocks = 512;  // 2 MiB
constexpr std::uint64_t kBlockBytes = 4096;
constexpr std::uint64_t kOwnBlocks = 8;  // that littlefs may take to write a file and its name
constexpr const char* kPaths[kSlots] = {"log.parquet", "next.parquet"};
constexpr char kFiller[] = "full.bin";  // takes the space that is too much
constexpr char kFetched[] = "photo.bin";

Flash::Loss loss_of(const lives::Plan& plan) {
  return plan.seed % 2 == 0 ? Flash::Loss::kInOrder : Flash::Loss::kOutOfOrder;
}

}  // namespace

FlashStore::FlashStore(const lives::Plan& plan)
    : flash_(kBlocks, loss_of(plan)),
      chance_(plan.seed),
      files_{LittleFsFile(flash_.volume(), caches_[0]), LittleFsFile(flash_.volume(), caches_[1])} {
  if (!flash_.good()) complain("the flash could not be formatted");
}

void FlashStore::complain(const char* text) {
  if (complaint_.empty()) complaint_ = text;
}

// littlefs begins again; what was open is closed. A cut that is due stays so.
void FlashStore::remount() {
  off_ = is_off();
  out_ = is_out();
  for (LittleFsFile& file : files_) static_cast<void>(file.close());
  const std::uint32_t cut = flash_.operations_to_cut();
  if (!flash_.power_on()) complain("the flash cannot be mounted");
  if (!off_ && !out_ && cut != 0) flash_.cut_after(cut - 1);
}

// The files can be looked at, also when a program could not.
void FlashStore::make_readable() {
  if (flash_.is_cut() || flash_.has_failed()) remount();
}

// Schedules the troubles that are due from now on.
void FlashStore::arm() {
  pulls_ = troubles_.pull_at < troubles_.cut_at;
  if (troubles_.pull_at != Troubles::kNever || troubles_.cut_at != Troubles::kNever)
    flash_.cut_after(std::min(troubles_.pull_at, troubles_.cut_at));
  if (troubles_.failing_sync != Troubles::kNever) flash_.fail_after(8 * troubles_.failing_sync);
  if (troubles_.failures != 0) flash_.fail_after(troubles_.fails_from);
  if (troubles_.fails_one_in != 0) flash_.fail_after(chance_.below(8 * troubles_.fails_one_in));
}

// Mounts the volume again after a failure, as a program does. False: there is none.
bool FlashStore::refresh() {
  if (is_off() || is_out()) return false;
  if (!flash_.has_failed()) return true;
  remount();
  troubles_.failing_sync = Troubles::kNever;
  if (troubles_.failures != 0 && --troubles_.failures != 0) flash_.fail_after(chance_.below(20));
  if (troubles_.fails_one_in != 0) flash_.fail_after(chance_.below(8 * troubles_.fails_one_in));
  return true;
}

void FlashStore::power_on() {
  remount();
  off_ = out_ = false;
  strike({});
  lfs_remove(&flash_.volume(), kFiller);
}

void FlashStore::strike(const Troubles& troubles) {
  troubles_ = troubles;
  chance_ = lives::Chance(troubles.seed);
  if (troubles.capacity != ~std::uint64_t{0}) fill(troubles.capacity);
  arm();
}

bool FlashStore::write_file(const char* path, std::uint64_t bytes, lives::Chance& chance) {
  LittleFsFile file(flash_.volume(), caches_[kSlots]);
  bool good = file.create(path, microparquet::Existing::kOverwrite) == Status::kOk;
  std::array<std::byte, 1024> noise;
  for (std::byte& bits : noise) bits = static_cast<std::byte>(chance.next());
  std::uint64_t size = 0;
  for (; good && size < bytes; size += noise.size()) good = file.write_at(size, noise) == Status::kOk;
  good = good && file.sync(size) == Status::kOk;
  return file.close() == Status::kOk && good;
}

// Leaves so much space that the files have about this size together.
void FlashStore::fill(std::uint64_t capacity) {
  for (const char* path : kPaths) {
    lfs_info info;
    if (lfs_stat(&flash_.volume(), path, &info) == 0)
      capacity -= std::min<std::uint64_t>(capacity, info.size);
  }
  const lfs_ssize_t used = lfs_fs_size(&flash_.volume());
  const std::uint64_t taken = (static_cast<std::uint64_t>(used) + kOwnBlocks) * kBlockBytes + capacity;
  if (used < 0 || taken >= kBlocks * kBlockBytes) return;
  static_cast<void>(write_file(kFiller, kBlocks * kBlockBytes - taken, chance_));
}

lives::mpq::File* FlashStore::open(unsigned slot) {
  if (!refresh()) return nullptr;
  return files_[slot].open_for_append(kPaths[slot]) == Status::kOk ? &files_[slot] : nullptr;
}

void FlashStore::remove(unsigned slot) {
  static_cast<void>(files_[slot].close());
  make_readable();
  const Flash::Calm calm(flash_);
  const int error = lfs_remove(&flash_.volume(), kPaths[slot]);
  if (error != 0 && error != LFS_ERR_NOENT) complain("a file cannot be removed");
}

void FlashStore::come_back() {
  remount();
  if (off_ || !out_) return;
  out_ = false;
  if (troubles_.cut_at != Troubles::kNever) troubles_.cut_at -= troubles_.pull_at;
  troubles_.pull_at = Troubles::kNever;
  arm();
}

// Cuts the power between two operations: nothing is lost but what littlefs has not written.
void FlashStore::power_off(bool /*keeps_all*/) {
  off_ = true;
  remount();
}

bool FlashStore::read(unsigned slot, lives::Bytes& bytes) {
  bytes.clear();
  make_readable();
  const Flash::Calm calm(flash_);
  LittleFsFile file(flash_.volume(), caches_[kSlots]);
  if (file.open_for_reading(kPaths[slot]) != Status::kOk) {
    if (file.native_error() != LFS_ERR_NOENT) complain("a file cannot be opened");
    return false;
  }
  const bool good = lives::read_whole(file, bytes);
  if (!good) complain("a file cannot be read to its end");
  return file.close() == Status::kOk && good;
}

// Another file comes, or becomes another one.
void FlashStore::change_remains(unsigned /*slot*/, lives::Chance& chance) {
  static_cast<void>(write_file(kFetched, chance.between(1, 64) * 1024, chance));
}

}  // namespace filesystems
