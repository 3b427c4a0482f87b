#include "thrift_dom/foreign_footers.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include "microparquet/desktop/failure.h"
#include "microparquet/detail/format/fields.h"
#include "microparquet/detail/format/magic.h"
#include "thrift/compact_reader.h"
#include "thrift_dom/footer_parts.h"
#include "thrift_dom/row_group_parts.h"
#include "thrift_dom/thrift_value.h"
#include "view.h"

namespace microparquet::recovery {

namespace {

using format::FileMetaDataField;
using thrift::CompactType;

constexpr std::uint64_t kEndBytes = format::kFileEndBytes;
constexpr std::size_t kBeginBytes = 4;

// FileMetaData begins with its version, a small number, and a list of structures, the schema.
bool may_begin(const std::byte* at) {
  constexpr unsigned kMostVersion = 0x7F;
  const unsigned version = std::to_integer<unsigned>(at[1]);
  const unsigned list = std::to_integer<unsigned>(at[3]);
  return at[0] == std::byte{thrift::field_byte(FileMetaDataField::kVersion, CompactType::kI32, 0)} &&
         version % 2 == 0 && version <= kMostVersion &&
         at[2] == std::byte{thrift::field_byte(FileMetaDataField::kSchema, CompactType::kList,
                                               FileMetaDataField::kVersion)} &&
         (list & 0xF) == static_cast<unsigned>(CompactType::kStruct);
}

class FooterSearch {
 public:
  FooterSearch(File& file, const VisitFooter& visit, const Progress& progress)
      : file_(file), visit_(visit), progress_(progress), bytes_(bytes_of(file)), window_memory_(kWindow) {}

  void run() {
    constexpr std::uint64_t kStep = 1 << 20;
    Bytes bytes;
    for (std::uint64_t end = bytes_; end > format::kMagicBytes;) {
      const std::uint64_t from = end - std::min(end - format::kMagicBytes, kStep);
      // Footers that begin before `end` may reach beyond it.
      const std::uint64_t to = std::min(end + kBeginBytes - 1, bytes_);
      bytes = read_bytes(file_, from, static_cast<std::size_t>(to - from));
      for (std::size_t i = bytes.size() < kBeginBytes ? 0 : bytes.size() - kBeginBytes + 1; i-- != 0;) {
        if (may_begin(bytes.data() + i) && !look_at(from + i)) {
          return;
        }
      }
      if (progress_) {
        progress_(bytes_ - from);
      }
      end = from;
    }
  }

 private:
  // False ends the search.
  bool look_at(std::uint64_t begin) {
    const std::uint64_t bytes = footer_bytes(begin);
    if (bytes == 0) {
      return true;
    }
    auto footer = parse_footer(read_bytes(file_, begin, static_cast<std::size_t>(bytes)));
    return !footer || visit_({begin, begin + bytes + kEndBytes, std::move(*footer)});
  }

  // Bytes of the structure that begins there, if it is FileMetaData and whole; otherwise 0. Genuine footers
  // are few: data that claims more bytes than they have is made to cost time, and is not read on.
  std::uint64_t footer_bytes(std::uint64_t begin) {
    detail::Window window = {};
    window.begin(file_, window_memory_.data(), kWindow);
    window.seek(begin, std::min(bytes_, begin + bytes_to_parse_));
    thrift::CompactReader in(window);
    unsigned seen = 0;
    for (thrift::FieldHeader field; in.next(field);) {
      seen |= field.id > 0 && field.id < 16 ? 1U << field.id : 0;
      in.skip(field);
    }
    const std::uint64_t bytes = window.position() - begin;
    bytes_to_parse_ -= std::min(bytes_to_parse_, bytes);
    constexpr unsigned kRequired = 1U << FileMetaDataField::kVersion | 1U << FileMetaDataField::kSchema |
                                   1U << FileMetaDataField::kNumRows | 1U << FileMetaDataField::kRowGroups;
    return in.ok() && (seen & kRequired) == kRequired ? bytes : 0;
  }

  static constexpr std::uint32_t kWindow = 64 << 10;
  static constexpr std::uint64_t kMinToParse = 64 << 20;

