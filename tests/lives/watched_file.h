// Passes calls on, remembers what they answered, and sees to it that the writer keeps to File's contract.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "microparquet/file.h"
#include "trace.h"

namespace lives {

namespace mpq = microparquet;

class WatchedFile final : public mpq::File {
 public:
  explicit WatchedFile(Trace& trace) : trace_(trace) {}

  // Another file, or the same again; `published` is its size.
  void watch(mpq::File* file, std::uint64_t published) {
    file_ = file;
    published_ = published;
    maybe_published_ = 0;
  }

  mpq::FileAbilities abilities() const override { return file_->abilities(); }
  mpq::Status size(std::uint64_t& bytes) override { return heard("size", 0, 0, file_->size(bytes)); }
  mpq::Status read_at(std::uint64_t offset, mpq::Span<std::byte> out) override {
    return heard("read_at", offset, out.size(), file_->read_at(offset, out));
  }
  mpq::Status write_at(std::uint64_t offset, mpq::Span<const std::byte> data) override {
    if (data.empty()) complain("write_at of no bytes");
    return heard("write_at", offset, data.size(), file_->write_at(offset, data));
  }
  mpq::Status reserve(std::uint64_t end) override { return heard("reserve", end, 0, file_->reserve(end)); }
  mpq::Status barrier() override { return heard("barrier", 0, 0, file_->barrier()); }
  mpq::Status sync(std::uint64_t size) override {
    if (size < published_) complain("a smaller size is synced than is published");
    if (size < maybe_published_) complain("a smaller size is synced than a failed sync may have published");
    const mpq::Status status = heard("sync", size, 0, file_->sync(size));
    (status == mpq::Status::kOk ? published_ : maybe_published_) = size;
    return status;
  }
  mpq::Status shrink(std::uint64_t size) override {
    if (!abilities().shrink) complain("a file is shrunk that cannot be");
    const mpq::Status status = heard("shrink", size, 0, file_->shrink(size));
    published_ = status == mpq::Status::kOk ? size : std::min(size, published_);
    maybe_published_ = 0;
    return status;
  }

  // Whether a call answered so since it was last forgotten.
  bool answered(mpq::Status status) const { return (answers_ >> static_cast<unsigned>(status) & 1) != 0; }
  void forget() { answers_ = 0; }
  // The first breach of the contract; empty: none.
  const std::string& breach() const { return breach_; }

 private:
  mpq::Status heard(const char* call, std::uint64_t at, std::uint64_t bytes, mpq::Status status) {
    answers_ |= 1U << static_cast<unsigned>(status);
    if (trace_.kept()) {
      trace_.add("  " + std::string(call) + " " + std::to_string(at) +
                 (bytes != 0 ? "+" + std::to_string(bytes) : "") +
                 (status == mpq::Status::kOk ? "" : std::string(": ") + to_string(status)));
    }
    return status;
  }
  void complain(const char* text) {
    if (breach_.empty()) breach_ = text;
  }

  Trace& trace_;
  mpq::File* file_ = nullptr;
  std::uint64_t published_ = 0;
  std::uint64_t maybe_published_ = 0;  // by a call that failed
  std::uint32_t answers_ = 0;
  std::string breach_;
};

}  // namespace lives
