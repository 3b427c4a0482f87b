#include "cut_sweep.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace exfat {

namespace {

using filesystems::Boot;
using filesystems::History;
using filesystems::Imu;
using filesystems::kSectorBytes;
using filesystems::Volume;
using filesystems::WatchedFile;
using microparquet::FatFsFile;
using microparquet::Status;

constexpr std::uint32_t kBoot = 1;
constexpr unsigned kVariants = 8;  // of what a card keeps
constexpr unsigned kInOrder = kVariants;
constexpr std::size_t kMostFaults = 4;

DWORD link_map[64];

std::uint32_t rows_of(const History& history) {
  std::uint32_t rows = 0;
  for (const auto& logged : history) rows += logged.rows;
  return rows;
}

// Whether a card keeps write `k` of those from `first` to before `end`.
bool keeps(unsigned variant, std::size_t k, std::size_t first, std::size_t end) {
  switch (variant) {
    case 0: return k + 1 == end;  // the last alone
    case 1: return k + 2 == end;
    case 2: return k + 2 != end;
    case 3:  // all but one
      return k != first + filesystems::mix(static_cast<std::int64_t>(end), 99) % (end - first);
    default: return filesystems::mix(static_cast<std::int64_t>(k * 31 + end), variant) % 2 != 0;
  }
}

}  // namespace

CutSweep::CutSweep(const Place& place, unsigned share, unsigned seed)
    : place_(place), share_(share), seed_(seed), disk_(place.format().sectors) {}

bool CutSweep::run(Tally& tally, const Keep& keep) {
  tally_ = &tally;
  if (!place_.prepare(disk_) || (place_.life == Life::kResumed && !record_first_boot())) return false;
  if (!record()) return false;
  find_set();
  for (std::size_t i = moments_.size(); i-- != 0;)
    std::memcpy(disk_.sector(moments_[i].sector), moments_[i].before.data(), kSectorBytes);
  for (std::size_t i = 0; i < moments_.size(); ++i) {
    if (is_chosen(i, kInOrder)) {
      ++tally.in_order;
      if (keep) {
        give(keep, i);
      } else {
        judge(moments_[i], "in order", i);
      }
    }
    if (!keep) lose_some(i);
    std::memcpy(disk_.sector(moments_[i].sector), moments_[i].data.data(), kSectorBytes);
  }
  return true;
}

void CutSweep::give(const Keep& keep, std::size_t index) {
  History durable = history_;
  const std::uint32_t rows = moments_[index].durable;
  if (rows != 0) durable.push_back({kBoot, rows});
  if (!durable.empty())
    keep({disk_, place_.name() + "_" + std::to_string(index), is_within_set(index), durable});
}

// A boot that is cut when it has a number of checkpoints.
bool CutSweep::record_first_boot() {
  Volume volume(disk_);
  FatFsFile file(link_map);
  Boot<Imu> boot(0);
  const std::uint32_t rows = place_.rows / 2;
  if (file.open_for_append(place_.log().c_str()) != Status::kOk || boot.resume(file) != Status::kOk ||
      boot.log({rows, place_.checkpoint_rows, 0, false}) != Status::kOk)
    return false;
  volume.mount(disk_);
  FatFsFile found(link_map);
  const bool good = found.open_for_reading(place_.log().c_str()) == Status::kOk &&
                    filesystems::read_log<Imu>(found, history_).empty();
  earlier_ = rows_of(history_);
  return good && found.close() == Status::kOk && earlier_ != 0;
}

bool CutSweep::record() {
  Volume volume(disk_);
  FatFsFile file(link_map);
  WatchedFile watched(file);
  Boot<Imu> boot(kBoot);
  std::uint64_t size = 0;
  const auto known = [&size](std::uint64_t published) { return published != 0 ? published : size; };
  disk_.set_watch([&](RamDisk::Access access, std::uint32_t sector, const std::byte* data) {
    if (access != RamDisk::Access::kWrite) return true;
    moments_.push_back({sector,
                        {},
                        {},
                        boot.offered(),
                        boot.durable(),
                        known(watched.published()),
                        known(watched.publishing()),
                        disk_.syncs()});
    std::memcpy(moments_.back().data.data(), data, kSectorBytes);
    std::memcpy(moments_.back().before.data(), disk_.sector(sector), kSectorBytes);
    return true;
  });
  const bool has_folder = place_.life != Life::kFolder || f_mkdir(place_.folder().c_str()) == FR_OK;
  bool good = has_folder && file.open_for_append(place_.log().c_str()) == Status::kOk &&
              file.size(size) == Status::kOk && boot.resume(watched) == Status::kOk;
  FIL beside;
  UINT written = 0;
  const std::vector<std::byte> piece(place_.cluster_bytes);
  const bool has_beside = place_.life == Life::kBeside;
  if (good && has_beside) good = f_open(&beside, place_.beside().c_str(), FA_OPEN_APPEND | FA_WRITE) == FR_OK;
  for (std::uint32_t row = 1; row <= place_.rows && good; ++row) {
    good = boot.append() == Status::kOk;
    if (good && row % place_.checkpoint_rows == 0) good = Boot<Imu>::writer().checkpoint() == Status::kOk;
    if (good && has_beside && row % (2 * place_.checkpoint_rows) == 0) {
      good = f_write(&beside, piece.data(), static_cast<UINT>(piece.size()), &written) == FR_OK &&
             f_sync(&beside) == FR_OK;
    }
  }
  good = good && Boot<Imu>::writer().close() == Status::kOk && file.close() == Status::kOk;
  disk_.set_watch({});
  return good;
}

