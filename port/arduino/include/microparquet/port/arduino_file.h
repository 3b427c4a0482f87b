// File of an Arduino library: SD, SdFat, FFat, LittleFS, and others with the same functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "microparquet/port/file_volume.h"
#include "microparquet/port/flushed_file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// `Class` has seek, read, write, flush, size and close, as SD's File; with truncate(size), as those of SdFat
// (File32, FsFile, ExFile) and of the ESP8266 and RP2040 cores, both layouts work, otherwise only the forward
// layout. These classes seek only inside a file: in place the port fills each segment with zeros when it is
// added, in one call. Set Options::row_group_bytes then, since segments hold several row groups. On LittleFS
// use the forward layout, since it copies all bytes after a changed place. On an ESP32 VfsFile serves better.
//
// The sketch opens its file so that it can be read and written anywhere, not appended to, and the file must
// stay. SD: SD.open(path, O_READ | O_WRITE | O_CREAT), since FILE_WRITE appends. SdFat: O_RDWR | O_CREAT.
// ESP8266, ESP32 and RP2040 cores: "w+" for a new file, "r+" to continue one; SD's numbers would empty it
// there. Teensy: FILE_WRITE_BEGIN; with SD's numbers the file would be read only.
//
// On FAT the file's size changes only at sync(), so that a power cut leaves a file that ends in a footer.
// SdFat on Arm writes the size before the table that leads to the new bytes: attach() therefore takes the
// volume as well, and ArduinoFile has its tables written first. With a class that tells whether its card is
// busy, sync() and barrier() wait until it is not.
//
// A file ends where its file system does: at 4 GiB - 1 on FAT, and on an ESP32 at 2 GiB - 1. On exFAT SdFat's
// FsFile and ExFile have no such end; its File32 is for FAT alone. There attach() counts the clusters that are
// free, and the file leaves one: other files that grow beside it must leave it, too.
//
// Else these classes do not distinguish a full medium from a failed one: tell attach() how far the file may
// grow. Other failures are kIoError, so that kNoSpace always is this limit, or that of the file system. If
// flush() does not report its result, the port reads a byte back: a card that is gone returns none, and SD
// first writes the bytes that it could not write before.
//
// After an error start the card again, open a new file of the class, and give it to attach(). Forget the old
// one and do not close it, since closing writes the bytes that its library still holds.
//
// Nothing is closed by itself. One thread. No heap of its own; some of these libraries have one.
template <typename Class>
class ArduinoFile final : public FlushedFile, private detail::FileVolume<Class> {
 public:
  // Makes a port without a file. `block_bytes`: bytes that a power cut in the middle of a write may destroy.
  // A card tears a sector, 512. FFat, FAT in an ESP32's flash, erases blocks of 4,096: give that here and in
  // Options::block_bytes, and no durable row of the file is lost; but a table or directory of FAT that is
  // torn can take the volume. LittleFS needs neither.
  explicit ArduinoFile(std::uint16_t block_bytes = 512)
      : FlushedFile({detail::kTruncates<Class>, false, block_bytes}) {}

  // Takes a file that the sketch has opened, and forgets the one before it, whatever the status. It flushes
  // the file, so that Writer::resume() can rely on its contents. `volume`: the object that opened it, as SD
  // or a SdFat. It must stay. `most_bytes`: largest size that the file may reach, for example by the space
  // left; the file system's own limit holds as well.
  // - kOk
  // - kIoError: it is not open, or cannot be flushed, which these classes do not distinguish; none is
  //   attached
  template <typename Volume, typename = std::enable_if_t<std::is_class_v<Volume>>>
  Status attach(Class& file, Volume& volume, std::uint64_t most_bytes = kNoLimit) {
    FileVolume::set(volume);
    return take(file, most_bytes);
  }

  // Takes a file of a class that cannot make it shorter, as SD's File and the ESP32's: their libraries write
  // the tables first.
  template <typename Only = Class>
  Status attach(Class& file, std::uint64_t most_bytes = kNoLimit) {
    static_assert(!detail::kTruncates<Only>, "name the volume as well: attach(file, SD)");
    return take(file, most_bytes);
  }

