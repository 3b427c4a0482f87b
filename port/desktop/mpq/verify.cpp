#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "chunk_check.h"
#include "commands.h"
#include "failure.h"
#include "history.h"
#include "microparquet/port/crc32_hardware.h"
#include "microparquet/port/posix_file.h"
#include "microparquet/text/grouped_digits.h"
#include "microparquet/text/progress_line.h"
#include "open_file.h"
#include "traces.h"
#include "view.h"

namespace mpq_tool {

namespace {

namespace rec = microparquet::recovery;
using microparquet::ColumnChunkInfo;
using microparquet::PosixFile;
using microparquet::Status;
using microparquet::text::grouped_digits;

class Verification {
 public:
  Verification(const std::string& path, Output& output) : path_(path), output_(output) {}

  int run() {
    if (medium_.open(path_.c_str()) != Status::kOk) {
      throw Failure(path_ + ": " +
                    (medium_.last_errno() == ENOENT ? "no such file; check the name"
                                                    : std::strerror(medium_.last_errno())));
    }
    bytes_ = rec::bytes_of(medium_);
    output_.print(path_ + "\n");
    const Status status = open_.open(medium_);
    if (status != Status::kOk) {
      finding(std::string("the file cannot be opened: ") + to_string(status));
    } else {
      check_columns();
      check_row_groups();
      check_places();
      check_extension();
      print_counts();
    }
    output_.print(findings_ == 0
                      ? "  all of it holds\n"
                      : "  " + grouped_digits(findings_) + (findings_ == 1 ? " finding\n" : " findings\n"));
    return findings_ == 0 ? 0 : 1;
  }

 private:
  struct Place {
    std::uint64_t begin;
    std::uint64_t end;
    std::string what;
  };

  void finding(const std::string& text) {
    ++findings_;
    line_.clear();
    output_.print("  " + text + "\n");
  }

  static std::string place_of(std::uint32_t group, const std::string& column) {
    return "row group " + std::to_string(group) + ", column " + printable(column) + ": ";
  }

  void check_columns() {
    const std::uint32_t groups = open_.reader().row_groups();
    const std::uint64_t total = std::uint64_t{groups} * open_.leaves().size();
    std::uint64_t done = 0;
    uncompressed_.assign(groups, 0);
    for (std::uint32_t column = 0; column < open_.leaves().size(); ++column) {
      const std::string name = open_.leaves()[column].name;
      rec::ColumnCheck check(open_, medium_, column);
      std::set<std::string> unchecked;
      for (std::uint32_t group = 0; group < groups; ++group) {
        line_.show("checking column " + printable(name), done++, total);
        add(check.check(group), group, name, unchecked);
        note_place(group, column, name);
      }
      for (const std::string& text : unchecked) {
        unchecked_.push_back("column " + printable(name) + ": " + text);
      }
    }
    line_.clear();
  }

  void add(const rec::ChunkReport& report, std::uint32_t group, const std::string& column,
           std::set<std::string>& unchecked) {
    pages_ += report.pages;
    checksums_ += report.checksums;
    for (const auto* const sentences : {&report.damage, &report.contradictions}) {
      for (const std::string& sentence : *sentences) {
        finding(place_of(group, column) + sentence);
      }
    }
    unchecked.insert(report.unchecked.begin(), report.unchecked.end());
  }

  void note_place(std::uint32_t group, std::uint32_t column, const std::string& name) {
    ColumnChunkInfo info;
    if (open_.reader().column_chunk(column, info) != Status::kOk) {
      return;
    }
    const bool dictionary =
        info.dictionary_page_offset != 0 && info.dictionary_page_offset < info.data_page_offset;
    const std::uint64_t begin = dictionary ? info.dictionary_page_offset : info.data_page_offset;
    places_.push_back({begin, begin + info.compressed_bytes, place_of(group, name)});
    uncompressed_[group] += info.uncompressed_bytes;
  }

  void check_row_groups() {
    for (std::uint32_t group = 0; group < open_.reader().row_groups(); ++group) {
      if (open_.reader().seek_row_group(group) != Status::kOk) {
        finding("row group " + std::to_string(group) + ": its entry in the footer cannot be read");
      } else if (open_.reader().row_group_bytes() != uncompressed_[group]) {
        finding("row group " + std::to_string(group) + ": total_byte_size is " +
                std::to_string(open_.reader().row_group_bytes()) + ", its column chunks have " +
                std::to_string(uncompressed_[group]));
      }
    }
  }

