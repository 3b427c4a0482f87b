#include "collect.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "candidates.h"
#include "collected.h"
#include "compact_sql.h"
#include "lake.h"
#include "lake_columns.h"
#include "lake_compaction.h"
#include "log_sources.h"
#include "microparquet/desktop/codecs.h"
#include "microparquet/desktop/program.h"
#include "microparquet/text/grouped_digits.h"
#include "microparquet/text/progress_line.h"
#include "raw_file.h"

namespace mpq_tool {

namespace {

namespace rec = microparquet::recovery;
using microparquet::text::counted;
using microparquet::text::grouped_digits;
using microparquet::text::ProgressLine;

std::string counted_rows(std::uint64_t number) { return counted(number, "row", "rows"); }

// Counts of a run.
struct Tally {
  std::uint64_t files = 0;  // files with rows, in all sources
  std::uint64_t added = 0;
  std::uint64_t continued = 0;  // replaced by one with more rows
  std::uint64_t known = 0;
  std::uint64_t empty = 0;
  std::uint64_t rows = 0;       // rows that are new in the lake
  std::uint64_t recovered = 0;  // recovered rows among them
  std::uint64_t lost = 0;
  std::uint64_t unsaved = 0;  // sources of which something could not be saved
};

class Collector {
 public:
  Collector(const CollectRequest& request, Output& output)
      : request_(request), output_(output), lake_(request.lake) {
    const auto* const zstd = microparquet::desktop::find_codec("zstd");
    compressor_ = zstd->compressor;
  }

  int run() {
    const Renames renames = read_renames(lake_.text_of(kRenames), request_.renames);
    const std::vector<std::string> sources =
        log_sources(request_.sources, lake_.folder(), [this](const std::string& what) { problem(what); });
    find_sizes(sources);
    try {
      for (const std::string& source : sources) {
        collect(source);
      }
    } catch (const LakeFailure& failure) {
      line_.clear();
      tell(failure.what());
      print_tally();
      return kStopped;
    }
    line_.clear();
    write_about(renames);
    print_tally();
    if (request_.compact && !lake_.files().empty()) {
      output_.flush();
      compact(renames);
    }
    return tally_.unsaved == 0 ? kAllSaved : kSomeUnsaved;
  }

 private:
  static constexpr int kAllSaved = 0;
  static constexpr int kSomeUnsaved = 1;
  static constexpr int kStopped = 2;
  static constexpr char kRenames[] = ".renames";

  // Makes the files of devices: DuckDB can merge lists, too.
  void compact(const Renames& renames) const {
    if (!compact_by_merging(lake_, renames)) {
      run_compact_sql(lake_);
    }
  }

  // Writes the texts that stand beside the files.
  void write_about(const Renames& renames) {
    const std::vector<LakeColumn> columns = lake_columns(lake_.files(), renames);
    write_files_table(lake_);
    lake_.make_folder("compact");  // DuckDB makes none
    lake_.put_text("compact.sql", compact_sql(lake_, columns));
    lake_.put_text("README.md", lake_readme(columns));
    if (!renames.empty()) {
      lake_.put_text(kRenames, renames_text(renames));
    }
  }

  // Reports that something of a source is not saved.
  void problem(const std::string& what) {
    line_.clear();
    output_.flush();
    tell(what);
    ++tally_.unsaved;
  }

  void note(const std::string& what) {
    line_.clear();
    output_.line(what);
    output_.flush();
  }

  void find_sizes(const std::vector<std::string>& sources) {
    for (const std::string& source : sources) {
      std::error_code error;
      const auto bytes = std::filesystem::file_size(source, error);
      all_bytes_ += error ? 0 : bytes;
    }
  }

  rec::Progress progress(const std::string& name) {
    return [this, name](std::uint64_t) { line_.show(name, done_bytes_, all_bytes_); };
  }

