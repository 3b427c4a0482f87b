#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <unordered_map>

#include "chunk_check.h"
#include "commands.h"
#include "history.h"
#include "list_check.h"
#include "microparquet/desktop/files.h"
#include "microparquet/desktop/joined_file.h"
#include "microparquet/desktop/native_file.h"
#include "microparquet/port/crc32_hardware.h"
#include "microparquet/text/grouped_digits.h"
#include "microparquet/text/progress_line.h"
#include "open_file.h"
#include "other_kind.h"
#include "read_failure.h"
#include "stream_save.h"
#include "tail_places.h"
#include "thrift_dom/chunk_places.h"
#include "traces.h"
#include "view.h"

namespace mpq_tool {

namespace {

using microparquet::text::grouped_digits;

class Verdicts {
 public:
  Verdicts(const VerifyOptions& options, Output& output) : options_(options), output_(output) {}

  void add(const std::string& path) {
    try {
      const InputFile input(path);
      Output report(Output::To::kNowhere);
      const Verdict verdict = verify(input, options_, report);
      if (verdict.code == 0) {
        output_.line(input.name() + ": " + verdict.sentence);
      } else {
        output_.add(report);
      }
      (verdict.code == 0 ? whole_ : wrong_) += 1;
      code_ = std::max(code_, verdict.code);
    } catch (const Failure& failure) {
      output_.flush();
      tell(failure.what());
      ++unread_;
      code_ = 2;
    }
    output_.flush();  // a file may take long
  }

  int print_sum() {
    std::string sum = grouped_digits(whole_ + wrong_ + unread_) + " files: " + grouped_digits(whole_) +
                      (whole_ == 1 ? " holds" : " hold");
    sum += wrong_ == 0 ? "" : ", " + grouped_digits(wrong_) + (wrong_ == 1 ? " does not" : " do not");
    sum += unread_ == 0 ? "" : ", " + grouped_digits(unread_) + " cannot be read";
    output_.line(sum);
    return code_;
  }

 private:
  const VerifyOptions& options_;
  Output& output_;
  std::uint64_t whole_ = 0;
  std::uint64_t wrong_ = 0;
  std::uint64_t unread_ = 0;
  int code_ = 0;
};

}  // namespace

int verify_files(const std::vector<std::string>& paths, const VerifyOptions& options, Output& output) {
  const std::vector<std::string> files = named_files(paths);
  if (files.size() == 1) {
    return verify(InputFile(files.front()), options, output).code;
  }
  Verdicts verdicts(options, output);
  for (const std::string& path : files) {
    verdicts.add(path);
  }
  return verdicts.print_sum();
}

namespace {

namespace rec = microparquet::recovery;
using microparquet::Status;
using microparquet::desktop::NativeFile;

class Verification {
 public:
  Verification(const InputFile& input, const VerifyOptions& options, Output& output)
      : input_(input), options_(options), output_(output) {}

  Verdict run() {
    if (medium_.open_for_reading(input_.path().c_str()) != Status::kOk) {
      throw Failure(input_.name() + ": " +
                    (microparquet::desktop::error_of(medium_) == ENOENT
                         ? "no such file; check the name"
                         : microparquet::desktop::why_failed(medium_)));
    }
    if (const std::string why = rec::why_another_kind(medium_); !why.empty()) {
      throw Failure(input_.name() + why);
    }
    bytes_ = rec::bytes_of(medium_);
    output_.line(input_.name());
    Status status = open_.open(medium_);
    if (status == Status::kOk) {
      status = open_.read_leaves(leaves_);
    }
    if (status != Status::kOk) {
      finding(std::string("the file cannot be opened: ") + to_string(status));
    } else if (read_footer()) {
      check_columns();
      check_parts();
      check_lists();
      check_row_groups();
      check_places();
      check_extension();
      print_counts();
    }
    return conclude();
  }

