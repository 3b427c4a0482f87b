#include "kept_rows.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "chunk_check.h"
#include "microparquet/port/crc32_hardware.h"
#include "microparquet/writer.h"
#include "open_file.h"
#include "value_summary.h"

namespace microparquet::recovery {

namespace {

// The values of a column, wherever they are.
class KeptColumn {
 public:
  KeptColumn(File& pages, const Leaf& leaf, ChunkReport report)
      : column_(pages), element_(leaf.element), report_(std::move(report)) {}

  // Goes to a row, with buffers of `buffer_bytes`.
  Status seek(std::uint64_t row, std::uint32_t buffer_bytes) {
    const auto pages = std::find_if(report_.held.begin(), report_.held.end(),
                                    [row](const HeldPages& held) { return row < held.rows.end; });
    if (pages == report_.held.end() || row < pages->rows.begin) {
      return Status::kCorrupt;
    }
    Status status = column_.open(element_, report_.info, pages->run, pages->run.values, report_.dictionary);
    if (status == Status::kOk) {
      status = column_.begin(std::min(buffer_bytes, most_buffer_bytes(pages->run)));
    }
    for (row_ = pages->rows.begin; row_ < row && status == Status::kOk; ++row_) {
      status = column_.reader().skip_row();
    }
    end_ = pages->rows.end;
    buffer_bytes_ = buffer_bytes;
    return status;
  }

  // The value of the current row, and on to the next one. Its bytes stay until the next call.
  Status next(Value& value) {
    Status status = row_ == end_ ? seek(row_, buffer_bytes_) : Status::kOk;
    if (status == Status::kOk) {
      status = column_.reader().next_row(Span<Value>(&value, 1));
      ++row_;
    }
    return status;
  }

 private:
  // No value of PLAIN is longer than the pages it is in.
  std::uint32_t most_buffer_bytes(const PageRun& run) const {
    const std::uint64_t pages = run.end - run.begin + 64;
    const bool plain = report_.info.codec == CodecId::kUncompressed && !report_.dictionary;
    return plain ? static_cast<std::uint32_t>(std::min<std::uint64_t>(report_.buffer_bytes, pages))
                 : report_.buffer_bytes;
  }

  ColumnFile column_;
  SchemaElement element_;
  ChunkReport report_;
  std::uint64_t row_ = 0;
  std::uint64_t end_ = 0;  // end of the current pages
  std::uint32_t buffer_bytes_ = 0;
};

using KeptColumns = std::vector<std::unique_ptr<KeptColumn>>;

Status copy_range(KeptColumns& from, RowRange rows, std::uint32_t buffer_bytes, Writer& writer) {
  Status status = Status::kOk;
  for (auto column = from.begin(); column != from.end() && status == Status::kOk; ++column) {
    status = (*column)->seek(rows.begin, buffer_bytes);
  }
  std::vector<Value> row(from.size());
  for (; rows.begin < rows.end && status == Status::kOk; ++rows.begin) {
    for (std::size_t i = 0; i < row.size() && status == Status::kOk; ++i) {
      status = from[i]->next(row[i]);
    }
    if (status == Status::kOk) {
      status = writer.append(row);
    }
  }
  return status;
}

// Copies rows, with pages and buffers of `page_bytes`. kValueTooLarge: try again with larger ones.
Status copy_rows(KeptColumns& from, const std::vector<Field>& schema, const RowRanges& rows,
                 std::uint32_t page_bytes, File& to) {
  Options options;
  options.layout = &kForward;
  options.page_bytes = page_bytes;
  options.checksum = &crc32_hardware;
  options.row_group_bytes = 4 * page_bytes * static_cast<std::uint32_t>(schema.size());
  std::vector<std::uint64_t> arena(Writer::required_bytes(schema, options) / sizeof(std::uint64_t) + 1);
  const Span<std::byte> memory(reinterpret_cast<std::byte*>(arena.data()),
                               arena.size() * sizeof(std::uint64_t));
  Writer writer;
  Status status = writer.open(to, schema, options, memory);
  for (auto range = rows.begin(); range != rows.end() && status == Status::kOk; ++range) {
    status = copy_range(from, *range, 2 * page_bytes, writer);
  }
  return status == Status::kOk ? writer.close() : status;
}

std::vector<Bytes> entries_of(const Bytes& file) {
  std::uint32_t bytes = 0;
  const std::size_t end = file.size() - 8;
  std::memcpy(&bytes, file.data() + end, sizeof bytes);
  const auto footer = parse_footer(ByteView(file).subspan(end - bytes, bytes));
  return footer ? footer->entries : std::vector<Bytes>();
}

}  // namespace

std::optional<WrittenRows> write_again(View& view, const std::vector<FooterField>& fields,
                                       const KeptRowGroup& kept) {
  constexpr std::uint32_t kMinPage = 16 << 10;
  constexpr std::uint32_t kMaxPage = 16 << 20;
  view.set_end(build_footer(fields, {kept.entry}, std::nullopt));
  OpenFile file;
  std::vector<Leaf> leaves;
  const auto parts = take_apart(kept.entry);
  if (!parts || file.open(view) != Status::kOk || file.read_leaves(leaves) != Status::kOk ||
      file.reader().schema_elements() != leaves.size() + 1 || parts->columns.size() != leaves.size()) {
    return std::nullopt;
  }
  View pages(view);
  pages.set_end({});
  ColumnCheck check(pages);
  std::vector<Field> schema;
  KeptColumns columns;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const SchemaElement& element = leaves[i].element;
    ChunkReport report = check.check(element, parts->columns[i], parts->rows, kept.overwritten);
    if (element.type == Type::kInt96 || element.max_repetition_level != 0 || !report.decoded) {
      return std::nullopt;
    }
    schema.push_back(written_field(leaves[i]));
    columns.push_back(std::make_unique<KeptColumn>(pages, leaves[i], std::move(report)));
  }
  for (std::uint32_t page = kMinPage; page <= kMaxPage; page *= 8) {
    WrittenRows result{std::make_unique<MemoryMedium>(), {}};
    const Status status = copy_rows(columns, schema, kept.rows, page, *result.file);
    if (status == Status::kOk) {
      result.entries = entries_of(result.file->bytes());
      return result;
    }
    if (status != Status::kValueTooLarge && status != Status::kOutOfMemory) {
      break;
    }
  }
  return std::nullopt;
}

}  // namespace microparquet::recovery
