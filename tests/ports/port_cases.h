// The ports under test, in one form: a file of one name on the volume that is mounted.
#pragma once

#include "FS.h"
#include "SD.h"
#include "SdFat.h"
#include "log_file.h"
#include "microparquet/port/arduino_file.h"
#include "microparquet/port/vfs_file.h"
#include "microparquet/port/zephyr_file.h"
#include "support/sd_fat_layer.h"

namespace ports {

struct Zephyr {
  static constexpr const filesystems::SdFatTraits* kTraits = nullptr;
  static constexpr const char* kPort = "Zephyr";
  static constexpr bool kInPlace = true;
  static constexpr bool kFlushTells = true;  // whether it failed
  static constexpr const char* kPath = "/SD:/LOG.PQT";

  mpq::Status resume() { return file.open_for_append(kPath); }
  mpq::Status open() { return file.open_for_reading(kPath); }
  mpq::Status close() { return file.close(); }
  void give_up() { static_cast<void>(file.close()); }
  mpq::ZephyrFile file;
};

struct EspIdf {
  static constexpr const filesystems::SdFatTraits* kTraits = nullptr;
  static constexpr const char* kPort = "ESP-IDF";
  static constexpr bool kInPlace = true;
  static constexpr bool kFlushTells = true;
  static constexpr const char* kPath = "/sd/LOG.PQT";

  mpq::Status resume() { return file.open_for_append(kPath); }
  mpq::Status open() { return file.open_for_reading(kPath); }
  mpq::Status close() { return file.close(); }
  void give_up() { static_cast<void>(file.close()); }
  mpq::VfsFile file;
};

// SdFat on Arm.
struct SharedSpi {
  static constexpr const char* kPort = "Arduino SdFat";
  static constexpr filesystems::SdFatTraits kSpi{true, false};
};
struct DedicatedSpi {
  static constexpr const char* kPort = "Arduino SdFat, dedicated SPI";
  static constexpr filesystems::SdFatTraits kSpi{true, true};
};

template <typename Spi, typename Class>
struct SdFatPort {
  static constexpr const char* kPort = Spi::kPort;
  static constexpr const filesystems::SdFatTraits* kTraits = &Spi::kSpi;
  static constexpr bool kInPlace = true;
  static constexpr bool kFlushTells = true;

  mpq::Status attach() { return file.attach(opened, volume, most_bytes); }
  mpq::Status resume() { return opened.open(kName, O_RDWR | O_CREAT) ? attach() : mpq::Status::kIoError; }
  mpq::Status open() { return opened.open(kName) ? attach() : mpq::Status::kIoError; }
  mpq::Status close() { return file.close(); }
  void give_up() {}
  SdFs volume;
  Class opened;
  mpq::ArduinoFile<Class> file;
};
using ArduinoSdFat = SdFatPort<SharedSpi, FsFile>;
// Without the space that a sketch allows it.
struct ArduinoSdFatNoLimit : ArduinoSdFat {
  mpq::Status resume() {
    return opened.open(kName, O_RDWR | O_CREAT) ? file.attach(opened, volume) : mpq::Status::kIoError;
  }
};
using ArduinoSdFatDedicated = SdFatPort<DedicatedSpi, FsFile>;

struct ArduinoSd {
  static constexpr const filesystems::SdFatTraits* kTraits = nullptr;
  static constexpr const char* kPort = "Arduino SD";
  static constexpr bool kInPlace = false;
  static constexpr bool kFlushTells = false;

  mpq::Status attach() { return file.attach(opened, most_bytes); }
  mpq::Status resume() {
    opened = SD.open(kName, O_READ | O_WRITE | O_CREAT);
    return attach();
  }
  mpq::Status open() {
    opened = SD.open(kName);
    return attach();
  }
  mpq::Status close() { return file.close(); }
  void give_up() {}
  SDLib::File opened;
  mpq::ArduinoFile<SDLib::File> file;
};

struct ArduinoEsp32 {
  static constexpr const filesystems::SdFatTraits* kTraits = nullptr;
  static constexpr const char* kPort = "Arduino ESP32";
  static constexpr const char* kPath = "/LOG.PQT";
  static constexpr bool kInPlace = false;
  static constexpr bool kFlushTells = false;

  mpq::Status attach() { return file.attach(opened, most_bytes); }
  mpq::Status resume() {
    opened = fs::FS().open(kPath, "r+");
    if (!opened) opened = fs::FS().open(kPath, "w+");
    return attach();
  }
  mpq::Status open() {
    opened = fs::FS().open(kPath);
    return attach();
  }
  mpq::Status close() { return file.close(); }
  void give_up() {}
  fs::File opened;
  mpq::ArduinoFile<fs::File> file;
};

}  // namespace ports
