#include "parquet_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "microparquet/codec_id.h"
#include "microparquet/desktop/codecs.h"
#include "microparquet/page_index.h"
#include "microparquet/port/crc32_hardware.h"
#include "microparquet/read_all.h"
#include "microparquet/text/grouped_digits.h"
#include "output.h"
#include "read_failure.h"
#include "rows_after_footer.h"

namespace mpq_tool {

namespace {

namespace mpq = microparquet;
using mpq::Status;

constexpr std::uint32_t kColumnBytes = 256 << 10;
constexpr std::uint32_t kMinColumnBytes = 64;
constexpr std::uint64_t kAllColumnsBytes = 4 << 20;  // and
constexpr std::uint64_t kFileShares = 2;             // times the file's size, unless values need more
constexpr std::uint32_t kFooterBytes = 64 << 10;

std::string advice_for(int error) {
  switch (error) {
    case ENOENT: return "no such file; check the name";
    case EISDIR: return "it is a folder; give the name of a Parquet file";
    case ESPIPE:
      return "it is a pipe or a device; a Parquet file is read from its end, so copy it to a disk first";
    default: return mpq::desktop::error_text(error);
  }
}

// Reader::seek_row(), by page indexes where there are any. Requires: there is such a row.
Status seek_row_of_file(mpq::Reader& reader, std::uint64_t row) {
  std::uint32_t row_group = 0;
  Status status = reader.seek_row_group(row_group);
  for (; status == Status::kOk && row >= reader.row_group_rows(); status = reader.seek_row_group(row_group)) {
    row -= reader.row_group_rows();
    ++row_group;
  }
  return status == Status::kOk ? mpq::seek_row_by_index(reader, row_group, row) : status;
}

}  // namespace

std::vector<std::string> cells_of_line(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool doubled = quoted && line.substr(i, 2) == "\"\"";
    if (line[i] == '"' && !doubled && (quoted || cells.back().empty())) {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += line[i];
      i += doubled ? 1 : 0;
    }
  }
  return cells;
}

ParquetFile::ParquetFile(const InputFile& input) : path_(input.name()) {
  if (file_.open_for_reading(input.path().c_str()) != Status::kOk) {
    throw Failure(path_ + ": " + advice_for(mpq::desktop::error_of(file_)));
  }
  options_.footer_bytes = kFooterBytes;
  options_.buffer_bytes = kColumnBytes;
  options_.decoders = mpq::kAllDecoders;
  options_.bit_packed_levels = &mpq::read_bit_packed_levels;
  options_.decompressors = mpq::desktop::decompressors();
  options_.checksum = &mpq::crc32_hardware;
  if (input.path() == input.name()) {
    folder_ = std::filesystem::absolute(input.path()).parent_path().string();
  }
  open_reader();
  read_columns();
}

void ParquetFile::open_reader() {
  mpq::File& file = joined_ ? static_cast<mpq::File&>(*joined_) : file_;
  if (const Status status = memory_.open(file, options_); status != Status::kOk) {
    fail(status);
  }
}

void ParquetFile::read_columns() {
  std::vector<std::string> path;
  columns_.reserve(reader_.columns());
  visit_schema([&](const mpq::SchemaElement& element) {
    if (element.depth == 0) {
      return;
    }
    path.resize(element.depth - 1);
    path.emplace_back(element.name);
    if (!element.leaf) {
      return;
    }
    Column& column = columns_.emplace_back();
    for (const std::string& part : path) {
      column.name += (column.name.empty() ? "" : ".") + part;
    }
    column.number = element.column;
    column.element = element;
    column.element.name = {};
  });
}

const Column* ParquetFile::find_column(std::string_view name) const {
  const auto column = std::find_if(columns_.begin(), columns_.end(),
                                   [&](const Column& candidate) { return candidate.name == name; });
  return column == columns_.end() ? nullptr : &*column;
}

