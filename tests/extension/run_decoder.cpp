#include "run_decoder.h"

#include <cstring>

namespace extension {
namespace {

constexpr std::uint32_t kLengthBytes = 4;
constexpr std::uint32_t kMostVarint = 5;

struct Runs {
  std::uint32_t left;  // of the open run
  std::byte value;
};
static_assert(sizeof(Runs) == RunDecoder::kStateBytes);

// Sees to it that a run is open. Nothing is taken before all of a run is loaded.
mpq::Status open_run(mpq::PageInput page, Runs& runs) {
  std::uint32_t header = 0;
  for (std::uint32_t bytes = 0; runs.left == 0; ++bytes) {
    if (bytes == kMostVarint) return mpq::Status::kCorrupt;
    if (const mpq::Status status = page.load(bytes + 2); status != mpq::Status::kOk) return status;
    const auto byte = std::to_integer<std::uint32_t>(page.data()[bytes]);
    header |= (byte & 0x7F) << 7 * bytes;
    if (byte >= 0x80) continue;
    if ((header & 1) != 0) return mpq::Status::kUnsupported;  // packed ones
    if (header == 0 || page.data()[bytes + 1] > std::byte{1}) return mpq::Status::kCorrupt;
    runs.left = header >> 1;
    runs.value = page.data()[bytes + 1];
    page.take(bytes + 2);
  }
  return mpq::Status::kOk;
}

}  // namespace

mpq::Status RunDecoder::begin_page(mpq::PageInput page, std::uint32_t /*values*/) const {
  page.state<Runs>() = {};
  if (const mpq::Status status = page.load(kLengthBytes); status != mpq::Status::kOk) return status;
  std::uint32_t length = 0;
  std::memcpy(&length, page.data(), kLengthBytes);
  if (length != page.left() - kLengthBytes) return mpq::Status::kCorrupt;
  page.take(kLengthBytes);
  return mpq::Status::kOk;
}

mpq::Status RunDecoder::next(mpq::PageInput page) const {
  Runs& runs = page.state<Runs>();
  if (const mpq::Status status = open_run(page, runs); status != mpq::Status::kOk) return status;
  --runs.left;
  page.show(&runs.value, 1);
  return mpq::Status::kOk;
}

mpq::Status RunDecoder::read(mpq::PageInput page, void* out, std::uint32_t count,
                             std::uint32_t& stored) const {
  Runs& runs = page.state<Runs>();
  if (const mpq::Status status = open_run(page, runs); status != mpq::Status::kOk) return status;
  stored = runs.left < count ? runs.left : count;
  auto* const values = static_cast<bool*>(out);
  for (std::uint32_t i = 0; i < stored; ++i) values[i] = runs.value != std::byte{0};
  runs.left -= stored;
  return mpq::Status::kOk;
}

mpq::Status RunDecoder::skip(mpq::PageInput page) const { return next(page); }

}  // namespace extension