 private:
  static constexpr std::size_t kFooter = ~std::size_t{0};
  static constexpr char kWriter[] = "microparquet ";

  struct Place {
    std::uint64_t begin;
    std::uint64_t end;
    std::size_t group;  // number of the row group, or kFooter
    std::size_t column;
  };

  void finding(const std::string& text) {
    ++findings_;
    line_.clear();
    output_.line("  " + text);
  }

  // Reports an error that misleads no reader, and that other writers are known to make.
  void slip(const std::string& text) {
    if (own_) {
      finding(text);
      return;
    }
    ++slips_;
    line_.clear();
    output_.line("  " + text + "; no reader relies on it");
  }

  Verdict conclude() {
    Verdict verdict;
    if (findings_ != 0) {
      verdict.sentence = grouped_digits(findings_) + (findings_ == 1 ? " finding" : " findings");
    } else if (columns_not_decoded_ != 0) {
      verdict.sentence = "what could be checked holds; " + grouped_digits(columns_not_decoded_) + " of " +
                         grouped_digits(leaves_.size()) + " columns not decoded";
    } else {
      verdict.sentence = !unchecked_.empty() ? "what could be checked holds"
                         : !notes_.empty()   ? "what the footer describes holds"
                         : slips_ != 0       ? "the data holds"
                                             : "all of it holds";
    }
    if (findings_ == 0 && slips_ != 0) {
      verdict.sentence += "; " + grouped_digits(slips_) +
                          (slips_ == 1 ? " statement is wrong" : " statements are wrong") +
                          " that no reader relies on";
    }
    output_.line("  " + verdict.sentence);
    for (const std::string& note : notes_) {
      verdict.sentence += "; not checked " + note;
    }
    verdict.code = findings_ != 0 || (options_.strict && (slips_ != 0 || !unchecked_.empty())) ? 1 : 0;
    return verdict;
  }

  std::uint64_t footer_begin() { return bytes_ - 8 - open_.reader().footer_bytes(); }

  // The footer as it stands there, and its row groups taken apart.
  bool read_footer() {
    footer_ = rec::parse_footer(rec::read_bytes(medium_, footer_begin(), open_.reader().footer_bytes()));
    own_ = has_extension() || names_us_as_writer();
    std::uint64_t rows = 0;
    for (std::size_t i = 0; footer_ && i < footer_->entries.size(); ++i) {
      groups_.push_back(rec::take_apart(footer_->entries[i]).value_or(rec::RowGroupParts()));
      if (groups_.back().columns.size() != leaves_.size()) {
        finding("row group " + std::to_string(i) + ": its entry in the footer is malformed");
        return false;
      }
      rows += groups_.back().rows;
    }
    if (!footer_) {
      finding("the footer is malformed");
    } else if (rows != footer_->rows) {
      finding("the footer says " + std::to_string(footer_->rows) + " rows, its row groups have " +
              std::to_string(rows));
    }
    return footer_.has_value();
  }

  static std::string place_of(std::size_t group, const std::string& column) {
    return "row group " + std::to_string(group) + ", column " + column + ": ";
  }

  void check_columns() {
    const std::uint64_t total = groups_.size() * leaves_.size();
    std::uint64_t done = 0;
    chunk_bytes_.assign(groups_.size(), 0);
    dictionaries_crcs_.assign(groups_.size(), 0);
    rec::ColumnCheck check(medium_);
    for (const rec::Leaf& leaf : leaves_) {
      const std::string name = leaf.name;
      const auto column = static_cast<std::size_t>(&leaf - leaves_.data());
      std::set<std::string> unchecked;
      bool decoded = true;
      for (std::size_t group = 0; group < groups_.size(); ++group) {
        line_.show("checking column " + name, done++, total);
        if (note_part(groups_[group].columns[column])) {
          unchecked.insert("its values are in other files; verify those by their names");
          decoded = false;
          chunk_bytes_[group] = groups_[group].bytes;
          continue;
        }
        const rec::ChunkReport report =
            check.check(leaf.element, groups_[group].columns[column], groups_[group].rows);
        add(report, group, name, unchecked);
        decoded = decoded && (report.decoded || !report.damage.empty());
        if (report.info.values != 0) {
          const std::uint64_t begin = rec::begin_of(report.info);
          places_.push_back({begin, begin + report.info.compressed_bytes, group, column});
        }
        chunk_bytes_[group] += report.info.uncompressed_bytes;
        dictionaries_crcs_[group] = rec::with_dictionary(dictionaries_crcs_[group], report);
      }
      columns_not_decoded_ += decoded ? 0 : 1;
      for (const std::string& text : unchecked) {
        unchecked_.push_back("column " + name + ": " + text);
      }
    }
    line_.clear();
  }

