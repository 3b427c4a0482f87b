#include "found_rows.h"

#include <algorithm>
#include <map>

#include "thrift_dom/footer_parts.h"

namespace mpq_tool {

namespace rec = microparquet::recovery;

FoundRows::FoundRows(rec::View& view, const rec::Found& found)
    : view_(view), found_(found), result_(rec::make_result(view, found, nullptr)) {
  find_lost();
}

// Row groups follow each other by their numbers: what is kept and lost of each says how many rows it has.
void FoundRows::find_lost() {
  struct Group {
    std::uint64_t rows = 0;
    std::optional<std::uint64_t> lost;
  };
  std::map<std::size_t, Group> groups;
  for (const rec::KeptRowGroup& kept : found_.proof.kept) {
    groups[kept.row_group].rows += rec::rows_in(kept.rows);
  }
  for (const rec::LostRows& lost : found_.proof.lost) {
    if (lost.rows.empty()) {
      continue;
    }
    Group& group = groups[lost.row_group];
    group.rows += rec::rows_in(lost.rows);
    group.lost = std::min(group.lost.value_or(lost.rows.front().begin), lost.rows.front().begin);
    lost_ += rec::rows_in(lost.rows);
  }
  lost_ += result_.rows_given_up;
  std::uint64_t before = 0;
  for (const auto& [number, group] : groups) {
    if (group.lost && !first_lost_) {
      first_lost_ = before + (result_.rows_given_up == 0 ? *group.lost : 0);
    }
    before += group.rows;
  }
  if (!first_lost_ && !found_.missing.empty()) {
    first_lost_ = before;
  }
}

// Row groups as they are, as many as come one after another.
microparquet::File& FoundRows::described(std::size_t& part) {
  std::vector<rec::Bytes> entries;
  for (; part < result_.parts.size() && !result_.parts[part].rows; ++part) {
    entries.push_back(result_.parts[part].entry);
  }
  view_.set_end(rec::build_footer(found_.fields, entries, std::nullopt));
  return view_;
}

}  // namespace mpq_tool
