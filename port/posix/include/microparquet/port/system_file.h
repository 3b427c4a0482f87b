// What files of desktops' systems have in common: those of POSIX, and those of Windows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

namespace detail {

// Bytes that grow, in pages of the system.
class MappedBytes {
 public:
  MappedBytes() = default;
  MappedBytes(const MappedBytes&) = delete;
  MappedBytes& operator=(const MappedBytes&) = delete;
  ~MappedBytes();

  // Returns false if the system has no memory: nothing has changed then. New bytes are zero.
  bool resize(std::size_t bytes);
  // Puts zeros before the bytes. Returns as resize().
  bool insert_front(std::size_t zeros);
  void clear() { bytes_ = 0; }

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  std::size_t size() const { return bytes_; }
  bool empty() const { return bytes_ == 0; }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t places_ = 0;  // length of the pages
};

}  // namespace detail

// File of a system that publishes a file's size at every write; offsets are 64 bits wide. One thread.
//
// To end in a footer at any instant nevertheless, it keeps back bytes written past the end of the file after
// reserve(): they are the next footer, which sync() appends in one write. A write elsewhere is another footer,
// and replaces them. Without reserve(), as in the forward layout, bytes go out at once.
//
// It takes no heap: the system gives pages for bytes kept back. Where it has none left, a call returns
// kIoError, and may be repeated.
//
// `System` is the class of one system, derived from this, with the calls
//   bool is_open() const
//   int read_some(std::uint64_t offset, Span<std::byte> out, std::size_t& moved)
//   int write_some(std::uint64_t offset, Span<const std::byte> data, std::size_t& moved)
//   int cut(std::uint64_t size)
//   int allocate(std::uint64_t begin, std::uint64_t end, bool allocates)  // up to `end`, or finds that it is too long
//   int put_on_medium()
//   Status status_of(int error) const
// where an int is the system's error code, 0 for none. It is no abstract class: their tables of functions need a C++ library.
template <typename System>
class SystemFile : public File {
 public:
  SystemFile(const SystemFile&) = delete;
  SystemFile& operator=(const SystemFile&) = delete;

  // Returns the system's error code of the call that failed last; 0 if none has.
  int native_error() const { return native_error_; }

  // Functions of File: see file.h.
  FileAbilities abilities() const override;
  // Returns the size with bytes kept back.
  Status size(std::uint64_t& bytes) override;
  // Reads bytes, also those kept back.
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;
  // Writes bytes, or keeps them back.
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;

  // Sets whether reserve() allocates disk space, as it does by default. Without that writing is faster,
  // especially if rows take less than was reserved; a write then finds that a disk is full, and the file's
  // contents are intact all the same. It applies to every file that this object opens.
  void allocate_ahead(bool allocates) { allocates_ = allocates; }

  // Allocates disk space. File systems that cannot (some network ones) return kOk and may be full later.
  Status reserve(std::uint64_t end) override;
  // Puts written bytes on the medium.
  Status barrier() override;

  // Publishes a size. After the first failure to put bytes on the medium, this and barrier() return
  // kMediumLost.
  Status sync(std::uint64_t size) override;
  // Publishes a smaller size.
  Status shrink(std::uint64_t size) override;

 protected:
  // The system's error codes for a file that has ended too early, and for pages that it does not give.
  // A friend's could be private, but then GCC warns of the destructor.
  // NOLINTNEXTLINE(bugprone-crtp-constructor-accessibility)
  SystemFile(int too_short, int no_memory) : too_short_(too_short), no_memory_(no_memory) {}
  ~SystemFile() = default;

  // Notes an error. Returns its status.
  Status failed(int error) {
    native_error_ = error;
    return system().status_of(error);
  }
  // Notes that the system has no pages.
  Status out_of_memory() { return failed(no_memory_); }
  // Begins with a file of that size.
  void begin(std::uint64_t size, bool writable) {
    published_ = size;
    writable_ = writable;
  }
  // Returns the size that the file system knows.
  std::uint64_t published() const { return published_; }
  // Puts all bytes on the medium.
  Status flush();
  // Releases space past the end, and forgets the file.
  void end();

 private:
  System& system() { return static_cast<System&>(*this); }
  const System& system() const { return static_cast<const System&>(*this); }
  Status write_out(std::uint64_t offset, Span<const std::byte> data);
  Status keep_back(std::uint64_t offset, Span<const std::byte> data);
  Status publish();

  const int too_short_;
  const int no_memory_;
  int native_error_ = 0;
  int flush_error_ = 0;
  bool writable_ = false;
  bool keeps_back_ = false;
  bool allocates_ = true;
  std::uint64_t published_ = 0;   // size known to the file system
  std::uint64_t reserved_ = 0;    // end of allocated space
  std::uint64_t kept_begin_ = 0;  // place of kept_; at or after published_
  detail::MappedBytes kept_;
};

}  // namespace microparquet
