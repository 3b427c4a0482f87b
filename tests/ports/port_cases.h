// The ports under test, in one form: a file of one name on the volume that is mounted.
#pragma once

#include "FS.h"
#include "SD.h"
#include "SdFat.h"
#include "microparquet/port/arduino_file.h"
#include "microparquet/port/vfs_file.h"
#include "microparquet/port/zephyr_file.h"

namespace ports {

namespace mpq = microparquet;

inline constexpr char kName[] = "LOG.PQT";

// What a sketch says of the space there is.
inline std::uint64_t most_bytes = 0xFFFFFFFF;

struct Zephyr {
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

struct ArduinoSdFat {
  static constexpr const char* kPort = "Arduino SdFat";
  static constexpr bool kInPlace = true;
  static constexpr bool kFlushTells = true;

  mpq::Status resume() {
    return opened.open(kName, O_RDWR | O_CREAT) ? file.attach(opened, most_bytes) : mpq::Status::kIoError;
  }
  mpq::Status open() { return opened.open(kName) ? file.attach(opened, most_bytes) : mpq::Status::kIoError; }
  mpq::Status close() { return file.close(); }
  void give_up() {}
  FsFile opened;
  mpq::ArduinoFile<FsFile> file;
};

struct ArduinoSd {
  static constexpr const char* kPort = "Arduino SD";
  static constexpr bool kInPlace = false;
  static constexpr bool kFlushTells = false;

  mpq::Status resume() {
    return file.attach(opened = SD.open(kName, O_READ | O_WRITE | O_CREAT), most_bytes);
  }
  mpq::Status open() { return file.attach(opened = SD.open(kName)); }
  mpq::Status close() { return file.close(); }
  void give_up() {}
  SDLib::File opened;
  mpq::ArduinoFile<SDLib::File> file;
};

struct ArduinoEsp32 {
  static constexpr const char* kPort = "Arduino ESP32";
  static constexpr const char* kPath = "/LOG.PQT";
  static constexpr bool kInPlace = false;
  static constexpr bool kFlushTells = false;

  mpq::Status resume() {
    opened = fs::FS().open(kPath, "r+");
    if (!opened) opened = fs::FS().open(kPath, "w+");
    return file.attach(opened, most_bytes);
  }
  mpq::Status open() { return file.attach(opened = fs::FS().open(kPath)); }
  mpq::Status close() { return file.close(); }
  void give_up() {}
  fs::File opened;
  mpq::ArduinoFile<fs::File> file;
};

}  // namespace ports