  // Whether the pages are in another file, and up to where there.
  bool note_part(rec::ByteView chunk) {
    const std::string path = rec::file_path_of(chunk);
    const auto places = path.empty() ? std::nullopt : rec::places_of(chunk);
    if (places) {
      std::uint64_t& end = part_ends_[path];
      end = std::max(end, rec::begin_of(places->info) + places->info.compressed_bytes);
    }
    return !path.empty();
  }

  // Checks the parts, whose values are for a verification of their own; but without them this file is a table
  // that nobody can read.
  void check_parts() {
    if (part_ends_.empty()) {
      return;
    }
    const std::string parent = std::filesystem::path(input_.path()).parent_path().string();
    const auto folder = microparquet::desktop::open_folder(parent.empty() ? "." : parent);
    for (const auto& [path, end] : part_ends_) {
      const std::string why = microparquet::desktop::why_no_part(folder.number(), path, end);
      if (!why.empty()) {
        finding(path + ": " + why);
      }
    }
  }

  void add(const rec::ChunkReport& report, std::size_t group, const std::string& column,
           std::set<std::string>& unchecked) {
    pages_ += report.pages;
    checksums_ += report.checksums;
    for (const auto* const sentences : {&report.damage, &report.contradictions, &report.index_faults}) {
      for (const std::string& sentence : *sentences) {
        finding(place_of(group, column) + sentence);
      }
    }
    for (const auto* const sentences : {&report.slips, &report.index_slips}) {
      for (const std::string& sentence : *sentences) {
        slip(place_of(group, column) + sentence);
      }
    }
    unchecked.insert(report.unchecked.begin(), report.unchecked.end());
  }

  // Checks lists over all columns, which no column chunk can prove alone.
  void check_lists() {
    constexpr std::uint64_t kMostEvents = 1 << 26;
    const bool any = std::any_of(leaves_.begin(), leaves_.end(), [](const rec::Leaf& leaf) {
      return leaf.element.max_repetition_level != 0;
    });
    if (!any || findings_ != 0 || columns_not_decoded_ != 0) {
      return;
    }
    const rec::ListReport report = rec::check_lists(open_, kMostEvents);
    if (report.column) {
      finding("after row " + std::to_string(report.rows) + ": column " + leaves_[*report.column].name +
              ": its lists do not go with those of other columns");
    } else if (!report.unchecked.empty()) {
      unchecked_.push_back("lists of several columns after row " + std::to_string(report.rows) + ": " +
                           report.unchecked);
    }
  }

  void check_row_groups() {
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      if (groups_[group].bytes != chunk_bytes_[group]) {
        slip("row group " + std::to_string(group) + ": total_byte_size is " +
             std::to_string(groups_[group].bytes) + ", its column chunks have " +
             std::to_string(chunk_bytes_[group]));
      }
    }
  }

