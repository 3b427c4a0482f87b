// Functions of a writer that every C program needs.
#include "microparquet/c/writer.h"

#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>

#include "base/try.h"
#include "c/c_writer.h"
#include "c/schema_objects.h"

namespace microparquet::c {
namespace {

// Makes a field from a column's own properties and its type, which has zeros for these.
Status make_field(const mpq_column& column, Field* at) {
  if (column.name == nullptr || column.type == nullptr) return Status::kInvalidArgument;
  Field& field = *new (at) Field(column.type->field);
  field.name = view_of(column.name);
  field.page_bytes = column.page_bytes;
  field.type_length += column.bytes;
  field.logical.precision = column.precision;
  field.logical.scale = column.scale;
  if (column.encoding != nullptr) column.encoding->apply(field);
  if (column.optional != nullptr) column.optional->apply(field);
  return Status::kOk;
}

Status make_fields(CWriter& writer, const mpq_setup& setup) {
  writer.setup = &setup;
  writer.fields = nullptr;
  if (setup.columns == nullptr || setup.memory == nullptr || !is_aligned<std::uint64_t>(setup.memory))
    return Status::kInvalidArgument;
  const std::size_t head = writer.head_bytes();
  if (setup.memory_bytes < head) return Status::kOutOfMemory;
  writer.arena = {static_cast<std::byte*>(setup.memory) + head, setup.memory_bytes - head};
  auto* field = static_cast<Field*>(setup.memory);
  writer.fields = field;
  for (const mpq_column& column : Span<const mpq_column>(setup.columns, setup.column_count))
    MICROPARQUET_TRY(make_field(column, field++));
  return Status::kOk;
}

}  // namespace

mpq_status begin(mpq_writer* writer, mpq_file* file, const mpq_setup* setup) {
  if (writer == nullptr || file == nullptr || setup == nullptr) return MPQ_INVALID_ARGUMENT;
  CWriter& here = from_c(*writer);
  const bool has_file = detail::WriterAccess::state(here.writer).phase != detail::WriterPhase::kIdle;
  return has_file ? MPQ_OK : to_c(make_fields(here, *setup));
}

}  // namespace microparquet::c

using microparquet::ColumnData;
using microparquet::Type;
using microparquet::c::CWriter;
using microparquet::c::from_c;
using microparquet::c::to_c;
using microparquet::c::view_of;

mpq_status mpq_writer_open(mpq_writer* writer, mpq_file* file, const mpq_setup* setup) {
  const mpq_status status = microparquet::c::begin(writer, file, setup);
  if (status != MPQ_OK) return status;
  CWriter& here = from_c(*writer);
  return to_c(here.writer.open(from_c(*file), here.schema(), here.options(), here.arena));
}

mpq_status mpq_writer_append(mpq_writer* writer, const void* row) {
  if (writer == nullptr || row == nullptr) return MPQ_INVALID_ARGUMENT;
  CWriter& here = from_c(*writer);
  if (here.fields == nullptr) return MPQ_WRONG_STATE;
  const auto* const bytes = static_cast<const uint8_t*>(row);
  ColumnData* data = here.row();
  std::string_view* text = here.texts();
  const mpq_column* column = here.setup->columns;
  for (const microparquet::Field& field : here.schema()) {
    data->values = bytes + column->offset;
    data->valid = column->optional != nullptr ? bytes + column->valid_offset : nullptr;
    if (field.type == Type::kByteArray) {
      mpq_text value;
      std::memcpy(&value, data->values, sizeof value);
      const bool is_there = data->valid == nullptr || *data->valid != 0;
      if (is_there && value.data == nullptr && value.bytes != 0) return MPQ_INVALID_ARGUMENT;
      data->values = new (text++) std::string_view(value.data, value.bytes);
    }
    ++data;
    ++column;
  }
  return to_c(here.writer.append_columns({here.row(), here.column_count()}, 1));
}

mpq_status mpq_writer_tick(mpq_writer* writer, uint32_t now_ms) {
  return writer != nullptr ? to_c(from_c(*writer).writer.tick(now_ms)) : MPQ_INVALID_ARGUMENT;
}

mpq_status mpq_writer_checkpoint(mpq_writer* writer) {
  return writer != nullptr ? to_c(from_c(*writer).writer.checkpoint()) : MPQ_INVALID_ARGUMENT;
}

mpq_status mpq_writer_end_row_group(mpq_writer* writer) {
  return writer != nullptr ? to_c(from_c(*writer).writer.end_row_group()) : MPQ_INVALID_ARGUMENT;
}

mpq_status mpq_writer_set_key_value(mpq_writer* writer, const char* key, const char* value) {
  if (writer == nullptr || key == nullptr || value == nullptr) return MPQ_INVALID_ARGUMENT;
  return to_c(from_c(*writer).writer.set_key_value(view_of(key), view_of(value)));
}

mpq_status mpq_writer_close(mpq_writer* writer) {
  return writer != nullptr ? to_c(from_c(*writer).writer.close()) : MPQ_INVALID_ARGUMENT;
}

mpq_status mpq_writer_roll(mpq_writer* writer, mpq_file* next) {
  if (writer == nullptr || next == nullptr) return MPQ_INVALID_ARGUMENT;
  return to_c(from_c(*writer).writer.roll(from_c(*next)));
}

void mpq_writer_leave(mpq_writer* writer) {
  if (writer != nullptr) from_c(*writer).writer.leave();
}

void mpq_writer_reset(mpq_writer* writer) {
  if (writer != nullptr) from_c(*writer).writer.reset();
}

uint64_t mpq_writer_rows(const mpq_writer* writer) {
  return writer != nullptr ? from_c(*writer).writer.rows() : 0;
}

uint64_t mpq_writer_durable_rows(const mpq_writer* writer) {
  return writer != nullptr ? from_c(*writer).writer.durable_rows() : 0;
}

uint32_t mpq_writer_lost_rows(const mpq_writer* writer) {
  return writer != nullptr ? from_c(*writer).writer.lost_rows() : 0;
}
