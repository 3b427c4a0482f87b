#include "format/schema_reader.h"

#include "format/fields.h"

namespace microparquet::format {

namespace {

// An enumerator of parquet.thrift that no version of the format has is damage.
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

Status SchemaTree::enter(const SchemaNode& node, std::uint32_t index) {
  while (open_ != 0 && groups_[open_ - 1].children_left == 0) --open_;
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
    Group& parent = groups_[open_ - 1];
    --parent.children_left;
    const auto repetition = static_cast<Repetition>(node.repetition);
    max_definition_ =
        static_cast<std::uint8_t>(parent.definition + (repetition != Repetition::kRequired ? 1 : 0));
    max_repetition_ =
        static_cast<std::uint8_t>(parent.repetition + (repetition == Repetition::kRepeated ? 1 : 0));
  }
  if (!node.leaf()) {
    if (open_ == kMaxDepth) return Status::kUnsupported;
    groups_[open_++] = {node.children, max_definition_, max_repetition_};
  }
  while (open_ != 0 && groups_[open_ - 1].children_left == 0) --open_;
  return Status::kOk;
}

}  // namespace microparquet::format
