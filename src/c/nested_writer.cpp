// Writer over a table of nodes: what the table says of each column, and the plan of the file.
#include <new>

#include "base/try.h"
#include "c/c_writer.h"
#include "c/nested_table.h"
#include "microparquet/detail/check.h"
#include "microparquet/detail/format/tree_writer.h"
#include "microparquet/detail/writer_access.h"
#include "microparquet/detail/written_tree.h"
#include "write/writer_reconnect.h"

namespace microparquet::c {
namespace {

// Divides the caller's memory. Beyond its end it only counts.
class MemoryCut {
 public:
  MemoryCut(void* memory, std::size_t bytes) : begin_(static_cast<std::byte*>(memory)), bytes_(bytes) {}

  template <typename T>
  T* take(std::size_t count) {
    std::byte* const at = begin_ + at_;
    at_ += detail::align8(count * sizeof(T));
    return reinterpret_cast<T*>(at);
  }
  void align(std::size_t alignment) { at_ = (at_ + alignment - 1) & ~(alignment - 1); }
  std::size_t taken() const { return at_; }
  bool fits(std::size_t more = 0) const { return at_ + more <= bytes_; }

 private:
  std::byte* begin_;
  std::size_t bytes_;
  std::size_t at_ = 0;
};

// Makes a text of a literal without strlen(), which few programs have for themselves.
template <std::size_t kBytes>
constexpr std::string_view literal(const char (&text)[kBytes]) {
  return {text, kBytes - 1};
}

// Names of elements, keys and values are those of LogicalTypes.md.
std::string_view name_of(const NestedTable& table, std::size_t at) {
  const std::uint16_t parent = table.parents[at];
  if (parent == kNoParent || !is_list(table.node(parent))) return view_of(table.node(at).name);
  if (table.node(parent).kind->shape != NodeShape::kMap) return literal("element");
  return at == parent + std::size_t{1} ? literal("key") : literal("value");
}
std::string_view repeated_name(const mpq_node& node) {
  return node.kind->shape == NodeShape::kMap ? literal("key_value") : literal("list");
}

Repetition repetition_of(const mpq_node& node) {
  return node.optional != nullptr ? Repetition::kOptional : Repetition::kRequired;
}

// A group of the file's schema, as format::write_group() takes it.
struct GroupNode {
  Field field;
  std::uint32_t children;
  detail::GroupKind kind;
};

void put_group(format::ConstantWriter& out, std::string_view name, Repetition repetition,
               std::uint32_t children, detail::GroupKind kind) {
  GroupNode group{};
  group.field.name = name;
  group.field.repetition = repetition;
  group.children = children;
  group.kind = kind;
  format::write_group(out, group);
}

void put_groups(format::ConstantWriter& out, const NestedTable& table, std::size_t at) {
  const mpq_node& node = table.node(at);
  const bool list = is_list(node);
  const bool map = list && node.kind->shape == NodeShape::kMap;
  put_group(out, name_of(table, at), repetition_of(node), list ? 1U : node.children,
            map    ? detail::GroupKind::kMap
            : list ? detail::GroupKind::kList
                   : detail::GroupKind::kPlain);
  if (list)
    put_group(out, repeated_name(node), Repetition::kRepeated, node.children, detail::GroupKind::kPlain);
}

void put_column(format::ConstantWriter& out, const NestedTable& table, std::uint32_t leaf) {
  Field field = table.fields[leaf];
  const std::uint16_t at = table.leaves[leaf].node;
  field.repetition = repetition_of(table.node(at));
  format::write_column(out, field, name_of(table, at));
}

std::uint32_t top_nodes(const NestedTable& table) {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < table.setup->table.node_count; ++i) count += table.parents[i] == kNoParent;
  return count;
}

// Writes the footer's head: see format::write_footer_head().
[[gnu::noinline]] std::uint32_t put_head(const NestedTable& table, std::byte* at) {
  const std::size_t count = table.setup->table.node_count;
  std::uint32_t groups = 0;
  for (std::size_t i = 0; i < count; ++i) groups += is_list(table.node(i));
  format::ConstantSink sink(at);
  format::ConstantWriter out(sink);
  format::begin_tree_head(out, static_cast<std::uint32_t>(count) + groups, top_nodes(table));
  std::uint32_t leaf = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (table.node(i).kind != nullptr) {
      put_groups(out, table, i);
    } else {
      put_column(out, table, leaf++);
    }
  }
  format::end_tree_head(out);
  return sink.size();
}

