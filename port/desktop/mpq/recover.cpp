#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "candidates.h"
#include "commands.h"
#include "file_facts.h"
#include "microparquet/desktop/joined_file.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/port/posix_file.h"
#include "microparquet/text/grouped_digits.h"
#include "microparquet/text/progress_line.h"
#include "names_apart.h"
#include "open_file.h"
#include "parquet_output.h"
#include "read_failure.h"
#include "result.h"
#include "salvage.h"
#include "sparse_image.h"
#include "thrift_dom/footer_parts.h"
#include "traces.h"
#include "view.h"

namespace mpq_tool {

namespace {

namespace rec = microparquet::recovery;
using microparquet::PosixFile;
using microparquet::Status;
using microparquet::text::grouped_digits;
using microparquet::text::ProgressLine;

constexpr int kAllThere = 0;
constexpr int kSomeLost = 1;
constexpr int kNothing = 2;
constexpr int kUnsure = 3;  // some may be wrong

std::string rows_text(std::uint64_t rows) { return grouped_digits(rows) + (rows == 1 ? " row" : " rows"); }

// Numbers of rows, counted from 0.
std::string ranges_text(const rec::RowRanges& ranges) {
  constexpr std::size_t kMax = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(ranges.size(), kMax); ++i) {
    text +=
        (i == 0 ? "" : ", ") + grouped_digits(ranges[i].begin) + " to " + grouped_digits(ranges[i].end - 1);
  }
  const std::size_t more = ranges.size() - std::min(ranges.size(), kMax);
  return text + (more != 0 ? " and " + grouped_digits(more) + " parts more" : "");
}

std::string id_text(std::uint32_t id) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (int shift = 28; shift >= 0; shift -= 4) {
    text += kDigits[id >> shift & 15];
  }
  return text;
}

// One file on its way: what was found of it, and what becomes of it.
class Recovery {
 public:
  Recovery(const RecoverRequest& request, Output& output) : request_(request), output_(output) {}

  int run() {
    if (medium_.open_for_reading(request_.path.c_str()) != Status::kOk) {
      throw Failure(request_.path + ": " +
                    (medium_.native_error() == ENOENT ? "no such file; check the name"
                                                      : std::strerror(medium_.native_error())));
    }
    bytes_ = rec::bytes_of(medium_);
    if (!request_.schema.empty()) {
      return salvage();
    }
    const rec::Bytes magic = rec::read_bytes(medium_, 0, microparquet::format::kMagicBytes);
    const bool is_file = !magic.empty() && std::memcmp(magic.data(), microparquet::format::kMagicText.data(),
                                                       magic.size()) == 0;
    return is_file ? recover_file() : recover_image();
  }

 private:
  rec::Progress progress(const std::string& what) {
    return [this, what](std::uint64_t done) { line_.show(what, done, bytes_); };
  }

  rec::Unproved unproved() const {
    return request_.unchecked ? rec::Unproved::kKept : rec::Unproved::kLeftOut;
  }

  void print(const std::string& what, const std::string& text) {
    output_.line("  " + what + std::string(12 - what.size(), ' ') + text);
  }

  // A single Parquet file.

  int recover_file() {
    rec::View view(medium_, {{0, bytes_}});
    const rec::Traces traces = rec::find_traces(view, progress("looking for footers"));
    auto found = find_rows(view, traces);
    line_.clear();
    if (traces.later_version) {
      tell_of_later_version(found);
    }
    if (found && !found->own && !found->proof.lost.empty() && describes_other_files()) {
      throw Failure(request_.path + " describes rows that lie in other files; recover those");
    }
    if (!found) {
      throw Failure(request_.path +
                    ": no footer in it can be believed; if a file with the same columns exists, give it with "
                    "--schema, and -o");
    }
    output_.line(request_.path);
    report(*found);
    if (!request_.output.empty()) {
      return write(view, *found, request_.output);
    }
    return append(view, *found);
  }

