// Finding a column by its name.
#include "format/schema_reader.h"
#include "microparquet/reader.h"

namespace microparquet {

Status Reader::find_column(std::string_view name, std::uint32_t& column) {
  if (state_.file == nullptr) return Status::kWrongState;
  state_.footer.seek(state_.schema_begin, state_.footer_begin + state_.footer_bytes);
  thrift::CompactReader in(state_.footer);
  format::SchemaTree tree;
  format::PathMatch match(name, tree);
  std::uint32_t leaf = 0;
  for (std::uint32_t i = 0; i < state_.schema_elements; ++i) {
    format::SchemaNode node;
    if (!format::read_schema_element(in, i, tree, node, &match)) return in.status();
    if (!node.leaf()) {
      match.enter_group();
      continue;
    }
    column = leaf++;
    if (match.found()) return Status::kOk;
  }
  return Status::kInvalidArgument;
}

}  // namespace microparquet
