// Volume of an Arduino library's file, as far as ArduinoFile needs it, and abilities of these classes, found
// at compile time.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

namespace microparquet::detail {

// True if a class can make a file shorter.
template <typename Class, typename = void>
inline constexpr bool kTruncates = false;
template <typename Class>
inline constexpr bool
    kTruncates<Class, std::void_t<decltype(std::declval<Class&>().truncate(std::declval<std::uint32_t>()))>> =
        true;

// True if a class reports the result of a flush, as SdFat's do.
template <typename Class, typename = void>
inline constexpr bool kSyncs = false;
template <typename Class>
inline constexpr bool kSyncs<Class, std::void_t<decltype(std::declval<Class&>().sync())>> = true;

// True if a class tells whether the card is busy, as SdFat's do.
template <typename Class, typename = void>
inline constexpr bool kTellsBusy = false;
template <typename Class>
inline constexpr bool kTellsBusy<Class, std::void_t<decltype(std::declval<Class&>().isBusy())>> = true;

// True if a class opens the root of a volume, as SdFat's do.
template <typename Class, typename Volume, typename = void>
inline constexpr bool kOpensRoot = false;
template <typename Class, typename Volume>
inline constexpr bool kOpensRoot<
    Class, Volume, std::void_t<decltype(std::declval<Class&>().openRoot(std::declval<Volume*>()))>> = true;

// True if a volume opens files by the modes of fopen, as the cores of the ESP32, ESP8266 and RP2040 do.
template <typename Volume, typename = void>
inline constexpr bool kOpensByText = false;
template <typename Volume>
inline constexpr bool kOpensByText<
    Volume, std::void_t<decltype(std::declval<Volume&>().open(std::declval<const char*>(), "r+"))>> = true;

// True if a class is the ESP32 core's, whose positions are a C library's: signed, of 32 bits.
template <typename Class, typename = void>
inline constexpr bool kIsOverStdio = false;
template <typename Class>
inline constexpr bool kIsOverStdio<Class, std::void_t<decltype(std::declval<Class&>().openNextFile("r"))>> =
    true;

// True if a volume tells its file system, as SdFat's do.
template <typename Volume, typename = void>
inline constexpr bool kTellsFatType = false;
template <typename Volume>
inline constexpr bool kTellsFatType<Volume, std::void_t<decltype(std::declval<Volume&>().fatType())>> = true;

// True if a volume holds SdFat's, as the Teensy's SD does.
template <typename Volume, typename = void>
inline constexpr bool kHoldsSdFat = false;
template <typename Volume>
inline constexpr bool kHoldsSdFat<Volume, std::void_t<decltype(std::declval<Volume&>().sdfs.fatType())>> =
    true;

// Largest files of a class whose volume is not known: of FAT, or as far as its positions reach.
template <typename Class>
inline constexpr std::uint64_t kMaxFileBytes = kIsOverStdio<Class> ? 0x7FFFFFFF : 0xFFFFFFFF;

// Returns the largest size of an open file on exFAT, which only SdFat has: the space that is left, but for a
// cluster. On a full volume SdFat 2.3.1 looks for a free cluster for ever, also when it mounts it.
template <typename Class, typename Volume>
std::uint64_t space_on_exfat(Class& file, Volume& volume) {
  const std::uint64_t cluster = volume.bytesPerCluster();
  const auto free_clusters = static_cast<std::int32_t>(volume.freeClusterCount());  // less than 0: a failure
  const std::uint64_t held = (file.size() + cluster - 1) & ~(cluster - 1);
  return free_clusters > 0 ? held + (static_cast<std::uint32_t>(free_clusters) - 1) * cluster : held;
}

// Returns the largest size of an open file on a volume. `is_space`: it is the volume's space.
template <typename Class, typename Volume>
std::uint64_t max_file_bytes(Class& file, Volume& volume, bool& is_space) {
  constexpr int kExfat = 64;  // SdFat's FAT_TYPE_EXFAT
  is_space = false;
  if constexpr (sizeof(file.size()) <= sizeof(std::uint32_t)) {
    return kMaxFileBytes<Class>;
  } else if constexpr (kTellsFatType<Volume>) {
    is_space = volume.fatType() == kExfat;
    return is_space ? space_on_exfat(file, volume) : kMaxFileBytes<Class>;
  } else if constexpr (kHoldsSdFat<Volume>) {
    return max_file_bytes(file, volume.sdfs, is_space);
  } else {
    return kMaxFileBytes<Class>;
  }
}

template <typename Class, typename Volume>
Class open_root(Volume& volume) {
  if constexpr (kOpensByText<Volume>) {
    return volume.open("/", "r");
  } else {
    return volume.open("/");
  }
}

// Puts the volume's tables on the medium. Bytes written and not yet on the medium belong to the volume, and
// the sync of any object of the class stores them. The root has no size to publish.
template <typename Class, typename Volume>
bool put_tables(Volume& volume) {
  if constexpr (kOpensRoot<Class, Volume>) {
    Class root;
    return root.openRoot(&volume) && root.sync();
  } else {
    static_assert(!kSyncs<Class>, "not the volume that opens files of this class");
    Class root = open_root<Class>(volume);
    if (root) root.flush();  // a file system without directories has no table, either
    root.close();
    return true;
  }
}

template <typename Class, typename Volume>
bool read_root(Volume& volume) {
  if constexpr (kOpensRoot<Class, Volume>) {
    Class root;
    std::uint8_t first[1];
    return root.openRoot(&volume) && root.read(first, sizeof first) == sizeof first;
  } else {
    return true;
  }
}

// Volume for classes that can make a file shorter: SdFat's, and cores' own versions of it.
template <typename Class, bool kKnown = kTruncates<Class>>
class FileVolume {
 public:
  template <typename Volume>
  void set(Volume& volume) {
    volume_ = &volume;
    put_ = [](void* any) { return put_tables<Class>(*static_cast<Volume*>(any)); };
    read_ = [](void* any) { return read_root<Class>(*static_cast<Volume*>(any)); };
    max_bytes_ = [](void* any, Class& file, bool& is_space) {
      return max_file_bytes(file, *static_cast<Volume*>(any), is_space);
    };
  }
  bool put() const { return put_(volume_); }
  bool read() const { return read_(volume_); }
  std::uint64_t max_bytes(Class& file, bool& is_space) const { return max_bytes_(volume_, file, is_space); }

 private:
  void* volume_ = nullptr;
  bool (*put_)(void*) = nullptr;
  bool (*read_)(void*) = nullptr;
  std::uint64_t (*max_bytes_)(void*, Class&, bool&) = nullptr;
};

// Volume for other libraries, which write the tables first, and wait for the card.
template <typename Class>
class FileVolume<Class, false> {
 public:
  template <typename Volume>
  void set(Volume&) {}
  bool put() const { return true; }
  bool read() const { return true; }
  std::uint64_t max_bytes(Class&, bool& is_space) const {
    is_space = false;
    return kMaxFileBytes<Class>;
  }
};

}  // namespace microparquet::detail