  // No bytes belong to two column chunks, nor to the footer.
  void check_places() {
    places_.push_back({footer_begin(), bytes_, kFooter, 0});
    std::stable_sort(places_.begin(), places_.end(),
                     [](const Place& a, const Place& b) { return a.begin < b.begin; });
    const Place* furthest = nullptr;
    for (const Place& place : places_) {
      if (furthest != nullptr && place.begin < furthest->end && place.begin != place.end) {
        finding(text_of(place) + ": its bytes belong to " + text_of(*furthest) + " as well");
      }
      if (furthest == nullptr || place.end > furthest->end) {
        furthest = &place;
      }
    }
  }

  std::string text_of(const Place& place) const {
    if (place.group == kFooter) {
      return "the footer";
    }
    const std::string text = place_of(place.group, leaves_[place.column].name);
    return text.substr(0, text.size() - 2);
  }

  bool names_us_as_writer() {
    char buffer[64];
    std::string_view writer;
    return open_.reader().created_by(buffer, writer) == Status::kOk &&
           writer.substr(0, sizeof kWriter - 1) == kWriter;
  }

  bool has_extension() {
    const rec::Bytes footer = rec::read_bytes(medium_, footer_begin(), open_.reader().footer_bytes());
    const std::string_view text(reinterpret_cast<const char*>(footer.data()), footer.size());
    return text.find("mpqF") != text.npos;
  }

  // Checks the extension that microparquet adds to its files.
  void check_extension() {
    if (!has_extension()) {
      return;
    }
    const rec::Traces traces = rec::find_traces(
        medium_, [this](std::uint64_t done) { line_.show("checking records", done, bytes_); });
    line_.clear();
    if (traces.footers.empty() || traces.footers.back().end != bytes_) {
      finding("the footer's extension: its checksums do not hold");
      return;
    }
    // Reads the history also where one that began at an earlier footer has left records: the file ends in
    // this one.
    const auto history = rec::read_saved_history(medium_, traces, traces.footers.back(), true);
    if (!history) {
      finding("the footer's extension: it does not describe the footer's row groups");
      return;
    }
    check_records(traces, *history);
    note_rows_after(*history);
    note_passed_saves(traces.footers.back());
    check_heads(traces, *history);
  }

  void note_rows_after(const rec::History& history) {
    const std::uint64_t saved = history.rows_saved();
    const std::uint64_t behind = history.rows() - history.footer.rows - saved;
    if (behind != 0) {
      notes_.push_back(grouped_digits(behind) + (behind == 1 ? " row" : " rows") +
                       " that records tell of and the footer does not: mpq recover adds them");
    }
    if (saved != 0) {
      notes_.push_back(grouped_digits(saved) + (saved == 1 ? " row" : " rows") +
                       " more that a save has made safe: the logger's next boot, or mpq recover, makes " +
                       (saved == 1 ? "it" : "them") + " readable");
    }
  }

  // A footer has all rows that were safe before it, but where a firmware without saves has continued the file.
  void note_passed_saves(const rec::FooterTrace& footer) {
    for (const rec::SavePlace& place : rec::find_save_places(medium_, footer)) {
      if (place.saved_end != 0 && !place.counts && place.rows > footer.extension.rows) {
        notes_.push_back("a save of " + grouped_digits(place.rows) +
                         " rows that a firmware without saves has passed over: they are in no footer");
      }
    }
  }

  // Checks the places of the row group that the footer leaves open. A cut may tear those that the footer does not
  // describe: no writer believes them.
  void check_heads(const rec::Traces& traces, const rec::History& history) {
    const rec::TailPlaces places = rec::find_places(medium_, traces, history.trace, history.footer);
    if (places.heads != 0) {
      counts_.push_back("  tail        " + grouped_digits(places.heads) +
                        (places.heads == 1 ? " head holds" : " heads hold") + ", of 3 places");
    }
    for (const std::string& text : places.torn) {
      counts_.push_back("              " + text + ": no writer believes it");
    }
    for (const std::string& text : places.damage) {
      finding(text);
    }
  }

