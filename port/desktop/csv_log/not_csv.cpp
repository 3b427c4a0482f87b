#include "not_csv.h"

#include "microparquet/text/quoted.h"

namespace csv_log {

namespace {

using std::string_view_literals::operator""sv;

// `command` writes the file as CSV to standard output. Null: a person has to, as `advice` says.
struct Unreadable {
  std::string_view magic;
  const char* name;
  const char* command;
  const char* advice = nullptr;
};

constexpr const char* kFromJson = "DuckDB and pandas make one of it";

constexpr Unreadable kUnreadable[] = {
    {"\x1F\x8B"sv, "compressed by gzip", "gzip -dc"},
    {"\x28\xB5\x2F\xFD"sv, "compressed by zstd", "zstd -dc"},
    {"\xFD\x37zXZ"sv, "compressed by xz", "xz -dc"},
    {"BZh91AY&SY"sv, "compressed by bzip2", "bzip2 -dc"},
    {"PK\x03\x04"sv, "a ZIP archive or a spreadsheet", nullptr, "spreadsheets save one as \"CSV UTF-8\""},
    {"{\""sv, "JSON", nullptr, kFromJson},
    {"{ \""sv, "JSON", nullptr, kFromJson},
    {"[{"sv, "JSON", nullptr, kFromJson},
};

std::string sentence(const Unreadable& file, const std::string& path) {
  const std::string what = std::string(" is ") + file.name + ", and no CSV in UTF-8; ";
  if (file.command == nullptr) {
    return what + "give a CSV file: " + file.advice;
  }
  return what + "convert it on the way: " + file.command +
         (path == "-" ? " |" : " " + microparquet::text::shell_path(path) + " |") + " csv_log - OUT";
}

}  // namespace

std::string why_no_csv(std::string_view beginning, const std::string& path) {
  for (const Unreadable& file : kUnreadable) {
    if (beginning.substr(0, file.magic.size()) == file.magic) {
      return sentence(file, path);
    }
  }
  return {};
}

}  // namespace csv_log
