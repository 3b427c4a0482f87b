#include "proof.h"

#include <algorithm>
#include <limits>

#include "failure.h"
#include "open_file.h"

namespace microparquet::recovery {

namespace {

// Of a row group, over all columns.
struct GroupReport {
  std::uint64_t rows = std::numeric_limits<std::uint64_t>::max();  // the fewest that a column proves
  std::uint64_t bytes = 0;
  bool holds = true;
  bool contradicts = false;  // all pages hold, but they are not those described
  std::string why;           // the first reason against it
};

class Prover {
 public:
  Prover(View& view, const std::vector<FooterField>& fields, bool own, const Progress& progress)
      : view_(view), fields_(fields), own_(own), progress_(progress) {}

  // A report for each entry.
  std::vector<GroupReport> check(const std::vector<Bytes>& entries) {
    std::vector<GroupReport> reports(entries.size());
    if (entries.empty()) {
      return reports;
    }
    view_.set_end(build_footer(fields_, entries, std::nullopt));
    OpenFile file;
    if (const Status status = file.open(view_); status != Status::kOk) {
      throw Failure(std::string("what describes the row groups cannot be read: ") + to_string(status));
    }
    View pages(view_);
    pages.set_end({});
    for (std::uint32_t column = 0; column < file.leaves().size(); ++column) {
      ColumnCheck check(file, pages, column);
      for (std::uint32_t i = 0; i < entries.size(); ++i) {
        add(reports[i], check.check(i), file.leaves()[column].name);
        count_bytes(reports[i], file.reader(), column);
      }
    }
    return reports;
  }

 private:
  void add(GroupReport& group, const ChunkReport& chunk, const std::string& column) const {
    const std::string why = reason_against(chunk);
    const bool rows_hold = why.empty() || !chunk.damage.empty();
    group.rows = std::min(group.rows, rows_hold && credible(chunk) ? chunk.rows : 0);
    if (group.holds && !why.empty()) {
      group.holds = false;
      group.contradicts = chunk.damage.empty() && !chunk.contradictions.empty();
      group.why = "column " + column + ": " + why;
    }
  }

  // Pages of ours have checksums, this library decodes them, and statistics are of just these values.
  bool credible(const ChunkReport& chunk) const {
    return !own_ ||
           (chunk.checksums == chunk.pages && chunk.unchecked.empty() && chunk.contradictions.empty());
  }

  std::string reason_against(const ChunkReport& chunk) const {
    if (!chunk.damage.empty()) {
      return chunk.damage.front();
    }
    if (credible(chunk)) {
      return {};
    }
    return !chunk.contradictions.empty() ? chunk.contradictions.front()
           : !chunk.unchecked.empty()    ? chunk.unchecked.front()
                                         : "a page has no checksum";
  }

  void count_bytes(GroupReport& group, Reader& reader, std::uint32_t column) {
    ColumnChunkInfo info;
    if (reader.column_chunk(column, info) == Status::kOk) {
      group.bytes += info.compressed_bytes;
      passed_ += info.compressed_bytes;
    }
    if (progress_) {
      progress_(passed_);
    }
  }

  View& view_;
  const std::vector<FooterField>& fields_;
  bool own_;
  const Progress& progress_;
  std::uint64_t passed_ = 0;
};

// A record may be on the medium before the pages it tells of, and what stood there before them may look like
// pages: only a footer, which was written behind a barrier, makes single pages credible.
bool may_be_cut(const Described& described, const GroupReport& report) {
  return described.source != Source::kRecord && !report.contradicts && report.rows != 0;
}

void settle(Proof& proof, std::size_t i, const Described& described, const GroupReport& report) {
  const bool cut = !report.holds && may_be_cut(described, report);
  const std::uint64_t kept = report.holds ? described.rows : cut ? std::min(report.rows, described.rows) : 0;
  if (report.holds || cut) {
    proof.kept.push_back({described.entry, kept, report.holds});
  }
  if (!report.holds) {
    proof.lost.push_back({i, described.rows - kept, report.bytes, report.why});
  }
}

}  // namespace

Proof prove(View& view, const std::vector<FooterField>& fields,
            const std::vector<RowGroupHistory>& row_groups, bool own, const Progress& progress) {
  Prover prover(view, fields, own, progress);
  std::vector<Bytes> entries;
  std::vector<Bytes> entries_before;
  for (const RowGroupHistory& row_group : row_groups) {
    entries.push_back(row_group.described.entry);
    if (row_group.before) {
      entries_before.push_back(row_group.before->entry);
    }
  }
  const std::vector<GroupReport> reports = prover.check(entries);
  const std::vector<GroupReport> reports_before = prover.check(entries_before);
  Proof proof;
  std::size_t next_before = 0;
  for (std::size_t i = 0; i < row_groups.size(); ++i) {
    const RowGroupHistory& row_group = row_groups[i];
    const std::optional<Described>& before = row_group.before;
    if (reports[i].holds || !before) {
      settle(proof, i, row_group.described, reports[i]);
    } else {
      settle(proof, i, *before, reports_before[next_before]);
      if (row_group.described.rows != before->rows) {
        proof.lost.push_back({i, row_group.described.rows - before->rows, 0, reports[i].why});
      }
    }
    next_before += before ? 1U : 0U;
  }
  proof.first_contradicts = !reports.empty() && reports.front().contradicts;
  return proof;
}

std::uint64_t Proof::rows_kept() const {
  std::uint64_t rows = 0;
  for (const KeptRowGroup& row_group : kept) {
    rows += row_group.rows;
  }
  return rows;
}

std::uint64_t Proof::rows_lost() const {
  std::uint64_t rows = 0;
  for (const LostRows& each : lost) {
    rows += each.rows;
  }
  return rows;
}

std::uint64_t Proof::rows_in_whole_row_groups() const {
  std::uint64_t rows = 0;
  for (const KeptRowGroup& row_group : kept) {
    rows += row_group.whole ? row_group.rows : 0;
  }
  return rows;
}

}  // namespace microparquet::recovery