  // Refuses a file by a later version: only a later mpq can read all of it, and a footer without these rows
  // would hide them.
  void tell_of_later_version(std::optional<rec::Found>& found) const {
    if (found && !found->own && found->footer_end == bytes_ && found->proof.lost.empty()) {
      return;  // the last footer is whole, and every reader reads that
    }
    if (!found || (request_.output.empty() && !request_.dry_run)) {
      throw Failure(request_.path +
                    ": a later version of microparquet has written it; recover it with that one's mpq" +
                    (found ? ", or give -o to have what this one finds in a new file" : ""));
    }
    if (found->missing.empty()) {
      found->missing = "what a later version of microparquet has written, whose mpq finds it";
    }
  }

  std::optional<rec::Found> find_rows(rec::View& view, const rec::Traces& traces) {
    try {
      return rec::find_rows(view, traces, request_.file_id, unproved(), progress("checking pages"));
    } catch (const rec::SeveralFiles&) {
      throw Failure(request_.path + " holds footers of several files; choose one with --file-id" +
                    ids_of(traces));
    }
  }

  // A summary such as _metadata, without rows of its own.
  bool describes_other_files() {
    constexpr int kNoFolder = -1;  // no part is read
    try {
      return microparquet::desktop::JoinedFile(medium_, kNoFolder).has_parts();
    } catch (const Failure&) {
      return false;  // its footer is damaged
    }
  }

  static std::string ids_of(const rec::Traces& traces) {
    std::string text;
    for (const rec::FooterTrace& trace : traces.footers) {
      const std::string id = id_text(trace.extension.file_id);
      if (text.find(id) == text.npos) {
        text += (text.empty() ? ": " : ", ") + id;
      }
    }
    return text;
  }

  void report(const rec::Found& found) {
    constexpr std::size_t kMostBytes = 1 << 16;  // bytes of key-values that are searched for this
    if (rec::key_value_bytes(found.fields) <= kMostBytes) {
      if (const std::string about = about_text(rec::key_values_of(found.fields)); !about.empty()) {
        print("of", about);
      }
    }
    print("found", found.basis);
    for (const rec::LostRows& lost : found.proof.lost) {
      if (!lost.rows.empty()) {
        print("lost", rows_text(rows_in(lost.rows)) + " of row group " + std::to_string(lost.row_group) +
                          " (" + ranges_text(lost.rows) + " of " + grouped_digits(lost.bytes) +
                          " bytes): " + lost.why);
      }
    }
    if (!found.missing.empty()) {
      print(found.may_be_remains ? "perhaps" : "lost", found.missing);
    }
    if (const auto mended = mended_row_groups(found); mended != 0) {
      print("mended", grouped_digits(static_cast<std::uint64_t>(mended)) +
                          (mended == 1 ? " row group" : " row groups") +
                          ", where the header of a dictionary named an encoding that no dictionary has");
    }
  }

  static std::ptrdiff_t mended_row_groups(const rec::Found& found) {
    return std::count_if(found.proof.kept.begin(), found.proof.kept.end(),
                         [](const rec::KeptRowGroup& kept) { return kept.mended; });
  }

  // After the file's end come the row groups that had to be written again, and a footer. Nothing else is
  // touched.
  int append(rec::View& view, const rec::Found& found) {
    const bool sound = found.footer_end == bytes_ && found.records == 0 && found.proof.lost.empty() &&
                       mended_row_groups(found) == 0;
    const Status as_it_is = sound ? rec::OpenFile().open(medium_) : Status::kOk;
    const rec::Result result = rec::make_result(view, found, progress("writing again"));
    line_.clear();
    print_kept(result);
    if (sound && as_it_is == Status::kOk) {
      print("written", "nothing: the file is complete");
      return outcome(found, result);
    }
    if (result.rows == 0) {
      print("written", sound ? std::string("nothing: the file cannot be opened (") + to_string(as_it_is) +
                                   "), and there is no row to describe"
                             : "nothing: there is no row to describe");
      tell_of_unproved(found);
      return kNothing;
    }
    const rec::AddedEnd end = rec::added_end(view, found, result);
    view.set_end(end.bytes);
    if (const Status status = rec::OpenFile().open(view); status != Status::kOk) {
      throw Failure(request_.path + ": nothing is written: no program could open it then (" +
                    to_string(status) + ")");
    }
    const std::string what = "a footer of " + grouped_digits(end.footer_bytes) + " bytes at " +
                             grouped_digits(end.footer_begin) + ", after the end";
    if (request_.dry_run) {
      print("would write", what);
    } else {
      append(end.bytes);
      print("written", what);
    }
    return outcome(found, result);
  }

