#include "read_failure.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "microparquet/desktop/codecs.h"
#include "microparquet/detail/format/magic.h"
#include "other_kind.h"
#include "output.h"
#include "thrift_dom/chunk_places.h"
#include "thrift_dom/footer_parts.h"
#include "type_text.h"
#include "view.h"

namespace mpq_tool {

namespace {

namespace mpq = microparquet;
namespace rec = microparquet::recovery;
using mpq::FailureReason;
using mpq::Status;

// ColumnChunk.file_path: where the values are, when not in the file itself.
std::string other_file(mpq::File& file, mpq::Reader& reader, std::uint32_t number) {
  const std::uint64_t begin = rec::bytes_of(file) - mpq::format::kFileEndBytes - reader.footer_bytes();
  const auto footer = rec::parse_footer(rec::read_bytes(file, begin, reader.footer_bytes()));
  if (!footer || reader.row_group() >= footer->entries.size()) {
    return {};
  }
  const auto group = rec::take_apart(footer->entries[reader.row_group()]);
  if (!group || number >= group->columns.size()) {
    return {};
  }
  return rec::file_path_of(group->columns[number]);
}

// Names the missing codec: mpq reads every compression of the format whose library it was built with.
std::string why_not_undone(mpq::CodecId id) {
  const mpq::desktop::NamedCodec* const codec = mpq::desktop::find_codec(id);
  return codec != nullptr ? ", and " + mpq::desktop::built_without("mpq", *codec)
                          : ", which mpq does not know";
}

std::string encoding_name(std::uint8_t encoding) {
  constexpr std::uint8_t kMost = 31;  // largest number that encoding_names() can name
  return encoding <= kMost ? encoding_names(std::uint32_t{1} << encoding)
                           : "encoding " + std::to_string(encoding);
}

}  // namespace

std::string why_not_parquet(mpq::File& file) {
  std::uint64_t size = 0;
  std::array<char, mpq::format::kMagicBytes> magic = {};
  const bool readable =
      file.size(size) == Status::kOk && size >= magic.size() &&
      file.read_at(0, {reinterpret_cast<std::byte*>(magic.data()), magic.size()}) == Status::kOk;
  if (const std::string why = rec::why_another_kind(file); !why.empty()) {
    return why;
  }
  if (readable && std::string_view(magic.data(), magic.size()) == mpq::format::kMagicText) {
    return " is cut short: it begins as Parquet, but the footer at its end is missing; copy it again, try "
           "`mpq recover`, or ask whoever wrote it to close it";
  }
  return " is not a Parquet file: it does not begin with PAR1; give the name of one that does, or make one "
         "of a CSV file by "
         "csv_log";
}

std::string why_unsupported(mpq::File& file, mpq::Reader& reader, const std::string& name) {
  const std::string column = ": column " + name;
  const std::string leave_out = " or leave the column out by --columns";
  const auto rewrite = [&](const char* how) { return std::string("; rewrite the file ") + how + leave_out; };
  const mpq::Failure failure = reader.failure();
  switch (failure.reason) {
    case FailureReason::kOtherFile:
      return column + " lies in another file, " + other_file(file, reader, failure.column) +
             "; give the file by its name, so that mpq finds it," + leave_out;
    case FailureReason::kCompression:
      return column + " is compressed by " + codec_name(static_cast<mpq::CodecId>(failure.number)) +
             why_not_undone(static_cast<mpq::CodecId>(failure.number)) +
             rewrite("with SNAPPY, with LZ4_RAW or uncompressed,");
    case FailureReason::kEncoding:
      return column + " has a page in an encoding that mpq does not read, " + encoding_name(failure.number) +
             rewrite("with dictionaries or in PLAIN,");
    case FailureReason::kLevelEncoding:
      return column + " has levels in an encoding that mpq does not read, " + encoding_name(failure.number) +
             rewrite("with another program,");
    default: return column + " has a page that mpq does not read" + rewrite("with another program,");
  }
}

std::string what_is_damaged(const mpq::Failure& failure) {
  const std::string page = "the page at byte " + std::to_string(failure.offset);
  switch (failure.reason) {
    case FailureReason::kPageHeader: return "the header of " + page + " contradicts itself or its column";
    case FailureReason::kChecksum: return page + " contradicts its checksum";
    case FailureReason::kLevels: return page + " has wrong definition levels";
    case FailureReason::kDictionaryPage: return page + " has a wrong dictionary";
    default: return page + " has wrong values";
  }
}

}  // namespace mpq_tool