// Sectors of the set, and whether the log is what the place says.
void CutSweep::find_set() {
  const auto set = view_of(disk_).find(place_.at_slot());
  if (!set || set->places.size() != place_.name_entries + 2 || set->places[0] / 32 % 16 != place_.slot) {
    complain("at its end", 0, "the entry set is not where it should be");
    return;
  }
  stream_ = set->places[1];
  for (const std::uint64_t at : set->places)
    set_sectors_.push_back(static_cast<std::uint32_t>(at / kSectorBytes));
  if (place_.life == Life::kBeside && !set->is_in_table()) complain("at its end", 0, "the log is one piece");
}

// The cut parts a set whose other sector was written just before.
bool CutSweep::is_within_set(std::size_t index) const {
  const auto is_sector = [&](std::size_t i) {
    return std::find(set_sectors_.begin(), set_sectors_.end(), moments_[i].sector) != set_sectors_.end();
  };
  return index != 0 && is_sector(index) && is_sector(index - 1) &&
         moments_[index].sector != moments_[index - 1].sector;
}

// The write takes from the set that the file is one piece.
bool CutSweep::fragments(std::size_t index) const {
  const Moment& moment = moments_[index];
  if (moment.sector != stream_ / kSectorBytes) return false;
  const std::size_t flags = stream_ % kSectorBytes + 1;
  return (moment.before[flags] & std::byte{2}) != std::byte{0} &&
         (moment.data[flags] & std::byte{2}) == std::byte{0};
}

std::size_t CutSweep::first_of_epoch(std::size_t last) const {
  std::size_t first = last;
  while (first > 0 && moments_[first - 1].syncs == moments_[last].syncs) --first;
  return first;
}

bool CutSweep::is_chosen(std::size_t index, unsigned variant) const {
  if (is_within_set(index)) return true;
  // Nothing is durable yet, and the cut is judged fast.
  const unsigned share = moments_[index].published == 0 ? (share_ + 7) / 8 : share_;
  if (index != 0 && variant != kInOrder) {
    for (std::size_t i = first_of_epoch(index - 1); i < index; ++i)
      if (fragments(i)) return true;
  }
  const auto number = static_cast<std::int64_t>(index * (kVariants + 1) + variant);
  return filesystems::mix(number, seed_) % share == 0;
}

// Of the writes since the last sync any have reached the medium when the power fails.
void CutSweep::lose_some(std::size_t index) {
  if (index == 0) return;
  const std::size_t first = first_of_epoch(index - 1);
  std::unordered_map<std::uint32_t, filesystems::Sector> now;
  for (std::size_t k = first; k < index; ++k)
    std::memcpy(now[moments_[k].sector].data(), disk_.sector(moments_[k].sector), kSectorBytes);
  for (unsigned variant = 0; variant < kVariants; ++variant) {
    if (!is_chosen(index, variant)) continue;
    for (std::size_t k = index; k-- > first;)
      std::memcpy(disk_.sector(moments_[k].sector), moments_[k].before.data(), kSectorBytes);
    for (std::size_t k = first; k < index; ++k) {
      if (!keeps(variant, k, first, index)) continue;
      std::memcpy(disk_.sector(moments_[k].sector), moments_[k].data.data(), kSectorBytes);
    }
    judge(moments_[index - 1], "any order", index);
    for (const auto& [sector, data] : now) std::memcpy(disk_.sector(sector), data.data(), kSectorBytes);
  }
}

