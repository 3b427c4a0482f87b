// Booleans in RLE: the length of the runs in four bytes, little-endian; runs of numbers of one bit.
#include "base/endian.h"
#include "base/try.h"
#include "encoding/hybrid_runs.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "microparquet/rle_decoder.h"

namespace microparquet {
namespace {

using encoding::kLengthBytes;

struct Booleans {
  encoding::HybridRuns runs;
  std::byte value;  // shown to the caller
};
static_assert(sizeof(Booleans) <= RleBooleanDecoder::kStateBytes);

}  // namespace

Status RleBooleanDecoder::begin_page(PageInput page, std::uint32_t values) const {
  Booleans& state = page.state<Booleans>();
  state = {};
  state.runs.width = 1;
  page.end_in_padding();
  // Some writers store no length in a page without values.
  if (page.left() == 0) return values == 0 || page.may_have_nulls() ? Status::kOk : Status::kCorrupt;
  MICROPARQUET_TRY(page.load(kLengthBytes));
  if (util::load<std::uint32_t>(page.data()) > page.left() - kLengthBytes) return Status::kCorrupt;
  page.take(kLengthBytes);
  return Status::kOk;
}

Status RleBooleanDecoder::next(PageInput page) const {
  Booleans& state = page.state<Booleans>();
  std::uint32_t count = 1;
  MICROPARQUET_TRY(state.runs.load(page, count));
  state.value = static_cast<std::byte>(state.runs.take(page) & 1);
  page.show(&state.value, 1);
  return Status::kOk;
}

Status RleBooleanDecoder::read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const {
  encoding::HybridRuns& runs = page.state<Booleans>().runs;
  auto* const values = static_cast<bool*>(out);
  MICROPARQUET_TRY(runs.load(page, count));
  for (stored = 0; stored < count; ++stored) values[stored] = (runs.take(page) & 1) != 0;
  return Status::kOk;
}

Status RleBooleanDecoder::skip(PageInput page) const { return next(page); }

}  // namespace microparquet
