#include "open_file.h"

#include <algorithm>

#include "microparquet/cursors.h"
#include "microparquet/port/crc32_hardware.h"

namespace microparquet::recovery {

namespace {

Span<std::byte> bytes_in(std::vector<std::uint64_t>& words) {
  return {reinterpret_cast<std::byte*>(words.data()), words.size() * sizeof(std::uint64_t)};
}

}  // namespace

void OpenFile::grow() {
  arena_.resize(static_cast<std::size_t>(reader_.needed_bytes()) / sizeof(std::uint64_t) + 1);
}

Status OpenFile::reopen() {
  Status status = reader_.open(*file_, options_, bytes_in(arena_));
  if (status == Status::kOutOfMemory) {
    grow();
    status = reader_.open(*file_, options_, bytes_in(arena_));
  }
  return status;
}

Status OpenFile::open(File& file, std::uint32_t footer_bytes) {
  file_ = &file;
  options_.footer_bytes = footer_bytes;
  options_.checksum = &crc32_hardware;
  arena_.resize(std::max<std::size_t>(arena_.size(), footer_bytes / sizeof(std::uint64_t)));
  return reopen();
}

Status OpenFile::read_leaves(std::vector<Leaf>& leaves) {
  leaves.clear();
  std::vector<std::string> path;
  std::vector<char> name(256);
  SchemaCursor cursor(reader_);
  SchemaElement element;
  for (;;) {
    Status status = cursor.next(Span<char>(name), element);
    if (status == Status::kOutOfMemory) {
      name.resize(static_cast<std::size_t>(reader_.needed_bytes()));
      status = cursor.next(Span<char>(name), element);
    }
    if (status != Status::kOk) {
      return status == Status::kEnd ? Status::kOk : status;
    }
    if (element.depth == 0) {
      continue;
    }
    path.resize(element.depth - 1);
    path.emplace_back(element.name);
    if (element.leaf) {
      Leaf& leaf = leaves.emplace_back();
      for (const std::string& part : path) {
        leaf.name += (leaf.name.empty() ? "" : ".") + part;
      }
      leaf.element = element;
      leaf.element.name = {};
    }
  }
}

Status OpenFile::choose(Span<const std::uint32_t> columns, std::uint32_t buffer_bytes) {
  options_.buffer_bytes = buffer_bytes;
  Status status = reader_.choose(columns);
  if (status == Status::kOutOfMemory) {
    grow();
    status = reopen();
    if (status == Status::kOk) {
      status = reader_.choose(columns);
    }
  }
  return status;
}

Status OpenFile::statistics(std::uint32_t column, ColumnStatistics& statistics) {
  constexpr std::size_t kUsual = 256;
  constexpr std::uint64_t kMax = 1 << 24;  // longer bounds are left out
  bounds_.resize(std::max(bounds_.size(), kUsual));
  Status status = reader_.column_statistics(column, bounds_, statistics);
  if (status == Status::kOk && reader_.needed_bytes() > bounds_.size() && reader_.needed_bytes() <= kMax) {
    bounds_.resize(static_cast<std::size_t>(reader_.needed_bytes()));
    status = reader_.column_statistics(column, bounds_, statistics);
  }
  return status;
}

}  // namespace microparquet::recovery