// Writes the list of a leaf's names, as in path_in_schema. After the first two bytes it is the name of the column, whose dots
// are lengths.
constexpr std::uint32_t kBeforeName = 2;
[[gnu::noinline]] std::uint32_t put_path(const NestedTable& table, const NestedLeaf& leaf, std::byte* at) {
  const NestedPath path(table, leaf);
  format::ConstantSink sink(at);
  format::ConstantWriter out(sink);
  format::begin_path(out, leaf.names);
  for (unsigned i = 0; i < leaf.depth; ++i) {
    const std::uint16_t node = path.nodes[i];
    out.element_string(name_of(table, node));
    if (is_list(table.node(node))) out.element_string(repeated_name(table.node(node)));
  }
  return sink.size();
}

void find_parents(const NestedTable& table) {
  std::uint16_t open[kMostNames];
  std::uint16_t left[kMostNames];
  unsigned depth = 0;
  for (std::size_t i = 0; i < table.setup->table.node_count; ++i) {
    table.parents[i] = depth != 0 ? open[depth - 1] : kNoParent;
    if (table.node(i).kind != nullptr) {
      open[depth] = static_cast<std::uint16_t>(i);
      left[depth++] = table.node(i).children;
    } else {
      while (depth != 0 && --left[depth - 1] == 0) --depth;
    }
  }
}

// Finds the levels of a leaf. Returns the values that a row usually has: half of those that lists can hold.
std::uint32_t find_levels(const NestedTable& table, NestedLeaf& leaf) {
  std::uint32_t usual = 1;
  for (std::uint16_t at = leaf.node; at != kNoParent; at = table.parents[at]) {
    const mpq_node& node = table.node(at);
    ++leaf.depth;
    ++leaf.names;
    if (node.optional != nullptr) ++leaf.max_definition;
    if (!is_list(node)) continue;
    ++leaf.names;
    ++leaf.max_definition;
    ++leaf.max_repetition;
    const std::uint64_t more =
        std::uint64_t{usual} * (has_count(node) ? (node.capacity + 1U) / 2 : node.capacity);
    usual = more < detail::kMostRowSlots ? static_cast<std::uint32_t>(more) : detail::kMostRowSlots;
  }
  return usual;
}

void make_leaf(NestedTable& table, std::uint16_t at, std::uint32_t number, detail::ListEncoder* encoder) {
  const mpq_node& node = table.node(at);
  NestedLeaf& leaf = *new (table.leaves + number) NestedLeaf{};
  leaf.node = at;
  const std::uint32_t usual = find_levels(table, leaf);
  Field& field = *new (table.fields + number) Field(node.type->field);
  field.page_bytes = node.page_bytes;
  if (field.type == Type::kFixedLenByteArray) {
    field.type_length += node.bytes;
  } else {
    leaf.narrow = node.bytes != 0;
  }
  leaf.is_signed = field.logical.is_signed;
  field.logical.precision = node.precision;
  field.logical.scale = node.scale;
  if (node.encoding != nullptr) node.encoding->flat->apply(field);
  std::uint16_t above = at;
  if (leaf.max_repetition != 0) {
    while (!is_list(table.node(above))) above = table.parents[above];
    table.lists = table.node(above).kind->lists;
    table.lists->apply(leaf, field, encoder, node.encoding, usual);
  } else if (leaf.max_definition != 0) {
    while (table.node(above).optional == nullptr) above = table.parents[above];
    table.node(above).optional->apply(leaf, field, leaf.max_definition);
  }
  // The length of its name is that of its path, and is needed before that is there.
  field.name = {static_cast<const char*>(table.setup->memory), put_path(table, leaf, nullptr) - kBeforeName};
}

void make_leaves(NestedTable& table) {
  std::uint32_t number = 0;
  detail::ListEncoder* encoder = table.encoders;
  for (std::size_t i = 0; i < table.setup->table.node_count; ++i) {
    if (table.node(i).kind != nullptr) continue;
    make_leaf(table, static_cast<std::uint16_t>(i), number, encoder);
    if (table.leaves[number++].max_repetition != 0) ++encoder;
  }
}

