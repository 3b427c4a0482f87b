// A file that a program holds out to reconnect() and that is not the one it was writing: it can be read, and
// nothing else may be done to it.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "medium.h"
#include "microparquet/file.h"

namespace lives {

class AnotherFile final : public mpq::File {
 public:
  AnotherFile(Bytes bytes, mpq::FileAbilities abilities) : bytes_(std::move(bytes)), abilities_(abilities) {}

  mpq::FileAbilities abilities() const override { return abilities_; }
  mpq::Status size(std::uint64_t& bytes) override {
    bytes = bytes_.size();
    return mpq::Status::kOk;
  }
  mpq::Status read_at(std::uint64_t offset, mpq::Span<std::byte> out) override {
    if (offset > bytes_.size() || out.size() > bytes_.size() - offset) return mpq::Status::kIoError;
    std::memcpy(out.data(), bytes_.data() + static_cast<std::size_t>(offset), out.size());
    return mpq::Status::kOk;
  }
  mpq::Status write_at(std::uint64_t, mpq::Span<const std::byte>) override { return refuse(); }
  mpq::Status reserve(std::uint64_t) override { return refuse(); }
  mpq::Status sync(std::uint64_t) override { return refuse(); }
  mpq::Status shrink(std::uint64_t) override { return refuse(); }

  // Whether something was done to it.
  bool is_touched() const { return touched_; }

 private:
  mpq::Status refuse() {
    touched_ = true;
    return mpq::Status::kIoError;
  }

  Bytes bytes_;
  mpq::FileAbilities abilities_;
  bool touched_ = false;
};

}  // namespace lives
