#include "read/footer.h"

#include "base/endian.h"
#include "base/try.h"
#include "microparquet/detail/fields.h"
#include "microparquet/detail/magic.h"
#include "microparquet/reader.h"
#include "read/row_group.h"
#include "read/schema.h"
#include "thrift/compact_reader.h"

namespace microparquet::read {

namespace {

using detail::ReaderState;
using format::kMagicBytes;

Status check_magic(const std::byte* magic) {
  const auto found = util::load<std::uint32_t>(magic);
  if (found == format::kMagic) return Status::kOk;
  return found == format::kEncryptedMagic ? Status::kEncrypted : Status::kNotParquet;
}

void read_row_groups(thrift::CompactReader& in, const thrift::FieldHeader& field, ReaderState& state) {
  // The schema has a smaller field number and comes first.
  if (state.schema_begin == 0) return in.fail(Status::kCorrupt);
  const std::uint32_t count = in.list(field, thrift::CompactType::kStruct);
  state.row_groups_begin = in.window().position();
  state.row_groups = count;
  for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
    RowGroup row_group;
    read_row_group(in, state, row_group, false);
    state.file_rows += row_group.rows;
    if (state.file_rows < row_group.rows) in.fail(Status::kCorrupt);
  }
}

void read_key_values(thrift::CompactReader& in, const thrift::FieldHeader& field, ReaderState& state) {
  state.key_values = in.list(field, thrift::CompactType::kStruct);
  state.key_values_begin = in.window().position();
  for (std::uint32_t i = 0; i < state.key_values && in.ok(); ++i)
    in.skip_element(thrift::CompactType::kStruct);
}

void read_field(thrift::CompactReader& in, const thrift::FieldHeader& field, ReaderState& state) {
  using Field = format::FileMetaDataField;
  switch (field.id) {
    case Field::kVersion: state.version = in.i32(field); break;
    case Field::kSchema: read_schema(in, field, state); break;
    case Field::kNumRows: state.stated_rows = in.count(field); break;
    case Field::kRowGroups: read_row_groups(in, field, state); break;
    case Field::kKeyValueMetadata: read_key_values(in, field, state); break;
    case Field::kCreatedBy:
      state.created_by_begin = in.window().position();
      in.skip(field);
      break;
    case Field::kColumnOrders:
      state.column_orders_begin = in.window().position();
      in.skip(field);
      break;
    case Field::kEncryptionAlgorithm: in.fail(Status::kEncrypted); break;
    default: in.skip(field); break;
  }
}

}  // namespace

Status find_footer(ReaderState& state) {
  MICROPARQUET_TRY(state.file->size(state.file_bytes));
  if (state.file_bytes < kMagicBytes + format::kFileEndBytes) return Status::kNotParquet;
  std::byte tail[format::kFileEndBytes];
  MICROPARQUET_TRY(state.file->read_at(0, Span<std::byte>(tail, kMagicBytes)));
  MICROPARQUET_TRY(check_magic(tail));
  const std::uint64_t end = state.file_bytes - format::kFileEndBytes;
  MICROPARQUET_TRY(state.file->read_at(end, Span<std::byte>(tail, format::kFileEndBytes)));
  MICROPARQUET_TRY(check_magic(tail + format::kFooterLengthBytes));
  state.footer_bytes = util::load<std::uint32_t>(tail);
  if (state.footer_bytes > end - kMagicBytes) return Status::kCorrupt;
  state.footer_begin = end - state.footer_bytes;
  return Status::kOk;
}

Status read_footer(ReaderState& state) {
  constexpr unsigned kRequired =
      1U << format::FileMetaDataField::kVersion | 1U << format::FileMetaDataField::kSchema |
      1U << format::FileMetaDataField::kNumRows | 1U << format::FileMetaDataField::kRowGroups;
  state.footer.seek(state.footer_begin, state.footer_begin + state.footer_bytes);
  thrift::CompactReader in(state.footer);
  unsigned seen = 0;
  for (thrift::FieldHeader field; in.next(field);) {
    const unsigned bit = field.id > 0 && field.id < 32 ? 1U << static_cast<unsigned>(field.id) : 0;
    // A list that came twice would be read half by the one and half by the other.
    if ((seen & bit) != 0) in.fail(Status::kCorrupt);
    seen |= bit;
    read_field(in, field, state);
  }
  if ((seen & kRequired) != kRequired) in.fail(Status::kCorrupt);
  return in.status();
}

}  // namespace microparquet::read