// Plans a column. A page of a list has space for the header only.
detail::ColumnPlan plan_leaf(const NestedTable& table, std::uint32_t leaf, Span<const std::byte> path) {
  const Field& field = table.fields[leaf];
  detail::ColumnPlan plan = detail::plan_column(field, table.options(), path);
  const bool list = table.leaves[leaf].max_repetition != 0;
  if (list && field.compressor == nullptr) plan.header_bytes = format::kMostPageHeader;
  return plan;
}

// Widens the pool of the forward layout: each list has space for a page.
[[gnu::noinline]] void widen_for_lists(const NestedTable& table, detail::ArenaPlan& arena) {
  const Options& options = table.options();
  if (table.lists == nullptr || options.layout->in_place) return;
  std::uint32_t least = detail::pool_head_bytes(arena.record_bytes, options);
  for (std::uint32_t i = 0; i < table.leaf_count; ++i) {
    const detail::ColumnPlan column = plan_leaf(table, i, {});
    least += detail::least_region(column.page_bytes, column.header_bytes, column.rows_per_page);
  }
  if (least < arena.after_rows.count()) least = arena.after_rows.count();
  const std::uint32_t usual = least + detail::usual_beside(table.schema(), options);
  arena.after_rows = detail::Sectors(least);
  if (arena.bytes - arena.pages >= usual) return;
  arena.bytes = arena.pages + detail::align8(usual);
  arena.open_page_sectors = detail::Sectors::holding(usual + options.block_bytes);
}

// noinline: the plan of the arena is off the stack when it is made again.
[[gnu::noinline]] std::size_t table_arena_bytes(const NestedTable& table) {
  detail::ArenaPlan arena = detail::plan_arena(table.schema(), table.options());
  widen_for_lists(table, arena);
  return arena.bytes;
}

// Returns whether a row of the leaf, an array in which nothing is missing, is longer than a page.
bool is_too_long(const NestedTable& table, std::uint32_t number) {
  const NestedLeaf& leaf = table.leaves[number];
  std::uint32_t slots = 1;
  for (std::uint16_t at = leaf.node; at != kNoParent; at = table.parents[at]) {
    const mpq_node& node = table.node(at);
    if (node.optional != nullptr || has_count(node)) return false;
    if (is_list(node)) slots = slots < detail::kMostRowSlots ? slots * node.capacity : slots;
  }
  if (leaf.max_repetition == 0) return false;
  const detail::ColumnPlan plan = plan_leaf(table, number, {});
  const std::uint32_t width =
      plan.shape.type == Type::kByteArray ? encoding::kLengthBytes : plan.shape.value_bytes;
  const std::uint64_t values =
      plan.shape.type == Type::kBoolean ? (slots + 7) / 8 : std::uint64_t{slots} * width;
  return plan.header_bytes + detail::kBesideLevels + values > plan.page_bytes;
}

// Checks what the table says with the options.
[[gnu::noinline]] Status check_leaves(const NestedTable& table) {
  const Schema schema = table.schema();
  const Options& options = table.options();
  for (const Field& field : schema) {
    if (field.bounds == &kFloat16Bounds && field.type_length != 2) return Status::kInvalidArgument;
  }
  if (!detail::fields_are_sound(schema) || !detail::options_are_sound(schema, options))
    return Status::kInvalidArgument;
  const Layout& layout = *options.layout;
  const bool keeps = layout.checkpoints == CheckpointKind::kKeepPages || layout.indexes_pages;
  if (table.lists != nullptr && keeps) return Status::kInvalidArgument;
  for (const SortingColumn& sorting : options.sorting.columns) {
    if (table.leaves[sorting.column].max_repetition != 0) return Status::kInvalidArgument;
  }
  for (std::uint32_t i = 0; i < table.leaf_count; ++i) {
    if (is_too_long(table, i)) return Status::kValueTooLarge;
  }
  return Status::kOk;
}

// Parts of the plan in the memory.
struct NestedPlaces {
  detail::WriterPlan* plan;
  detail::ColumnPlan* columns;
  detail::ColumnTransforms* transforms;
  const Compressor** compressors;
  std::byte* head;
  std::uint32_t head_bytes;
  std::byte* tail;
  std::uint32_t tail_bytes;
};

