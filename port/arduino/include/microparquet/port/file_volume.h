// The volume of a file of an Arduino library, as far as ArduinoFile needs it; and what these classes can do, found out
// when they are compiled.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

namespace microparquet::detail {

// Whether a class can make a file shorter.
template <typename Class, typename = void>
inline constexpr bool kTruncates = false;
template <typename Class>
inline constexpr bool
    kTruncates<Class, std::void_t<decltype(std::declval<Class&>().truncate(std::declval<std::uint32_t>()))>> =
        true;

// Whether it says what a flush came to, as SdFat's.
template <typename Class, typename = void>
inline constexpr bool kSyncs = false;
template <typename Class>
inline constexpr bool kSyncs<Class, std::void_t<decltype(std::declval<Class&>().sync())>> = true;

// Whether it says that the card is busy, as SdFat's.
template <typename Class, typename = void>
inline constexpr bool kTellsBusy = false;
template <typename Class>
inline constexpr bool kTellsBusy<Class, std::void_t<decltype(std::declval<Class&>().isBusy())>> = true;

// Whether it opens the root of a volume, as SdFat's.
template <typename Class, typename Volume, typename = void>
inline constexpr bool kOpensRoot = false;
template <typename Class, typename Volume>
inline constexpr bool kOpensRoot<
    Class, Volume, std::void_t<decltype(std::declval<Class&>().openRoot(std::declval<Volume*>()))>> = true;

// Whether a volume opens files by the modes of fopen, as the cores of the ESP32, ESP8266 and RP2040 do.
template <typename Volume, typename = void>
inline constexpr bool kOpensByText = false;
template <typename Volume>
inline constexpr bool kOpensByText<
    Volume, std::void_t<decltype(std::declval<Volume&>().open(std::declval<const char*>(), "r+"))>> = true;

template <typename Class, typename Volume>
Class open_root(Volume& volume) {
  if constexpr (kOpensByText<Volume>) {
    return volume.open("/", "r");
  } else {
    return volume.open("/");
  }
}

// What is written and not yet on the medium belongs to the volume, and each object of the class that is synced puts it
// there. The root's has no size to publish.
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

// Of classes that can make a file shorter: those are SdFat's, and what cores have made of it.
template <typename Class, bool kKnown = kTruncates<Class>>
class FileVolume {
 public:
  template <typename Volume>
  void set(Volume& volume) {
    volume_ = &volume;
    put_ = [](void* any) { return put_tables<Class>(*static_cast<Volume*>(any)); };
    read_ = [](void* any) { return read_root<Class>(*static_cast<Volume*>(any)); };
  }
  bool put() const { return put_(volume_); }
  bool read() const { return read_(volume_); }

 private:
  void* volume_ = nullptr;
  bool (*put_)(void*) = nullptr;
  bool (*read_)(void*) = nullptr;
};

// Other libraries write the tables first, and wait for the card.
template <typename Class>
class FileVolume<Class, false> {
 public:
  template <typename Volume>
  void set(Volume&) {}
  bool put() const { return true; }
  bool read() const { return true; }
};

}  // namespace microparquet::detail
