#include <cerrno>
#include <cstring>
#include <filesystem>

#include "candidates.h"
#include "commands.h"
#include "findings.h"
#include "microparquet/desktop/native_file.h"
#include "microparquet/text/grouped_digits.h"
#include "microparquet/text/progress_line.h"
#include "names_apart.h"
#include "new_parquet_file.h"
#include "open_file.h"
#include "other_kind.h"
#include "read_failure.h"
#include "result.h"
#include "salvage.h"
#include "sparse_image.h"
#include "traces.h"
#include "view.h"

namespace mpq_tool {

namespace {

namespace rec = microparquet::recovery;
using microparquet::Status;
using microparquet::desktop::NativeFile;
using microparquet::text::grouped_digits;
using microparquet::text::ProgressLine;
using rec::Outcome;

// One file on its way: what was found of it, and what becomes of it.
class Recovery {
 public:
  Recovery(const RecoverRequest& request, Output& output) : request_(request), output_(output) {}

  Outcome run() {
    open(medium_, request_.path);
    bytes_ = rec::bytes_of(medium_);
    if (!request_.schema.empty()) {
      return salvage();
    }
    return rec::begins_as_parquet(medium_) ? recover_file() : recover_image();
  }

 private:
  static void open(NativeFile& file, const std::string& path) {
    if (file.open_for_reading(path.c_str()) != Status::kOk) {
      throw Failure(path + ": " +
                    (microparquet::desktop::error_of(file) == ENOENT
                         ? "no such file; check the name"
                         : microparquet::desktop::why_failed(file)));
    }
  }

  rec::Progress progress(const std::string& what) {
    return [this, what](std::uint64_t done) { line_.show(what, done, bytes_); };
  }

  rec::Unproved unproved() const {
    return request_.unchecked ? rec::Unproved::kKept : rec::Unproved::kLeftOut;
  }

  void print(const std::string& what, const std::string& text) {
    output_.line("  " + what + std::string(12 - what.size(), ' ') + text);
  }

  rec::Tell tell() {
    return [this](const std::string& what, const std::string& text) { print(what, text); };
  }

  // A single Parquet file.

  Outcome recover_file() {
    rec::View view(medium_, {{0, bytes_}});
    const rec::Traces traces = rec::find_traces(view, progress("looking for footers"));
    const rec::Found found = find_rows(view, traces);
    output_.line(request_.path);
    rec::tell_found(found, tell());
    if (!request_.output.empty()) {
      return write(view, found, request_.output);
    }
    return append(view, found);
  }

  rec::Found find_rows(rec::View& view, const rec::Traces& traces) {
    rec::FileFindings findings = find_in_file(view, traces);
    line_.clear();
    const bool to_new_file = !request_.output.empty() || request_.dry_run;
    if (findings.obstacle == rec::Obstacle::kOtherFiles) {
      throw Failure(request_.path + " describes rows that lie in other files; recover those");
    }
    // In place, a footer without the rows that only a later mpq can read would hide them.
    if (findings.obstacle == rec::Obstacle::kLaterVersion && (!findings.found || !to_new_file)) {
      throw Failure(request_.path +
                    ": a later version of microparquet has written it; recover it with that one's mpq" +
                    (findings.found ? ", or give -o to have what this one finds in a new file" : ""));
    }
    if (!findings.found) {
      throw Failure(request_.path +
                    ": no footer in it can be believed; if a file with the same columns exists, give it with "
                    "--schema, and -o");
    }
    return std::move(*findings.found);
  }

  rec::FileFindings find_in_file(rec::View& view, const rec::Traces& traces) {
    try {
      return rec::find_in_file(view, traces, request_.file_id, unproved(), progress("checking pages"));
    } catch (const rec::SeveralFiles&) {
      throw Failure(request_.path + " holds footers of several files; choose one with --file-id" +
                    rec::file_ids_text(traces));
    }
  }

