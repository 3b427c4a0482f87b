#include "first_rows.h"

#include <cstring>
#include <string>

#include "microparquet/port/crc32_hardware.h"
#include "microparquet/writer.h"
#include "open_file.h"

namespace microparquet::recovery {

namespace {

const Statistics& numeric_statistics(const SchemaElement& element) {
  const bool is_unsigned = element.logical.kind == LogicalKind::kInteger && !element.logical.is_signed;
  switch (element.type) {
    case Type::kBoolean: return kBooleanStatistics;
    case Type::kInt32: return is_unsigned ? kUint32Statistics : kInt32Statistics;
    case Type::kInt64: return is_unsigned ? kUint64Statistics : kInt64Statistics;
    case Type::kFloat: return kFloatStatistics;
    case Type::kDouble: return kDoubleStatistics;
    default: return kNoStatistics;
  }
}

const Statistics& statistics_of(const SchemaElement& element) {
  if (element.type != Type::kByteArray && element.type != Type::kFixedLenByteArray) {
    return numeric_statistics(element);
  }
  switch (element.logical.kind) {
    case LogicalKind::kDecimal: return kDecimalStatistics;
    case LogicalKind::kFloat16: return kFloat16Statistics;
    case LogicalKind::kInterval:
    case LogicalKind::kUnknown: return kNoStatistics;
    default: return kBinaryStatistics;
  }
}

const Encoding& plain(Type type) {
  switch (type) {
    case Type::kBoolean: return kPlainBoolean;
    case Type::kByteArray: return kPlainByteArray;
    default: return kPlainFixed;
  }
}

Field field_of(const Leaf& leaf) {
  const SchemaElement& element = leaf.element;
  LogicalType logical = element.logical;
  if (logical.kind == LogicalKind::kUnknown) {
    logical = {};  // the footer's own schema says what it is
  }
  const Field field = make_field(leaf.name, element.type, logical, plain(element.type),
                                 statistics_of(element), element.type_length);
  return element.repetition == Repetition::kOptional ? field.as_optional() : field;
}

// Copies rows, with pages and buffers of `page_bytes`. kValueTooLarge: try again with larger ones.
Status copy_rows(OpenFile& from, const std::vector<Field>& schema, std::uint64_t rows,
                 std::uint32_t page_bytes, File& to) {
  std::vector<std::uint32_t> columns;
  for (std::uint32_t i = 0; i < schema.size(); ++i) {
    columns.push_back(i);
  }
  Status status = from.choose(columns, 2 * page_bytes);
  Options options;
  options.layout = &kForward;
  options.page_bytes = page_bytes;
  options.crc32 = &crc32_hardware;
  options.row_group_bytes = 4 * page_bytes * static_cast<std::uint32_t>(schema.size());
  std::vector<std::uint64_t> arena(Writer::required_bytes(schema, options) / sizeof(std::uint64_t) + 1);
  Writer writer;
  if (status == Status::kOk) {
    const Span<std::byte> memory(reinterpret_cast<std::byte*>(arena.data()),
                                 arena.size() * sizeof(std::uint64_t));
    status = writer.open(to, schema, options, memory);
  }
  std::vector<Value> row(schema.size());
  for (; rows != 0 && status == Status::kOk; --rows) {
    status = from.reader().next_row(Span<Value>(row));
    if (status == Status::kOk) {
      status = writer.append(row);
    }
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

std::optional<FirstRows> rewrite_first_rows(View& view, const std::vector<FooterField>& fields,
                                            const Bytes& entry, std::uint64_t rows) {
  constexpr std::uint32_t kLeastPage = 16 << 10;
  constexpr std::uint32_t kMostPage = 16 << 20;
  view.set_end(build_footer(fields, {entry}, std::nullopt));
  OpenFile from;
  if (from.open(view) != Status::kOk || !from.flat()) {
    return std::nullopt;
  }
  std::vector<Field> schema;
  for (const Leaf& leaf : from.leaves()) {
    if (leaf.element.type == Type::kInt96 || leaf.element.max_repetition_level != 0) {
      return std::nullopt;
    }
    schema.push_back(field_of(leaf));
  }
  for (std::uint32_t page = kLeastPage; page <= kMostPage; page *= 8) {
    FirstRows result{std::make_unique<MemoryMedium>(), {}};
    const Status status = copy_rows(from, schema, rows, page, *result.file);
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
