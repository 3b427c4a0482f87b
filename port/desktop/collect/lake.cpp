#include "lake.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "microparquet/encoders.h"
#include "microparquet/port/desktop.h"
#include "microparquet/typed.h"
#include "microparquet/writer.h"
#include "parquet_file.h"

namespace mpq_tool {

namespace {

namespace fs = std::filesystem;
namespace desktop = microparquet::desktop;

constexpr int kLakeVersion = 1;
constexpr char kLakeMarker[] = "/.mpq_lake";
constexpr char kUnknown[] = "unknown";

void make_folders(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) {
    throw lake_failure(path, error.value());
  }
}

// Turns a text into the name of a folder: other characters become %XX, as in Spark.
std::string as_name(const std::string& text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  if (text.empty()) {
    return kUnknown;
  }
  std::string name;
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                       c == '-' || c == '_' || (c == '.' && !name.empty());
    const auto byte = static_cast<unsigned char>(c);
    if (plain) {
      name += c;
    } else {
      name += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  constexpr std::size_t kMost = 200;  // file systems take 255, with what stands before and after
  return name.substr(0, kMost);
}

// Texts of any content, one after another.
std::string key_of(std::initializer_list<std::string> parts) {
  std::string key;
  for (const std::string& part : parts) {
    key += std::to_string(part.size()) + ":" + part;
  }
  return key;
}

std::string name_key(const Collected& file) {
  return key_of({file.device, file.session, file.split, std::to_string(file.file_id)});
}

std::string source_key(const Collected& file) {
  return key_of({std::to_string(file.source_bytes), std::to_string(file.source_sum), file.in_image});
}

}  // namespace

Lake::Lake(const std::string& folder) : folder_(folder) {
  while (folder_.size() > 1 && folder_.back() == '/') {
    folder_.pop_back();
  }
  begin();
  lock();
  check_version();
  std::error_code ignored;
  fs::remove_all(folder_ + "/.work", ignored);  // remains of a run that was interrupted
  make_folders(folder_ + "/.work");
  make_folders(folder_ + "/raw");
  read_files();
}

// A file is on the disk before it has its name. Names are put there at the end: of one that a power cut takes the source is
// collected again.
Lake::~Lake() {
  desktop::put_names_on_disk(lock_.number());  // what lies in the lake is whole without it
  std::error_code ignored;
  fs::remove_all(folder_ + "/.work", ignored);
}

// Makes a lake of an empty folder, and of no other.
void Lake::begin() {
  std::error_code error;
  if (fs::exists(folder_ + kLakeMarker, error)) {
    return;
  }
  if (fs::exists(folder_, error) && !fs::is_directory(folder_, error)) {
    throw LakeFailure(folder_ + ": it is no folder; give the name of a new one");
  }
  make_folders(folder_);
  if (!fs::is_empty(folder_, error) || error) {
    throw LakeFailure(folder_ + ": it is not empty, and was not made by mpq collect; give a new folder");
  }
  const std::string temporary = folder_ + "/.mpq_lake.new";
  std::ofstream marker(temporary);
  marker << kLakeVersion << "\n";
  marker.close();
  if (!marker || !desktop::replace(temporary, folder_ + kLakeMarker)) {
    const int reason = errno;
    static_cast<void>(desktop::remove_file(temporary));
    throw lake_failure(folder_, reason);
  }
}

void Lake::lock() {
  const std::string path = folder_ + kLakeMarker;
  lock_ = desktop::open_file(path, desktop::Access::kRead);
  if (!lock_.is_open()) {
    throw lake_failure(path, errno);
  }
  if (!desktop::lock(lock_.number())) {
    throw LakeFailure(folder_ + ": another program is collecting into it; wait for its end");
  }
}

void Lake::check_version() {
  std::ifstream marker(folder_ + kLakeMarker);
  int version = 0;
  if (!(marker >> version) || version < 1) {
    throw LakeFailure(folder_ + kLakeMarker + ": it does not say a version; give a new folder, and " +
                      folder_ + "/raw as one of the sources");
  }
  if (version > kLakeVersion) {
    throw LakeFailure(folder_ + ": a later version of mpq made it; use that one, or give a new folder");
  }
}

void Lake::read_files() {
  std::error_code error;
  std::vector<std::string> paths;
  const std::string raw = folder_ + "/raw";
  for (fs::recursive_directory_iterator entry(raw, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ".parquet") {
      paths.push_back(entry->path().generic_string());
    }
  }
  if (error) {
    throw lake_failure(raw, error.value());
  }
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    read_file(path);
  }
}