  File& file_;
  const VisitFooter& visit_;
  const Progress& progress_;
  std::uint64_t bytes_;
  std::uint64_t bytes_to_parse_ = 4 * bytes_ + kMinToParse;
  Bytes window_memory_;
};

}  // namespace

bool ForeignFooter::places_hold() const {
  try {
    for (const Bytes& entry : footer.entries) {
      const std::vector<Piece> chunks = chunks_of(entry);
      if (std::any_of(chunks.begin(), chunks.end(), [this](const Piece& chunk) {
            return chunk.bytes != 0 && (chunk.begin < format::kMagicBytes || chunk.begin > begin ||
                                        chunk.bytes > begin - chunk.begin);
          })) {
        return false;
      }
    }
  } catch (const desktop::Failure&) {
    return false;  // an entry is malformed
  }
  return true;
}

std::optional<ForeignFooter> foreign_footer_at_end(File& file) {
  const std::uint64_t size = bytes_of(file);
  const Bytes tail =
      size > format::kMagicBytes + kEndBytes ? read_bytes(file, size - kEndBytes, kEndBytes) : Bytes();
  if (tail.empty() || std::memcmp(tail.data() + format::kFooterLengthBytes, format::kMagicText.data(),
                                  format::kMagicBytes) != 0) {
    return std::nullopt;
  }
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, tail.data(), sizeof bytes);
  if (bytes > size - kEndBytes - format::kMagicBytes) {
    return std::nullopt;
  }
  const std::uint64_t begin = size - kEndBytes - bytes;
  auto footer = parse_footer(read_bytes(file, begin, bytes));
  return footer ? std::optional(ForeignFooter{begin, size, std::move(*footer)}) : std::nullopt;
}

void find_foreign_footers(File& file, const VisitFooter& visit, const Progress& progress) {
  FooterSearch(file, visit, progress).run();
}

namespace {

using format::ColumnChunkField;
using format::ColumnMetaDataField;
using format::RowGroupField;

constexpr std::size_t kMostParts = (std::size_t{1} << 22) - 2;  // the summary and the footer have rooms, too

// Numbers the paths in the order in which they come.
class PartNumbers {
 public:
  // 0: the summary itself; else one more than the number of the part.
  std::uint64_t room_of(const ThriftValue& chunk) {
    const ThriftValue* const path = chunk.find(ColumnChunkField::kFilePath);
    if (path == nullptr) {
      return 0;
    }
    const auto& bytes = path->bytes();
    const auto [known, is_new] =
        rooms_.try_emplace({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, paths_.size() + 1);
    if (is_new) {
      paths_.push_back(known->first);
    }
    if (paths_.size() > kMostParts) {
      throw desktop::Failure("it names more than 4,194,302 files");
    }
    return known->second;
  }

  std::vector<std::string> paths() && { return std::move(paths_); }

 private:
  std::map<std::string, std::uint64_t> rooms_;
  std::vector<std::string> paths_;
};

// Moves the offset that a field has, if it has one, into the room.
void move_offset(ThriftValue& structure, int field, std::uint64_t room) {
  const ThriftValue* const value = structure.find(field);
  if (value == nullptr || value->number() == 0) {
    return;
  }
  const auto offset = static_cast<std::uint64_t>(value->number());
  if (offset >= kRoomBytes) {
    throw desktop::Failure("a column chunk is at a place that no file has");
  }
  structure.set(field, ThriftValue::of_i64(room * kRoomBytes + offset));
}

void move_joined_chunk(ThriftValue& chunk, std::uint64_t room) {
  for (const int field : {ColumnChunkField::kOffsetIndexOffset, ColumnChunkField::kColumnIndexOffset}) {
    move_offset(chunk, field, room);
  }
  if (ThriftValue* const metadata = chunk.find(ColumnChunkField::kMetaData); metadata != nullptr) {
    for (const int field :
         {ColumnMetaDataField::kDataPageOffset, ColumnMetaDataField::kIndexPageOffset,
          ColumnMetaDataField::kDictionaryPageOffset, ColumnMetaDataField::kBloomFilterOffset}) {
      move_offset(*metadata, field, room);
    }
  }
  chunk.remove(ColumnChunkField::kFilePath);
  chunk.set(ColumnChunkField::kFileOffset, ThriftValue::of_i64(0));  // readers do not rely on it
}

Bytes join_entry(const Bytes& entry, PartNumbers& numbers) {
  std::size_t used = 0;
  std::optional<ThriftValue> parsed = ThriftValue::parse_struct(entry, used);
  if (!parsed) {
    throw desktop::Failure("the description of a row group is malformed");
  }
  ThriftValue& row_group = *parsed;
  ThriftValue* const columns = row_group.find(RowGroupField::kColumns);
  if (columns == nullptr) {
    throw desktop::Failure("a row group has no columns");
  }
  for (ThriftValue& chunk : columns->items()) {
    move_joined_chunk(chunk, numbers.room_of(chunk));
  }
  row_group.remove(RowGroupField::kFileOffset);
  return row_group.serialise();
}

}  // namespace

JoinedFooter join_footer(ByteView footer) {
  auto parsed = parse_footer(footer);
  if (!parsed) {
    throw desktop::Failure("its footer is malformed");
  }
  PartNumbers numbers;
  for (Bytes& entry : parsed->entries) {
    entry = join_entry(entry, numbers);
  }
  return {build_footer(parsed->fields, parsed->entries, std::nullopt), std::move(numbers).paths()};
}

}  // namespace microparquet::recovery
