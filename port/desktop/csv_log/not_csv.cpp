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
    {"\xFF\xFE"sv, "UTF-16", "iconv -f utf-16 -t utf-8"},
    {"\xFE\xFF"sv, "UTF-16", "iconv -f utf-16 -t utf-8"},
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

// UTF-16 without its mark: every second byte of a name in Latin letters is 0.
bool looks_like_utf16(std::string_view line, std::size_t zero) {
  return line.size() >= 4 && line[zero] == '\0' && line[zero + 2] == '\0' && line[1 - zero] != '\0';
}

}  // namespace

std::string why_no_csv(std::string_view beginning, const std::string& path) {
  for (const Unreadable& file : kUnreadable) {
    if (beginning.substr(0, file.magic.size()) == file.magic) {
      return sentence(file, path);
    }
  }
  for (const std::size_t zero : {std::size_t{0}, std::size_t{1}}) {
    if (looks_like_utf16(beginning, zero)) {
      return sentence({{}, "UTF-16", zero == 0 ? "iconv -f utf-16be -t utf-8" : "iconv -f utf-16le -t utf-8"},
                      path);
    }
  }
  return {};
}

}  // namespace csv_log