std::vector<Column> ParquetFile::columns_in(std::string_view group) const {
  std::vector<Column> members;
  for (const Column& column : columns_) {
    const std::string_view name = column.name;
    if (name.size() > group.size() && name.substr(0, group.size()) == group && name[group.size()] == '.') {
      members.push_back(column);
    }
  }
  return members;
}

const Column& ParquetFile::column_named(std::string_view name) const {
  if (const Column* const column = find_column(name); column != nullptr) {
    return *column;
  }
  std::string known;
  for (const Column& existing : columns_) {
    known += (known.empty() ? "" : ", ") + existing.name;
  }
  throw WrongRequest(path_ + " has no column " + std::string(name) +
                     (known.empty() ? "; it has none at all" : "; it has " + known));
}

std::vector<Column> ParquetFile::columns_named(const std::vector<std::string>& names) const {
  if (names.empty()) {
    return columns_;
  }
  std::vector<Column> result;
  for (const std::string_view entry : names) {
    if (const Column* const whole = find_column(entry); whole != nullptr) {  // its name may hold commas
      result.push_back(*whole);
      continue;
    }
    for (const std::string& name : cells_of_line(entry)) {
      const std::vector<Column> members = columns_in(name);
      if (find_column(name) == nullptr && !members.empty()) {
        result.insert(result.end(), members.begin(), members.end());
      } else {
        result.push_back(column_named(name));
      }
    }
  }
  return result;
}

// Gives each column an even part of the memory.
void ParquetFile::note_chosen(const std::vector<Column>& columns) {
  chosen_.clear();
  std::vector<bool> named(columns_.size());
  for (const Column& column : columns) {
    if (named[column.number]) {
      throw WrongRequest("--columns names " + column.name + " twice; name it once");
    }
    named[column.number] = true;
    chosen_.push_back(column.number);
  }
  const std::uint64_t share = std::min(kAllColumnsBytes + kFileShares * reader_.file_bytes(), most_memory_) /
                              std::max<std::size_t>(chosen_.size(), 1) / 8 * 8;
  options_.buffer_bytes =
      static_cast<std::uint32_t>(std::clamp<std::uint64_t>(share, kMinColumnBytes, kColumnBytes));
  rows_passed_ = 0;
  by_items_ = false;
}

void ParquetFile::choose(const std::vector<Column>& columns) {
  note_chosen(columns);
  if (reader_.rows() == 0) {
    return;  // nothing needs memory
  }
  choose_again();
}

void ParquetFile::choose_again() {
  open_reader();
  std::vector<mpq::ColumnChoice> choices;
  for (const std::uint32_t column : chosen_) {
    choices.push_back({column, 0});
  }
  const Status status = by_items_ ? memory_.choose_items(choices, options_.buffer_bytes)
                                  : memory_.choose(chosen_, options_.buffer_bytes);
  buffers_.clear();
  if (status != Status::kOk) {
    fail(status);
  }
}

bool ParquetFile::join_parts(Status status) {
  if (status != Status::kUnsupported || reader_.failure().reason != mpq::FailureReason::kOtherFile ||
      joined_ || folder_.empty()) {
    return false;
  }
  open_folder_ = mpq::desktop::open_folder(folder_);
  if (!open_folder_.is_open()) {
    throw Failure(folder_ + ": " + mpq::desktop::error_text(errno));
  }
  try {
    joined_ = std::make_unique<mpq::desktop::JoinedFile>(file_, open_folder_.number());
  } catch (const Failure& failure) {
    throw Failure(path_ + ": " + failure.what());
  }
  choose_again();
  return true;
}

void ParquetFile::choose_items(const std::vector<Column>& columns) {
  note_chosen(columns);
  by_items_ = true;
  choose_again();
}

void ParquetFile::begin(mpq::Records& records) {
  if (const Status status = records.begin(); status != Status::kOk) {
    fail(status);
  }
}

