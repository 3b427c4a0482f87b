#include "table_decoder.h"

#include <cstring>

namespace extension {
namespace {

constexpr std::uint32_t kWidth = 8;
constexpr std::byte kBitWidth{8};

struct Run {
  std::uint32_t left;
  std::uint32_t index;
};
static_assert(sizeof(Run) == TableDecoder::kStateBytes);

}  // namespace

mpq::Status TableDecoder::begin_dictionary(mpq::PageInput /*column*/,
                                           const mpq::Dictionary& dictionary) const {
  const std::uint64_t bytes = std::uint64_t{dictionary.count} * kWidth;
  return dictionary.values.size() == bytes ? mpq::Status::kOk : mpq::Status::kCorrupt;
}

mpq::Status TableDecoder::begin_page(mpq::PageInput page, std::uint32_t /*values*/) const {
  page.state<Run>() = {};
  if (page.dictionary() == nullptr) return mpq::Status::kCorrupt;
  if (const mpq::Status status = page.load(1); status != mpq::Status::kOk) return status;
  if (*page.data() != kBitWidth) return mpq::Status::kUnsupported;
  page.take(1);
  return mpq::Status::kOk;
}

mpq::Status TableDecoder::next(mpq::PageInput page) const {
  Run& run = page.state<Run>();
  const mpq::Dictionary& dictionary = *page.dictionary();
  if (run.left == 0) {
    if (const mpq::Status status = page.load(2); status != mpq::Status::kOk) return status;
    const auto header = std::to_integer<std::uint32_t>(page.data()[0]);
    const auto index = std::to_integer<std::uint32_t>(page.data()[1]);
    if (header >= 0x80 || (header & 1) != 0) return mpq::Status::kUnsupported;  // longer or packed ones
    if (header == 0 || index >= dictionary.count) return mpq::Status::kCorrupt;
    run = {header >> 1, index};
    page.take(2);
  }
  --run.left;
  page.show(dictionary.values.data() + std::size_t{run.index} * kWidth, kWidth);
  return mpq::Status::kOk;
}

mpq::Status TableDecoder::read(mpq::PageInput page, void* out, std::uint32_t /*count*/,
                               std::uint32_t& stored) const {
  const mpq::Status status = next(page);
  if (status != mpq::Status::kOk) return status;
  std::memcpy(out, page.shown(), kWidth);
  stored = 1;
  return status;
}

mpq::Status TableDecoder::skip(mpq::PageInput page) const { return next(page); }

}  // namespace extension
