// A file of the library SdFat, with the names and shapes of 2.3.1: over FatFs here, and SdFatLayer where it stands in front
// of the card.
#pragma once

#include "Arduino.h"
#include "fat_handle.h"
#include "open_modes.h"

// The real library defines these as macros.
#define O_RDWR O_RDWR
#define O_CREAT O_CREAT
#define SD_FAT_VERSION_STR "2.3.1"

namespace FsDateTime {
using Callback = void (*)(std::uint16_t* date, std::uint16_t* time, std::uint8_t* ms10);
inline Callback callback = nullptr;  // NOLINT(*-avoid-non-const-global-variables)
inline void setCallback(Callback dateTime) { callback = dateTime; }
}  // namespace FsDateTime

class FsVolume;

class FsFile : public Stream {
 public:
  FsFile() = default;
  FsFile(FsFile&&) = default;
  FsFile& operator=(FsFile&&) = default;

  bool open(const char* path, int mode = O_READ);
  bool open(FsVolume* volume, const char* path, int mode);
  bool close();
  operator bool() const { return handle_.is_open(); }

  std::size_t write(std::uint8_t byte) override { return write(&byte, 1); }
  std::size_t write(const std::uint8_t* bytes, std::size_t size) override {
    return write(static_cast<const void*>(bytes), size);
  }
  std::size_t write(const void* from, std::size_t bytes);
  int available() override;
  int read() override;
  int read(void* to, std::size_t bytes);
  int peek() override;
  void flush() override { sync(); }
  bool sync();
  bool seek(std::uint64_t position);  // not past the end
  std::uint64_t position() const { return handle_.position(); }
  std::uint64_t size() const { return handle_.size(); }
  bool truncate(std::uint64_t size);     // publishes the size, too
  bool preAllocate(std::uint64_t size);  // in one piece; the file is empty
  bool contiguousRange(std::uint32_t* first, std::uint32_t* last);
  bool remove();
  bool openRoot(FsVolume* volume);
  bool openNext(FsFile* folder, int mode = O_READ);
  std::size_t getName(char* name, std::size_t size);  // 0: it is longer
  std::uint8_t getError() const { return handle_.list_failed() ? 1 : 0; }
  bool isBusy() { return ports::FatHandle::is_busy(); }

 private:
  ports::FatHandle handle_;
  std::string path_;
};

class FsVolume {
 public:
  std::uint8_t fatType() const { return ports::FatHandle::fat_type(); }
  std::uint32_t bytesPerCluster() const { return ports::FatHandle::cluster_bytes(); }
  std::uint32_t clusterCount() const { return ports::FatHandle::clusters(); }
  std::int32_t freeClusterCount() const { return ports::FatHandle::free_clusters(); }
  FsFile open(const char* path, int mode = O_READ);
  bool exists(const char* path);
  void end() {}
};

// The card itself, without a volume.
constexpr std::uint8_t DEDICATED_SPI = 1;
constexpr std::uint32_t SD_SCK_MHZ(std::uint32_t megahertz) { return megahertz * 1'000'000; }
struct SdSpiConfig {
  SdSpiConfig(int, std::uint8_t, std::uint32_t) {}
};
struct cid_t {
  std::uint8_t bytes[16];
};
class SdCard {
 public:
  int errorCode() const;
  std::uint32_t sectorCount();
  bool writeSector(std::uint32_t sector, const std::uint8_t* from);
  bool writeSectors(std::uint32_t sector, const std::uint8_t* from, std::size_t count);
  bool readCID(cid_t* cid);
  bool isBusy() { return ports::FatHandle::is_busy(); }
  bool syncDevice() { return ports::FatHandle::sync_device(); }
};
class SdCardFactory {
 public:
  SdCard* newCard(SdSpiConfig) { return &card_; }

 private:
  SdCard card_;
};

class SdFs : public FsVolume {
 public:
  bool begin(std::uint8_t chip_select = 10);
  bool cardBegin(SdSpiConfig) { return card_.errorCode() == 0; }
  bool volumeBegin();
  SdCard* card() { return &card_; }

 private:
  SdCard card_;
};
