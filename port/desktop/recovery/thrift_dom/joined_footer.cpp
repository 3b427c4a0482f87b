#include "thrift_dom/joined_footer.h"

#include <map>
#include <optional>

#include "microparquet/desktop/failure.h"
#include "microparquet/detail/format/fields.h"
#include "thrift_dom/footer_parts.h"
#include "thrift_dom/thrift_value.h"

namespace microparquet::recovery {

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
