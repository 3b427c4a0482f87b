#include "findings.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "file_footer.h"
#include "microparquet/desktop/failure.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/facts.h"
#include "microparquet/text/grouped_digits.h"
#include "thrift_dom/foreign_footers.h"

namespace microparquet::recovery {

namespace {

using text::counted;
using text::grouped_digits;

struct NamedFact {
  std::string_view key;
  const char* name;
};
constexpr std::array<NamedFact, 4> kOrigin = {{{facts::kDevice, "device"},
                                               {facts::kFirmware, "firmware"},
                                               {facts::kSession, "session"},
                                               {facts::kSplit, "split"}}};

// "device 6A1B0042, firmware 1.0.0, session 00000001, split 00000002"; parts without a key-value are left out.
std::string origin_text(const std::vector<TextPair>& key_values) {
  std::string text;
  for (const NamedFact& fact : kOrigin) {
    const auto found = std::find_if(key_values.begin(), key_values.end(),
                                    [&](const TextPair& pair) { return pair.first == fact.key; });
    if (found != key_values.end()) {
      text += (text.empty() ? "" : ", ") + std::string(fact.name) + " " + found->second;
    }
  }
  return text;
}

std::string rows_text(std::uint64_t rows) { return counted(rows, "row", "rows"); }

// Numbers of rows, counted from 0.
std::string ranges_text(const RowRanges& ranges) {
  constexpr std::size_t kMax = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(ranges.size(), kMax); ++i) {
    text +=
        (i == 0 ? "" : ", ") + grouped_digits(ranges[i].begin) + " to " + grouped_digits(ranges[i].end - 1);
  }
  const std::size_t more = ranges.size() - std::min(ranges.size(), kMax);
  return text + (more != 0 ? " and " + grouped_digits(more) + " parts more" : "");
}

std::uint64_t mended_row_groups(const Found& found) {
  return static_cast<std::uint64_t>(std::count_if(found.proof.kept.begin(), found.proof.kept.end(),
                                                  [](const KeptRowGroup& kept) { return kept.mended; }));
}

// A summary such as _metadata, without rows of its own.
bool describes_other_files(View& view) {
  try {
    return !join_footer(footer_text(view.medium())).paths.empty();
  } catch (const desktop::Failure&) {
    return false;  // its footer is damaged
  }
}

}  // namespace

FileFindings find_in_file(View& view, const Traces& traces, std::optional<std::uint32_t> wanted,
                          Unproved unproved, const Progress& progress) {
  FileFindings findings;
  std::optional<Found>& found = findings.found;
  found = find_rows(view, traces, wanted, unproved, progress);
  const bool is_foreign = found && !found->own;
  // The last footer may be whole: then every reader reads that.
  if (traces.later_version &&
      !(is_foreign && found->footer_end == view.bytes() && found->proof.lost.empty())) {
    findings.obstacle = Obstacle::kLaterVersion;
    if (found && found->missing.empty()) {
      found->missing = "what a later version of microparquet has written, whose mpq finds it";
    }
  } else if (!found) {
    findings.obstacle = Obstacle::kNoFooter;
  }
  if (is_foreign && !found->proof.lost.empty() && describes_other_files(view)) {
    findings.obstacle = Obstacle::kOtherFiles;
  }
  return findings;
}

bool begins_as_parquet(File& file) {
  const Bytes magic = read_bytes(file, 0, format::kMagicBytes);
  return !magic.empty() && std::memcmp(magic.data(), format::kMagicText.data(), magic.size()) == 0;
}

bool is_sound(const View& view, const Found& found) {
  return found.footer_end == view.bytes() && found.records == 0 && found.proof.lost.empty() &&
         mended_row_groups(found) == 0;
}

bool is_worth_writing(const View& view, const Found& found, const Result& result) {
  return result.rows != 0 ||
         (found.proof.lost.empty() && found.missing.empty() && found.footer_end == view.bytes());
}

void tell_found(const Found& found, const Tell& tell) {
  constexpr std::size_t kMostBytes = 1 << 16;  // bytes of key-values that are searched for this
  if (key_value_bytes(found.fields) <= kMostBytes) {
    if (const std::string origin = origin_text(key_values_of(found.fields)); !origin.empty()) {
      tell("of", origin);
    }
  }
  tell("found", found.basis);
  for (const LostRows& lost : found.proof.lost) {
    if (!lost.rows.empty()) {
      tell("lost", rows_text(rows_in(lost.rows)) + " of row group " + std::to_string(lost.row_group) + " (" +
                       ranges_text(lost.rows) + " of " + grouped_digits(lost.bytes) + " bytes): " + lost.why);
    }
  }
  if (!found.missing.empty()) {
    tell(found.may_be_remains ? "perhaps" : "lost", found.missing);
  }
  if (const std::uint64_t mended = mended_row_groups(found); mended != 0) {
    tell("mended", counted(mended, "row group", "row groups") +
                       ", where the header of a dictionary named an encoding that no dictionary has");
  }
}

void tell_kept(const Result& result, const Tell& tell) {
  if (result.rows_given_up != 0) {
    tell("lost", rows_text(result.rows_given_up) +
                     " in row groups of which only a part holds, and which cannot be written again");
  }
  tell("kept", rows_text(result.rows) + " in " + counted(result.row_groups(), "row group", "row groups"));
}

void tell_of_unproved(const Found& found, const Tell& tell) {
  if (found.proof.could_keep_more()) {
    tell("left out", "what only a dictionary leaves in doubt; --unchecked keeps it");
  }
}

Outcome tell_outcome(const Found& found, const Result& result, const Tell& tell) {
  const std::uint64_t unproved = found.proof.rows_unproved();
  if (unproved != 0) {
    tell("unchecked",
         rows_text(unproved) +
             " have dictionaries that their records do not prove, as those of earlier versions do not: "
             "values of them may be wrong ones");
    return Outcome::kUnsure;
  }
  tell_of_unproved(found, tell);
  return found.proof.lost.empty() && found.missing.empty() && result.rows_given_up == 0 ? Outcome::kAllThere
                                                                                        : Outcome::kSomeLost;
}

std::string file_id_text(std::uint32_t id) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (int shift = 28; shift >= 0; shift -= 4) {
    text += kDigits[id >> shift & 15];
  }
  return text;
}

std::string file_ids_text(const Traces& traces) {
  std::string text;
  for (const FooterTrace& trace : traces.footers) {
    const std::string id = file_id_text(trace.extension.file_id);
    if (text.find(id) == text.npos) {
      text += (text.empty() ? ": " : ", ") + id;
    }
  }
  return text;
}

std::string image_file_text(const ImageFile& file) {
  return (file.name.empty() ? "a file that no folder has" : file.name) + ", file id " +
         file_id_text(file.file_id);
}

}  // namespace microparquet::recovery