  void check_records(const rec::Traces& traces, const rec::History& history) {
    const microparquet::detail::FooterExtension& extension = history.trace.extension;
    std::unordered_multimap<std::uint32_t, const rec::SlotTrace*>
        slots;  // slots by the CRC of all entries up to theirs
    for (const rec::SlotTrace& slot : traces.slots) {
      if (slot.trailer.file_id == extension.file_id && slot.end >= extension.slot_bytes) {
        slots.emplace(slot.trailer.entry.crc, &slot);
      }
    }
    std::uint32_t crc = 0;
    std::uint64_t records = 0;
    for (std::size_t i = 0; i < history.footer.entries.size(); ++i) {
      const rec::Bytes& entry = history.footer.entries[i];
      crc = microparquet::crc32_hardware(crc, entry.data(), entry.size());
      bool any = false;
      bool others = false;    // a record says that it was written for other dictionaries
      bool the_same = false;  // a record says that it was written for these
      const auto [first, last] = slots.equal_range(crc);
      for (auto each = first; each != last; ++each) {
        const rec::SlotTrace& slot = *each->second;
        const std::uint64_t begin = slot.end - extension.slot_bytes;
        if (slot.trailer.entry.bytes != entry.size() ||
            rec::read_bytes(medium_, begin, entry.size()) != entry) {
          continue;
        }
        any = true;
        if (const auto said = rec::dictionaries_crc(medium_, slot, begin)) {
          (*said == dictionaries_crcs_[i] ? the_same : others) = true;
        }
      }
      records += any ? 1 : 0;
      if (others && !the_same) {
        finding("row group " + std::to_string(i) +
                ": its dictionaries are not those for which its record was written");
      }
    }
    counts_.push_back("  extension   footer of sequence " + std::to_string(extension.sequence) +
                      "; records of " + grouped_digits(records) + " of " +
                      grouped_digits(history.footer.entries.size()) + " row groups");
  }

  void print_counts() {
    const microparquet::Reader& reader = open_.reader();
    output_.line("  rows        " + grouped_digits(reader.rows()) + " in " +
                 grouped_digits(reader.row_groups()) +
                 (reader.row_groups() == 1 ? " row group, " : " row groups, ") +
                 grouped_digits(leaves_.size()) + (leaves_.size() == 1 ? " column" : " columns"));
    output_.line("  pages       " + grouped_digits(pages_) + ", of which " + grouped_digits(checksums_) +
                 " have a checksum");
    for (const std::string& line : counts_) {
      output_.line(line);
    }
    for (const auto* const texts : {&unchecked_, &notes_}) {
      for (const std::string& text : *texts) {
        output_.line("  not checked " + text);
      }
    }
  }

  const InputFile& input_;
  VerifyOptions options_;
  Output& output_;
  microparquet::text::ProgressLine line_;
  NativeFile medium_;
  rec::OpenFile open_;
  std::vector<rec::Leaf> leaves_;
  std::optional<rec::Footer> footer_;
  std::vector<rec::RowGroupParts> groups_;
  std::uint64_t bytes_ = 0;
  bool own_ = false;
  std::uint64_t findings_ = 0;
  std::uint64_t slips_ = 0;
  std::uint64_t pages_ = 0;
  std::uint64_t checksums_ = 0;
  std::uint64_t columns_not_decoded_ = 0;
  std::vector<std::uint64_t> chunk_bytes_;        // bytes of each row group before compression
  std::vector<std::uint32_t> dictionaries_crcs_;  // CRC of each row group's dictionaries, as records have it
  std::vector<Place> places_;
  std::map<std::string, std::uint64_t> part_ends_;  // ends of the files that a summary names, as far as it
                                                    // knows them
  std::vector<std::string> unchecked_;  // values that could not be decoded, pages of unknown types
  std::vector<std::string> notes_;      // rows that no footer describes
  std::vector<std::string> counts_;
};

}  // namespace

Verdict verify(const InputFile& input, const VerifyOptions& options, Output& output) {
  return Verification(input, options, output).run();
}

}  // namespace mpq_tool
