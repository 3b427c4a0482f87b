#include "report.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "input_file.h"
#include "json_text.h"
#include "microparquet/desktop/native_file.h"
#include "microparquet/desktop/new_file.h"
#include "microparquet/desktop/program.h"
#include "microparquet/text/grouped_digits.h"
#include "parquet_file.h"
#include "read_failure.h"
#include "time_choice.h"
#include "value_text.h"

namespace mpq_tool {

namespace {

namespace fs = std::filesystem;
using microparquet::Status;
using microparquet::desktop::NativeFile;
using microparquet::desktop::NewFile;
using microparquet::text::counted;
using microparquet::text::grouped_digits;

constexpr std::uint64_t kMostInPage = std::uint64_t{200} << 20;  // most bytes that browsers take in a page
constexpr std::string_view kPageName = "viewer.html";
constexpr std::string_view kPlace = "<div id=\"sessions\">";  // element that every viewer.html has
constexpr std::string_view kBodyEnd = "</body>";
constexpr std::string_view kParquetMagic = "PAR1";

// A file that is read from its beginning.
class WholeFile {
 public:
  explicit WholeFile(const InputFile& input) : name_(input.name()) {
    check(file_.open_for_reading(input.path().c_str()));
    check(file_.size(size_));
  }

  std::uint64_t size() const { return size_; }

  // The next bytes, as many as `most` or up to the end; they stay until the next call.
  std::string_view next(std::size_t most) {
    piece_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(most, size_ - done_)));
    check(file_.read_at(done_, {reinterpret_cast<std::byte*>(piece_.data()), piece_.size()}));
    done_ += piece_.size();
    return piece_;
  }

 private:
  void check(Status status) const {
    if (status != Status::kOk) {
      throw Failure(name_ + ": " + microparquet::desktop::why_failed(file_));
    }
  }

  std::string name_;
  NativeFile file_;
  std::uint64_t size_ = 0;
  std::uint64_t done_ = 0;
  std::string piece_;
};

// Finds the viewer in the folder of mpq, or in the folder where a package has its data.
std::string viewer_beside_mpq() {
  std::error_code error;
  const fs::path folder = fs::path(microparquet::desktop::own_path()).parent_path();
  for (const fs::path& place : {folder, folder / ".." / "share" / "microparquet"}) {
    if (!folder.empty() && fs::exists(place / kPageName, error)) {
      return (place / kPageName).string();
    }
  }
  throw Failure(
      "there is no viewer.html beside mpq: a release has it, port/desktop/viewer/build makes it, and "
      "--viewer says where it is");
}

std::string read_viewer(const std::string& named) {
  const std::string path = named.empty() ? viewer_beside_mpq() : named;
  WholeFile file{InputFile(path)};
  std::string page(file.next(kMostInPage));
  if (page.find(kPlace) == page.npos || page.rfind(kBodyEnd) == page.npos) {
    throw Failure(path + ": it is not the viewer that port/desktop/viewer/build makes");
  }
  return page;
}

