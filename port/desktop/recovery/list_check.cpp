#include "list_check.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "microparquet/records.h"

namespace microparquet::recovery {

namespace {

constexpr std::uint32_t kMostBufferBytes = 1 << 20;
constexpr std::uint64_t kAllBufferBytes = 64 << 20;
constexpr std::uint32_t kLeastBufferBytes = 4096;
constexpr std::uint64_t kLongestBufferBytes = 1 << 28;

Status choose_all(OpenFile& file) {
  std::vector<ColumnChoice> columns(file.reader().columns());
  for (std::uint32_t column = 0; column < columns.size(); ++column) {
    columns[column].column = column;
  }
  const std::uint64_t share = kAllBufferBytes / columns.size() / 8 * 8;
  return file.choose_items(
      {columns.data(), columns.size()},
      static_cast<std::uint32_t>(std::clamp<std::uint64_t>(share, kLeastBufferBytes, kMostBufferBytes)));
}

// Gives the column that failed a buffer in which what it reads fits.
Status enlarge_buffer(Reader& reader, std::vector<std::unique_ptr<std::byte[]>>& buffers) {
  const std::uint64_t bytes = reader.needed_bytes() * 5 / 4 + 64;
  if (bytes > kLongestBufferBytes) {
    return Status::kOutOfMemory;
  }
  buffers.emplace_back(new std::byte[static_cast<std::size_t>(bytes)]);
  return reader.move_buffer(reader.failed_column(), {buffers.back().get(), static_cast<std::size_t>(bytes)});
}

}  // namespace

ListReport check_lists(OpenFile& file, std::uint64_t most_events) {
  ListReport report;
  Status status = choose_all(file);
  Reader& reader = file.reader();
  constexpr std::size_t kLongestName = 64 << 10;
  std::vector<std::uint64_t> memory(
      Records::required_bytes(reader.schema_elements(), reader.chosen(), kLongestName) / 8 + 1);
  Records records(reader, {reinterpret_cast<std::byte*>(memory.data()), memory.size() * 8});
  if (status == Status::kOk) {
    status = records.begin();
  }
  std::vector<std::unique_ptr<std::byte[]>> buffers;
  Event event;
  for (std::uint64_t events = 0; status == Status::kOk && events < most_events; ++events) {
    status = records.next(event);
    if (status == Status::kOutOfMemory || status == Status::kValueTooLarge) {
      status = enlarge_buffer(reader, buffers);
      continue;
    }
    report.rows += status == Status::kOk && event.kind == EventKind::kEndRow ? 1 : 0;
  }
  if (status == Status::kCorrupt) {
    report.column = reader.failure().column;
  } else if (status == Status::kOk) {
    report.unchecked = "they are too many";
  } else if (status != Status::kEnd) {
    report.unchecked = to_string(status);
  }
  return report;
}

}  // namespace microparquet::recovery