bool ParquetFile::next(mpq::Records& records, mpq::Event& event) {
  const Status status = with_buffers([&] { return records.next(event); });
  if (status == Status::kEnd) {
    return false;
  }
  if (join_parts(status)) {
    begin(records);
    pass_rows(records, rows_passed_);
    return next(records, event);
  }
  if (status != Status::kOk) {
    fail_reading(status);
  }
  rows_passed_ += event.kind == mpq::EventKind::kEndRow ? 1 : 0;
  return true;
}

void ParquetFile::pass_rows(mpq::Records& records, std::uint64_t row) {
  std::uint32_t group = 0;
  std::uint64_t left = row;
  const auto enter = [&] {
    if (const Status status = records.seek_row_group(group); status != Status::kOk) {
      fail(status);
    }
  };
  for (enter(); left >= reader_.row_group_rows(); enter()) {
    left -= reader_.row_group_rows();
    ++group;
  }
  rows_passed_ = row - left;
  for (mpq::Event event; rows_passed_ != row && next(records, event);) {
  }
}

void ParquetFile::pass_rows(std::uint64_t rows) {
  rows_passed_ = rows;
  if (rows == 0) {
    return;
  }
  const Status status = with_buffers([this, rows] { return seek_row_of_file(reader_, rows); });
  if (join_parts(status)) {
    return pass_rows(rows);
  }
  if (status != Status::kOk) {
    fail_reading(status);
  }
}

void ParquetFile::seek_row(std::uint32_t row_group, std::uint64_t row, std::uint64_t row_of_file) {
  rows_passed_ = row_of_file;
  const Status status =
      with_buffers([this, row_group, row] { return mpq::seek_row_by_index(reader_, row_group, row); });
  if (join_parts(status)) {
    return seek_row(row_group, row, row_of_file);
  }
  if (status != Status::kOk) {
    fail_reading(status);
  }
}

bool ParquetFile::next_row() {
  if (reader_.rows() == 0) {
    return false;
  }
  const Status status = with_buffers([this] { return reader_.next_row(); });
  if (status == Status::kEnd) {
    return false;
  }
  if (join_parts(status)) {
    pass_rows(rows_passed_);
    return next_row();
  }
  if (status != Status::kOk) {
    fail_reading(status);
  }
  ++rows_passed_;
  return true;
}

bool ParquetFile::take_read(Status status, std::uint32_t row_group, std::uint64_t rows) {
  if (join_parts(status)) {
    check(reader_.seek_row_group(row_group));
    return false;
  }
  if (status != Status::kOk) {
    fail_reading(status);
  }
  rows_passed_ += rows;
  return true;
}

Status ParquetFile::with_buffers(const std::function<Status()>& call) {
  Status status = call();
  while (status == Status::kValueTooLarge || status == Status::kOutOfMemory) {
    if (!buffers_.make_room(reader_, reader_.failed_column())) {
      throw Failure(path_ + after_rows() + ": a value or a page of column " + failed_name() +
                    " is longer than 1.5 GB; leave the column out by --columns");
    }
    status = call();
  }
  return status;
}

void ParquetFile::visit_schema(const std::function<void(const mpq::SchemaElement&)>& visit) {
  check(memory_.visit_schema(visit));
}

void ParquetFile::visit_key_values(const std::function<void(const mpq::KeyValue&)>& visit) {
  check(memory_.visit_key_values(visit));
}

mpq::ColumnChunkInfo ParquetFile::column_chunk(std::uint32_t column) {
  mpq::ColumnChunkInfo info;
  if (const Status status = reader_.column_chunk(column, info); status != Status::kOk) {
    fail(status);
  }
  return info;
}

std::optional<mpq::ColumnStatistics> ParquetFile::column_statistics(std::uint32_t column,
                                                                    std::vector<std::byte>& buffer) {
  constexpr std::uint64_t kMax = 1 << 20;  // longer bounds are not worth looking at
  mpq::ColumnStatistics statistics;
  const Status status = memory_.statistics(column, buffer, kMax, statistics);
  if (status != Status::kOk && status != Status::kCorrupt) {
    fail(status);
  }
  return status == Status::kOk ? std::optional(statistics) : std::nullopt;
}