  // After the file's end come the row groups that had to be written again, and a footer. Nothing else is
  // touched.
  Outcome append(rec::View& view, const rec::Found& found) {
    const bool sound = rec::is_sound(view, found);
    const Status as_it_is = sound ? rec::OpenFile().open(medium_) : Status::kOk;
    const rec::Result result = rec::make_result(view, found, progress("writing again"));
    line_.clear();
    rec::tell_kept(result, tell());
    if (sound && as_it_is == Status::kOk) {
      print("written", "nothing: the file is complete");
      return rec::tell_outcome(found, result, tell());
    }
    if (result.rows == 0) {
      print("written", sound ? std::string("nothing: the file cannot be opened (") + to_string(as_it_is) +
                                   "), and there is no row to describe"
                             : "nothing: there is no row to describe");
      rec::tell_of_unproved(found, tell());
      return Outcome::kNothing;
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
    return rec::tell_outcome(found, result, tell());
  }

  void append(const rec::Bytes& bytes) {
    NativeFile file;
    std::uint64_t size = 0;
    if (file.open_for_append(request_.path.c_str()) != Status::kOk || file.size(size) != Status::kOk) {
      throw Failure(request_.path + ": " +
                    (microparquet::desktop::error_of(file) == EWOULDBLOCK
                         ? "another program is writing it; end that one first"
                         : microparquet::desktop::why_failed(file)));
    }
    if (size != bytes_) {
      throw Failure(request_.path + " has changed meanwhile; end what is writing it, and begin again");
    }
    if (file.write_at(bytes_, bytes) != Status::kOk || file.sync(bytes_ + bytes.size()) != Status::kOk ||
        file.close() != Status::kOk) {
      throw Failure(request_.path + ": " + microparquet::desktop::why_failed(file));
    }
  }

  // A new file with all that is there.
  Outcome write(rec::View& view, const rec::Found& found, const std::string& path) {
    const rec::Result result = rec::make_result(view, found, progress("writing again"));
    line_.clear();
    return write(view, found, result, path);
  }

  Outcome write(rec::View& view, const rec::Found& found, const rec::Result& result,
                const std::string& path) {
    if (!rec::is_worth_writing(view, found, result)) {
      print("written", "nothing: no row is there");
      rec::tell_of_unproved(found, tell());
      return Outcome::kNothing;
    }
    rec::tell_kept(result, tell());
    if (request_.dry_run) {
      if (!path.empty()) {
        print("would write", path);
      }
      return rec::tell_outcome(found, result, tell());
    }
    rec::NewParquetFile out(path, request_.overwrite);
    out.output().add_result(view, result, progress("writing " + path));
    out.finish(found.fields);
    line_.clear();
    print("written", path + ", " + grouped_digits(out.bytes()) + " bytes");
    return rec::tell_outcome(found, result, tell());
  }

  // An image of a medium, with any number of files.

  Outcome recover_image() {
    rec::SparseImage image(medium_, request_.path);
    auto [files, notes] = rec::find_image_rows(image, request_.file_id, unproved(),
                                               [this](const std::string& what) { return progress(what); });
    line_.clear();
    if (files.empty()) {
      const std::string why = rec::why_another_kind(medium_);
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
    Outcome result = Outcome::kNothing;
    bool first = true;
    auto path = paths.begin();
    for (rec::ImageRows& each : files) {
      output_.line(rec::image_file_text(each.file));
      if (!each.file.doubt.empty()) {
        print("entry", each.file.doubt);
      }
      rec::tell_found(each.found, tell());
      const Outcome outcome = write(each.file.view, each.found, *path++);
      result = first ? outcome : both(result, outcome);
      first = false;
    }
    return result;
  }

  static Outcome both(Outcome a, Outcome b) {
    if (a == b) {
      return a;
    }
    return a == Outcome::kUnsure || b == Outcome::kUnsure ? Outcome::kUnsure : Outcome::kSomeLost;
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
      ids.push_back(rec::file_id_text(each.file.file_id) + ".parquet");
    }
    std::vector<std::string> paths;
    for (const std::string& name : names_apart(names, ids)) {
      paths.push_back((std::filesystem::path(request_.output) / name).generic_string());
      if (!request_.dry_run) {
        rec::check_target(paths.back(), request_.overwrite);
      }
    }
    return paths;
  }

  // A file without a footer, with the columns of another one.
  Outcome salvage() {
    if (request_.output.empty() && !request_.dry_run) {
      throw Failure("--schema needs -o: a new file is written");
    }
    rec::View view(medium_, {{0, bytes_}});
    const rec::Traces traces = rec::find_traces(view, progress("looking for records"));
    NativeFile schema;
    open(schema, request_.schema);
    const rec::SalvageOptions options{request_.schema, request_.group_rows, request_.same_settings,
                                      request_.partial, request_.unchecked};
    const rec::Salvaged salvaged = rec::salvage(view, traces, schema, options, progress("walking pages"));
    line_.clear();
    output_.line(request_.path);
    rec::tell_found(salvaged.found, tell());
    for (const std::string& sentence : salvaged.incomplete) {
      print("lost", sentence);
    }
    const Outcome outcome = write(view, salvaged.found, salvaged.result, request_.output);
    if (outcome != Outcome::kNothing && !salvaged.unproved.empty()) {
      print("unchecked", salvaged.unproved);
    }
    return outcome != Outcome::kNothing && salvaged.unsure ? Outcome::kUnsure : outcome;
  }

  const RecoverRequest& request_;
  Output& output_;
  ProgressLine line_;
  NativeFile medium_;
  std::uint64_t bytes_ = 0;
};

}  // namespace

int recover(const RecoverRequest& request, Output& output) {
  return static_cast<int>(Recovery(request, output).run());
}

}  // namespace mpq_tool
