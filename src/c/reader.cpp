// Functions of a reader, for C.
#include "microparquet/c/reader.h"

#include <cstring>
#include <string_view>
#include <type_traits>

#include "c/convert.h"
#include "microparquet/read_all.h"
#include "microparquet/reader.h"

struct mpq_decoders {
  microparquet::Span<const microparquet::Decoder* const> decoders;
  microparquet::Span<const microparquet::Decompressor* const> decompressors;
};

namespace microparquet::c {
namespace {

// Contents of an mpq_reader. All zeros is one that has not been opened, as in a Reader.
struct CReader {
  Reader reader;
  ReaderOptions options;
};
static_assert(sizeof(CReader) <= sizeof(mpq_reader) && alignof(CReader) <= alignof(mpq_reader));

// Batches have the same layout, and are passed on unchanged.
static_assert(sizeof(mpq_batch) == sizeof(AnyBatch) && std::is_trivially_copyable_v<AnyBatch>);
static_assert(offsetof(mpq_batch, places) == offsetof(AnyBatch, places));
static_assert(offsetof(mpq_batch, value_count) == offsetof(AnyBatch, value_count));
static_assert(sizeof(mpq_text) == sizeof(std::string_view));

// Kinds and units have the same numbers.
static_assert(MPQ_LOGICAL_GEOGRAPHY == static_cast<int>(LogicalKind::kGeography));
static_assert(MPQ_LOGICAL_UNKNOWN == static_cast<int>(LogicalKind::kUnknown));
static_assert(MPQ_NANOS == static_cast<int>(TimeUnit::kNanos));

Reader& reader_of(mpq_reader& reader) { return reinterpret_cast<CReader&>(reader).reader; }
const Reader& reader_of(const mpq_reader& reader) { return reinterpret_cast<const CReader&>(reader).reader; }

// Checks that a file is open and has the column.
mpq_status check_column(const mpq_reader* reader, uint32_t column) {
  if (reader == nullptr) return MPQ_INVALID_ARGUMENT;
  const std::uint32_t columns = reader_of(*reader).columns();
  if (columns == 0) return MPQ_WRONG_STATE;
  return column < columns ? MPQ_OK : MPQ_INVALID_ARGUMENT;
}

mpq_text to_text(std::string_view text) { return {text.data(), text.size()}; }

// Converts the texts of a batch in place.
void convert_texts(void* values, std::size_t count) {
  auto* at = static_cast<std::byte*>(values);
  for (std::size_t i = 0; i < count; ++i, at += sizeof(mpq_text)) {
    std::string_view view;
    std::memcpy(static_cast<void*>(&view), at, sizeof(std::string_view));
    const mpq_text text = to_text(view);
    std::memcpy(at, &text, sizeof text);
  }
}

}  // namespace
}  // namespace microparquet::c

using microparquet::AnyBatch;
using microparquet::Cell;
using microparquet::Reader;
using microparquet::ReaderOptions;
using microparquet::Span;
using microparquet::Status;
using microparquet::c::check_column;
using microparquet::c::CReader;
using microparquet::c::from_c;
using microparquet::c::is_aligned;
using microparquet::c::reader_of;
using microparquet::c::to_c;
using microparquet::c::view_of;

const mpq_decoders mpq_plain_decoders = {microparquet::kPlainDecoders, {}};
const mpq_decoders mpq_all_decoders = {microparquet::kAllDecoders, microparquet::kAllDecompressors};

mpq_status mpq_reader_open(mpq_reader* reader, mpq_file* file, const mpq_reader_options* options,
                           void* memory, size_t memory_bytes) {
  if (reader == nullptr || file == nullptr || memory == nullptr) return MPQ_INVALID_ARGUMENT;
  auto& here = reinterpret_cast<CReader&>(*reader);
  here.options = ReaderOptions();
  if (options != nullptr) {
    if (options->buffer_bytes != 0) here.options.buffer_bytes = options->buffer_bytes;
    if (options->footer_bytes != 0) here.options.footer_bytes = options->footer_bytes;
    if (options->decoders != nullptr) {
      here.options.decoders = options->decoders->decoders;
      here.options.decompressors = options->decoders->decompressors;
    }
  }
  return to_c(here.reader.open(from_c(*file), here.options,
                               Span<std::byte>(static_cast<std::byte*>(memory), memory_bytes)));
}

uint64_t mpq_reader_needed_bytes(const mpq_reader* reader) {
  return reader != nullptr ? reader_of(*reader).needed_bytes() : 0;
}

uint64_t mpq_reader_rows(const mpq_reader* reader) {
  return reader != nullptr ? reader_of(*reader).rows() : 0;
}

uint32_t mpq_reader_row_groups(const mpq_reader* reader) {
  return reader != nullptr ? reader_of(*reader).row_groups() : 0;
}

uint32_t mpq_reader_columns(const mpq_reader* reader) {
  return reader != nullptr ? reader_of(*reader).columns() : 0;
}

mpq_status mpq_reader_find_column(mpq_reader* reader, const char* name, uint32_t* column) {
  if (reader == nullptr || name == nullptr || column == nullptr) return MPQ_INVALID_ARGUMENT;
  return to_c(reader_of(*reader).find_column(view_of(name), *column));
}

