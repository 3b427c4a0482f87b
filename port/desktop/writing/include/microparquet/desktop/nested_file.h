// Files with lists, maps and structs whose schema is known when the program runs. Rows come as batches of slots: of each
// column the levels, and the values that are there, as Dremel has them (README.md of Parquet, Nested Encoding).
//
//   mpq::desktop::NestedFile nested(parts, options);
//   std::vector<std::uint64_t> arena(nested.arena_bytes() / 8 + 1);
//   nested.open(writer, file, reinterpret_cast<std::byte*>(arena.data()));
//   nested.append(writer, columns, rows, at);
//   writer.close();
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microparquet/detail/deep_levels.h"
#include "microparquet/detail/list_levels.h"
#include "microparquet/detail/writer_plan.h"
#include "microparquet/file.h"
#include "microparquet/file_start.h"
#include "microparquet/options.h"
#include "microparquet/schema.h"
#include "microparquet/writer.h"

namespace microparquet::desktop {

enum class NestedKind : std::uint8_t { kColumn, kStruct, kList, kMap };

// A part of a schema: a column, or what others lie in. A list has one child, its element, and a map two, a key that is always
// there and a value: their names are those that the format has for them.
struct NestedPart {
  std::string name;
  NestedKind kind = NestedKind::kColumn;
  bool optional = false;
  Field field = {};               // of a column: its type, encoder and compressor
  std::uint32_t usual_slots = 1;  // of a column in lists: values that a row has, about
  std::vector<NestedPart> children;
};

// Slots of a column for the rows of a batch.
struct ColumnSlots {
  std::vector<std::uint8_t> repetition;  // of each slot; empty: each row has one slot
  std::vector<std::uint8_t> definition;  // of each slot; empty: each slot has a value
  const void* values =
      nullptr;  // those that are there, one after another, in the form of Encoder::put; on eight bytes
};

class NestedFile {
 public:
  // `parts` and `options` must stay as long as the file.
  NestedFile(const std::vector<NestedPart>& parts, const Options& options);
  NestedFile(const NestedFile&) = delete;
  NestedFile& operator=(const NestedFile&) = delete;

  // What is not written, with the column's name; empty: all is, and only then the other functions may be called, but for open().
  // Lists are refused where checkpoints keep pages or an index has them, in the forward layout, and where encoder or pages are
  // others than those of the library for devices: pages of version 2, or an encoder of string_encoders.h.
  const std::string& fault() const { return fault_; }

  std::size_t columns() const { return leaves_.size(); }
  // The name of a column with those of what it lies in: "fixes.list.element.lat".
  std::string_view path_of(std::size_t column) const { return leaves_[column].path; }

  // Bytes of memory that the writer needs, on Options::transfer_align.
  std::size_t arena_bytes() const { return plan_.arena.bytes; }

  // Begin or continue a file, as Writer::open() and resume(). `memory` must stay until it is closed.
  // - kInvalidArgument: also where there is a fault()
  Status open(Writer& writer, File& file, std::byte* memory, const FileStart& start = {}) const;
  Status resume(Writer& writer, File& file, std::byte* memory) const;

  // Appends rows, as Writer::append_columns(): after a failure writer.rows() tells how many were taken, and `column`
  // which column was at fault. Requires: the slots are those of as many rows, and values those of their levels.
  // - kValueTooLarge: a row is longer than a page of that column
  Status append(Writer& writer, Span<const ColumnSlots* const> columns, std::uint32_t rows,
                std::size_t& column) const;

 private:
  struct Leaf {
    std::string path;
    std::vector<std::string_view> names;
    std::uint8_t max_definition = 0;
    std::uint8_t max_repetition = 0;  // 0: it is in no list
    std::optional<microparquet::detail::ListLevels> list_levels;
    std::optional<microparquet::detail::DeepLevels> deep_levels;
    std::optional<microparquet::detail::ListEncoder> list_encoder;
  };
  struct Tree;

  void add(const NestedPart& part, std::string_view name, const Leaf& above, Tree& tree);
  void add_members(const std::vector<NestedPart>& parts, const Leaf& above, Tree& tree);
  void add_column(const NestedPart& part, Leaf made);
  void add_repeated(const NestedPart& part, const Leaf& above, Tree& tree);
  void check_list(const Leaf& leaf, const Field& field);
  void refuse(std::string_view path, const char* why);
  void plan(const Tree& tree, std::size_t top);
  void plan_for_lists();
  bool is_in_list(std::size_t column) const { return leaves_[column].max_repetition != 0; }

  const Options& options_;
  std::string fault_;
  std::deque<Leaf> leaves_;  // each stays where it is: fields name its parts
  std::vector<Field> fields_;
  std::vector<std::byte> head_;  // the footer's head, and after it the paths of all columns
  std::vector<std::byte> tail_;
  std::vector<microparquet::detail::ColumnPlan> columns_;
  std::vector<const Compressor*> compressors_;
  microparquet::detail::ColumnTransforms transforms_ = {};
  microparquet::detail::WriterPlan plan_ = {};
  bool has_lists_ = false;
};

}  // namespace microparquet::desktop