  void append(const rec::Bytes& bytes) {
    PosixFile file;
    std::uint64_t size = 0;
    if (file.open_for_append(request_.path.c_str()) != Status::kOk || file.size(size) != Status::kOk) {
      throw Failure(request_.path + ": " +
                    (file.native_error() == EWOULDBLOCK ? "another program is writing it; end that one first"
                                                        : std::strerror(file.native_error())));
    }
    if (size != bytes_) {
      throw Failure(request_.path + " has changed meanwhile; end what is writing it, and begin again");
    }
    if (file.write_at(bytes_, bytes) != Status::kOk || file.sync(bytes_ + bytes.size()) != Status::kOk ||
        file.close() != Status::kOk) {
      throw Failure(request_.path + ": " + std::strerror(file.native_error()));
    }
  }

  void print_kept(const rec::Result& result) {
    if (result.rows_given_up != 0) {
      print("lost", rows_text(result.rows_given_up) +
                        " in row groups of which only a part holds, and which cannot be written again");
    }
    print("kept", rows_text(result.rows) + " in " + grouped_digits(result.row_groups()) +
                      (result.row_groups() == 1 ? " row group" : " row groups"));
  }

  // A new file with all that is there.
  int write(rec::View& view, const rec::Found& found, const std::string& path) {
    const rec::Result result = rec::make_result(view, found, progress("writing again"));
    line_.clear();
    return write(view, found, result, path);
  }

  int write(rec::View& view, const rec::Found& found, const rec::Result& result, const std::string& path) {
    if (result.rows == 0 &&
        !(found.proof.lost.empty() && found.missing.empty() && found.footer_end == view.bytes())) {
      print("written", "nothing: no row is there");
      tell_of_unproved(found);
      return kNothing;
    }
    print_kept(result);
    if (request_.dry_run) {
      if (!path.empty()) {
        print("would write", path);
      }
      return outcome(found, result);
    }
    rec::ParquetOutput out(path, request_.overwrite);
    for (const rec::ResultPart& part : result.parts) {
      line_.show("writing " + path, out.bytes(), bytes_);
      if (!part.rows) {
        out.add_row_group(view, part.entry);
        continue;
      }
      const auto& rows = *part.rows;
      for (const rec::Bytes& entry : rows.entries) {
        out.add_row_group(*rows.file, entry);
      }
    }
    out.finish(found.fields);
    line_.clear();
    print("written", path + ", " + grouped_digits(out.bytes()) + " bytes");
    return outcome(found, result);
  }

  // Returns the exit code, and prints before it, as the last line, the rows that nothing proves.
  int outcome(const rec::Found& found, const rec::Result& result) {
    const std::uint64_t unproved = found.proof.rows_unproved();
    if (unproved != 0) {
      print("unchecked",
            rows_text(unproved) +
                " have dictionaries that their records do not prove, as those of earlier versions do not: "
                "values of them may be wrong ones");
      return kUnsure;
    }
    tell_of_unproved(found);
    return found.proof.lost.empty() && found.missing.empty() && result.rows_given_up == 0 ? kAllThere
                                                                                          : kSomeLost;
  }

  void tell_of_unproved(const rec::Found& found) {
    if (found.proof.could_keep_more()) {
      print("left out", "what only a dictionary leaves in doubt; --unchecked keeps it");
    }
  }

  // An image of a medium, with any number of files.