  // Collects one source; its failure concerns no other.
  void collect(const std::string& path) {
    line_.show(path, done_bytes_, all_bytes_);
    try {
      SourceMedium medium(path);
      Collected file;
      file.source = path;
      file.source_bytes = medium.bytes();
      file.source_sum = medium.sum();
      collect(medium, file);
      if (!medium.is_unchanged()) {
        note(path + ": it changed while it was read; collect again for what has come since");
      }
      done_bytes_ += medium.bytes();
    } catch (const LakeFailure&) {
      throw;
    } catch (const Failure& failure) {
      const std::string what = failure.what();
      problem(what.compare(0, path.size(), path) == 0 ? what : path + ": " + what);
    }
  }

  // Reports the system's error of reading, if there is one, which explains more than recovery's own message.
  void collect(SourceMedium& medium, Collected& file) {
    if (medium.bytes() == 0) {  // a log whose power went before its first sector was written
      ++tally_.empty;
      return;
    }
    try {
      if (medium.is_parquet()) {
        collect_file(medium, file);
      } else {
        collect_image(medium, file);
      }
    } catch (const LakeFailure&) {
      throw;
    } catch (const Failure&) {
      if (!medium.could_not_read()) {
        throw;
      }
      throw Failure(medium.why());
    }
  }

  void collect_file(SourceMedium& medium, Collected& file) {
    if (is_known(file)) {
      return;
    }
    rec::View view(medium, {{0, medium.bytes()}});
    const rec::Traces traces = rec::find_traces(view, progress(file.source));
    const auto found = find_rows(view, traces, progress(file.source));
    if (!found) {
      throw Failure("no footer in it can be believed; `mpq recover --schema` may help");
    }
    file.file_id = found->own ? found->own->file_id : 0;
    collect_rows(view, *found, file);
  }

  static std::optional<rec::Found> find_rows(rec::View& view, const rec::Traces& traces,
                                             const rec::Progress& progress) {
    try {
      return rec::find_rows(view, traces, std::nullopt, rec::Unproved::kLeftOut, progress);
    } catch (const rec::SeveralFiles&) {
      throw Failure("it holds footers of several files; `mpq recover --file-id` takes them apart");
    }
  }

  void collect_image(SourceMedium& medium, const Collected& about) {
    auto contents = rec::find_image_rows(medium, std::nullopt, rec::Unproved::kLeftOut,
                                         [&](const std::string&) { return progress(about.source); });
    if (contents.files.empty()) {
      throw Failure("it is no Parquet file, and no file of microparquet is in it");
    }
    for (rec::ImageRows& each : contents.files) {
      Collected file = about;
      file.file_id = each.file.file_id;
      file.in_image = place_of(each.file);
      if (!is_known(file)) {
        collect_rows(each.file.view, each.found, file);
      }
    }
  }

  // A deleted log may have had the name of another one.
  static std::string place_of(const rec::ImageFile& file) {
    const std::string id = "file id " + std::to_string(file.file_id);
    return file.name.empty() ? id : file.is_certain ? file.name : file.name + ", " + id;
  }

  // Whether the lake has been given these very bytes.
  bool is_known(const Collected& file) {
    const bool known = lake_.from_source(file) != nullptr;
    tally_.files += known ? 1 : 0;
    tally_.known += known ? 1 : 0;
    return known;
  }

  void collect_rows(rec::View& view, const rec::Found& found, Collected& file) {
    FoundRows rows(view, found);
    take_key_values(rec::key_values_of(found.fields), file);
    file.lost = rows.lost();
    file.first_lost = rows.first_lost();
    report_lost(found, file);
    if (rows.rows() == 0) {
      ++tally_.empty;
      return;
    }
    ++tally_.files;
    const std::vector<const Collected*> namesakes = lake_.namesakes_of(file);
    std::set<std::uint64_t> marked;
    for (const Collected* const other : namesakes) {
      marked.insert(other->rows);
    }
    RawFile raw(lake_.work_path(), compressor_);
    raw.write(rows, found.fields, marked);
    file.rows = raw.rows();
    file.marks = raw.marks();
    file.recovered = recovered_rows(view, found, file.rows);
    settle(raw, rec::key_values_of(found.fields), namesakes, std::move(file));
  }

