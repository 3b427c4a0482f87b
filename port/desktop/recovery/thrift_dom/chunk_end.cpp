#include "thrift_dom/chunk_end.h"

#include "microparquet/detail/format/fields.h"
#include "microparquet/detail/format/magic.h"
#include "thrift_dom/thrift_value.h"

namespace microparquet::recovery {

std::optional<ChunkEnd> read_chunk_end(ByteView bytes, std::uint64_t at, std::size_t& used) {
  using Meta = format::ColumnMetaDataField;
  const auto found = ThriftValue::parse_struct(bytes, used);
  if (!found) {
    return std::nullopt;
  }
  const ThriftValue* const inner = found->find(format::ColumnChunkField::kMetaData);
  const bool is_chunk = inner != nullptr && inner->type() == ThriftValue::Type::kStruct;
  const ThriftValue& meta = is_chunk ? *inner : *found;
  const ThriftValue* const path = meta.find(Meta::kPathInSchema);
  const std::uint64_t data = meta.number_of(Meta::kDataPageOffset);
  const std::uint64_t dictionary = meta.number_of(Meta::kDictionaryPageOffset);
  const std::uint64_t begin = dictionary != 0 && dictionary < data ? dictionary : data;
  if (path == nullptr || path->type() != ThriftValue::Type::kList || begin < format::kMagicBytes ||
      begin > at || at - begin != meta.number_of(Meta::kTotalCompressedSize)) {
    return std::nullopt;
  }
  ChunkEnd end;
  for (const ThriftValue& part : path->items()) {
    end.column += (end.column.empty() ? "" : ".") +
                  std::string(reinterpret_cast<const char*>(part.bytes().data()), part.bytes().size());
  }
  end.values = meta.number_of(Meta::kNumValues);
  return end;
}

}  // namespace microparquet::recovery