std::uint32_t put_tail(const NestedTable& table, std::byte* at) {
  const std::uint32_t extension = detail::footer_extension_bytes(table.leaf_count, table.options());
  return format::write_footer_tail(table.leaf_count, extension, at);
}

NestedPlaces place_parts(const NestedTable& table, MemoryCut& memory) {
  NestedPlaces places{};
  const bool transforms = detail::plan_transform(table.schema(), table.options()).functions != nullptr;
  places.plan = memory.take<detail::WriterPlan>(1);
  places.columns = memory.take<detail::ColumnPlan>(table.leaf_count);
  places.transforms = memory.take<detail::ColumnTransforms>(transforms ? 1 : 0);
  places.compressors = memory.take<const Compressor*>(transforms ? table.leaf_count : 0);
  places.head_bytes = put_head(table, nullptr);
  std::uint32_t paths = 0;
  for (std::uint32_t i = 0; i < table.leaf_count; ++i) paths += put_path(table, table.leaves[i], nullptr);
  places.head = memory.take<std::byte>(places.head_bytes + paths);
  places.tail_bytes = put_tail(table, nullptr);
  places.tail = memory.take<std::byte>(places.tail_bytes);
  memory.align(table.options().transfer_align);
  return places;
}

// Returns the encoding of the table whose functions write row groups with lists.
const mpq_nested_encoding* richest_encoding(const NestedTable& table) {
  const mpq_nested_encoding* richest = nullptr;
  for (std::uint32_t i = 0; i < table.leaf_count; ++i) {
    const mpq_nested_encoding* const encoding = table.node(table.leaves[i].node).encoding;
    if (encoding == nullptr) continue;
    if (richest == nullptr || encoding->write_with_dictionaries != nullptr) richest = encoding;
  }
  return richest;
}

[[gnu::noinline]] void make_table_plan(NestedTable& table, const NestedPlaces& places) {
  const Options& options = table.options();
  put_head(table, places.head);
  put_tail(table, places.tail);
  std::byte* at = places.head + places.head_bytes;
  for (std::uint32_t i = 0; i < table.leaf_count; ++i) {
    const std::uint32_t bytes = put_path(table, table.leaves[i], at);
    table.fields[i].name = {reinterpret_cast<const char*>(at) + kBeforeName, bytes - kBeforeName};
    new (places.columns + i) detail::ColumnPlan(plan_leaf(table, i, {at, bytes}));
    at += bytes;
  }
  if (detail::plan_transform(table.schema(), options).functions != nullptr) {
    for (std::uint32_t i = 0; i < table.leaf_count; ++i) places.compressors[i] = table.fields[i].compressor;
    new (places.transforms)
        detail::ColumnTransforms(detail::plan_column_transforms(table.schema(), options, places.compressors));
  }
  detail::WriterPlan& plan = *new (places.plan) detail::WriterPlan(
      detail::plan_writer(table.schema(), options, places.columns, places.transforms,
                          {places.head, places.head_bytes}, {places.tail, places.tail_bytes}));
  widen_for_lists(table, plan.arena);
  if (table.lists != nullptr) table.lists->adjust(plan, richest_encoding(table));
  table.plan = &plan;
}

// Keeps the table at the head of the memory. `needed` becomes the bytes that would do.
Status keep_table(const mpq_nested_setup& setup, NestedTable*& table, std::size_t& needed) {
  std::size_t node = 0;
  TableSize size{};
  if (check_table(setup.table, node, size) != MPQ_TABLE_SOUND) return Status::kInvalidArgument;
  MemoryCut memory(setup.memory, setup.memory_bytes);
  auto* const made = memory.take<NestedTable>(1);
  auto* const parents = memory.take<std::uint16_t>(setup.table.node_count);
  auto* const leaves = memory.take<NestedLeaf>(size.leaves);
  auto* const encoders = memory.take<detail::ListEncoder>(size.list_leaves);
  auto* const fields = memory.take<Field>(size.leaves);
  needed = memory.taken();
  if (!memory.fits()) return Status::kOutOfMemory;
  table = new (made) NestedTable{&setup, nullptr,     parents,          leaves,  encoders,
                                 fields, size.leaves, size.list_leaves, nullptr, nullptr};
  find_parents(*table);
  make_leaves(*table);
  MICROPARQUET_TRY(check_leaves(*table));
  const NestedPlaces places = place_parts(*table, memory);
  const std::size_t arena_bytes = table_arena_bytes(*table);
  needed = memory.taken() + arena_bytes;
  if (!memory.fits(arena_bytes)) return Status::kOutOfMemory;
  make_table_plan(*table, places);
  table->arena = memory.take<std::byte>(0);
  return Status::kOk;
}

