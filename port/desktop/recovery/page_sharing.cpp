#include "page_sharing.h"

#include <utility>

#include "microparquet/detail/encoding/plain.h"
#include "microparquet/encoding_id.h"
#include "microparquet/reader.h"

namespace microparquet::recovery {

namespace {

using format::PageHeader;
using format::PageType;

// Whether a column of this type can have pages of this encoding.
bool encodes(EncodingId encoding, Type type) {
  const bool integer = type == Type::kInt32 || type == Type::kInt64;
  const bool bytes = type == Type::kByteArray || type == Type::kFixedLenByteArray;
  switch (encoding) {
    case EncodingId::kPlain: return true;
    case EncodingId::kPlainDictionary:
    case EncodingId::kRleDictionary: return type != Type::kBoolean;
    case EncodingId::kRle: return type == Type::kBoolean;
    case EncodingId::kDeltaBinaryPacked: return integer;
    case EncodingId::kDeltaLengthByteArray: return type == Type::kByteArray;
    case EncodingId::kDeltaByteArray: return bytes;
    case EncodingId::kAlp: return type == Type::kFloat || type == Type::kDouble;
    case EncodingId::kByteStreamSplit: return type != Type::kBoolean && type != Type::kByteArray;
    default: return false;
  }
}

bool uses_dictionary(const PageHeader& header) {
  return header.encoding == static_cast<std::uint32_t>(EncodingId::kPlainDictionary) ||
         header.encoding == static_cast<std::uint32_t>(EncodingId::kRleDictionary);
}

// The bytes of that many values in PLAIN, or in BYTE_STREAM_SPLIT; of byte arrays the least.
std::uint64_t plain_bytes(const SchemaElement& element, std::uint32_t values) {
  return encoding::least_plain_bytes(element.type, encoding::plain_width(element.type, element.type_length),
                                     values);
}

bool sizes_fit(const ColumnModel& column, const PageHeader& header, bool has_levels) {
  if (column.codec == CodecId::kUncompressed && header.compressed_bytes != header.uncompressed_bytes) {
    return false;
  }
  const bool fixed_encoding = header.encoding == static_cast<std::uint32_t>(EncodingId::kPlain) ||
                              header.encoding == static_cast<std::uint32_t>(EncodingId::kByteStreamSplit);
  if (!fixed_encoding) {
    return true;
  }
  const std::uint64_t bytes = plain_bytes(column.element, header.values);
  if (column.element.type == Type::kByteArray) {
    return has_levels || header.uncompressed_bytes >= bytes;
  }
  // With levels some values may be nulls; the levels themselves take at most a byte a value.
  return has_levels ? header.uncompressed_bytes <= bytes + header.values + 64
                    : header.uncompressed_bytes == bytes;
}

// Shares out pages among columns.
class Sharing {
 public:
  Sharing(const std::vector<ListedPage>& pages, const std::vector<ColumnModel>& columns)
      : pages_(pages), columns_(columns) {}

  // All readings of the pages from `begin` on as a row group.
  std::vector<RowGroupPages> readings(std::size_t begin) const {
    std::vector<RowGroupPages> result;
    std::size_t at = begin;
    if (!pass_dictionary(columns_[0], at)) {
      return result;
    }
    std::uint64_t rows = 0;
    while (at < pages_.size() && fits(columns_[0], pages_[at])) {
      rows += rows_in(pages_[at++]);
      RowGroupPages group{rows, {{begin, at}}};
      if (rows != 0 && share(group)) {
        result.push_back(std::move(group));
      }
    }
    return result;
  }

 private:
  static std::uint64_t rows_in(const ListedPage& page) {
    return page.header.type == PageType::kDataV2 ? page.header.rows : page.header.values;
  }

  bool fits(const ColumnModel& column, const ListedPage& page) const {
    const PageHeader& header = page.header;
    const bool v2 = header.type == PageType::kDataV2;
    if (page.dictionary() || !encodes(static_cast<EncodingId>(header.encoding), column.element.type) ||
        (uses_dictionary(header) && !column.has_dictionary)) {
      return false;
    }
    if (column.element.max_repetition_level != 0) {
      return v2;  // else nobody knows how many rows the page has
    }
    if (v2 && (header.rows != header.values || header.repetition_bytes != 0)) {
      return false;
    }
    return sizes_fit(column, header, column.element.max_definition_level != 0);
  }

  // A chunk has a dictionary page or not, as in the other file.
  bool pass_dictionary(const ColumnModel& column, std::size_t& at) const {
    if (at >= pages_.size() || pages_[at].dictionary() != column.has_dictionary) {
      return false;
    }
    if (column.has_dictionary) {
      const PageHeader& header = pages_[at].header;
      const std::uint64_t bytes = plain_bytes(column.element, header.values);
      if (column.element.type != Type::kByteArray && header.uncompressed_bytes != bytes) {
        return false;
      }
      ++at;
    }
    return true;
  }

  // Gives each column after the first its pages.
  bool share(RowGroupPages& group) const {
    for (std::size_t column = 1; column < columns_.size(); ++column) {
      const std::size_t begin = group.end();
      std::size_t at = begin;
      if (!pass_dictionary(columns_[column], at)) {
        return false;
      }
      std::uint64_t rows = 0;
      while (rows < group.rows && at < pages_.size() && fits(columns_[column], pages_[at])) {
        rows += rows_in(pages_[at++]);
      }
      if (rows != group.rows) {
        return false;
      }
      group.chunks.push_back({begin, at});
    }
    return true;
  }

  const std::vector<ListedPage>& pages_;
  const std::vector<ColumnModel>& columns_;
};

}  // namespace

std::vector<RowGroupPages> row_group_readings(const std::vector<ListedPage>& pages,
                                              const std::vector<ColumnModel>& columns, std::size_t begin) {
  return Sharing(pages, columns).readings(begin);
}

}  // namespace microparquet::recovery
