#include "merged_file.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <string_view>

#include "file_footer.h"
#include "microparquet/desktop/codecs.h"
#include "microparquet/desktop/int96.h"
#include "microparquet/encoders.h"
#include "microparquet/port/desktop.h"
#include "open_file.h"
#include "read_failure.h"
#include "value_summary.h"

namespace mpq_tool {

namespace {

namespace mpq = microparquet;
namespace rec = mpq::recovery;
using mpq::Field;
using mpq::Status;

constexpr std::uint64_t kMergedGroupRows = 1 << 20;
constexpr std::uint32_t kUsualPageBytes = 64 << 10;
constexpr std::uint32_t kLeastPageBytes = 1 << 10;
constexpr std::uint32_t kMostGroupBytes = 32 << 20;  // as it is stored
constexpr std::size_t kMostArenaBytes = std::size_t{80} << 20;
constexpr std::size_t kPageOverhead = 1024;  // header, levels, a text's length, and what compression may add
constexpr std::uint8_t kMostWrittenKeyValues = 255;       // by a Writer
constexpr std::uint32_t kMostCompressedPage = 8'000'000;  // a longer page stays as it is

// Rows of a row group, so that the last one is not much smaller than the others.
std::uint32_t rows_of_group(std::uint64_t rows) {
  const std::uint64_t groups = std::max<std::uint64_t>((rows + kMergedGroupRows - 1) / kMergedGroupRows, 1);
  return static_cast<std::uint32_t>(std::max<std::uint64_t>((rows + groups - 1) / groups, 1));
}

// Dictionaries lie in memory, one of each column.
const mpq::AutoEncoders& encoders_for(std::size_t columns) {
  constexpr std::size_t kSomeColumns = 256;
  constexpr std::size_t kManyColumns = 1024;
  return columns <= kSomeColumns   ? mpq::kAutoOf<16384, 4096>
         : columns <= kManyColumns ? mpq::kAutoOf<4096, 1024>
                                   : mpq::kAuto;
}

}  // namespace

Field MergedFile::field_of(const MergedColumn& column, std::size_t longest) const {
  static const mpq::Compressor* const zstd = mpq::desktop::find_codec("zstd")->compressor;
  rec::Leaf leaf;
  leaf.element = column.element;
  leaf.element.repetition = mpq::Repetition::kRequired;
  Field field = rec::written_field(leaf);
  field.name = column.name;
  if (field.type == mpq::Type::kInt96) {
    field = mpq::desktop::int96_field(column.name);
  }
  if (zstd != nullptr) {
    field = field.with_encoder(encoders_for(columns_.size()).under(*zstd));
    field.compressor = zstd;
  } else {
    field = field.with_encoder(encoders_for(columns_.size()));
  }
  if (column.optional) {
    field = field.as_optional();
  }
  longest = std::max<std::size_t>(longest, column.element.type_length);
  if (const std::size_t bytes = longest + longest / 64 + kPageOverhead;
      longest != 0 && bytes > options_.page_bytes) {
    field = field.with_page_bytes(static_cast<std::uint32_t>((bytes + 511) / 512 * 512));
    field.compressor = bytes > kMostCompressedPage ? nullptr : field.compressor;
  }
  return field;
}

MergedFile::MergedFile(const std::string& path, const std::vector<MergedColumn>& columns, std::uint64_t rows,
                       const std::vector<std::size_t>& longest)
    : columns_(columns), new_file_(path) {
  options_ = mpq::desktop_options(rows_of_group(rows));
  options_.page_bytes = kUsualPageBytes;
  options_.checkpoint_ms = 0;
  options_.max_key_values = kMostWrittenKeyValues;
  options_.layout = &mpq::kForward;  // in place a row group has room for all its values as they are
  options_.row_group_bytes = kMostGroupBytes;
  options_.whole_sectors = false;
  options_.file_id = std::random_device()();
  const auto make_fields = [&] {
    fields_.clear();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      fields_.push_back(field_of(columns[i], longest[i]));
    }
  };
  make_fields();
  while (mpq::Writer::required_bytes(fields_, options_) > kMostArenaBytes &&
         options_.page_bytes > kLeastPageBytes) {
    options_.page_bytes /= 2;
    make_fields();
  }
  const std::size_t words = mpq::Writer::required_bytes(fields_, options_) / sizeof arena_[0] + 1;
  arena_.reset(new std::uint64_t[words]);  // not cleared: a small file takes little of it
  check(writer_.open(new_file_.file(), fields_, options_,
                     {reinterpret_cast<std::byte*>(arena_.get()), words * sizeof arena_[0]}));
}

void MergedFile::check(Status status) {
  if (status == Status::kOk) {
    return;
  }
  const bool is_system =
      status == Status::kIoError || status == Status::kNoSpace || status == Status::kMediumLost;
  throw Failure(new_file_.path() + ": " +
                (is_system ? mpq::desktop::why_failed(new_file_.file()) : mpq::to_string(status)));
}

void MergedFile::ask_for_longer_pages(mpq::Span<const mpq::ColumnData> data, std::size_t rows) const {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (fields_[i].type != mpq::Type::kByteArray) {
      continue;
    }
    std::size_t longest = 0;
    const auto* const texts = static_cast<const std::string_view*>(data[i].values);
    for (std::size_t row = 0; row < rows; ++row) {
      longest =
          std::max(longest, data[i].valid == nullptr || data[i].valid[row] != 0 ? texts[row].size() : 0);
    }
    const std::size_t page = std::max(options_.page_bytes, fields_[i].page_bytes);
    if (longest + longest / 64 + kPageOverhead > page) {
      throw PageTooSmall(i, longest);
    }
  }
  throw Failure(new_file_.path() + ": " + mpq::to_string(Status::kValueTooLarge));
}

void MergedFile::append(mpq::Span<const mpq::ColumnData> data, std::size_t rows) {
  const Status status = writer_.append_columns(data, rows);
  if (status == Status::kValueTooLarge) {
    ask_for_longer_pages(data, rows);
  }
  check(status);
}

std::uint64_t MergedFile::finish(const std::vector<rec::TextPair>& key_values) {
  const bool are_few = key_values.size() <= kMostWrittenKeyValues;
  for (std::size_t i = 0; are_few && i < key_values.size(); ++i) {
    check(writer_.set_key_value(key_values[i].first, key_values[i].second));
  }
  check(writer_.close());
  std::uint64_t bytes = writer_.file_bytes();
  const Status status = are_few ? Status::kOk : rec::replace_key_values(new_file_.file(), key_values, bytes);
  if (status == Status::kCorrupt) {
    throw Failure(new_file_.path() + ": what was written does not come back; check the disk");
  }
  check(status);
  new_file_.take_name();
  return bytes;
}

}  // namespace mpq_tool
