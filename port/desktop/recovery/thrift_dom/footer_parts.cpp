#include "thrift_dom/footer_parts.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "byte_views.h"
#include "format/record_format.h"
#include "microparquet/crc32.h"
#include "microparquet/desktop/failure.h"
#include "microparquet/detail/format/fields.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/version.h"
#include "thrift/compact_reader.h"
#include "thrift_dom/thrift_value.h"

namespace microparquet::recovery {

namespace {

using format::FileMetaDataField;
using thrift::CompactReader;
using thrift::CompactType;
using thrift::FieldHeader;

std::size_t position(const detail::Window& window) { return static_cast<std::size_t>(window.position()); }

void append_range(Bytes& to, ByteView bytes, std::size_t begin, std::size_t end) {
  append(to, bytes.subspan(begin, end - begin));
}

// A varint of exactly `length` bytes.
void write_fixed_varint(BytesWriter& out, std::uint64_t value, unsigned length) {
  for (; length > 1; --length, value >>= 7) {
    out.byte(static_cast<unsigned>(value & 0x7F) | 0x80);
  }
  out.byte(static_cast<unsigned>(value));
}

// Writes counts in the lengths that FORMAT.md gives, which makes a footer's head as long as in other footers
// of the file.
void write_counts(BytesWriter& out, std::uint64_t rows, std::size_t row_groups, int& last_id) {
  write_field_header(out, FileMetaDataField::kNumRows, CompactType::kI64, last_id);
  write_fixed_varint(out, rows << 1, 10);
  write_field_header(out, FileMetaDataField::kRowGroups, CompactType::kList, last_id);
  out.byte(thrift::list_byte(CompactType::kStruct, 15));
  write_fixed_varint(out, row_groups, 5);
}

template <typename T>
void append_object(Bytes& to, const T& object, std::size_t bytes = sizeof(T)) {
  append(to, {reinterpret_cast<const std::byte*>(&object), bytes});
}

// The extension of earlier files is a binary and their created_by longer, so that what follows the entries is as long as
// resume() expects it.
bool is_binary_extension(const std::vector<FooterField>& fields) {
  for (const FooterField& field : fields) {
    if (field.id == FileMetaDataField::kCreatedBy) {
      return field.value.size() > sizeof kCreatedBy;
    }
  }
  return false;
}

// Writes the same bytes as write_footer_tail().
void write_extension_header(BytesWriter& out, bool binary, int last_id) {
  write_field_header(out, format::kExtensionField, CompactType::kBinary, last_id);
  if (!binary) {
    out.varint(0);
    out.byte(static_cast<unsigned>(CompactType::kList));
    out.element_i32(format::kFooterExtensionField);
    out.byte(thrift::list_byte(CompactType::kByte, 15));
  }
}

// The entries lie in bytes [begin, end) of the footer.
void append_extension(Bytes& footer, const OwnFile& own, std::size_t begin, std::size_t end,
                      std::uint64_t rows, std::size_t row_groups, int last_id, bool binary) {
  detail::FooterExtension extension = {};
  const ByteView bytes(footer);
  const std::uint32_t entries_crc = crc_of(0, bytes.subspan(begin, end - begin));
  extension.tag = write::kFooterTag;
  extension.version = write::kFormatVersion;
  extension.file_id = own.file_id;
  extension.sequence = own.sequence;
  extension.rows = rows;
  extension.slot_bytes = own.slot_bytes;
  extension.entries_offset = static_cast<std::uint32_t>(begin);
  extension.row_groups = static_cast<std::uint32_t>(row_groups);
  extension.entries_bytes = static_cast<std::uint32_t>(end - begin);
  extension.finished_crc = entries_crc;
  extension.entries_crc = entries_crc;
  extension.next = own.next;

  const std::size_t extents = own.columns * std::size_t{8};
  BytesSink sink(footer);
  BytesWriter out(sink);
  write_extension_header(out, binary, last_id);
  out.varint(detail::kFooterExtensionBytes + extents + sizeof(std::uint32_t));
  append_object(footer, extension, detail::kFooterExtensionBytes);
  footer.resize(footer.size() + extents);
  const ByteView whole(footer);
  const std::uint32_t head_crc = crc_of(0, whole.subspan(0, begin));
  append_object(footer, crc_of(head_crc, whole.subspan(end, whole.size() - end)));
}

}  // namespace

std::optional<Footer> parse_footer(ByteView bytes) {
  Footer footer;
  detail::Window window = window_on(bytes);
  CompactReader in(window);
  bool has_rows = false;
  for (FieldHeader field; in.next(field);) {
    const std::size_t begin = position(window);
    if (field.id == FileMetaDataField::kNumRows) {
      footer.rows = in.count(field);
      has_rows = true;
    } else if (field.id == FileMetaDataField::kRowGroups) {
      for (std::uint32_t left = in.list(field, CompactType::kStruct); left != 0 && in.ok(); --left) {
        const std::size_t entry = position(window);
        in.skip_struct();
        append_range(footer.entries.emplace_back(), bytes, entry, position(window));
      }
    } else {
      in.skip(field);
      if (field.id >= format::kFooterExtensionField) {
        // Earlier files have it as the binary that is empty in later ones, and in files of other writers that have none.
        footer.has_extension |= field.id == format::kFooterExtensionField || position(window) - begin > 1;
      } else {
        footer.fields.push_back({field.id, field.type, {}});
        append_range(footer.fields.back().value, bytes, begin, position(window));
      }
    }
  }
  return in.ok() && has_rows ? std::optional(std::move(footer)) : std::nullopt;
}

bool counts_row_groups(ByteView bytes, std::uint64_t row_groups) {
  static_assert(kRowGroupList == std::byte{thrift::list_byte(CompactType::kStruct, 15)});
  if (bytes[0] != kRowGroupList) {
    return false;
  }
  std::uint64_t count = 0;
  for (std::size_t i = kRowGroupCountBytes; --i != 0;) {
    count = count << 7 | (std::to_integer<std::uint64_t>(bytes[i]) & 0x7F);
  }
  return count == row_groups;
}

std::optional<RowGroupParts> take_apart(ByteView entry) {
  using format::RowGroupField;
  detail::Window window = window_on(entry);
  CompactReader in(window);
  RowGroupParts parts;
  bool has_rows = false;
  for (FieldHeader field; in.next(field);) {
    if (field.id == RowGroupField::kNumRows) {
      parts.rows = in.count(field);
      has_rows = true;
    } else if (field.id == RowGroupField::kTotalByteSize) {
      parts.bytes = in.count(field);
    } else if (field.id == RowGroupField::kColumns) {
      for (std::uint32_t left = in.list(field, CompactType::kStruct); left != 0 && in.ok(); --left) {
        const std::size_t begin = position(window);
        in.skip_struct();
        parts.columns.push_back(entry.subspan(begin, position(window) - begin));
      }
    } else {
      in.skip(field);
    }
  }
  return in.ok() && has_rows && window.available() == 0 ? std::optional(std::move(parts)) : std::nullopt;
}

std::optional<std::uint64_t> rows_of(ByteView entry) {
  detail::Window window = window_on(entry);
  CompactReader in(window);
  std::optional<std::uint64_t> rows;
  for (FieldHeader field; in.next(field);) {
    if (field.id == format::RowGroupField::kNumRows) {
      rows = in.count(field);
    } else {
      in.skip(field);
    }
  }
  return in.ok() && window.available() == 0 ? rows : std::nullopt;
}

Bytes build_footer(const std::vector<FooterField>& fields, const std::vector<Bytes>& entries,
                   const std::optional<OwnFile>& own) {
  Bytes footer;
  BytesSink sink(footer);
  BytesWriter out(sink);
  std::uint64_t rows = 0;
  for (const Bytes& entry : entries) {
    rows += rows_of(entry).value_or(0);
  }
  int last_id = 0;
  std::size_t entries_begin = 0;
  std::size_t entries_end = 0;
  const auto write_row_groups = [&] {
    write_counts(out, rows, entries.size(), last_id);
    entries_begin = footer.size();
    for (const Bytes& entry : entries) {
      append(footer, entry);
    }
    entries_end = footer.size();
  };
  for (const FooterField& field : fields) {
    if (entries_end == 0 && field.id > FileMetaDataField::kNumRows) {
      write_row_groups();
    }
    write_field_header(out, field.id, field.type, last_id);
    append(footer, field.value);
  }
  if (entries_end == 0) {
    write_row_groups();
  }
  if (own) {
    append_extension(footer, *own, entries_begin, entries_end, rows, entries.size(), last_id,
                     is_binary_extension(fields));
  }
  out.byte(0);
  append_object(footer, static_cast<std::uint32_t>(footer.size()));
  append_object(footer, format::kMagic);
  return footer;
}

namespace {

using format::KeyValueField;

std::string text_of(const ThriftValue* value) {
  return value == nullptr
             ? std::string()
             : std::string(reinterpret_cast<const char*>(value->bytes().data()), value->bytes().size());
}

// The list as the field of a structure.
std::vector<ThriftValue> pairs_in(const FooterField& field) {
  Bytes structure = {
      std::byte{thrift::field_byte(FileMetaDataField::kKeyValueMetadata, thrift::CompactType::kList, 0)}};
  append(structure, field.value);
  structure.push_back(std::byte{0});
  std::size_t used = 0;
  const auto parsed = ThriftValue::parse_struct(structure, used);
  const ThriftValue* const pairs = parsed ? parsed->find(FileMetaDataField::kKeyValueMetadata) : nullptr;
  return pairs != nullptr ? pairs->items() : std::vector<ThriftValue>();
}

}  // namespace

std::vector<TextPair> key_values_of(const std::vector<FooterField>& fields) {
  std::vector<TextPair> texts;
  for (const FooterField& field : fields) {
    if (field.id != FileMetaDataField::kKeyValueMetadata) {
      continue;
    }
    for (const ThriftValue& pair : pairs_in(field)) {
      texts.emplace_back(text_of(pair.find(KeyValueField::kKey)), text_of(pair.find(KeyValueField::kValue)));
    }
  }
  return texts;
}

std::size_t key_value_bytes(const std::vector<FooterField>& fields) {
  std::size_t bytes = 0;
  for (const FooterField& field : fields) {
    bytes += field.id == FileMetaDataField::kKeyValueMetadata ? field.value.size() : 0;
  }
  return bytes;
}

void set_key_values(std::vector<FooterField>& fields, const std::vector<TextPair>& pairs) {
  fields.erase(std::remove_if(
                   fields.begin(), fields.end(),
                   [](const FooterField& field) { return field.id == FileMetaDataField::kKeyValueMetadata; }),
               fields.end());
  if (pairs.empty()) {
    return;
  }
  std::vector<ThriftValue> items;
  for (const auto& [key, value] : pairs) {
    ThriftValue& item = items.emplace_back();
    item.set(KeyValueField::kKey, ThriftValue::of_text(key));
    item.set(KeyValueField::kValue, ThriftValue::of_text(value));
  }
  const auto after = std::find_if(fields.begin(), fields.end(), [](const FooterField& field) {
    return field.id > FileMetaDataField::kKeyValueMetadata;
  });
  fields.insert(after, {FileMetaDataField::kKeyValueMetadata, thrift::CompactType::kList,
                        ThriftValue::of_list(thrift::CompactType::kStruct, std::move(items)).serialise()});
}

namespace {

using format::ColumnChunkField;
using format::ColumnMetaDataField;
using format::kMagicBytes;
using format::RowGroupField;
using format::SchemaElementField;

ThriftValue node(Repetition repetition, std::uint32_t children) {
  ThriftValue element;
  element.set(SchemaElementField::kRepetitionType, ThriftValue::of_i32(static_cast<int>(repetition)));
  element.set(SchemaElementField::kName, ThriftValue::of_bytes({std::byte{'c'}}));
  if (children != 0) {
    element.set(SchemaElementField::kNumChildren, ThriftValue::of_i32(children));
  }
  return element;
}

// The leaf in as many repeated groups, and in those as many optional ones, as give it its levels. In the file they may
// stand in another order; then what is read here says less of how levels go together.
Bytes schema_of(const SchemaElement& element) {
  std::vector<ThriftValue> elements = {node(Repetition::kRequired, 1)};
  const auto repetition_of = [&](unsigned level) {
    return level <= element.max_repetition_level ? Repetition::kRepeated : Repetition::kOptional;
  };
  for (unsigned level = 1; level < element.max_definition_level; ++level) {
    elements.push_back(node(repetition_of(level), 1));
  }
  const unsigned last = element.max_definition_level;
  ThriftValue leaf = node(last != 0 ? repetition_of(last) : Repetition::kRequired, 0);
  leaf.set(SchemaElementField::kType, ThriftValue::of_i32(static_cast<int>(element.type)));
  if (element.type == Type::kFixedLenByteArray) {
    leaf.set(SchemaElementField::kTypeLength, ThriftValue::of_i32(element.type_length));
  }
  elements.push_back(std::move(leaf));
  return ThriftValue::of_list(CompactType::kStruct, std::move(elements)).serialise();
}

Bytes number_of(std::int64_t number) { return ThriftValue::of_i32(number).serialise(); }

}  // namespace

std::vector<FooterField> fields_of_column(const SchemaElement& element) {
  return {{FileMetaDataField::kVersion, CompactType::kI32, number_of(2)},
          {FileMetaDataField::kSchema, CompactType::kList, schema_of(element)}};
}

Bytes row_group_of(ByteView chunk, std::uint64_t rows) {
  // The chunk's bytes stand in a list of one.
  Bytes entry;
  entry.push_back(std::byte{thrift::field_byte(RowGroupField::kColumns, CompactType::kList, 0)});
  entry.push_back(std::byte{thrift::list_byte(CompactType::kStruct, 1)});
  append(entry, chunk);
  BytesSink sink(entry);
  BytesWriter out(sink, RowGroupField::kColumns);
  out.field_i64(RowGroupField::kTotalByteSize, 0);
  out.field_i64(RowGroupField::kNumRows, rows);
  out.byte(0);
  return entry;
}

Bytes chunk_of_pages(const SchemaElement& element, const ColumnChunkInfo& info, std::uint64_t values,
                     std::uint64_t data_bytes, std::uint64_t dictionary_bytes) {
  const std::uint64_t bytes = dictionary_bytes + data_bytes;
  ThriftValue meta_data;
  using Meta = ColumnMetaDataField;
  meta_data.set(Meta::kType, ThriftValue::of_i32(static_cast<int>(element.type)));
  meta_data.set(Meta::kEncodings, ThriftValue::of_bits(info.encodings));
  meta_data.set(Meta::kPathInSchema, ThriftValue::of_list(CompactType::kBinary, {}));
  meta_data.set(Meta::kCodec, ThriftValue::of_i32(static_cast<int>(info.codec)));
  meta_data.set(Meta::kNumValues, ThriftValue::of_i64(values));
  meta_data.set(Meta::kTotalUncompressedSize, ThriftValue::of_i64(bytes));
  meta_data.set(Meta::kTotalCompressedSize, ThriftValue::of_i64(bytes));
  meta_data.set(Meta::kDataPageOffset, ThriftValue::of_i64(kMagicBytes + dictionary_bytes));
  if (dictionary_bytes != 0) {
    meta_data.set(Meta::kDictionaryPageOffset, ThriftValue::of_i64(kMagicBytes));
  }
  ThriftValue chunk;
  chunk.set(ColumnChunkField::kFileOffset, ThriftValue::of_i64(0));
  chunk.set(ColumnChunkField::kMetaData, std::move(meta_data));
  return chunk.serialise();
}

}  // namespace microparquet::recovery
