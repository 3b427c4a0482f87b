// Columns by their names.
#include "format/fields.h"
#include "format/schema_reader.h"
#include "microparquet/reader.h"
#include "thrift/compact_reader.h"

namespace microparquet {

namespace {

// Compares a name of dots with the nodes of a schema as they come.
class PathMatch {
 public:
  explicit PathMatch(std::string_view path) : path_(path) { rest_[1] = 0; }

  // Takes the name of a node below the root, which is next in the input.
  void read_name(thrift::CompactReader& in, std::uint32_t bytes, unsigned depth) {
    const std::size_t at = rest_[depth];
    const bool possible = at != kNone && bytes <= path_.size() - at;
    end_ = kNone;
    if (!possible) {
      in.pass(bytes);
    } else if (in.passes(std::string_view(path_.data() + at, bytes), bytes)) {
      end_ = at + bytes;
    }
  }

  // The node is a leaf: it is the one that is looked for, or not.
  bool found() const { return end_ == path_.size(); }

  // The node is a group at `depth`: its children go on behind the dot.
  void enter_group(unsigned depth) {
    const bool goes_on = end_ < path_.size() && path_[end_] == '.';
    rest_[depth + 1] = goes_on ? end_ + 1 : kNone;
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  std::string_view path_;
  std::size_t end_ = kNone;                              // in the path, behind the name of the node at hand
  std::size_t rest_[format::SchemaTree::kMaxDepth + 1];  // where the names of a depth begin
};

void read_element(thrift::CompactReader& in, format::SchemaNode& node, unsigned depth, PathMatch& match) {
  for (thrift::FieldHeader field; in.next(field);) {
    if (field.id == format::SchemaElementField::kName) {
      const std::uint32_t bytes = in.binary(field);
      if (depth == 0) {
        in.pass(bytes);
      } else {
        match.read_name(in, bytes, depth);
      }
    } else if (!format::read_schema_field(in, field, node)) {
      in.skip(field);
    }
  }
}

}  // namespace

Status Reader::find_column(std::string_view name, std::uint32_t& column) {
  if (state_.file == nullptr) return Status::kWrongState;
  state_.footer.seek(state_.schema_begin, state_.footer_begin + state_.footer_bytes);
  thrift::CompactReader in(state_.footer);
  format::SchemaTree tree;
  PathMatch match(name);
  std::uint32_t leaf = 0;
  for (std::uint32_t i = 0; i < state_.schema_elements && in.ok(); ++i) {
    format::SchemaNode node = {};
    const unsigned depth = tree.next_depth();
    read_element(in, node, depth, match);
    if (in.ok()) in.fail(tree.enter(node, i));
    if (!in.ok()) break;
    if (!node.leaf()) {
      if (depth != 0) match.enter_group(depth);
      continue;
    }
    column = leaf++;
    if (match.found()) return Status::kOk;
  }
  return in.ok() ? Status::kInvalidArgument : in.status();
}

}  // namespace microparquet