void CutSweep::judge(const Moment& moment, const char* how, std::size_t index) {
  ++tally_->cuts;
  disk_.begin_transaction();
  const bool makes_first = index % 2 == 0;
  std::string dead = makes_first ? look_dead(index) : std::string();
  History found;
  std::string fault = look(moment, found);
  if (dead.empty() && !makes_first) dead = look_dead(index);
  if (dead.empty() && fault.empty() && !found.empty()) {
    {
      const Volume volume(disk_);
      if (!lengthen("PHOTO.BIN", std::max(6 * 4096U, 2 * place_.cluster_bytes)))
        dead = "a photo cannot be taken";
    }
    History again;
    fault = look(moment, again);
    if (!fault.empty()) fault = "after another file: " + fault;
    if (fault.empty() && filesystems::mix(static_cast<std::int64_t>(index), seed_ + 7) % 7 == 0)
      fault = go_on(again);
    found = again;
  }
  if (dead.empty() && fault.empty() && found.empty()) {
    fault = go_on({});
    if (!fault.empty()) dead = "the next boot: " + fault;
  }
  disk_.roll_back();
  if (!dead.empty()) {
    ++tally_->dead_folders;
    complain(how, index, dead);
  }
  if (fault.empty()) return;
  const std::uint32_t durable = moment.durable + earlier_;
  const std::uint32_t rows = rows_of(found);
  tally_->rows_lost += durable > rows ? durable - rows : 0;
  ++tally_->files_lost;
  complain(how, index, fault);
}

// The file as the next boot finds it; empty, or what is wrong.
std::string CutSweep::look(const Moment& moment, History& found) {
  const Volume volume(disk_);
  found.clear();
  if (volume.result() != FR_OK) return "the volume cannot be mounted";
  FatFsFile file(link_map);
  const bool may_lack = moment.published == 0;
  const Status opened = file.open_for_reading(place_.log().c_str());
  if (opened != Status::kOk) {
    const bool lacks = file.native_error() == FR_NO_FILE || file.native_error() == FR_NO_PATH;
    return lacks && may_lack ? std::string() : "open: FatFs " + std::to_string(file.native_error());
  }
  std::uint64_t size = 0;
  if (file.size(size) != Status::kOk) return "no size";
  std::string fault;
  if (size == 0) {
    if (!may_lack) fault = "the file is empty";
  } else {
    fault = filesystems::read_log<Imu>(file, found);
    if (fault.empty()) fault = filesystems::compare(found, history_, kBoot, moment.durable, moment.offered);
    if (fault.empty() && size != moment.published && size != moment.publishing)
      fault = "a size that was not published";
  }
  static_cast<void>(file.close());
  return fault;
}

// The next boot makes its folder if it lacks, and a file in the folder; and older files are there.
std::string CutSweep::look_dead(std::size_t index) {
  const Volume volume(disk_);
  if (volume.result() != FR_OK) return "the volume cannot be mounted";
  FatFsFile file(link_map);
  const auto create = [&](const std::string& path) {
    const Status made = file.create(path.c_str(), microparquet::Existing::kOverwrite);
    const Status closed = file.close();
    return made == Status::kOk && closed == Status::kOk;
  };
  if (place_.life == Life::kFolder && index % 4 < 2 && !create(place_.next_in_parent()))
    return "no file can be made beside it: FatFs " + std::to_string(file.native_error());
  if (!create(place_.next())) {
    if (file.native_error() != FR_NO_PATH || place_.life != Life::kFolder)
      return "no file can be made: FatFs " + std::to_string(file.native_error());
    const FRESULT made = FatFsFile::make_folder(place_.folder().c_str());
    if (made != FR_OK) return "no folder can be made: FatFs " + std::to_string(made);
    if (!create(place_.next())) return "no file can be made in a new folder";
  }
  FILINFO info;
  const FRESULT old = f_stat(place_.old().c_str(), &info);
  if (old != FR_OK) return "an older file is gone: FatFs " + std::to_string(old);
  return info.fsize == 100 ? std::string() : "an older file is another";
}

// The next boot resumes the log, and closes it.
std::string CutSweep::go_on(const History& before) {
  constexpr std::uint32_t kRows = 60;
  ++tally_->resumed;
  const Volume volume(disk_);
  FatFsFile file(link_map);
  Boot<Imu> boot(kBoot + 1);
  Status status = file.open_for_append(place_.log().c_str());
  if (status == Status::kOk) status = boot.resume(file);
  if (status == Status::kOk) status = boot.log({kRows, 25, 0, true});
  if (status == Status::kOk) status = file.close();
  if (status == Status::kOk) status = file.open_for_reading(place_.log().c_str());
  if (status != Status::kOk) return std::string("resumed: ") + to_string(status);
  History after;
  std::string fault = filesystems::read_log<Imu>(file, after);
  static_cast<void>(file.close());
  if (fault.empty()) fault = filesystems::compare(after, before, kBoot + 1, kRows, kRows);
  return fault.empty() ? fault : "resumed: " + fault;
}

void CutSweep::complain(const char* how, std::size_t index, const std::string& fault) {
  if (faults_.size() >= kMostFaults) return;
  const std::uint32_t durable = index < moments_.size() ? moments_[index].durable + earlier_ : 0;
  faults_.push_back(place_.name() + ": cut before write " + std::to_string(index) + " of " +
                    std::to_string(moments_.size()) + ", " + how + ", " + std::to_string(durable) +
                    " rows durable: " + fault);
}

}  // namespace exfat
