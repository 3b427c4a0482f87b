// Ports under the suite of tests/port_contract, and one that breaks it.
#include "contract_test.h"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "extension/fram_file.h"
#include "microparquet/port/memory_file.h"
#include "microparquet/port/posix_file.h"
#include "microparquet/port/stdout_file.h"
#include "microparquet/port/uart_file.h"
#include "support/check.h"

namespace {

using microparquet::File;
using microparquet::MemoryFile;
using microparquet::Span;
using microparquet::Status;

std::byte memory[20 << 10];

std::vector<std::byte>* on_medium = nullptr;  // what the file had at its last fdatasync
int failing_syncs = 0;

using port_contract::TestedPort;

class MemoryPort : public TestedPort {
 public:
  explicit MemoryPort(const char* name = "MemoryFile") : TestedPort(name) {}
  virtual ~MemoryPort() = default;
  File* create() override { return &file_.emplace(memory); }
  File* open_again() override { return file_ ? &file_.emplace(memory, file_->contents().size()) : nullptr; }

 protected:
  std::optional<MemoryFile> file_;
};

class PosixPort final : public TestedPort {
 public:
  PosixPort() : TestedPort("PosixFile") {}
  PosixPort(const PosixPort&) = delete;
  PosixPort& operator=(const PosixPort&) = delete;
  ~PosixPort() {
    static_cast<void>(file_.close());
    unlink(kPath);
    on_medium = nullptr;
  }
  File* create() override {
    on_medium = &on_medium_;
    on_medium_.clear();
    return file_.create(kPath, microparquet::Existing::kOverwrite) == Status::kOk ? &file_ : nullptr;
  }
  File* open_again() override {
    const bool good = file_.close() == Status::kOk && file_.open_for_append(kPath) == Status::kOk;
    return good ? &file_ : nullptr;
  }

  bool fail_next(bool fails) override {
    failing_syncs = fails ? 1 : 0;
    return true;
  }
  File* open_after_cut() override {
    static_cast<void>(file_.close());
    const int descriptor = open(kPath, O_WRONLY | O_TRUNC | O_CLOEXEC);
    const ssize_t written = write(descriptor, on_medium_.data(), on_medium_.size());
    close(descriptor);
    const bool good = written == static_cast<ssize_t>(on_medium_.size());
    return good && file_.open_for_append(kPath) == Status::kOk ? &file_ : nullptr;
  }

 private:
  static constexpr const char* kPath = "port_contract_test.bin";
  std::vector<std::byte> on_medium_;
  microparquet::PosixFile file_;
};

class StdoutPort final : public TestedPort {
 public:
  StdoutPort() : TestedPort("StdoutFile") {}
  StdoutPort(const StdoutPort&) = delete;
  StdoutPort& operator=(const StdoutPort&) = delete;
  ~StdoutPort() { close(descriptor_); }
  File* create() override { return &file_.emplace(descriptor_); }
  File* open_again() override { return nullptr; }

 private:
  int descriptor_ = open("/dev/null", O_WRONLY | O_CLOEXEC);
  std::optional<microparquet::StdoutFile> file_;
};

// A line that takes seven bytes at once, or none.
class Line final : public microparquet::ByteLine {
 public:
  std::size_t write(Span<const std::byte> data) override {
    if (std::exchange(fails, false)) return 0;
    return data.size() < 7 ? data.size() : 7;
  }
  bool flush() override { return !std::exchange(fails, false); }
  bool fails = false;
};

class UartPort final : public TestedPort {
 public:
  UartPort() : TestedPort("UartFile") {}
  bool fail_next(bool fails) override {
    line_.fails = fails;
    return true;
  }
  File* create() override { return &file_.emplace(line_); }
  File* open_again() override { return nullptr; }

 private:
  Line line_;
  std::optional<microparquet::UartFile> file_;
};

class FramInMemory final : public Fram {
 public:
  bool read(std::uint32_t address, std::byte* to, std::size_t bytes) override {
    if (bytes != 0) std::memcpy(to, bytes_ + address, bytes);
    return !std::exchange(fails, false);
  }
  bool write(std::uint32_t address, const std::byte* from, std::size_t bytes) override {
    if (bytes != 0) std::memcpy(bytes_ + address, from, bytes);
    return !std::exchange(fails, false);
  }
  std::uint32_t bytes() const override { return sizeof bytes_; }
  bool fails = false;  // once