// As CWriter::address_bits().
std::size_t table_address_bits(const mpq_nested_setup& setup) {
  const mpq_options& options = setup.options != nullptr ? *setup.options : mpq_default_options;
  return static_cast<std::size_t>(options.transfer_align - 1) | 7;
}

// Function that chooses how to resume a file, as in writer.cpp.
using NestedLayoutToResume = detail::ResumeLayout(const NestedTable& table);

Status open_table(CWriter& writer, File& file, const mpq_nested_setup& setup, NestedLayoutToResume* layout) {
  const bool idle = detail::WriterAccess::state(writer.writer).phase == detail::WriterPhase::kIdle;
  if (!idle && table_of(writer) == nullptr) return Status::kWrongState;
  if (idle) {
    detail::WriterAccess::state(writer.writer).plan = nullptr;  // the last file's plan may lie there
    writer.setup = nullptr;
    writer.fields = nullptr;
    writer.nested = nullptr;
    writer.arena = {};
    if (setup.memory == nullptr ||
        (reinterpret_cast<std::uintptr_t>(setup.memory) & table_address_bits(setup)) != 0)
      return Status::kInvalidArgument;
    std::size_t needed = 0;
    NestedTable* table = nullptr;
    const Status status = keep_table(setup, table, needed);
    writer.arena = {static_cast<std::byte*>(setup.memory), needed};
    if (status != Status::kOk) return status;
    writer.nested = table;
  }
  const NestedTable& table = *writer.nested;
  return detail::WriterAccess::open(writer.writer, file, *table.plan, table.arena,
                                    layout != nullptr ? layout(table) : nullptr);
}

mpq_status open_nested(mpq_writer* writer, mpq_file* file, const mpq_nested_setup* setup,
                       NestedLayoutToResume* layout) {
  if (writer == nullptr || file == nullptr || setup == nullptr) return MPQ_INVALID_ARGUMENT;
  return to_c(open_table(from_c(*writer), from_c(*file), *setup, layout));
}

detail::ResumeLayout layout_to_resume(const NestedTable& table) {
  const bool lists = table.lists != nullptr && table.options().layout->in_place;
  return lists ? &detail::resume_list_layout : detail::resume_layout(*table.plan);
}

detail::ReconnectLayout layout_to_reconnect(const NestedTable& table) {
  const Layout& layout = *table.options().layout;
  const bool lists = table.lists != nullptr && layout.in_place;
  return lists ? &detail::reconnect_list_layout
               : detail::reconnect_layout(layout, detail::keeps_pages(*table.plan));
}

}  // namespace
}  // namespace microparquet::c

using microparquet::c::from_c;
using microparquet::c::to_c;

mpq_status mpq_nested_open(mpq_writer* writer, mpq_file* file, const mpq_nested_setup* setup) {
  return microparquet::c::open_nested(writer, file, setup, nullptr);
}

mpq_status mpq_nested_resume(mpq_writer* writer, mpq_file* file, const mpq_nested_setup* setup) {
  return microparquet::c::open_nested(writer, file, setup, &microparquet::c::layout_to_resume);
}

std::size_t mpq_nested_needed_bytes(const mpq_writer* writer) {
  const bool of_table = writer != nullptr && from_c(*writer).setup == nullptr;
  return of_table ? from_c(*writer).arena.size() : 0;
}

mpq_status mpq_nested_reconnect(mpq_writer* writer, mpq_file* file) {
  if (writer == nullptr || file == nullptr) return MPQ_INVALID_ARGUMENT;
  microparquet::c::CWriter& here = from_c(*writer);
  if (microparquet::c::table_of(here) == nullptr) return MPQ_WRONG_STATE;
  return to_c(microparquet::detail::WriterAccess::reconnect(
      here.writer, from_c(*file), microparquet::c::layout_to_reconnect(*here.nested)));
}