void Lake::read_file(const std::string& path) {
  const InputFile input(path);
  std::optional<Collected> file;
  try {
    ParquetFile parquet(input);
    parquet.visit_key_values([&](const microparquet::KeyValue& pair) {
      if (pair.key == kCollectedKey) {
        file = collected_from(std::string(pair.value));
      }
    });
  } catch (const Failure& failure) {
    throw LakeFailure(std::string(failure.what()) +
                      "; move it out of the lake, and collect its source again");
  }
  if (!file) {
    throw LakeFailure(path + ": mpq collect did not put it there; move it out of the lake");
  }
  file->path = path.substr(folder_.size() + 1);
  std::error_code error;
  file->bytes = fs::file_size(path, error);
  add(std::move(*file));
}

void Lake::add(Collected file) {
  const std::string path = file.path;
  if (const auto old = files_.find(path); old != files_.end()) {
    const auto [begin, end] = by_name_.equal_range(name_key(old->second));
    by_name_.erase(std::find_if(begin, end, [&](const auto& entry) { return entry.second == &old->second; }));
    by_source_.erase(source_key(old->second));
    files_.erase(old);
  }
  const Collected& added = files_.emplace(path, std::move(file)).first->second;
  by_name_.emplace(name_key(added), &added);
  by_source_.emplace(source_key(added), &added);
}

const Collected* Lake::from_source(const Collected& file) const {
  const auto found = by_source_.find(source_key(file));
  return found != by_source_.end() ? found->second : nullptr;
}

std::vector<const Collected*> Lake::namesakes_of(const Collected& file) const {
  std::vector<const Collected*> found;
  const auto [begin, end] = by_name_.equal_range(name_key(file));
  for (auto entry = begin; entry != end; ++entry) {
    found.push_back(entry->second);
  }
  return found;
}

std::string Lake::free_path(const Collected& file) const {
  const std::string folder = "raw/device=" + as_name(file.device) + "/session=" + as_name(file.session) + "/";
  const std::string name = as_name(file.split);
  std::string path = folder + name + ".parquet";
  for (int number = 2; fs::exists(folder_ + "/" + path); ++number) {
    path = folder + name + "-" + std::to_string(number) + ".parquet";
  }
  return path;
}

void Lake::put(const std::string& path) {
  const std::string place = folder_ + "/" + path;
  make_folders(place.substr(0, place.rfind('/')));
  if (!desktop::replace(work_path(), place)) {
    throw lake_failure(place, errno);
  }
}

void Lake::put_text(const std::string& path, const std::string& text) {
  std::ofstream file(work_path(), std::ios::binary);
  file << text;
  file.close();
  if (!file) {
    throw lake_failure(folder_ + "/" + path, errno);
  }
  put(path);
}

