#include "proof.h"

#include <algorithm>
#include <map>

#include "microparquet/desktop/failure.h"
#include "open_file.h"
#include "own_parts.h"
#include "thrift_dom/chunk_places.h"
#include "thrift_dom/page_headers.h"
#include "thrift_dom/row_group_parts.h"

namespace microparquet::recovery {

namespace {

// The description of a row group, and the one of the same row group that a footer has; null: none has any.
struct Claim {
  const Bytes* entry;
  const Bytes* in_footer;
  std::optional<std::uint32_t> dictionaries_crc = std::nullopt;  // see Described
};

Claim claim_of(const RowGroupHistory& row_group) {
  const Bytes* const entry = &row_group.described.entry;
  if (row_group.described.source == Source::kFooter || row_group.described.source == Source::kOpenInFooter) {
    return {entry, entry, row_group.described.dictionaries_crc};
  }
  const bool was_open = row_group.before.size() == 1;
  return {entry, was_open ? &row_group.before.front().described.entry : nullptr,
          row_group.described.dictionaries_crc};
}

// The report on a row group, over all columns.
struct GroupReport {
  RowRanges held;  // rows that all columns prove
  std::uint64_t bytes = 0;
  bool holds = true;
  bool contradicts = false;  // all pages hold, but they are not those described
  std::string why;           // the first reason against it
  std::vector<Piece> overwritten;
  bool indexes_hold = true;
  bool mended = false;
  std::uint32_t dictionaries_crc = 0;  // CRC as in Described, over the dictionary pages that are there
  bool dictionaries_there = true;      // all of them
  std::string unproved;                // the dictionary that may be of an earlier file; empty: none
  bool left_out = false;               // left out only because of `unproved`
};

class Prover {
 public:
  Prover(View& view, const std::vector<FooterField>& fields, Origin origin, Unproved unproved,
         const Progress& progress)
      : view_(view), fields_(fields), origin_(origin), unproved_(unproved), progress_(progress) {}

  // A report for each claim.
  std::vector<GroupReport> check(const std::vector<Claim>& claims) {
    std::vector<Bytes> entries;
    for (const Claim& claim : claims) {
      entries.push_back(*claim.entry);
    }
    const std::vector<bool> mended = mend_dictionary_headers(view_, entries);
    view_.set_end(build_footer(fields_, entries, std::nullopt));
    OpenFile file;
    std::vector<Leaf> leaves;
    Status status = file.open(view_);
    if (status == Status::kOk) {
      status = file.read_leaves(leaves);
    }
    if (status != Status::kOk) {
      throw desktop::Failure(std::string("what describes the row groups cannot be read: ") +
                             to_string(status));
    }
    std::vector<RowGroupParts> groups;
    std::vector<GroupReport> reports(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      groups.push_back(take_apart(entries[i]).value_or(RowGroupParts()));
      if (groups.back().columns.size() != leaves.size()) {
        throw desktop::Failure("what describes row group " + std::to_string(i) + " is malformed");
      }
      append_range(reports[i].held, {0, groups[i].rows});
      reports[i].mended = mended[i];
    }
    if (own()) {
      find_overwritten(entries, reports);
    }
    View pages(view_);
    pages.set_end({});
    ColumnCheck check(pages);
    for (std::size_t column = 0; column < leaves.size(); ++column) {
      for (std::size_t i = 0; i < entries.size(); ++i) {
        const RowGroupParts& group = groups[i];
        ChunkReport chunk =
            check.check(leaves[column].element, group.columns[column], group.rows, reports[i].overwritten);
        add(reports[i], chunk, leaves[column].name);
        if (reports[i].unproved.empty() && !dictionary_is_known(claims[i], column, chunk)) {
          reports[i].unproved =
              "column " + leaves[column].name + ": its dictionary may be that of an earlier file";
        }
      }
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
      compare_dictionaries(claims[i], reports[i]);
      judge_unproved(reports[i]);
    }
    return reports;
  }

 private:
  bool own() const { return origin_ != Origin::kOtherWriter; }

