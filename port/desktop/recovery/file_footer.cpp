#include "file_footer.h"

#include <cstring>
#include <optional>
#include <utility>

#include "microparquet/desktop/failure.h"
#include "microparquet/detail/format/magic.h"
#include "view.h"

namespace microparquet::recovery {

Status read_footer(File& file, Footer& footer, std::uint64_t& begin) {
  std::uint64_t size = 0;
  Bytes end(format::kFileEndBytes);
  Status status = file.size(size);
  if (status == Status::kOk) {
    status = size < end.size() ? Status::kCorrupt : file.read_at(size - end.size(), end);
  }
  if (status != Status::kOk) {
    return status;
  }
  std::uint32_t footer_bytes = 0;
  std::memcpy(&footer_bytes, end.data(), sizeof footer_bytes);
  if (footer_bytes > size - end.size()) {
    return Status::kCorrupt;
  }
  begin = size - end.size() - footer_bytes;
  Bytes text(footer_bytes);
  status = file.read_at(begin, text);
  if (status != Status::kOk) {
    return status;
  }
  auto parsed = parse_footer(text);
  if (!parsed) {
    return Status::kCorrupt;
  }
  footer = std::move(*parsed);
  return Status::kOk;
}

Bytes footer_text(File& file) {
  const std::uint64_t bytes = bytes_of(file);
  std::uint32_t length = 0;
  if (bytes < format::kMagicBytes + format::kFileEndBytes) {
    throw desktop::Failure("it is too short for a footer");
  }
  const std::uint64_t end = bytes - format::kFileEndBytes;
  const Bytes tail = read_bytes(file, end, sizeof length);
  if (tail.size() == sizeof length) {
    std::memcpy(&length, tail.data(), sizeof length);
  }
  Bytes footer;
  if (length <= end) {
    footer = read_bytes(file, end - length, length);
  }
  if (footer.empty()) {
    throw desktop::Failure("its footer cannot be read");
  }
  return footer;
}

Status replace_key_values(File& file, const std::vector<TextPair>& key_values, std::uint64_t& bytes) {
  Footer footer;
  std::uint64_t begin = 0;
  Status status = read_footer(file, footer, begin);
  if (status != Status::kOk) {
    return status;
  }
  set_key_values(footer.fields, key_values);
  const Bytes end = build_footer(footer.fields, footer.entries, std::nullopt);
  status = file.shrink(begin);
  if (status == Status::kOk) {
    status = file.write_at(begin, end);
  }
  bytes = begin + end.size();
  return status == Status::kOk ? file.sync(bytes) : status;
}

}  // namespace microparquet::recovery
