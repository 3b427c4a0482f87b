// Functions of a writer that every C program needs.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>

#include "base/try.h"
#include "c/c_writer.h"
#include "c/schema_objects.h"
#include "microparquet/c/file_start.h"
#include "microparquet/c/writer.h"
#include "write/begin_file.h"
#include "write/file_start.h"
#include "write/writer_key_values.h"

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
  if (setup.columns == nullptr || setup.memory == nullptr) return Status::kInvalidArgument;
  if ((reinterpret_cast<std::uintptr_t>(setup.memory) & writer.address_bits()) != 0)
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

mpq_status mpq_writer_save(mpq_writer* writer) {
  return writer != nullptr ? to_c(from_c(*writer).writer.save()) : MPQ_INVALID_ARGUMENT;
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

uint64_t mpq_writer_safe_rows(const mpq_writer* writer) {
  return writer != nullptr ? from_c(*writer).writer.safe_rows() : 0;
}

uint64_t mpq_writer_durable_rows(const mpq_writer* writer) {
  return writer != nullptr ? from_c(*writer).writer.durable_rows() : 0;
}

uint32_t mpq_writer_lost_rows(const mpq_writer* writer) {
  return writer != nullptr ? from_c(*writer).writer.lost_rows() : 0;
}

// Memory that a writer needs.

size_t mpq_writer_needed_bytes(const mpq_writer* writer) {
  if (writer == nullptr || microparquet::c::from_c(*writer).setup == nullptr) return 0;
  const microparquet::c::CWriter& here = microparquet::c::from_c(*writer);
  return here.head_bytes() +
         (here.fields != nullptr ? microparquet::Writer::required_bytes(here.schema(), here.options()) : 0);
}

namespace microparquet::c {

// Opening and resuming files with an id and key-values.

namespace {

bool is_whole(const mpq_file_start& start) {
  if (start.key_value_count != 0 && start.key_values == nullptr) return false;
  for (const mpq_key_value& pair : Span<const mpq_key_value>(start.key_values, start.key_value_count)) {
    if (pair.key == nullptr || pair.value == nullptr) return false;
  }
  return true;
}

// Puts the key-values one by one, since no memory holds them in the form of C++.
[[gnu::noinline]] Status put_pairs(detail::WriterState& state, const mpq_file_start& start) {
  for (const mpq_key_value& pair : Span<const mpq_key_value>(start.key_values, start.key_value_count))
    MICROPARQUET_TRY(write::put_key_value(state, {view_of(pair.key), view_of(pair.value)}));
  return Status::kOk;
}

// Function that chooses how to resume a file. It is passed as a parameter, so that a program which only opens
// files does not link it.
using LayoutToResume = detail::ResumeLayout(const detail::WriterPlan& plan);

// Opens or resumes a file as Writer does; `layout` null: the file must be empty.
Status open_with_start(CWriter& writer, File& file, const mpq_file_start& start, LayoutToResume* layout) {
  detail::WriterState& state = detail::WriterAccess::state(writer.writer);
  Span<std::byte> arena = writer.arena;
  const detail::WriterPlan* plan = nullptr;
  MICROPARQUET_TRY(write::prepare(state, writer.schema(), writer.options(), arena, plan));
  const Status status = write::open_with(
      writer.writer, file, *plan, arena.data(), start.file_id, layout != nullptr ? layout(*plan) : nullptr,
      [&start](detail::WriterState& begun) { return put_pairs(begun, start); });
  if (state.fields == nullptr) state.fields = writer.fields;
  return status;
}

mpq_status begin_with(mpq_writer* writer, mpq_file* file, const mpq_setup* setup, const mpq_file_start* start,
                      LayoutToResume* layout) {
  if (start == nullptr || !is_whole(*start)) return MPQ_INVALID_ARGUMENT;
  const mpq_status status = begin(writer, file, setup);
  return status == MPQ_OK ? to_c(open_with_start(from_c(*writer), from_c(*file), *start, layout)) : status;
}

}  // namespace

}  // namespace microparquet::c

mpq_status mpq_writer_open_with(mpq_writer* writer, mpq_file* file, const mpq_setup* setup,
                                const mpq_file_start* start) {
  return microparquet::c::begin_with(writer, file, setup, start, nullptr);
}

mpq_status mpq_writer_resume_with(mpq_writer* writer, mpq_file* file, const mpq_setup* setup,
                                  const mpq_file_start* start) {
  return microparquet::c::begin_with(writer, file, setup, start, &microparquet::detail::resume_layout);
}

// Resuming and reconnecting.

mpq_status mpq_writer_resume(mpq_writer* writer, mpq_file* file, const mpq_setup* setup) {
  const mpq_status status = microparquet::c::begin(writer, file, setup);
  if (status != MPQ_OK) return status;
  CWriter& here = from_c(*writer);
  return to_c(here.writer.resume(from_c(*file), here.schema(), here.options(), here.arena));
}

mpq_status mpq_writer_reconnect(mpq_writer* writer, mpq_file* file) {
  if (writer == nullptr || file == nullptr) return MPQ_INVALID_ARGUMENT;
  if (from_c(*writer).setup == nullptr) return MPQ_WRONG_STATE;
  return to_c(from_c(*writer).writer.reconnect(from_c(*file)));
}