  // A dictionary that the medium has lost may have left that of an earlier file in its place, with a right
  // checksum, and as many values between the same bounds in another order. A footer was written after it, a record may say
  // which pages it was written for.
  bool dictionary_is_known(const Claim& claim, std::size_t column, const ChunkReport& chunk) const {
    const std::uint64_t at = chunk.info.dictionary_page_offset;
    if (at == 0 || !own() || claim.in_footer == claim.entry || claim.dictionaries_crc) {
      return true;
    }
    const auto parts = claim.in_footer != nullptr ? take_apart(*claim.in_footer) : std::nullopt;
    return parts && column < parts->columns.size() && dictionary_of(parts->columns[column]) == at;
  }

  // A record that states its dictionary pages is never used with others.
  static void compare_dictionaries(const Claim& claim, GroupReport& report) {
    if (!claim.dictionaries_crc || !report.dictionaries_there ||
        *claim.dictionaries_crc == report.dictionaries_crc) {
      return;
    }
    report.holds = false;
    report.contradicts = false;
    report.held = {};
    report.why = "its dictionaries are not those for which its record was written";
  }

  // Judges dictionaries that no record states.
  void judge_unproved(GroupReport& report) const {
    if (!report.holds || report.unproved.empty() || unproved_ == Unproved::kKept) {
      return;
    }
    report.holds = false;
    report.left_out = true;
    report.held = {};
    report.why = report.unproved + ", as no footer names it";
  }

  static void find_overwritten(const std::vector<Bytes>& entries, std::vector<GroupReport>& reports) {
    std::vector<std::vector<Piece>> overwritten = recovery::find_overwritten(entries);
    for (std::size_t i = 0; i < reports.size(); ++i) {
      reports[i].overwritten = std::move(overwritten[i]);
    }
  }

  void add(GroupReport& group, const ChunkReport& chunk, const std::string& column) {
    const std::string why = reason_against(chunk);
    const bool rows_hold = why.empty() || !chunk.damage.empty();
    group.held = rows_hold && credible(chunk) ? in_both(group.held, chunk.rows) : RowRanges();
    if (group.holds && !why.empty()) {
      group.holds = false;
      group.contradicts = chunk.damage.empty() && !(chunk.contradictions.empty() && chunk.slips.empty());
      group.why = "column " + column + ": " + why;
    }
    group.indexes_hold = group.indexes_hold && chunk.index_faults.empty() && chunk.index_slips.empty();
    group.dictionaries_crc = with_dictionary(group.dictionaries_crc, chunk);
    group.dictionaries_there &= chunk.info.dictionary_page_offset == 0 || chunk.dictionary.has_value();
    group.bytes += chunk.info.compressed_bytes;
    passed_ += chunk.info.compressed_bytes;
    if (progress_) {
      progress_(passed_);
    }
  }

  // Pages of ours have checksums, this library decodes them, and statistics are of just these values.
  bool credible(const ChunkReport& chunk) const {
    return !own() || (chunk.checksums == chunk.pages && chunk.unchecked.empty() &&
                      chunk.contradictions.empty() && chunk.slips.empty());
  }

  std::string reason_against(const ChunkReport& chunk) const {
    if (!chunk.damage.empty()) {
      return chunk.damage.front();
    }
    if (credible(chunk)) {
      return {};
    }
    return !chunk.contradictions.empty() ? chunk.contradictions.front()
           : !chunk.slips.empty()        ? chunk.slips.front()
           : !chunk.unchecked.empty()    ? chunk.unchecked.front()
                                         : "a page has no checksum";
  }

