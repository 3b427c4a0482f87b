// Classes that a program derives from those of the library, as any compiler builds them: with RTTI, and
// without.
#include <cstdio>
#include <cstring>

#include "microparquet/filter.h"
#include "microparquet/microparquet.h"
#include "microparquet/rolling.h"

namespace mpq = microparquet;
using mpq::Status;

namespace {

class Memory : public mpq::File {
 public:
  virtual ~Memory() = default;
  mpq::FileAbilities abilities() const override { return {true, true, false}; }
  Status size(std::uint64_t& bytes) override {
    bytes = size_;
    return Status::kOk;
  }
  Status read_at(std::uint64_t offset, mpq::Span<std::byte> out) override {
    std::memcpy(out.data(), bytes_ + offset, out.size());
    return Status::kOk;
  }
  Status write_at(std::uint64_t offset, mpq::Span<const std::byte> data) override {
    if (offset + data.size() > sizeof bytes_) return Status::kNoSpace;
    std::memcpy(bytes_ + offset, data.data(), data.size());
    if (offset + data.size() > size_) size_ = offset + data.size();
    return Status::kOk;
  }
  Status sync(std::uint64_t size) override {
    size_ = size;
    return Status::kOk;
  }

 private:
  std::byte bytes_[1 << 20] = {};
  std::uint64_t size_ = 0;
};

class Stored : public mpq::Decompressor {
 public:
  Stored() : Decompressor(mpq::CodecId::kZstd) {}
  virtual ~Stored() = default;
  Status decompress(mpq::Span<const std::byte> in, mpq::Span<std::byte> out,
                    mpq::Span<std::byte>) const override {
    if (in.size() != out.size()) return Status::kCorrupt;
    std::memcpy(out.data(), in.data(), in.size());
    return Status::kOk;
  }
};

class NoFilter : public mpq::RowGroupFilter {
 public:
  virtual ~NoFilter() = default;
  Status may_match(mpq::Reader&, bool& match) const override {
    match = true;
    return Status::kOk;
  }
};

class OneFile : public mpq::FileSequence {
 public:
  virtual ~OneFile() = default;
  Status next(mpq::File*&) override { return Status::kNoSpace; }
};

struct Sample {
  std::int32_t number;
};
inline constexpr auto kSchema = mpq::schema(mpq::column("number", &Sample::number));

mpq::StaticWriter<kSchema> writer;
alignas(8) std::byte arena[8192];

}  // namespace

int main() {
  static Memory memory;
  mpq::File* const file = &memory;
  bool ok = writer.open(*file) == Status::kOk;
  for (std::int32_t i = 0; i < 3; ++i) ok = ok && writer.append(Sample{i}) == Status::kOk;
  ok = ok && writer.close() == Status::kOk;

  const Stored stored;
  const mpq::Decompressor* const decompressors[] = {&stored};
  mpq::ReaderOptions options;
  options.decompressors = decompressors;
  const NoFilter filter;
  mpq::Reader reader;
  ok = ok && reader.open(*file, options, arena) == Status::kOk && reader.choose_all() == Status::kOk;
  reader.set_filter(&filter);
  std::int32_t rows = 0;
  while (ok && reader.next_row() == Status::kOk) ok = reader.cell(0).as<std::int32_t>() == rows++;

  OneFile files;
  mpq::FileSequence& sequence = files;
  mpq::File* next = nullptr;
  ok = ok && sequence.next(next) == Status::kNoSpace;
  std::printf("%s: %d rows\n", ok ? "read" : "failed", static_cast<int>(rows));
  return ok && rows == 3 ? 0 : 1;
}
