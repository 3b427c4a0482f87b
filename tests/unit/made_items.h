// Pages of lists put together by hand, as made_file.h has flat ones.
#pragma once

#include <cstdint>

#include "made_file.h"
#include "microparquet/span.h"
#include "support/forwarding_file.h"

namespace made {

using microparquet::Span;
using microparquet::Status;

inline constexpr std::int32_t kNone = -1;

// An item that is to be made; `value` kNone: none.
struct Expected {
  std::uint8_t repetition;
  std::uint8_t definition;
  std::int32_t value;
};

// Levels one by one, each a run.
inline Bytes runs_of(Span<const Expected> items, std::uint8_t Expected::* level) {
  Bytes bytes;
  for (const Expected& item : items) bytes.byte(2).byte(item.*level);
  return bytes;
}

// A page of these items, with a wrong checksum perhaps.
inline void add_page(File& made, std::int32_t type, Span<const Expected> items, std::int64_t rows = -2,
                     std::uint32_t crc_error = 0) {
  Page page;
  page.crc_error = crc_error;
  page.type = type;
  page.values = static_cast<std::int64_t>(items.size());
  const Bytes repetition = runs_of(items, &Expected::repetition);
  const Bytes definition = runs_of(items, &Expected::definition);
  Bytes body;
  if (type == kDataPage) {
    body.little(repetition.size(), 4).append(repetition).little(definition.size(), 4).append(definition);
  } else {
    body.append(repetition).append(definition);
    page.repetition_bytes = static_cast<std::int64_t>(repetition.size());
    page.definition_bytes = static_cast<std::int64_t>(definition.size());
    page.rows = 0;
    for (const Expected& item : items) page.rows += item.repetition == 0 ? 1 : 0;
    if (rows != -2) page.rows = rows;
  }
  for (const Expected& item : items)
    if (item.value != kNone) body.little(static_cast<std::uint32_t>(item.value), 4);
  made.page(page, body.view());
}

// A file of which one read fails, the `fail_at`-th; none: 0.
class FailingOnce final : public support::ForwardingFile {
 public:
  FailingOnce(microparquet::File& file, int fail_at) : ForwardingFile(file), left_(fail_at) {}
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    const bool fails = left_ == 1;
    if (left_ != 0) --left_;
    if (!fails) return ForwardingFile::read_at(offset, out);
    failed_ = true;
    return Status::kIoError;
  }
  bool failed() const { return failed_; }

 private:
  int left_;
  bool failed_ = false;
};

}  // namespace made