  // Returns the largest size of the file on its file system, see FlushedFile.
  std::uint64_t max_bytes() const { return ends_at_space_ ? kMaxOnExfat : FlushedFile::max_bytes(); }
  // Returns whether the last kNoSpace was a file at max_bytes(), see FlushedFile. On exFAT it is a full card: the
  // file ends where the space does that attach() has found.
  bool limit_reached() const { return FlushedFile::limit_reached() && !ends_at_space_; }

  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    const Status status = FlushedFile::write_at(offset, data);
    return status == Status::kNoSpace && has_more_space() ? FlushedFile::write_at(offset, data) : status;
  }

  // Takes no space ahead of what is written, which these classes would have to fill with zeros: at each checkpoint where
  // files do not shrink. A full card then ends the log at its last checkpoint.
  void reserve_nothing() { reserves_ = false; }

  Status reserve(std::uint64_t end) override {
    if (!reserves_) return Status::kOk;
    const Status status = FlushedFile::reserve(end);
    return status == Status::kNoSpace && has_more_space() ? FlushedFile::reserve(end) : status;
  }

  // Puts the volume's tables on the medium without publishing the file's size. SdFat and classes made of it
  // publish a size in each sync of the file; the sync of another object of the class writes the tables alone.
  Status barrier() override {
    if constexpr (!detail::kTruncates<Class>) {
      return FlushedFile::barrier();
    } else {
      const Status status = put_tables();
      return status == Status::kOk ? settle() : status;
    }
  }

  Status sync(std::uint64_t size) override {
    const Status status = put_tables();
    return status == Status::kOk ? FlushedFile::sync(size) : status;
  }

  // Drops what was not synced, and closes the sketch's file.
  // - kOk: also if nothing was open
  // - kUnsupported: there is something to drop, and the class has no truncate(). The sketch's file is left
  //   open, since closing it would publish a torn end, for `mpq recover`. Forgotten or switched off, it ends
  //   in its last footer: SD closes a file in close() only, an ESP32 when the last copy of its object goes.
  Status close() {
    if (!is_open()) return Status::kOk;
    const Status status = end();
    if (status != Status::kUnsupported) file_->close();
    return status;
  }

 private:
  using FileVolume = detail::FileVolume<Class>;

  static constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};
  static constexpr std::uint64_t kMaxOnExfat = 0x7FFFFFFFFFFFFFFF;
  // Largest step: the smallest of these classes count in 16 bits with a sign.
  static constexpr std::size_t kMaxAtOnce = 16 << 10;

  static Status done(bool good) { return good ? Status::kOk : Status::kIoError; }

  // Moves bytes in steps, and ends at the first failure.
  template <typename Bytes, typename Move>
  Status move(std::uint64_t offset, Span<Bytes> bytes, Move move_some) {
    if (!file_->seek(static_cast<decltype(file_->size())>(offset))) return Status::kIoError;
    while (!bytes.empty()) {
      const auto some = static_cast<std::uint16_t>(bytes.size() < kMaxAtOnce ? bytes.size() : kMaxAtOnce);
      if (static_cast<std::size_t>(move_some(bytes.data(), some)) != some) return Status::kIoError;
      bytes = bytes.subspan(some, bytes.size() - some);
    }
    return Status::kOk;
  }

  Status read(std::uint64_t offset, Span<std::byte> out) override {
    return move(offset, out, [this](std::byte* to, std::uint16_t bytes) {
      return file_->read(reinterpret_cast<std::uint8_t*>(to), bytes);
    });
  }

  Status write(std::uint64_t offset, Span<const std::byte> data) override {
    return move(offset, data, [this](const std::byte* from, std::uint16_t bytes) {
      return file_->write(reinterpret_cast<const std::uint8_t*>(from), bytes);
    });
  }

  Status flush() override {
    if constexpr (detail::kSyncs<Class>) {
      if (!file_->sync()) return Status::kIoError;
    } else {
      file_->flush();
    }
    return settle();
  }

  Status take(Class& file, std::uint64_t most_bytes) {
    forget();
    if (!file) return Status::kIoError;
    file_ = &file;
    has_no_limit_ = most_bytes == kNoLimit;
    begin(file.size(), find_end(most_bytes), true);
    const Status status = confirm();
    if (status != Status::kOk) forget();
    return status;
  }

  // Returns how long the file may become.
  std::uint64_t find_end(std::uint64_t most_bytes) {
    const std::uint64_t max_bytes = FileVolume::max_bytes(*file_, ends_at_space_);
    ends_at_space_ = ends_at_space_ && max_bytes < most_bytes;
    return most_bytes < max_bytes ? most_bytes : max_bytes;
  }

  // Counts again after a card was full: files may have been deleted since. SdFat counts what is on the card, so
  // that its bitmap must be there before.
  bool has_more_space() {
    if (!ends_at_space_ || !has_no_limit_ || !FileVolume::put()) return false;
    const std::uint64_t before = FlushedFile::max_bytes();
    limit_to(find_end(kNoLimit));
    return FlushedFile::max_bytes() > before;
  }

  Status put_tables() {
    if constexpr (detail::kTruncates<Class>) {
      if (const Status status = usable(true); status != Status::kOk) return status;
    }
    return done(FileVolume::put());
  }

  // Waits until the card has stored everything it was given. Classes that tell whether it is busy are asked,
  // since their sync returns before. A read waits for the card, within the library's own limits, unless it
  // comes from the cache of a single sector: the volume's root and the file's first byte lie in two. From the
  // other classes a byte is read, to know whether the card is there.
  Status settle() {
    std::byte first[1];
    const auto read_back = [&] { return file_->size() == 0 ? Status::kOk : read(0, first); };
    if constexpr (!detail::kTellsBusy<Class>) {
      return read_back();
    } else {
      if (file_->size() == 0 || !file_->isBusy()) return Status::kOk;
      if (!FileVolume::read() || read_back() != Status::kOk) return Status::kIoError;
      return done(!file_->isBusy());
    }
  }

  Status truncate(std::uint64_t size) override {
    if constexpr (detail::kTruncates<Class>) {
      return done(file_->truncate(static_cast<decltype(file_->size())>(size)));
    } else {
      static_cast<void>(size);
      return Status::kUnsupported;
    }
  }

  Class* file_ = nullptr;
  bool reserves_ = true;
  bool has_no_limit_ = true;    // the caller gave none
  bool ends_at_space_ = false;  // the space of the volume is the file's end
};

}  // namespace microparquet
