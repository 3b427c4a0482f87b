#include "struct_columns.h"

#include <algorithm>
#include <set>

#include "cell.h"
#include "microparquet/detail/check.h"
#include "microparquet/detail/format/tree_writer.h"
#include "microparquet/detail/writer_access.h"
#include "microparquet/detail/written_tree.h"

namespace csv_log {

namespace {

namespace mpq = microparquet;
using mpq::Status;
using Parts = std::vector<std::string_view>;

// Returns the names on the way to a column. One with nothing before, between or after its dots, as "No.", is a single name.
Parts parts_of(std::string_view name) {
  Parts parts;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    if (end == begin) {
      return {name};
    }
    parts.push_back(name.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// Whether a column lies in the struct that the first `level` + 1 names of `parts` lead to.
bool is_inside(const Parts& column, const Parts& parts, std::size_t level) {
  return column.size() > level + 1 && parts.size() > level + 1 &&
         std::equal(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(level) + 1, column.begin());
}

using Columns = std::vector<ColumnPlan>::iterator;

void gather(Columns begin, Columns end, std::size_t level) {
  while (begin != end) {
    const std::string name = begin->name;
    const Parts parts = parts_of(name);
    const Columns after = std::stable_partition(begin + 1, end, [&](const ColumnPlan& column) {
      return is_inside(parts_of(column.name), parts, level);
    });
    if (parts.size() > level + 1) {
      gather(begin, after, level + 1);
    }
    begin = after;
  }
}

void check_parts(const ColumnPlan& column, const Parts& parts, const std::string& place) {
  const bool is_long = parts.size() > 1 && std::any_of(parts.begin(), parts.end(), [](std::string_view part) {
                         return part.size() > mpq::detail::kMostTreeName;
                       });
  if (is_long || parts.size() > mpq::detail::kMostPathNames) {
    throw Failure(
        place + ": column " + quoted(column.name) +
        ": a member of a struct has up to 14 names of up to 127 bytes; leave out --structs, or rename it");
  }
}

// A schema as format::write_tree_head() takes it.
struct StructTree {
  std::vector<mpq::detail::WrittenNode> nodes;
  std::size_t node_count = 0;
  std::vector<Parts> parts;
  mpq::Schema fields;

  explicit StructTree(mpq::Schema of) : fields(of) {
    for (const mpq::Field& field : fields) {
      parts.push_back(parts_of(field.name));
    }
  }
  // Adds the columns from `begin` on, which have `level` names in common. Returns the number of parts.
  std::size_t add(std::size_t begin, std::size_t end, std::size_t level) {
    std::size_t count = 0;
    for (; begin != end; ++count) {
      std::size_t after = begin + 1;
      while (after != end && is_inside(parts[after], parts[begin], level)) {
        ++after;
      }
      const std::size_t node = nodes.size();
      nodes.emplace_back();
      nodes[node].field = fields[begin];
      nodes[node].field.name = parts[begin][level];
      if (parts[begin].size() > level + 1) {
        nodes[node].field = {};
        nodes[node].field.name = parts[begin][level];
        const std::size_t children = add(begin, after, level + 1);
        nodes[node].children = static_cast<std::uint32_t>(children);
      }
      begin = after;
    }
    node_count = nodes.size();
    return count;
  }
};

// A column as format::write_path() takes it.
struct ColumnPath {
  Parts path;
  std::size_t names;
};

}  // namespace

void gather_members(std::vector<ColumnPlan>& columns, const std::string& place) {
  std::set<std::string, std::less<>> names;
  for (const ColumnPlan& column : columns) {
    names.insert(column.name);
  }
  for (const ColumnPlan& column : columns) {
    const Parts parts = parts_of(column.name);
    check_parts(column, parts, place);
    std::size_t end = 0;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      end += parts[i].size() + (i == 0 ? 0 : 1);
      const std::string_view above = std::string_view(column.name).substr(0, end);
      if (names.count(above) != 0) {
        throw Failure(
            place + ": the columns " + quoted(above) + " and " + quoted(column.name) +
            ": the first would be a struct with the second inside, and has values of its own; leave out "
            "--structs, or rename one of them");
      }
    }
  }
  gather(columns.begin(), columns.end(), 0);
}

StructFile::StructFile(mpq::Schema fields, const mpq::Options& options) : fields_(fields), options_(options) {
  if (is_sound()) {
    plan_columns();
  }
}

bool StructFile::is_sound() const {
  return mpq::detail::fields_are_sound(fields_) && mpq::detail::options_are_sound(fields_, options_);
}

void StructFile::plan_columns() {
  StructTree tree(fields_);
  const std::size_t top = tree.add(0, fields_.size(), 0);
  const std::uint32_t head_bytes = mpq::format::write_tree_head(tree, top, nullptr);
  std::vector<std::size_t> ends = {head_bytes};
  for (const Parts& parts : tree.parts) {
    ends.push_back(ends.back() + mpq::format::write_path(ColumnPath{parts, parts.size()}, nullptr));
  }
  head_.resize(ends.back());
  mpq::format::write_tree_head(tree, top, head_.data());
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    std::byte* const path = head_.data() + ends[i];
    mpq::format::write_path(ColumnPath{tree.parts[i], tree.parts[i].size()}, path);
    columns_.push_back(mpq::detail::plan_column(fields_[i], options_, {path, ends[i + 1] - ends[i]}));
    compressors_.push_back(fields_[i].compressor);
  }
  const std::uint32_t extension = mpq::detail::footer_extension_bytes(fields_.size(), options_);
  tail_.resize(mpq::format::write_footer_tail(fields_.size(), extension, nullptr));
  mpq::format::write_footer_tail(fields_.size(), extension, tail_.data());
  transforms_ = mpq::detail::plan_column_transforms(fields_, options_, compressors_.data());
  plan_ = mpq::detail::plan_writer(fields_, options_, columns_.data(), &transforms_,
                                   {head_.data(), head_bytes}, {tail_.data(), tail_.size()});
}

Status StructFile::open(mpq::Writer& writer, mpq::File& file, std::byte* memory,
                        const mpq::FileStart& start) const {
  if (columns_.empty()) {
    return Status::kInvalidArgument;
  }
  const Status status = mpq::detail::WriterAccess::open(writer, file, plan_, memory, start);
  mpq::detail::WriterAccess::state(writer).fields = fields_.data();
  return status;
}

Status StructFile::resume(mpq::Writer& writer, mpq::File& file, std::byte* memory) const {
  if (columns_.empty()) {
    return Status::kInvalidArgument;
  }
  const Status status =
      mpq::detail::WriterAccess::open(writer, file, plan_, memory, mpq::detail::resume_layout(plan_));
  mpq::detail::WriterAccess::state(writer).fields = fields_.data();
  return status;
}

}  // namespace csv_log
