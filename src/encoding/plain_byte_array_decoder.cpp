// PLAIN of byte_array: a length of four bytes, little-endian, before each value.
#include <string_view>

#include "base/endian.h"
#include "base/try.h"
#include "microparquet/decoder.h"
#include "microparquet/detail/encoding/length_prefix.h"

namespace microparquet {

namespace {

using encoding::kLengthBytes;

// Loads the length of the next value without passing it.
Status peek_length(PageInput page, std::uint32_t& length) {
  MICROPARQUET_TRY(page.load(kLengthBytes));
  length = util::load<std::uint32_t>(page.data());
  return length <= page.left() - kLengthBytes ? Status::kOk : Status::kCorrupt;
}

}  // namespace

Status PlainByteArrayDecoder::begin_page(PageInput page, std::uint32_t values) const {
  const bool too_short = !page.may_have_nulls() && page.left() < std::uint64_t{values} * kLengthBytes;
  return too_short ? Status::kCorrupt : Status::kOk;
}

Status PlainByteArrayDecoder::next(PageInput page) const {
  if (page.passing()) return Status::kValueTooLarge;
  std::uint32_t length = 0;
  MICROPARQUET_TRY(peek_length(page, length));
  const Status status = page.load(kLengthBytes + length);
  if (status == Status::kValueTooLarge) return page.too_large(length);
  if (status != Status::kOk) return status;
  page.show(page.data() + kLengthBytes, length);
  page.take(kLengthBytes + length);
  return Status::kOk;
}

Status PlainByteArrayDecoder::read(PageInput page, void* out, std::uint32_t count,
                                   std::uint32_t& stored) const {
  auto* const values = static_cast<std::string_view*>(out);
  for (stored = 0; stored < count; ++stored) {
    const Status status = next(page);
    // The next call returns this status, with no values.
    if (status != Status::kOk) return stored != 0 ? Status::kOk : status;
    values[stored] = {reinterpret_cast<const char*>(page.shown()), page.shown_bytes()};
    page.pin();
  }
  return Status::kOk;
}

Status PlainByteArrayDecoder::skip(PageInput page) const {
  if (page.passing()) return page.pass_on();
  std::uint32_t length = 0;
  MICROPARQUET_TRY(peek_length(page, length));
  static_cast<void>(page.too_large(length));  // stored for next(), if that is called before this is done
  return page.pass(kLengthBytes + length);
}

}  // namespace microparquet
