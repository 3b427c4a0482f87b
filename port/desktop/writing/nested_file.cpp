// The plan of a file with lists, maps and structs.
#include "microparquet/desktop/nested_file.h"

#include <set>
#include <utility>

#include "microparquet/detail/check.h"
#include "microparquet/detail/format/tree_writer.h"
#include "microparquet/detail/writer_access.h"
#include "microparquet/detail/written_tree.h"

namespace microparquet::desktop {

// Nodes as format::write_tree_head() takes them.
struct NestedFile::Tree {
  std::vector<microparquet::detail::WrittenNode> nodes;
  std::size_t node_count = 0;

  void add(Field field, std::string_view name, bool optional, std::size_t children,
           microparquet::detail::GroupKind kind) {
    field.name = name;
    field.repetition = optional ? Repetition::kOptional : Repetition::kRequired;
    nodes.push_back({field, static_cast<std::uint32_t>(children), kind});
    ++node_count;
  }
};

namespace {

constexpr std::string_view kElement = "element";
constexpr std::string_view kKey = "key";
constexpr std::string_view kValue = "value";

// A column as format::write_path() takes it.
struct NestedPath {
  const std::vector<std::string_view>& path;
  std::size_t names;
};

microparquet::detail::GroupKind group_of(NestedKind kind) {
  return kind == NestedKind::kMap    ? microparquet::detail::GroupKind::kMap
         : kind == NestedKind::kList ? microparquet::detail::GroupKind::kList
                                     : microparquet::detail::GroupKind::kPlain;
}

}  // namespace

void NestedFile::refuse(std::string_view path, const char* why) {
  if (fault_.empty()) {
    fault_ = "column " + std::string(path) + " " + why;
  }
}

NestedFile::NestedFile(const std::vector<NestedPart>& parts, const Options& options) : options_(options) {
  Tree tree;
  add_members(parts, Leaf{}, tree);
  if (!fault_.empty()) {
    return;
  }
  const Schema schema(fields_.data(), fields_.size());
  if (microparquet::detail::fields_are_sound(schema) &&
      microparquet::detail::options_are_sound(schema, options_)) {
    plan(tree, parts.size());
  } else {
    fault_ = "the columns, or the options, are none that a file can have";
  }
}

void NestedFile::add(const NestedPart& part, std::string_view name, const Leaf& above, Tree& tree) {
  Leaf leaf = above;
  leaf.path += (leaf.path.empty() ? "" : ".") + std::string(name);
  leaf.names.push_back(name);
  if (part.optional) {
    ++leaf.max_definition;
  }
  const bool is_alone = leaf.names.size() == 1 && part.kind == NestedKind::kColumn;
  if (name.empty() || (!is_alone && name.size() > microparquet::detail::kMostTreeName)) {
    return refuse(leaf.path, "has no name, or one of more than 127 bytes");
  }
  if (leaf.names.size() > microparquet::detail::kMostPathNames) {
    return refuse(leaf.path, "lies deeper than 14 names, of which a list has two");
  }
  if (part.kind == NestedKind::kColumn) {
    tree.add(part.field, name, part.optional, 0, microparquet::detail::GroupKind::kPlain);
    return add_column(part, std::move(leaf));
  }
  if (part.children.empty()) {
    return refuse(leaf.path, "is a struct without members, which a file cannot have");
  }
  const bool repeats = part.kind != NestedKind::kStruct;
  const std::size_t children = part.kind == NestedKind::kMap ? 2 : 1;
  if (repeats && (part.children.size() != children || (children == 2 && part.children[0].optional))) {
    return refuse(leaf.path, "has not the one element of a list, or not a key and a value as a map");
  }
  tree.add({}, name, part.optional, repeats ? 1 : part.children.size(), group_of(part.kind));
  if (repeats) {
    return add_repeated(part, leaf, tree);
  }
  add_members(part.children, leaf, tree);
}

void NestedFile::add_members(const std::vector<NestedPart>& parts, const Leaf& above, Tree& tree) {
  std::set<std::string_view> names;
  for (const NestedPart& part : parts) {
    if (!names.insert(part.name).second) {
      return refuse(above.path.empty() ? part.name : above.path + "." + part.name, "is there twice");
    }
    add(part, part.name, above, tree);
  }
}

void NestedFile::add_repeated(const NestedPart& part, const Leaf& above, Tree& tree) {
  const bool map = part.kind == NestedKind::kMap;
  const std::string_view name = map ? "key_value" : "list";
  Leaf inside = above;
  inside.path += "." + std::string(name);
  inside.names.push_back(name);
  ++inside.max_definition;
  if (++inside.max_repetition > microparquet::detail::kMostRepetition) {
    return refuse(above.path, "is a list in three others: four are not written");
  }
  tree.add({}, name, false, part.children.size(), microparquet::detail::GroupKind::kPlain);
  tree.nodes.back().field.repetition = Repetition::kRepeated;
  for (std::size_t i = 0; i < part.children.size(); ++i) {
    add(part.children[i], !map ? kElement : i == 0 ? kKey : kValue, inside, tree);
  }
}

void NestedFile::add_column(const NestedPart& part, Leaf made) {
  Leaf& leaf = leaves_.emplace_back(std::move(made));
  Field field = part.field;
  field.name = leaf.path;
  if (leaf.max_definition == 0) {
    field.repetition = Repetition::kRequired;
    field.levels = nullptr;
  } else if (field.levels == nullptr) {
    field = field.as_optional();
  }
  if (leaf.max_repetition != 0) {
    check_list(leaf, field);
    if (!fault_.empty()) {
      return;
    }
    has_lists_ = true;
    field.levels = &leaf.list_levels.emplace(leaf.max_definition, leaf.max_repetition);
    field.encoder =
        &leaf.list_encoder.emplace(microparquet::detail::list_encoder(*field.encoder, part.usual_slots));
  } else if (leaf.max_definition > 1) {
    field.levels = &leaf.deep_levels.emplace(leaf.max_definition);
  }
  fields_.push_back(field);
}

void NestedFile::check_list(const Leaf& leaf, const Field& field) {
  const Layout& layout = *options_.layout;
  if (!layout.in_place || layout.checkpoints == CheckpointKind::kKeepPages || layout.indexes_pages) {
    return refuse(leaf.path,
                  "is in a list, which is written in place only, without an index and without tails");
  }
  if (!microparquet::detail::encodes_lists(*field.encoder)) {
    return refuse(leaf.path, "is in a list, whose values are written by other encoders");
  }
  if (field.compressor != nullptr &&
      field.compressor->transform().transform_page != &microparquet::detail::transform_page) {
    return refuse(leaf.path, "is in a list, whose pages are of version 1");
  }
}

void NestedFile::plan(const Tree& tree, std::size_t top) {
  const Schema schema(fields_.data(), fields_.size());
  const std::uint32_t head_bytes = format::write_tree_head(tree, top, nullptr);
  std::vector<std::size_t> ends = {head_bytes};
  for (const Leaf& leaf : leaves_) {
    ends.push_back(ends.back() + format::write_path(NestedPath{leaf.names, leaf.names.size()}, nullptr));
  }
  head_.resize(ends.back());
  format::write_tree_head(tree, top, head_.data());
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    std::byte* const path = head_.data() + ends[i];
    format::write_path(NestedPath{leaves_[i].names, leaves_[i].names.size()}, path);
    columns_.push_back(
        microparquet::detail::plan_column(fields_[i], options_, {path, ends[i + 1] - ends[i]}));
    // A page of a list has space for the header only.
    if (leaves_[i].max_repetition != 0 && fields_[i].compressor == nullptr) {
      columns_.back().header_bytes = format::kMostPageHeader;
    }
    compressors_.push_back(fields_[i].compressor);
  }
  const std::uint32_t extension = microparquet::detail::footer_extension_bytes(fields_.size(), options_);
  tail_.resize(format::write_footer_tail(fields_.size(), extension, nullptr));
  format::write_footer_tail(fields_.size(), extension, tail_.data());
  if (microparquet::detail::plan_transform(schema, options_).functions != nullptr) {
    transforms_ = microparquet::detail::plan_column_transforms(schema, options_, compressors_.data());
  }
  plan_ = microparquet::detail::plan_writer(schema, options_, columns_.data(), &transforms_,
                                            {head_.data(), head_bytes}, {tail_.data(), tail_.size()});
  if (has_lists_) {
    plan_for_lists();
  }
}