mpq::SizeStatistics ParquetFile::size_statistics(std::uint32_t column, std::vector<std::uint64_t>& buffer) {
  buffer.resize(reader_.max_definition_level(column) + reader_.max_repetition_level(column) + 2U);
  mpq::SizeStatistics sizes;
  const Status status = mpq::size_statistics(reader_, column, buffer, sizes);
  if (status != Status::kOk) {
    fail(status);
  }
  return sizes;
}

std::string ParquetFile::created_by() {
  std::vector<char> buffer(256);
  std::string_view text;
  const Status status =
      memory_.with_buffer(buffer, [&](mpq::Span<char> memory) { return reader_.created_by(memory, text); });
  if (status != Status::kOk) {
    fail(status);
  }
  return std::string(text);
}

bool ParquetFile::next_row_group() {
  const Status status = reader_.next_row_group();
  if (status != Status::kOk && status != Status::kEnd) {
    fail(status);
  }
  return status == Status::kOk;
}

mpq::recovery::RowsAfterFooter ParquetFile::rows_behind_footer() {
  return mpq::recovery::rows_after_footer(file_).value_or(mpq::recovery::RowsAfterFooter());
}

std::string ParquetFile::rows_after_footer() {
  const mpq::recovery::RowsAfterFooter after = rows_behind_footer();
  if (after.rows == 0) {
    return "";
  }
  const char* const them = after.rows == 1 ? "it" : "them";
  const std::string text = mpq::text::grouped_digits(after.rows) + (after.rows == 1 ? " row" : " rows");
  return after.safe != after.rows
             ? text + " more after the last footer: `mpq recover` adds " + them
             : text + " more " + (after.rows == 1 ? "is" : "are") +
                   " safe than the last footer describes: the logger's next boot, or `mpq "
                   "recover`, makes " +
                   them + " readable";
}

void ParquetFile::fail(Status status) {
  switch (status) {
    case Status::kNotParquet: throw Failure(path_ + why_not_parquet(file_));
    case Status::kCorrupt:
      throw Failure(path_ +
                    " is damaged: it contradicts itself or its checksums; copy it from its source again");
    case Status::kEncrypted:
      throw Failure(path_ +
                    " is encrypted; have the program that holds its keys write it without encryption");
    case Status::kUnsupported:
      throw Failure(
          path_ +
          " has a schema of more than 65,535 columns or 15 levels of groups, which mpq does not read; "
          "have it written with fewer");
    case Status::kIoError: throw Failure(path_ + ": " + mpq::desktop::why_failed(file_));
    default: throw Failure(path_ + ": " + mpq::to_string(status));
  }
}

void ParquetFile::fail_reading(Status status) {
  const std::string name = failed_name();
  switch (status) {
    case Status::kCorrupt:
      throw Failure(path_ + after_rows() + ": column " + name +
                    " is damaged: " + what_is_damaged(reader_.failure()) +
                    "; copy the file from its source again, or keep what is whole by `mpq recover`");
    case Status::kUnsupported: throw Failure(path_ + after_rows() + why_unsupported(file_, reader_, name));
    case Status::kIoError:
      throw Failure(
          path_ + after_rows() + ": column " + name + ": " +
          (joined_ && !joined_->failure().empty() ? joined_->failure() : mpq::desktop::why_failed(file_)));
    default: fail(status);
  }
}

std::uint32_t ParquetFile::failed_number() const {
  return chosen_[std::min(reader_.failed_column(), chosen_.size() - 1)];
}

std::string ParquetFile::failed_name() const { return columns_[failed_number()].name; }

std::string ParquetFile::after_rows() const {
  return rows_passed_ == 0 ? "" : " after row " + std::to_string(rows_passed_);
}

}  // namespace mpq_tool
