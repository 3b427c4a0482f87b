// The schema as the caller receives it.
#include "base/try.h"
#include "format/logical_type_reader.h"
#include "format/schema_reader.h"
#include "microparquet/cursors.h"
#include "microparquet/detail/fields.h"
#include "microparquet/detail/reader_access.h"
#include "microparquet/reader.h"
#include "thrift/compact_reader.h"

namespace microparquet {

namespace {

using detail::ReaderState;

// Of one element what neither SchemaNode nor SchemaElement has.
struct Details {
  std::int32_t precision = 0;
  std::int32_t scale = 0;
  std::uint32_t name_bytes = 0;
  std::uint64_t name_begin = 0;  // in the file
  bool has_logical = false;
};

void read_element(thrift::CompactReader& in, format::SchemaNode& node, Details& details,
                  SchemaElement& element) {
  element.converted_type = -1;
  element.field_id = -1;
  for (thrift::FieldHeader field; in.next(field);) {
    if (format::read_schema_field(in, field, node)) continue;
    switch (field.id) {
      case format::SchemaElementField::kName:
        details.name_bytes = in.binary(field);
        details.name_begin = in.window().position();
        in.pass(details.name_bytes);
        break;
      case format::SchemaElementField::kConvertedType: element.converted_type = in.i32(field); break;
      case format::SchemaElementField::kScale: details.scale = in.i32(field); break;
      case format::SchemaElementField::kPrecision: details.precision = in.i32(field); break;
      case format::SchemaElementField::kFieldId: element.field_id = in.i32(field); break;
      case format::SchemaElementField::kLogicalType:
        in.begin_struct(field);
        element.logical = format::read_logical_type(in);
        details.has_logical = true;
        break;
      default: in.skip(field); break;
    }
  }
}

Status read_name(ReaderState& state, const Details& details, Span<char> buffer, std::string_view& name) {
  name = {};
  if (buffer.empty()) return Status::kOk;
  if (buffer.size() < details.name_bytes) {
    state.needed_bytes = details.name_bytes;
    return Status::kOutOfMemory;
  }
  state.footer.seek(details.name_begin, state.footer_begin + state.footer_bytes);
  thrift::CompactReader in(state.footer);
  in.copy(buffer.data(), details.name_bytes);
  name = {buffer.data(), details.name_bytes};
  return in.status();
}

void fill_in(const format::SchemaNode& node, const format::SchemaTree& tree, const Details& details,
             SchemaElement& element) {
  element.leaf = node.leaf();
  element.children = node.children;
  element.depth = tree.depth();
  element.type = static_cast<Type>(node.type);
  element.type_length = node.type_length;
  element.repetition = static_cast<Repetition>(node.repetition);
  if (!details.has_logical) {
    element.logical = format::from_converted_type(element.converted_type, details.precision, details.scale);
  }
  element.max_definition_level = tree.max_definition();
  element.max_repetition_level = tree.max_repetition();
}

}  // namespace

Status SchemaCursor::next(Span<char> buffer, SchemaElement& element) {
  return read(buffer, kNoColumn, element);
}

Status SchemaCursor::read(Span<char> buffer, std::uint32_t only, SchemaElement& element) {
  ReaderState& state = detail::ReaderAccess::state(reader_);
  if (state.file == nullptr) return Status::kWrongState;
  if (index_ == state.schema_elements) return Status::kEnd;
  state.footer.seek(index_ != 0 ? next_ : state.schema_begin, state.footer_begin + state.footer_bytes);
  thrift::CompactReader in(state.footer);
  format::SchemaNode node = {};
  Details details;
  read_element(in, node, details, element);
  MICROPARQUET_TRY(in.status());
  const std::uint64_t behind = state.footer.position();
  const std::uint32_t column = node.leaf() ? leaves_ : kNoColumn;
  if (only == kNoColumn || only == column) {
    MICROPARQUET_TRY(read_name(state, details, buffer, element.name));
  }
  MICROPARQUET_TRY(tree_.enter(node, index_));
  element.column = column;
  fill_in(node, tree_, details, element);
  next_ = behind;
  ++index_;
  if (node.leaf()) ++leaves_;
  return Status::kOk;
}

Status Reader::schema_element(std::uint32_t index, Span<char> buffer, SchemaElement& element) {
  if (state_.file != nullptr && index >= state_.schema_elements) return Status::kInvalidArgument;
  SchemaCursor cursor(*this);
  for (std::uint32_t i = 0; i < index; ++i) MICROPARQUET_TRY(cursor.read({}, kNoColumn, element));
  return cursor.read(buffer, kNoColumn, element);
}

Status Reader::column_element(std::uint32_t column, Span<char> buffer, SchemaElement& element) {
  if (state_.file != nullptr && column >= state_.leaf_count) return Status::kInvalidArgument;
  SchemaCursor cursor(*this);
  do {
    MICROPARQUET_TRY(cursor.read(buffer, column, element));
  } while (element.column != column);
  return Status::kOk;
}

}  // namespace microparquet