void NestedFile::plan_for_lists() {
  plan_.bytes_per_row = 0;
  for (const microparquet::detail::ColumnPlan& column : columns_) {
    if (column.rows_per_page != 0) {
      plan_.bytes_per_row +=
          column.page_bytes * microparquet::detail::kRowFraction / column.rows_per_page + 1;
    }
  }
  const bool tails = plan_.forecast == &microparquet::detail::kSectorTailForecast;
  plan_.forecast = tails ? &microparquet::detail::kListTailForecast : &microparquet::detail::kListForecast;
  plan_.write_row_group = plan_.dictionaries != nullptr
                              ? &microparquet::detail::write_list_row_group_with_dictionaries
                          : plan_.transforms != nullptr ? &microparquet::detail::write_encoded_list_row_group
                                                        : &microparquet::detail::write_list_row_group;
}

Status NestedFile::open(Writer& writer, File& file, std::byte* memory, const FileStart& start) const {
  if (!fault_.empty()) {
    return Status::kInvalidArgument;
  }
  const Status status = microparquet::detail::WriterAccess::open(writer, file, plan_, memory, start);
  microparquet::detail::WriterAccess::state(writer).fields = fields_.data();
  return status;
}

Status NestedFile::resume(Writer& writer, File& file, std::byte* memory) const {
  if (!fault_.empty()) {
    return Status::kInvalidArgument;
  }
  const microparquet::detail::ResumeLayout layout =
      has_lists_ ? &microparquet::detail::resume_list_layout : microparquet::detail::resume_layout(plan_);
  const Status status = microparquet::detail::WriterAccess::open(writer, file, plan_, memory, layout);
  microparquet::detail::WriterAccess::state(writer).fields = fields_.data();
  return status;
}

}  // namespace microparquet::desktop
