// A file of a POSIX system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "microparquet/file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// Seeks, reads back and shrinks; offsets are 64 bits wide. Closed by its destructor. One thread.
//
// POSIX publishes a file's size at every write. To end in a footer at any instant all the same, this port
// keeps back what is written behind the end of the file once reserve() was called: those bytes are the next
// footer, which sync() appends in one write. Without reserve(), as in forward mode, bytes go out at once.
class PosixFile final : public File {
 public:
  enum class Existing : std::uint8_t {
    kRefuse,     // a file that holds bytes is left alone
    kOverwrite,  // it is emptied
  };

  PosixFile() = default;
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;
  ~PosixFile();

  // Opens `path` to be written, empty, and locks it against other writers that use flock. A file already open
  // is closed first.
  // - kOk
  // - kIoError: last_errno() is EEXIST for a file that was refused, EWOULDBLOCK for one that another program
  //   writes, else what the system said
  Status create(const char* path, Existing existing = Existing::kRefuse);

  // Opens `path` to be read.
  // - kOk
  // - kIoError: last_errno() is ESPIPE for what cannot seek, else what the system said
  Status open(const char* path);

  // Gives back what was reserved and not used; bytes not yet synced behind the end of the file are dropped.
  // - kOk: also when nothing was open
  // - kIoError: the system could not write something earlier
  Status close();

  bool is_open() const { return descriptor_ >= 0; }

  // errno of the call that failed last; 0 when none has.
  int last_errno() const { return last_errno_; }

  // The calls of File answer kWrongState when no file is open. kNoSpace is a full disk, a used-up quota, or a
  // limit on the size of files.
  FileAbilities abilities() const override;
  Status size(std::uint64_t& bytes) override;
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;

  // Allocates disk space. File systems that cannot (some network ones) answer kOk and may be full later.
  Status reserve(std::uint64_t end) override;
  Status barrier() override;

  // After a failed attempt to put bytes on the medium the system does not say which of them arrived: from
  // then on barrier and sync answer kIoError.
  Status sync(std::uint64_t size) override;
  Status shrink(std::uint64_t size) override;

 private:
  Status open_descriptor(const char* path, int flags);
  Status lock_and_empty(Existing existing);
  Status write_out(std::uint64_t offset, Span<const std::byte> data);
  void keep_back(std::uint64_t offset, Span<const std::byte> data);
  Status publish();
  Status flush();
  Status failed(int error);

  int descriptor_ = -1;
  int last_errno_ = 0;
  int flush_errno_ = 0;
  bool writable_ = false;
  bool keeps_back_ = false;
  std::uint64_t published_ = 0;   // the size the file system knows
  std::uint64_t reserved_ = 0;    // allocated up to here
  std::uint64_t kept_begin_ = 0;  // where kept_ belongs; at or behind published_
  std::vector<std::byte> kept_;
};

}  // namespace microparquet