  // No bytes belong to two column chunks, nor to the footer.
  void check_places() {
    places_.push_back({bytes_ - 8 - open_.reader().footer_bytes(), bytes_, "the footer: "});
    std::stable_sort(places_.begin(), places_.end(),
                     [](const Place& a, const Place& b) { return a.begin < b.begin; });
    for (std::size_t i = 1; i < places_.size(); ++i) {
      if (places_[i].begin < places_[i - 1].end && places_[i].begin != places_[i].end) {
        finding(places_[i].what + "its bytes belong to " +
                places_[i - 1].what.substr(0, places_[i - 1].what.size() - 2) + " as well");
      }
    }
  }

  // What microparquet adds to its files.
  void check_extension() {
    const std::uint64_t begin = bytes_ - 8 - open_.reader().footer_bytes();
    const rec::Bytes footer = rec::read_bytes(medium_, begin, open_.reader().footer_bytes());
    const std::string_view text(reinterpret_cast<const char*>(footer.data()), footer.size());
    const std::size_t tag = text.rfind("mpqF");
    if (tag == text.npos) {
      return;
    }
    const rec::Traces traces = rec::find_traces(
        medium_, [this](std::uint64_t done) { line_.show("checking records", done, bytes_); });
    line_.clear();
    if (traces.footers.empty() || traces.footers.back().end != bytes_) {
      finding("the footer's extension: its checksums do not hold");
      return;
    }
    const auto history = rec::read_history(medium_, traces, traces.footers.back());
    if (!history) {
      finding("the footer's extension: it does not describe the footer's row groups");
      return;
    }
    check_records(traces, *history);
    const std::uint64_t behind = history->rows() - open_.reader().rows();
    if (behind != 0) {
      unchecked_.push_back(grouped_digits(behind) + (behind == 1 ? " row" : " rows") +
                           " that records tell of and the footer does not: mpq recover adds them");
    }
  }

  void check_records(const rec::Traces& traces, const rec::History& history) {
    const microparquet::detail::FooterExtension& extension = history.trace.extension;
    std::uint32_t crc = 0;
    std::uint64_t records = 0;
    for (std::size_t i = 0; i < history.footer.entries.size(); ++i) {
      const rec::Bytes& entry = history.footer.entries[i];
      crc = microparquet::crc32_hardware(crc, entry.data(), entry.size());
      records += std::any_of(traces.slots.begin(), traces.slots.end(), [&](const rec::SlotTrace& slot) {
        return slot.trailer.file_id == extension.file_id && slot.trailer.entries_crc == crc &&
               slot.trailer.entry_bytes == entry.size() && slot.end >= extension.slot_bytes &&
               rec::read_bytes(medium_, slot.end - extension.slot_bytes, entry.size()) == entry;
      });
    }
    counts_ += "  extension   footer of sequence " + std::to_string(extension.sequence) + "; records of " +
               grouped_digits(records) + " of " + grouped_digits(history.footer.entries.size()) +
               " row groups\n";
  }

  void print_counts() {
    const microparquet::Reader& reader = open_.reader();
    output_.print(
        "  rows        " + grouped_digits(reader.rows()) + " in " + grouped_digits(reader.row_groups()) +
        (reader.row_groups() == 1 ? " row group, " : " row groups, ") +
        grouped_digits(open_.leaves().size()) + (open_.leaves().size() == 1 ? " column\n" : " columns\n"));
    output_.print("  pages       " + grouped_digits(pages_) + ", of which " + grouped_digits(checksums_) +
                  " have a checksum\n" + counts_);
    for (const std::string& text : unchecked_) {
      output_.print("  not checked " + text + "\n");
    }
  }

  std::string path_;
  Output& output_;
  microparquet::text::ProgressLine line_;
  PosixFile medium_;
  rec::OpenFile open_;
  std::uint64_t bytes_ = 0;
  std::uint64_t findings_ = 0;
  std::uint64_t pages_ = 0;
  std::uint64_t checksums_ = 0;
  std::vector<std::uint64_t> uncompressed_;  // of each row group
  std::vector<Place> places_;
  std::vector<std::string> unchecked_;
  std::string counts_;
};

}  // namespace

int verify(const std::string& path, Output& output) { return Verification(path, output).run(); }

}  // namespace mpq_tool
