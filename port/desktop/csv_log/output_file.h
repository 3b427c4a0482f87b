// The destination of the Parquet file, and how it replaces another file.
#pragma once

#include <memory>
#include <string>

#include "microparquet/desktop/files.h"
#include "microparquet/desktop/native_file.h"
#include "microparquet/file.h"
#include "microparquet/port/stdout_file.h"

namespace csv_log {

// A file that takes another's place when it is whole.
class Replacement {
 public:
  // Makes an empty file beside the one at `path`, which `old` is, open: as long as it is, no other program
  // writes it. Throws Failure.
  Replacement(const std::string& path, std::unique_ptr<microparquet::desktop::NativeFile> old);
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  // Removes the file beside it, unless it took its place.
  ~Replacement();

  // Path of the new file beside the destination.
  const std::string& path() const { return path_; }
  // Throws Failure. Requires: what is written to path() is closed.
  void take_place();

 private:
  std::string old_path_;
  std::unique_ptr<microparquet::desktop::NativeFile> old_;
  std::string path_;
};

// A file on a disk, or what only takes bytes one after another: standard output, a pipe, a device.
class Output {
 public:
  // `path` "-" is standard output. Opens nothing yet.
  explicit Output(const std::string& path);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // Throws Failure. `existing` is for a file on a disk.
  void open(microparquet::Existing existing);
  // The same, but what a file on a disk holds stays.
  void open_for_append();
  // The same, but a file that is there stays as it is until close().
  void open_to_replace();

  // Requires: open.
  microparquet::File& file() { return native_ ? static_cast<microparquet::File&>(*native_) : *forward_; }
  // Whether the file can be written in place.
  bool can_seek() const { return can_seek_; }
  // Whether there is a file that holds bytes.
  bool exists() const;
  // Whether close() replaces a file, and discard() leaves it as it is.
  bool replaces() const { return replacement_ != nullptr; }
  // Whether rows written can be found: the file still has its name, or never had one.
  bool has_name() const { return !native_ || native_->has_name(); }
  // Name for messages.
  const std::string& name() const { return name_; }
  // Reason why its last call failed, in the system's words.
  std::string error() const;

  // Throws Failure.
  void close();
  // Closes the file and removes it, if it is one on a disk; not the one it was to replace.
  void discard();

 private:
  void open_native(const std::string& path, const microparquet::Existing* existing);
  void open_forward();

  std::string path_;
  std::string name_;
  bool can_seek_;
  microparquet::desktop::Descriptor descriptor_;  // of forward_, when it is ours to close
  std::unique_ptr<Replacement> replacement_;
  std::unique_ptr<microparquet::desktop::NativeFile> native_;
  std::unique_ptr<microparquet::StdoutFile> forward_;
};

}  // namespace csv_log