std::string Lake::text_of(const std::string& path) const {
  std::ifstream file(folder_ + "/" + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void Lake::make_folder(const std::string& path) const { make_folders(folder_ + "/" + path); }

void Lake::take_in(Collected file) {
  put(file.path);
  add(std::move(file));
}

namespace {

namespace mpq = microparquet;
using mpq::Status;
using mpq::Value;

// "number int32, time timestamp[us, UTC]"
std::string schema_text(const Collected& file) {
  std::string text;
  for (const CollectedColumn& column : file.columns) {
    text += (text.empty() ? "" : ", ") + column.name + " " + column.type;
  }
  return text;
}

// A column: its field, and its value of a file.
struct FilesColumn {
  mpq::Field field;
  Value (*value)(const Collected& file);
};

Value text_value(const std::string& text) { return text.empty() ? Value() : Value::of_bytes(text); }
Value count_value(std::uint64_t count) { return Value::of(static_cast<std::int64_t>(count)); }

template <typename T>
Value times_value(const Collected& file, std::optional<T> CollectedTimes::* member) {
  const std::optional<T> value = file.times ? (*file.times).*member : std::nullopt;
  if (!value) {
    return {};
  }
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    return count_value(*value);
  } else {
    return Value::of(*value);
  }
}

mpq::Field optional_text(std::string_view name) { return mpq::string_field(name).as_optional(); }
mpq::Field optional_double(std::string_view name) { return mpq::double_field(name).as_optional(); }
mpq::Field optional_count(std::string_view name) { return mpq::int64_field(name).as_optional(); }
mpq::Field optional_time(std::string_view name) { return mpq::timestamp_field(name).as_optional(); }

const std::vector<FilesColumn>& files_columns() {
  using File = const Collected&;
  static const std::vector<FilesColumn> columns = {
      {mpq::string_field("path"), [](File file) { return Value::of_bytes(file.path); }},
      {optional_text("device"), [](File file) { return text_value(file.device); }},
      {optional_text("firmware"), [](File file) { return text_value(file.firmware); }},
      {optional_text("session"), [](File file) { return text_value(file.session); }},
      {optional_text("split"), [](File file) { return text_value(file.split); }},
      {optional_text("started_at"), [](File file) { return text_value(file.started_at); }},
      {mpq::int64_field("rows"), [](File file) { return count_value(file.rows); }},
      {mpq::int64_field("rows_recovered"), [](File file) { return count_value(file.recovered); }},
      {mpq::int64_field("rows_lost"), [](File file) { return count_value(file.lost); }},
      {mpq::int64_field("rows_dropped"), [](File file) { return count_value(file.dropped); }},
      {optional_time("first_time"), [](File file) { return times_value(file, &CollectedTimes::first_us); }},
      {optional_time("last_time"), [](File file) { return times_value(file, &CollectedTimes::last_us); }},
      {optional_double("seconds"),
       [](File file) { return file.times ? Value::of(file.times->seconds) : Value(); }},
      {optional_double("rate_hz"), [](File file) { return times_value(file, &CollectedTimes::rate_hz); }},
      {optional_count("gaps"), [](File file) { return times_value(file, &CollectedTimes::gaps); }},
      {optional_count("rows_missing"), [](File file) { return times_value(file, &CollectedTimes::missing); }},
      {optional_double("longest_gap_seconds"),
       [](File file) { return times_value(file, &CollectedTimes::longest_gap); }},
      {mpq::int64_field("bytes"), [](File file) { return count_value(file.bytes); }},
      {mpq::int64_field("rows_checksum"), [](File file) { return count_value(file.marks.back().sum); }},
      {mpq::int64_field("file_id"), [](File file) { return count_value(file.file_id); }},
      {mpq::string_field("source"), [](File file) { return Value::of_bytes(file.source); }},
      {optional_text("in_image"), [](File file) { return text_value(file.in_image); }},
      {mpq::int64_field("source_bytes"), [](File file) { return count_value(file.source_bytes); }},
      {mpq::int64_field("source_checksum"), [](File file) { return count_value(file.source_sum); }},
      {mpq::string_field("schema"), [](File) { return Value(); }},  // write_rows() makes it
  };
  return columns;
}

Status write_rows(mpq::Writer& writer, const Lake& lake) {
  std::vector<Value> row(files_columns().size());
  Status status = Status::kOk;
  for (auto file = lake.files().begin(); file != lake.files().end() && status == Status::kOk; ++file) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = files_columns()[i].value(file->second);
    }
    const std::string schema = schema_text(file->second);
    row.back() = Value::of_bytes(schema);
    status = writer.append(row);
  }
  return status == Status::kOk ? writer.close() : status;
}

}  // namespace

void write_files_table(Lake& lake) {
  std::vector<mpq::Field> fields;
  for (const FilesColumn& column : files_columns()) {
    fields.push_back(column.field.with_encoder(mpq::kAutoOf<16384, 4096>));
  }
  mpq::Options options = mpq::desktop_options(1 << 20);
  options.row_group_rows = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(lake.files().size()));
  std::vector<std::uint64_t> arena(mpq::Writer::required_bytes(fields, options) / sizeof(std::uint64_t) + 1);
  desktop::NativeFile file;
  mpq::Writer writer;
  Status status = file.create(lake.work_path().c_str(), mpq::Existing::kOverwrite);
  if (status == Status::kOk) {
    status = writer.open(file, fields, options,
                         {reinterpret_cast<std::byte*>(arena.data()), arena.size() * sizeof arena[0]});
  }
  if (status == Status::kOk) {
    status = write_rows(writer, lake);
  }
  if (status == Status::kOk) {
    status = file.close();
  }
  if (status != Status::kOk) {
    const std::string path = lake.folder() + "/files.parquet";
    throw file.native_error() != 0 ? lake_failure(path, file.native_error())
                                   : LakeFailure(path + ": " + to_string(status));
  }
  lake.put("files.parquet");
}

}  // namespace mpq_tool