  void report_lost(const rec::Found& found, const Collected& file) {
    const std::string name = name_of(file);
    if (file.lost != 0) {
      const std::string why = found.proof.lost.empty() ? "" : ": " + found.proof.lost.front().why;
      problem(name + ": " + counted_rows(file.lost) + " are damaged" + why);
      tally_.lost += file.lost;
    } else if (!found.missing.empty()) {
      problem(name + ": it has lost " + found.missing);
    }
  }

  static std::string name_of(const Collected& file) {
    return file.in_image.empty() ? file.source : file.source + ", " + file.in_image;
  }

  // Takes the written file into the lake, if it belongs there.
  void settle(RawFile& raw, std::vector<rec::TextPair> key_values,
              const std::vector<const Collected*>& namesakes, Collected file) {
    const auto same = std::find_if(namesakes.begin(), namesakes.end(),
                                   [&](const Collected* other) { return are_same_log(*other, file); });
    const std::uint64_t rows_before = same != namesakes.end() ? (*same)->rows : 0;
    if (file.rows <= rows_before) {
      ++tally_.known;
      return;
    }
    if (same != namesakes.end() && !file.has_rows_of(**same)) {
      ++tally_.known;
      problem(name_of(file) + ": it has more rows than " + (*same)->path +
              " of the lake, and has lost some that are there; the lake keeps its own. `mpq recover` -o "
              "takes the others");
      return;
    }
    if (same != namesakes.end()) {
      file.path = (*same)->path;
      ++tally_.continued;
    } else {
      file.path = lake_.free_path(file);
      ++tally_.added;
      report_namesakes(namesakes, file);
    }
    tally_.rows += file.rows - rows_before;
    tally_.recovered += file.recovered;
    take_timing(lake_.work_path(), key_values, request_.time, file);
    key_values.erase(std::remove_if(key_values.begin(), key_values.end(),
                                    [](const rec::TextPair& pair) { return pair.first == kCollectedKey; }),
                     key_values.end());
    key_values.emplace_back(kCollectedKey, to_text(file));
    file.bytes = raw.finish(key_values);
    lake_.take_in(std::move(file));
  }

  void report_namesakes(const std::vector<const Collected*>& namesakes, const Collected& file) {
    if (!namesakes.empty()) {
      note(name_of(file) + ": it says it is " + namesakes.front()->path +
           ", and has other rows: both are kept, this one as " + file.path);
    }
  }

  void print_tally() {
    output_.line(counted(tally_.files, "file", "files") + ": " + grouped_digits(tally_.added) + " new, " +
                 grouped_digits(tally_.continued) + " continued, " + grouped_digits(tally_.known) +
                 " there already" +
                 (tally_.empty != 0 ? "; " + grouped_digits(tally_.empty) + " more without rows" : ""));
    output_.line(counted_rows(tally_.rows) + " added, " + grouped_digits(tally_.recovered) +
                 " of them recovered; " + grouped_digits(tally_.lost) + " lost");
    std::uint64_t rows = 0;
    std::uint64_t bytes = 0;
    for (const auto& [path, file] : lake_.files()) {
      rows += file.rows;
      bytes += file.bytes;
    }
    output_.line(lake_.folder() + ": " + counted(lake_.files().size(), "file", "files") + ", " +
                 counted_rows(rows) + ", " + grouped_digits(bytes) + " bytes");
  }

  const CollectRequest& request_;
  Output& output_;
  Lake lake_;
  const microparquet::Compressor* compressor_ = nullptr;
  ProgressLine line_;
  Tally tally_;
  std::uint64_t all_bytes_ = 0;
  std::uint64_t done_bytes_ = 0;
};

}  // namespace

int collect(const CollectRequest& request, Output& output) {
  microparquet::desktop::ignore_file_limit();  // it is as a full disk
  return Collector(request, output).run();
}

}  // namespace mpq_tool