std::string attribute(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '"': escaped += "&quot;"; break;
      case '<': escaped += "&lt;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

void write(NewFile& page, std::string_view text) { page.write(text.data(), text.size()); }

// The request as the viewer has it; empty: there is none.
std::string time_attribute(const TimeRequest& time) {
  if (!time.column.empty()) {
    return " data-time=\"" + attribute(time.column) + "\"";
  }
  std::string names;
  for (const std::string& name : time.from.empty() ? std::vector<std::string>() : cells_of_line(time.from)) {
    names += (names.empty() ? "[" : ",") + json_string(name);
  }
  return names.empty() ? "" : " data-time-from=\"" + attribute(names + "]") + "\"";
}

// Throws WrongRequest where no file can be read as the request says, though one could be read otherwise.
void check_time(const std::vector<InputFile>& inputs, const TimeRequest& time) {
  std::optional<WrongRequest> wrong;
  if (time.is_empty()) {
    return;
  }
  for (const InputFile& input : inputs) {
    try {
      ParquetFile file(input);
      find_time_column(file, time);
      return;
    } catch (const WrongRequest& request) {
      wrong = request;
    } catch (const Failure&) {
      continue;  // the viewer says what is wrong with it
    }
  }
  if (wrong) {
    throw WrongRequest(*wrong);
  }
}

void add_log(NewFile& page, const InputFile& input, const TimeRequest& time) {
  constexpr std::size_t kStep = 3 << 18;  // multiple of three: three bytes make four letters
  WholeFile file(input);
  write(page, "<script type=\"text/plain\" class=\"log\" data-name=\"" + attribute(input.name()) + "\"" +
                  time_attribute(time) + ">");
  for (std::string_view piece = file.next(kStep); !piece.empty(); piece = file.next(kStep)) {
    write(page, base64(piece));
  }
  write(page, "</script>\n");
}

// Throws Failure where it does not begin as a Parquet file does. What is damaged in one, the viewer says.
void check_begin(const InputFile& input) {
  if (WholeFile(input).next(kParquetMagic.size()) != kParquetMagic) {
    NativeFile file;
    const bool is_open = file.open_for_reading(input.path().c_str()) == Status::kOk;
    throw Failure(input.name() + (is_open ? why_not_parquet(file) : ": not a Parquet file"));
  }
}

// Files for a page; and why the others are none.
struct Chosen {
  std::vector<InputFile> inputs;
  std::vector<std::string> left_out;
  std::uint64_t bytes = 0;
};

Chosen choose_files(const std::vector<std::string>& paths) {
  Chosen chosen;
  for (const std::string& path : named_files(paths)) {
    try {
      InputFile input(path);
      check_begin(input);
      chosen.bytes += WholeFile(input).size();
      chosen.inputs.push_back(std::move(input));
    } catch (const Failure& failure) {
      chosen.left_out.emplace_back(failure.what());
    }
  }
  if (chosen.inputs.empty()) {
    for (std::size_t i = 0; i + 1 < chosen.left_out.size(); ++i) {
      tell(chosen.left_out[i]);
    }
    throw Failure(chosen.left_out.back());
  }
  return chosen;
}

void add_left_out(NewFile& page, const std::string& why) {
  write(page,
        "<script type=\"text/plain\" class=\"left-out\" data-why=\"" + attribute(why) + "\"></script>\n");
}

}  // namespace

int write_report(const ReportRequest& request, Output& output) {
  const std::string viewer = read_viewer(request.viewer);
  const Chosen chosen = choose_files(request.paths);
  const std::vector<InputFile>& inputs = chosen.inputs;
  if (chosen.bytes > kMostInPage) {
    throw Failure(grouped_digits(chosen.bytes) +
                  " bytes are too many for a page: open viewer.html in a browser, and drop the files on it");
  }
  check_time(inputs, request.time);
  const std::size_t end = viewer.rfind(kBodyEnd);
  std::error_code ignored;
  if (!request.overwrite && fs::exists(request.output, ignored)) {
    throw Failure(request.output + ": is there already; --overwrite replaces it");
  }
  NewFile page(request.output);
  write(page, std::string_view(viewer).substr(0, end));
  for (const InputFile& input : inputs) {
    add_log(page, input, request.time);
  }
  for (const std::string& why : chosen.left_out) {
    add_left_out(page, why);
  }
  write(page, std::string_view(viewer).substr(end));
  page.sync();
  page.take_name();
  output.line(request.output + ": " + grouped_digits(page.bytes()) + " bytes, " +
              counted(inputs.size(), "file", "files"));
  output.flush();
  for (const std::string& why : chosen.left_out) {
    tell(why);
  }
  if (!chosen.left_out.empty()) {
    tell(counted(chosen.left_out.size(), "file was", "files were") + " left out");
  }
  return chosen.left_out.empty() ? 0 : 1;
}

}  // namespace mpq_tool