  View& view_;
  const std::vector<FooterField>& fields_;
  Origin origin_;
  Unproved unproved_;
  const Progress& progress_;
  std::uint64_t passed_ = 0;
};

// A record may be on the medium before the pages it tells of, and what stood there before them may look like
// pages: only a footer, which was written after a barrier, makes single pages credible.
bool may_be_cut(const Described& described, const GroupReport& report) {
  const bool by_footer = described.source == Source::kFooter || described.source == Source::kOpenInFooter;
  return by_footer && !report.contradicts && !report.held.empty();
}

// Keeps an entry's indexes only if a footer describes them, which was written after a barrier, and they hold.
// A wrong index costs no rows: it is left out.
Bytes kept_entry(const Described& described, const GroupReport& report) {
  const bool keeps_indexes = described.source == Source::kFooter && report.indexes_hold;
  return keeps_indexes ? described.entry : without_indexes(described.entry);
}

void settle(Proof& proof, std::size_t i, const Described& described, const GroupReport& report) {
  const bool cut = !report.holds && may_be_cut(described, report);
  const RowRanges kept = report.holds || cut ? report.held : RowRanges();
  if (report.holds || cut) {
    proof.kept.push_back({kept_entry(described, report), kept, report.holds, report.overwritten, i,
                          report.mended, !report.unproved.empty(), described.source == Source::kHead});
  }
  if (!report.holds) {
    proof.lost.push_back({i, missing_of(kept, described.rows), report.bytes, report.why, report.left_out});
  }
}

using Reports = std::map<const RowGroupHistory*, GroupReport>;

// Checks row groups, of which none describes pages of another again. Returns what describes them with fewer rows.
std::vector<const RowGroupHistory*> check_level(Prover& prover,
                                                const std::vector<const RowGroupHistory*>& level,
                                                Reports& reports) {
  std::vector<Claim> claims;
  std::vector<const RowGroupHistory*> next;
  for (const RowGroupHistory* const row_group : level) {
    claims.push_back(claim_of(*row_group));
    for (const RowGroupHistory& before : row_group->before) {
      next.push_back(&before);
    }
  }
  std::vector<GroupReport> found = prover.check(claims);
  for (std::size_t i = 0; i < level.size(); ++i) {
    reports.emplace(level[i], std::move(found[i]));
  }
  return next;
}

void settle(Proof& proof, std::size_t i, const RowGroupHistory& row_group, const Reports& reports) {
  const GroupReport& report = reports.at(&row_group);
  if (report.holds || row_group.before.empty()) {
    settle(proof, i, row_group.described, report);
    return;
  }
  std::uint64_t rows = 0;
  for (const RowGroupHistory& before : row_group.before) {
    settle(proof, i, before, reports);
    rows += before.described.rows;
  }
  if (row_group.described.rows > rows) {
    proof.lost.push_back({i, {{rows, row_group.described.rows}}, 0, report.why, report.left_out});
  }
}

// Whether what is there contradicts the row group, with all that describes fewer rows of it.
bool contradicts(const RowGroupHistory& row_group, const Reports& reports) {
  if (!reports.at(&row_group).contradicts) {
    return false;
  }
  return row_group.before.empty() || contradicts(row_group.before.front(), reports);
}

}  // namespace

Proof prove(View& view, const std::vector<FooterField>& fields,
            const std::vector<RowGroupHistory>& row_groups, Origin origin, Unproved unproved,
            const Progress& progress) {
  Prover prover(view, fields, origin, unproved, progress);
  Reports reports;
  std::vector<const RowGroupHistory*> level;
  for (const RowGroupHistory& row_group : row_groups) {
    level.push_back(&row_group);
  }
  do {
    level = check_level(prover, level, reports);
  } while (!level.empty());
  Proof proof;
  for (std::size_t i = 0; i < row_groups.size(); ++i) {
    settle(proof, i, row_groups[i], reports);
  }
  proof.first_contradicts = !row_groups.empty() && contradicts(row_groups.front(), reports);
  return proof;
}

std::uint64_t Proof::rows_unproved() const {
  std::uint64_t rows = 0;
  for (const KeptRowGroup& row_group : kept) {
    rows += row_group.unproved ? rows_in(row_group.rows) : 0;
  }
  return rows;
}

bool Proof::could_keep_more() const {
  return std::any_of(lost.begin(), lost.end(), [](const LostRows& rows) { return rows.unproved; });
}

std::uint64_t Proof::rows_kept() const {
  std::uint64_t rows = 0;
  for (const KeptRowGroup& row_group : kept) {
    rows += rows_in(row_group.rows);
  }
  return rows;
}

}  // namespace microparquet::recovery