  int recover_image() {
    rec::SparseImage image(medium_, request_.path);
    auto [files, notes] = rec::find_image_rows(image, request_.file_id, unproved(),
                                               [this](const std::string& what) { return progress(what); });
    line_.clear();
    if (files.empty()) {
      const std::string why = why_another_kind(medium_);
      throw Failure(request_.path + ": no Parquet file of microparquet is in it" +
                    (why.empty() ? why : "; it" + why) +
                    (notes.empty() ? std::string() : "; " + notes.front()));
    }
    const bool to_folder = std::filesystem::is_directory(request_.output);
    check_output(files.size(), to_folder);
    const std::vector<std::string> paths = output_paths(files, to_folder);
    for (const std::string& note : notes) {
      output_.line(request_.path + ": " + note);
    }
    int result = kNothing;
    bool first = true;
    auto path = paths.begin();
    for (rec::ImageRows& each : files) {
      output_.line((each.file.name.empty() ? "a file that no folder has" : each.file.name) + ", file id " +
                   id_text(each.file.file_id));
      if (!each.file.doubt.empty()) {
        print("entry", each.file.doubt);
      }
      report(each.found);
      const int code = write(each.file.view, each.found, *path++);
      result = first || code == result ? code : std::max(code, result) == kUnsure ? kUnsure : kSomeLost;
      first = false;
    }
    return result;
  }

  void check_output(std::size_t files, bool to_folder) const {
    if (request_.dry_run) {
      return;
    }
    if (request_.output.empty()) {
      throw Failure(request_.path +
                    " does not begin as a Parquet file, so it is taken as an image of a medium; " +
                    "give -o, or --dry-run to see what is in it");
    }
    if (files > 1 && !to_folder) {
      throw Failure(
          request_.path + " holds " + std::to_string(files) +
          " files: make a folder and give it as -o, or choose one with --file-id; --dry-run lists them");
    }
  }

  // Paths of the files to be written. Throws before the first is written when one cannot be.
  std::vector<std::string> output_paths(const std::list<rec::ImageRows>& files, bool to_folder) const {
    if (!to_folder) {
      return std::vector<std::string>(files.size(), request_.output);
    }
    std::vector<std::string> names;
    std::vector<std::string> ids;
    for (const rec::ImageRows& each : files) {
      names.push_back(each.file.name);
      ids.push_back(id_text(each.file.file_id) + ".parquet");
    }
    std::vector<std::string> paths;
    for (const std::string& name : names_apart(names, ids)) {
      paths.push_back((std::filesystem::path(request_.output) / name).string());
      if (!request_.dry_run) {
        rec::check_target(paths.back(), request_.overwrite);
      }
    }
    return paths;
  }

  // A file without a footer, with the columns of another one.
  int salvage() {
    if (request_.output.empty() && !request_.dry_run) {
      throw Failure("--schema needs -o: a new file is written");
    }
    rec::View view(medium_, {{0, bytes_}});
    const rec::Traces traces = rec::find_traces(view, progress("looking for records"));
    const rec::SalvageOptions options{request_.schema, request_.group_rows, request_.same_settings,
                                      request_.partial, request_.unchecked};
    const rec::Salvaged salvaged = rec::salvage(view, traces, options, progress("walking pages"));
    line_.clear();
    output_.line(request_.path);
    report(salvaged.found);
    for (const std::string& sentence : salvaged.incomplete) {
      print("lost", sentence);
    }
    const int code = write(view, salvaged.found, salvaged.result, request_.output);
    if (code != kNothing && !salvaged.unproved.empty()) {
      print("unchecked", salvaged.unproved);
    }
    return code != kNothing && salvaged.unsure ? kUnsure : code;
  }

  const RecoverRequest& request_;
  Output& output_;
  ProgressLine line_;
  PosixFile medium_;
  std::uint64_t bytes_ = 0;
};

}  // namespace

int recover(const RecoverRequest& request, Output& output) { return Recovery(request, output).run(); }

}  // namespace mpq_tool
