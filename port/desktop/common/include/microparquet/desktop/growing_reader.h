// A Reader with memory that grows as it asks for more.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "microparquet/cursors.h"
#include "microparquet/reader.h"

namespace microparquet::desktop {

// Reads like Reader::column_statistics(). The bounds lie in `buffer`, which grows for them up to
// `most_bytes`.
inline Status statistics_in(Reader& reader, std::uint32_t column, std::vector<std::byte>& buffer,
                            std::uint64_t most_bytes, ColumnStatistics& statistics) {
  constexpr std::size_t kUsual = 256;
  buffer.resize(std::max(buffer.size(), kUsual));
  Status status = reader.column_statistics(column, buffer, statistics);
  const std::uint64_t needed = reader.needed_bytes();
  if (status == Status::kOk && needed > buffer.size() && needed <= most_bytes) {
    buffer.resize(static_cast<std::size_t>(needed));
    status = reader.column_statistics(column, buffer, statistics);
  }
  return status;
}

class GrowingReader {
 public:
  GrowingReader() = default;
  GrowingReader(const GrowingReader&) = delete;
  GrowingReader& operator=(const GrowingReader&) = delete;

  Reader& reader() { return reader_; }

  // Opens like Reader::open(). `file` must stay.
  Status open(File& file, const ReaderOptions& options) {
    file_ = &file;
    options_ = options;
    reserve(options.footer_bytes);
    return reopen();
  }

  // Chooses like Reader::choose(), and starts over at the first row group. May open the file again.
  Status choose(Span<const std::uint32_t> columns, std::uint32_t buffer_bytes) {
    return choose_with(buffer_bytes, [&] { return reader_.choose(columns); });
  }

  // Chooses like Reader::choose_items(), otherwise like choose().
  Status choose_items(Span<const ColumnChoice> columns, std::uint32_t buffer_bytes) {
    return choose_with(buffer_bytes, [&] { return reader_.choose_items(columns); });
  }

  // Calls `call(buffer)`, and again with a larger buffer where that returns kOutOfMemory.
  template <typename Call>
  Status with_buffer(std::vector<char>& buffer, Call call) {
    Status status = call(Span<char>(buffer));
    if (status == Status::kOutOfMemory) {
      buffer.resize(static_cast<std::size_t>(reader_.needed_bytes()));
      status = call(Span<char>(buffer));
    }
    return status;
  }

  // Calls `visit` for each node of the schema, a SchemaElement. Its name stays until `visit` returns. Anything but kOk: the
  // next one cannot be read.
  template <typename Visit>
  Status visit_schema(const Visit& visit) {
    return visit_all<SchemaCursor, SchemaElement>(visit);
  }

  // The same for each KeyValue.
  template <typename Visit>
  Status visit_key_values(const Visit& visit) {
    return visit_all<KeyValueCursor, KeyValue>(visit);
  }

  // Reads like statistics_in() above.
  Status statistics(std::uint32_t column, std::vector<std::byte>& buffer, std::uint64_t most_bytes,
                    ColumnStatistics& statistics) {
    return statistics_in(reader_, column, buffer, most_bytes, statistics);
  }

 private:
  template <typename Choose>
  Status choose_with(std::uint32_t buffer_bytes, Choose choose) {
    options_.buffer_bytes = buffer_bytes;
    Status status = choose();
    if (status == Status::kOutOfMemory) {
      reserve(reader_.needed_bytes());
      status = reopen();
      if (status == Status::kOk) {
        status = choose();
      }
    }
    return status;
  }

  template <typename Cursor, typename Item, typename Visit>
  Status visit_all(const Visit& visit) {
    std::vector<char> texts(1024);
    Cursor cursor(reader_);
    Item item;
    for (;;) {
      const Status status = with_buffer(texts, [&](Span<char> memory) { return cursor.next(memory, item); });
      if (status != Status::kOk) {
        return status == Status::kEnd ? Status::kOk : status;
      }
      visit(item);
    }
  }

  Status reopen() {
    Status status = open_in_arena();
    if (status == Status::kOutOfMemory) {
      reserve(reader_.needed_bytes());
      status = open_in_arena();
    }
    return status;
  }

  Status open_in_arena() {
    return reader_.open(*file_, options_,
                        {reinterpret_cast<std::byte*>(arena_.get()), words_ * sizeof(std::uint64_t)});
  }

  void reserve(std::uint64_t bytes) {
    const std::size_t words = static_cast<std::size_t>(bytes) / sizeof(std::uint64_t) + 1;
    if (words > words_) {
      arena_.reset(new std::uint64_t[words]);
      words_ = words;
    }
  }

  File* file_ = nullptr;
  ReaderOptions options_;
  // Words, since the reader wants 8-byte alignment, and not cleared: a page that claims to become long when
  // it is decompressed takes no memory until it does.
  std::unique_ptr<std::uint64_t[]> arena_;
  std::size_t words_ = 0;
  Reader reader_;
};

}  // namespace microparquet::desktop
