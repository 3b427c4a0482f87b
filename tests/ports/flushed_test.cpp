// Checks the bytes left on a medium whose calls fail one by one: a file in memory, whose length is published
// by closing it.
#include <algorithm>
#include <array>
#include <vector>

#include "microparquet/port/flushed_file.h"
#include "support/check.h"

namespace {

namespace mpq = microparquet;
using mpq::Status;

class FailingFile final : public mpq::FlushedFile {
 public:
  explicit FailingFile(bool skips) : FlushedFile({true, skips}) {}

  void open(std::size_t bytes, std::uint64_t most_bytes) {
    bytes_.assign(bytes, std::byte{7});
    begin(bytes, most_bytes, true);
  }
  Status close() { return end(); }
  std::size_t length() const { return bytes_.size(); }

  int failing_truncations = 0;
  std::size_t failing_writes = 0;
  std::size_t capacity = 1 << 20;

 private:
  Status read(std::uint64_t offset, mpq::Span<std::byte> out) override {
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
    return Status::kOk;
  }
  // Takes the space that there is, even if it is too little for all.
  Status write(std::uint64_t offset, mpq::Span<const std::byte> data) override {
    if (failing_writes != 0) return --failing_writes, Status::kIoError;
    const auto end = static_cast<std::size_t>(offset) + data.size();
    if (end > bytes_.size()) bytes_.resize(std::min(end, capacity));
    if (end > capacity) return Status::kNoSpace;
    std::copy(data.begin(), data.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(offset));
    return Status::kOk;
  }
  Status flush() override { return Status::kOk; }
  Status truncate(std::uint64_t size) override {
    if (failing_truncations != 0) return --failing_truncations, Status::kIoError;
    bytes_.resize(static_cast<std::size_t>(size));
    return Status::kOk;
  }

  std::vector<std::byte> bytes_;
};

constexpr std::array<std::byte, 100> kData = {};

}  // namespace

TEST("a byte written to cut a tail is not published") {
  FailingFile file(true);
  file.open(1000, 1 << 20);
  file.failing_truncations = 2;
  CHECK(file.write_at(1000, kData) == Status::kIoError);
  CHECK_EQ(file.length(), 1001U);
  CHECK(file.close() == Status::kOk);
  CHECK_EQ(file.length(), 1000U);

  file.open(1000, 1 << 20);
  file.failing_truncations = 1;
  CHECK(file.write_at(1000, kData) == Status::kOk);
  CHECK(file.sync(1100) == Status::kOk);
  CHECK(file.close() == Status::kOk);
  CHECK_EQ(file.length(), 1100U);
}

TEST("a reservation that failed is made when it is repeated") {
  for (const bool skips : {true, false}) {
    FailingFile file(skips);
    file.open(0, 1 << 20);
    file.failing_writes = 1;
    CHECK(file.reserve(5000) == Status::kIoError);
    CHECK_EQ(file.length(), 0U);
    CHECK(file.reserve(5000) == Status::kOk);
    CHECK_EQ(file.length(), 5000U);
    CHECK(file.sync(0) == Status::kOk);
    CHECK_EQ(file.length(), 0U);
    CHECK(file.reserve(3000) == Status::kOk);
    CHECK_EQ(file.length(), 3000U);
  }
}

TEST("a reservation there is no space for leaves the one before it") {
  for (const bool skips : {true, false}) {
    FailingFile file(skips);
    file.open(0, 1 << 20);
    file.capacity = 6000;
    CHECK(file.write_at(0, kData) == Status::kOk);
    CHECK(file.reserve(5000) == Status::kOk);
    CHECK(file.reserve(7000) == Status::kNoSpace);
    CHECK_EQ(file.length(), 5000U);
    CHECK(file.reserve(4000) == Status::kOk);
    CHECK_EQ(file.length(), 5000U);
    CHECK(file.sync(100) == Status::kOk);
    CHECK(file.close() == Status::kOk);
    CHECK_EQ(file.length(), 100U);
  }
}