mpq_status mpq_reader_column_name(mpq_reader* reader, uint32_t column, char* buffer, size_t buffer_bytes,
                                  mpq_text* name) {
  if (reader == nullptr || buffer == nullptr || name == nullptr) return MPQ_INVALID_ARGUMENT;
  microparquet::SchemaElement element;
  const Status status = reader_of(*reader).column_element(column, {buffer, buffer_bytes}, element);
  *name = microparquet::c::to_text(element.name);
  return to_c(status);
}

mpq_status mpq_reader_describe_column(mpq_reader* reader, uint32_t column, char* buffer, size_t buffer_bytes,
                                      mpq_column_info* info) {
  if (reader == nullptr || buffer == nullptr || info == nullptr) return MPQ_INVALID_ARGUMENT;
  *info = {};
  microparquet::SchemaElement element;
  const Status status = reader_of(*reader).column_element(column, {buffer, buffer_bytes}, element);
  if (status != Status::kOk) return to_c(status);
  const microparquet::LogicalType& logical = element.logical;
  info->name = microparquet::c::to_text(element.name);
  info->type = static_cast<mpq_physical_type>(element.type);
  info->bytes = element.type_length;
  info->logical = static_cast<mpq_logical_kind>(logical.kind);
  info->unit = static_cast<mpq_time_unit>(logical.unit);
  info->utc = logical.utc;
  info->is_signed = logical.is_signed;
  info->bits = logical.bits;
  info->precision = logical.precision;
  info->scale = logical.scale;
  info->max_definition_level = element.max_definition_level;
  info->max_repetition_level = element.max_repetition_level;
  return MPQ_OK;
}

mpq_status mpq_reader_column_type(const mpq_reader* reader, uint32_t column, mpq_physical_type* type) {
  const mpq_status status = type != nullptr ? check_column(reader, column) : MPQ_INVALID_ARGUMENT;
  if (status == MPQ_OK) *type = static_cast<mpq_physical_type>(reader_of(*reader).column_type(column));
  return status;
}

mpq_status mpq_reader_max_definition_level(const mpq_reader* reader, uint32_t column, uint8_t* level) {
  const mpq_status status = level != nullptr ? check_column(reader, column) : MPQ_INVALID_ARGUMENT;
  if (status == MPQ_OK) *level = reader_of(*reader).max_definition_level(column);
  return status;
}

mpq_status mpq_reader_key_value(mpq_reader* reader, const char* key, char* buffer, size_t buffer_bytes,
                                mpq_text* value) {
  if (reader == nullptr || key == nullptr || buffer == nullptr || value == nullptr)
    return MPQ_INVALID_ARGUMENT;
  std::string_view found;
  const Status status = reader_of(*reader).find_key_value(view_of(key), {buffer, buffer_bytes}, found);
  *value = microparquet::c::to_text(found);
  return to_c(status);
}

mpq_status mpq_reader_choose(mpq_reader* reader, const uint32_t* columns, size_t column_count) {
  if (reader == nullptr || columns == nullptr) return MPQ_INVALID_ARGUMENT;
  return to_c(reader_of(*reader).choose(Span<const uint32_t>(columns, column_count)));
}

mpq_status mpq_reader_choose_all(mpq_reader* reader) {
  return reader != nullptr ? to_c(reader_of(*reader).choose_all()) : MPQ_INVALID_ARGUMENT;
}

mpq_status mpq_reader_next_row(mpq_reader* reader) {
  return reader != nullptr ? to_c(reader_of(*reader).next_row()) : MPQ_INVALID_ARGUMENT;
}

mpq_status mpq_reader_seek_row(mpq_reader* reader, uint64_t row) {
  return reader != nullptr ? to_c(reader_of(*reader).seek_row(row)) : MPQ_INVALID_ARGUMENT;
}

mpq_cell mpq_reader_cell(const mpq_reader* reader, size_t i) {
  if (reader == nullptr || i >= reader_of(*reader).chosen()) return {nullptr, 0};
  const Cell cell = reader_of(*reader).cell(i);
  return {cell.data, cell.bytes};
}

mpq_status mpq_reader_next_row_group(mpq_reader* reader) {
  return reader != nullptr ? to_c(reader_of(*reader).next_row_group()) : MPQ_INVALID_ARGUMENT;
}

mpq_status mpq_reader_next_batch(mpq_reader* reader, size_t i, mpq_batch* batch) {
  if (reader == nullptr || batch == nullptr || batch->values == nullptr) return MPQ_INVALID_ARGUMENT;
  Reader& here = reader_of(*reader);
  const bool texts =
      i < here.chosen() && here.column_type(here.chosen_column(i)) == microparquet::Type::kByteArray;
  if (texts && !is_aligned<mpq_text>(batch->values)) return MPQ_INVALID_ARGUMENT;
  AnyBatch any;
  std::memcpy(static_cast<void*>(&any), batch, sizeof any);
  const Status status = here.next_batch(i, any);
  std::memcpy(batch, &any, sizeof any);
  if (status == Status::kOk && texts) microparquet::c::convert_texts(batch->values, batch->value_count);
  return to_c(status);
}
