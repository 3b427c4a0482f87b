// Giving the schema to the caller, element by element.
#include "base/try.h"
#include "format/schema_element_reader.h"
#include "microparquet/cursors.h"
#include "microparquet/detail/reader_access.h"
#include "microparquet/reader.h"

namespace microparquet {

namespace {

using detail::ReaderState;

Status read_name(ReaderState& state, const format::SchemaDetails& details, Span<char> buffer,
                 std::string_view& name) {
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

void fill_in(const format::SchemaNode& node, const format::SchemaTree& tree,
             const format::SchemaDetails& details, SchemaElement& element) {
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
  format::SchemaDetails details;
  format::read_schema_details(in, node, details, element);
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
