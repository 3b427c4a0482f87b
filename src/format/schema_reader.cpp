#include "format/schema_reader.h"

#include "microparquet/detail/format/fields.h"

namespace microparquet::format {

namespace {

// Reads an enumerator. A value that no version of parquet.thrift has is damage.
std::uint8_t read_enum(thrift::CompactReader& in, const thrift::FieldHeader& field, std::uint32_t last) {
  const std::uint32_t value = in.count32(field);
  if (value > last) in.fail(Status::kCorrupt);
  return static_cast<std::uint8_t>(value);
}

}  // namespace

bool read_schema_field(thrift::CompactReader& in, const thrift::FieldHeader& field, SchemaNode& node) {
  switch (field.id) {
    case SchemaElementField::kType:
      node.type = read_enum(in, field, static_cast<std::uint32_t>(Type::kFixedLenByteArray));
      node.has_type = true;
      return true;
    case SchemaElementField::kTypeLength: node.type_length = in.count32(field); return true;
    case SchemaElementField::kRepetitionType:
      node.repetition = read_enum(in, field, static_cast<std::uint32_t>(Repetition::kRepeated));
      node.has_repetition = true;
      return true;
    case SchemaElementField::kNumChildren: node.children = in.count32(field); return true;
    default: return false;
  }
}

}  // namespace microparquet::format

namespace microparquet::detail {

Status SchemaTree::enter(const SchemaNode& node, std::uint32_t index) {
  const bool root = index == 0;
  if (root == (open_ != 0)) return Status::kCorrupt;
  if (root ? node.leaf() : !node.has_repetition) return Status::kCorrupt;
  if (node.leaf() && node.children != 0) return Status::kCorrupt;
  if (node.leaf() && static_cast<Type>(node.type) == Type::kFixedLenByteArray && node.type_length == 0) {
    return Status::kCorrupt;
  }
  node_depth_ = open_;
  max_definition_ = 0;
  max_repetition_ = 0;
  if (!root) {
    const unsigned parent = open_ - 1;
    --children_left_[parent];
    const auto repetition = static_cast<Repetition>(node.repetition);
    max_definition_ =
        static_cast<std::uint8_t>((levels_[parent] >> 4) + (repetition != Repetition::kRequired ? 1 : 0));
    max_repetition_ =
        static_cast<std::uint8_t>((levels_[parent] & 15) + (repetition == Repetition::kRepeated ? 1 : 0));
  }
  if (!node.leaf()) {
    if (open_ == kMaxDepth || node.children > kMaxColumns) return Status::kUnsupported;
    children_left_[open_] = static_cast<std::uint16_t>(node.children);
    levels_[open_] = static_cast<std::uint8_t>(max_definition_ << 4 | max_repetition_);
    ++open_;
  }
  while (open_ != 0 && children_left_[open_ - 1] == 0) --open_;
  return Status::kOk;
}

}  // namespace microparquet::detail

namespace microparquet::format {

void PathMatch::read_name(thrift::CompactReader& in, std::uint32_t bytes) {
  const unsigned depth = tree_.next_depth();
  const std::size_t at = depth == 0 ? kNone : rest_[depth];
  end_ = kNowhere;
  if (at == kNone || at > path_.size() || bytes > path_.size() - at) {
    in.pass(bytes);
  } else if (in.passes({path_.data() + at, bytes}, bytes)) {
    end_ = at + bytes;
  }
}

void PathMatch::enter_group() {
  const unsigned depth = tree_.depth();
  if (depth == 0) {
    rest_[1] = 0;
  } else {
    const bool goes_on = end_ < path_.size() && end_ < kNone - 1 && path_[end_] == '.';
    rest_[depth + 1] = goes_on ? static_cast<std::uint16_t>(end_ + 1) : kNone;
  }
}

bool read_schema_element(thrift::CompactReader& in, std::uint32_t index, SchemaTree& tree, SchemaNode& node,
                         PathMatch* match) {
  node = {};
  bool named = false;
  for (thrift::FieldHeader field; in.next(field);) {
    if (field.id == SchemaElementField::kName) {
      const std::uint32_t bytes = in.binary(field);
      if (match != nullptr) {
        match->read_name(in, bytes);
      } else {
        in.pass(bytes);
      }
      named = true;
    } else if (!read_schema_field(in, field, node)) {
      in.skip(field);
    }
  }
  if (!named) in.fail(Status::kCorrupt);
  if (in.ok()) in.fail(tree.enter(node, index));
  return in.ok();
}

}  // namespace microparquet::format
