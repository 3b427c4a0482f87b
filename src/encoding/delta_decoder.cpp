// DELTA_BINARY_PACKED decoder; the numbers are the values.
#include "microparquet/delta_decoder.h"

#include "base/try.h"
#include "encoding/delta_numbers.h"

namespace microparquet {
namespace {

using encoding::DeltaNumbers;

static_assert(sizeof(DeltaNumbers) <= DeltaDecoder::kStateBytes);
static_assert(DeltaNumbers::kMostMiniblocks == DeltaDecoder::kMostMiniblocks);

// Reads values. After a failure it returns those read before; the next call returns the status.
template <typename T>
Status read_numbers(PageInput page, T* out, std::uint32_t count, std::uint32_t& stored) {
  auto& numbers = page.state<DeltaNumbers>();
  MICROPARQUET_TRY(numbers.read(page, out, count, stored));
  std::uint32_t more = 0;
  while (stored < count && numbers.left() != 0 &&
         numbers.read(page, out + stored, count - stored, more) == Status::kOk)
    stored += more;
  return Status::kOk;
}

}  // namespace

Status DeltaDecoder::begin_page(PageInput page, std::uint32_t values) const {
  auto& numbers = page.state<DeltaNumbers>();
  numbers = {};
  page.end_in_padding();
  // Some writers store no header in a page without values.
  if (page.left() == 0) return values == 0 || page.may_have_nulls() ? Status::kOk : Status::kCorrupt;
  MICROPARQUET_TRY(numbers.begin(page));
  const std::uint32_t count = numbers.left();
  return count > values || (count < values && !page.may_have_nulls()) ? Status::kCorrupt : Status::kOk;
}

Status DeltaDecoder::next(PageInput page) const {
  MICROPARQUET_TRY(skip(page));
  page.show(reinterpret_cast<const std::byte*>(&page.state<DeltaNumbers>().value()), page.width());
  return Status::kOk;
}

Status DeltaDecoder::read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const {
  if (page.type() == Type::kInt32) return read_numbers(page, static_cast<std::int32_t*>(out), count, stored);
  return read_numbers(page, static_cast<std::int64_t*>(out), count, stored);
}

// Reads the value to skip it, since all later values depend on it.
Status DeltaDecoder::skip(PageInput page) const {
  std::int64_t value = 0;
  std::uint32_t stored = 0;
  return page.state<DeltaNumbers>().read(page, &value, 1, stored);
}

}  // namespace microparquet
