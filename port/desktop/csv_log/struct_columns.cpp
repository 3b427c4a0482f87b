#include "struct_columns.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "cell.h"
#include "microparquet/detail/written_tree.h"

namespace csv_log {

namespace {

namespace mpq = microparquet;
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

// Adds the parts of the columns from `begin` to `end`, which have `level` names in common.
void add_parts(mpq::Schema fields, std::size_t begin, std::size_t end, std::size_t level,
               std::vector<mpq::desktop::NestedPart>& parts) {
  while (begin != end) {
    const Parts names = parts_of(fields[begin].name);
    std::size_t after = begin + 1;
    while (after != end && is_inside(parts_of(fields[after].name), names, level)) {
      ++after;
    }
    mpq::desktop::NestedPart& part = parts.emplace_back();
    part.name = names[level];
    if (names.size() > level + 1) {
      part.kind = mpq::desktop::NestedKind::kStruct;
      add_parts(fields, begin, after, level + 1, part.children);
    } else {
      part.optional = fields[begin].repetition == mpq::Repetition::kOptional;
      part.field = fields[begin];
    }
    begin = after;
  }
}

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

std::vector<mpq::desktop::NestedPart> struct_parts(mpq::Schema fields) {
  std::vector<mpq::desktop::NestedPart> parts;
  add_parts(fields, 0, fields.size(), 0, parts);
  return parts;
}

}  // namespace csv_log