 private:
  std::byte bytes_[20 << 10] = {};
};

class FramPort final : public TestedPort {
 public:
  FramPort() : TestedPort("FramFile") {}
  bool fail_next(bool fails) override {
    fram_.fails = fails;
    return true;
  }
  File* create() override {
    const Status status = file_.emplace(fram_).create(microparquet::Existing::kOverwrite);
    return status == Status::kOk ? &*file_ : nullptr;
  }
  File* open_again() override {
    return file_.emplace(fram_).open_for_append() == Status::kOk ? &*file_ : nullptr;
  }
  File* open_after_cut() override { return open_again(); }  // the chip keeps every byte

 private:
  FramInMemory fram_;
  std::optional<FramFile> file_;
};

// Offsets in 32 bits, and a sync that publishes what was reserved.
class ShortFile final : public File {
 public:
  explicit ShortFile(MemoryFile& file) : file_(file) {}
  microparquet::FileAbilities abilities() const override { return file_.abilities(); }
  Status size(std::uint64_t& bytes) override { return file_.size(bytes); }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    return file_.read_at(static_cast<std::uint32_t>(offset), out);
  }
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    return file_.write_at(static_cast<std::uint32_t>(offset), data);
  }
  Status sync(std::uint64_t /*size*/) override { return Status::kOk; }
  Status shrink(std::uint64_t /*size*/) override { return Status::kOk; }

 private:
  MemoryFile& file_;
};

class ShortPort final : public MemoryPort {
 public:
  ShortPort() : MemoryPort("ShortFile") {}
  void report(bool /*held*/, const char* /*clause*/) override {}
  File* create() override {
    static_cast<void>(MemoryPort::create());
    return file_ ? &short_.emplace(*file_) : nullptr;
  }
  File* open_again() override { return short_ ? &*short_ : nullptr; }

 private:
  std::optional<ShortFile> short_;
};

}  // namespace

// Instead of the system's.
extern "C" int fdatasync(int fildes) {
  if (failing_syncs != 0) {
    --failing_syncs;
    errno = EIO;
    return -1;
  }
  if (on_medium == nullptr) return fsync(fildes);
  on_medium->resize(20 << 10);
  const ssize_t bytes = pread(fildes, on_medium->data(), on_medium->size(), 0);
  on_medium->resize(bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
  return 0;
}

TEST("a file in memory holds the contract of ports") {
  MemoryPort port;
  port_contract::check_all(port, 18);
}

TEST("a posix file holds the contract of ports") {
  PosixPort port;
  port_contract::check_all(port, 24);
}

TEST("a posix file whose bytes cannot be put on the medium is not opened for append") {
  PosixPort port;
  File* const file = port.create();
  REQUIRE(file != nullptr);
  CHECK_EQ(file->write_at(0, Span<const std::byte>(memory, 9)), Status::kOk);
  failing_syncs = 1;
  CHECK(port.open_again() == nullptr);
  CHECK_EQ(failing_syncs, 0);
  CHECK(port.open_again() != nullptr);
}

TEST("the port that port/README.md shows holds the contract, and refuses to empty what it holds") {
  FramPort port;
  port_contract::check_all(port, 24);
  FramInMemory fram;
  FramFile file(fram);
  REQUIRE_EQ(file.create(), Status::kOk);
  CHECK_EQ(file.write_at(0, Span<const std::byte>(memory, 9)), Status::kOk);
  CHECK_EQ(file.sync(9), Status::kOk);
  CHECK_EQ(file.create(), Status::kIoError);
}

TEST("standard output and a serial line hold what a port that only writes must") {
  StdoutPort standard_output;
  UartPort line;
  port_contract::check_all(standard_output, 10);
  port_contract::check_all(line, 12);
}

TEST("a port that cuts offsets to 32 bits and does not shrink is found out") {
  ShortPort port;
  CHECK_EQ(port_contract::check(port).broken, 2U);
}
