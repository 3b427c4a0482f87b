// PLAIN of fixed-width values: one after another, little-endian.
#include "base/bytes.h"
#include "base/try.h"
#include "encoding/padding.h"
#include "microparquet/decoder.h"

namespace microparquet {

namespace {

using encoding::kPadding;

// Counts the loaded values, up to `count`; loads the next value if there is none.
Status load_values(PageInput page, std::uint32_t count, std::uint32_t& loaded) {
  const std::uint32_t width = page.width();
  MICROPARQUET_TRY(page.load(width));
  const std::uint32_t bytes = page.available();
  // Divide only if necessary: a division takes hundreds of cycles on small cores.
  loaded = bytes / width < count ? bytes / width : count;
  return Status::kOk;
}

}  // namespace

Status PlainFixedDecoder::begin_page(PageInput page, std::uint32_t values) const {
  const std::uint64_t most = std::uint64_t{values} * page.width() + kPadding;
  const std::uint64_t bytes = page.left();
  if (bytes > most) return Status::kCorrupt;
  // Without levels the number of bytes is known: with padding or without.
  const std::uint64_t missing = most - bytes;
  const bool exact = missing == 0 || missing == kPadding;
  return exact || page.may_have_nulls() ? Status::kOk : Status::kCorrupt;
}

Status PlainFixedDecoder::next(PageInput page) const {
  const std::uint32_t width = page.width();
  MICROPARQUET_TRY(page.load(width));
  page.show(page.data(), width);
  page.take(width);
  return Status::kOk;
}

Status PlainFixedDecoder::read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const {
  MICROPARQUET_TRY(load_values(page, count, stored));
  const std::size_t bytes = std::size_t{stored} * page.width();
  util::move_bytes(static_cast<std::byte*>(out), page.data(), bytes);
  page.take(static_cast<std::uint32_t>(bytes));
  return Status::kOk;
}

Status PlainFixedDecoder::skip(PageInput page) const { return next(page); }

Status PlainFixedDecoder::view_run(PageInput page, std::uint32_t count, std::uint32_t& viewed) const {
  MICROPARQUET_TRY(load_values(page, count, viewed));
  const std::uint32_t bytes = viewed * page.width();
  page.show(page.data(), bytes);
  page.take(bytes);
  return Status::kOk;
}

}  // namespace microparquet
