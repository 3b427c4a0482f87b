#include "fatfs_card.h"

// After ff.h:
#include "diskio.h"

using card_bench::Allocated;
using card_bench::kFileName;
using card_bench::kSectorBytes;

static_assert(FF_USE_EXPAND == 1, "card_bench needs a file in one piece");
static_assert(FF_MAX_SS == kSectorBytes, "an SD card has sectors of 512 bytes");

bool FatfsCard::start(card_bench::Identity& identity) {
  if ((disk_initialize(0) & STA_NOINIT) != 0) return false;
  LBA_t sectors = 0;
  if (disk_ioctl(0, GET_SECTOR_COUNT, &sectors) == RES_OK) {
    identity.sectors = static_cast<std::uint32_t>(sectors);
  }
  identity.has_cid = disk_ioctl(0, MMC_GET_CID, identity.cid) == RES_OK;
  return true;
}

bool FatfsCard::mount() { return f_mount(&volume_, "", 1) == FR_OK; }

// A file of that name without the mark is the owner's, and stays; an empty one was cut off when it was made.
bool FatfsCard::remove_marked() {
  UINT read = 0;
  std::uint8_t sector[kSectorBytes];
  FIL other;
  if (f_open(&other, kFileName, FA_READ) != FR_OK) return false;
  const bool is_read = f_read(&other, sector, sizeof sector, &read) == FR_OK;
  const bool is_marked = read == sizeof sector && card_bench::is_mark(sector);
  const bool is_ours = is_read && (is_marked || f_size(&other) == 0);
  return f_close(&other) == FR_OK && is_ours && f_unlink(kFileName) == FR_OK;
}

Allocated FatfsCard::allocate(std::uint32_t bytes, std::uint32_t& first) {
  constexpr BYTE kNew = FA_CREATE_NEW | FA_READ | FA_WRITE;
  FRESULT result = f_open(&file_, kFileName, kNew);
  if (result == FR_EXIST) {
    if (!remove_marked()) return Allocated::kNameTaken;
    result = f_open(&file_, kFileName, kNew);
  }
  // A root directory without a free entry answers like a full card.
  if (result == FR_DENIED) return Allocated::kFull;
  if (result != FR_OK) return Allocated::kFailed;
  is_open_ = true;
  result = f_expand(&file_, bytes, 1);
  if (result == FR_DENIED) return remove() ? Allocated::kFull : Allocated::kFailed;
  if (result != FR_OK || f_sync(&file_) != FR_OK) return Allocated::kFailed;
  end_ = bytes;
  first = static_cast<std::uint32_t>(volume_.database) + (file_.obj.sclust - 2) * volume_.csize;
  return Allocated::kYes;
}

// A file that FatFs has given up, as that of a card which was pulled out, is removed if the card in the slot has it.
bool FatfsCard::remove() {
  if (!is_open_) return false;
  const bool is_same_card = f_close(&file_) == FR_OK;
  is_open_ = false;
  if (is_same_card) return f_unlink(kFileName) == FR_OK;
  return remove_marked();
}

bool FatfsCard::write(std::uint32_t sector, const std::uint8_t* data, std::uint32_t count) {
  return disk_write(0, data, sector, count) == RES_OK;
}

bool FatfsCard::sync() { return disk_ioctl(0, CTRL_SYNC, nullptr) == RES_OK; }

bool FatfsCard::go_to_end() { return f_lseek(&file_, end_) == FR_OK; }

Allocated FatfsCard::grow() {
  static const std::uint8_t zeros[kSectorBytes] = {};
  UINT written = 0;
  if (f_write(&file_, zeros, sizeof zeros, &written) != FR_OK) return Allocated::kFailed;
  if (written != sizeof zeros) return Allocated::kFull;
  end_ += static_cast<FSIZE_t>(volume_.csize) * kSectorBytes;
  return f_sync(&file_) == FR_OK ? Allocated::kYes : Allocated::kFailed;
}

bool FatfsCard::ask(std::uint32_t, std::uint8_t*) { return false; }
