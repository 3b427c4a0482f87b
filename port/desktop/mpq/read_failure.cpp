#include "read_failure.h"

#include <array>
#include <string_view>

#include "footer.h"
#include "microparquet/encoding_id.h"
#include "output.h"
#include "thrift_value.h"
#include "type_text.h"
#include "view.h"

namespace mpq_tool {

namespace {

namespace mpq = microparquet;
namespace rec = microparquet::recovery;
using mpq::Status;

// ColumnChunk.file_path: where the values are, when not in the file itself.
std::string other_file(mpq::File& file, mpq::Reader& reader, std::uint32_t number) {
  constexpr int kFilePath = 1;
  const std::uint64_t begin = rec::bytes_of(file) - 8 - reader.footer_bytes();
  const auto footer = rec::parse_footer(rec::read_bytes(file, begin, reader.footer_bytes()));
  if (!footer || reader.row_group() >= footer->entries.size()) {
    return {};
  }
  const auto group = rec::take_apart(footer->entries[reader.row_group()]);
  if (!group || number >= group->columns.size()) {
    return {};
  }
  std::size_t used = 0;
  const auto chunk = rec::ThriftValue::parse_struct(group->columns[number], used);
  const rec::ThriftValue* const path = chunk ? chunk->find(kFilePath) : nullptr;
  return path == nullptr
             ? std::string()
             : std::string(reinterpret_cast<const char*>(path->bytes().data()), path->bytes().size());
}

}  // namespace

std::string why_not_parquet(mpq::File& file) {
  std::uint64_t size = 0;
  std::array<char, 4> magic = {};
  const bool readable =
      file.size(size) == Status::kOk && size >= magic.size() &&
      file.read_at(0, {reinterpret_cast<std::byte*>(magic.data()), magic.size()}) == Status::kOk;
  if (size == 0) {
    return " is empty; a Parquet file is at least a few dozen bytes long";
  }
  if (readable && std::string_view(magic.data(), magic.size()) == "PAR1") {
    return " is cut short: it begins as Parquet, but the footer at its end is missing; copy it again, try "
           "`mpq recover`, or ask whoever wrote it to close it";
  }
  return " is not a Parquet file: it does not begin with PAR1; give the name of one that does";
}

std::string why_unsupported(mpq::File& file, mpq::Reader& reader, std::uint32_t number,
                            const std::string& name) {
  constexpr std::uint32_t kRead = 1u << static_cast<unsigned>(mpq::EncodingId::kPlain) |
                                  1u << static_cast<unsigned>(mpq::EncodingId::kRle);
  const std::string column = ": column " + name;
  const std::string rewrite =
      "; rewrite the file uncompressed in PLAIN, or leave the column out by --columns";
  mpq::ColumnChunkInfo info;
  const bool known = reader.column_chunk(number, info) == Status::kOk;
  if (const std::string path = other_file(file, reader, number); !path.empty()) {
    return column + " lies in another file, " + path +
           ", which mpq does not look into; write both into one file, or leave the column out by --columns";
  }
  if (known && info.codec != mpq::CodecId::kUncompressed) {
    return column + " is compressed by " + codec_name(info.codec) + ", which mpq does not read" + rewrite;
  }
  if (known && (info.encodings & ~kRead) != 0) {
    return column + " is encoded as " + encoding_names(info.encodings & ~kRead) +
           ", which mpq does not read" + rewrite;
  }
  return column + " has a page in an encoding that mpq does not read, and that the footer does not name" +
         rewrite;
}

}  // namespace mpq_tool
