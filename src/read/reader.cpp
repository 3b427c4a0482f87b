// Opening a file. src/README.md describes a byte's path through the reader.
#include "microparquet/reader.h"

#include "base/bytes.h"
#include "base/try.h"
#include "format/key_value_reader.h"
#include "format/row_group_reader.h"
#include "format/schema_element_reader.h"
#include "format/schema_reader.h"
#include "format/size_statistics_reader.h"
#include "format/statistics_reader.h"
#include "microparquet/cursors.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/detail/reader_access.h"
#include "microparquet/failure.h"
#include "microparquet/size_statistics.h"
#include "read/choose.h"
#include "read/footer.h"
#include "read/page.h"
#include "read/page_index.h"

namespace microparquet {

namespace {

using detail::Leaf;
using detail::ReaderState;

Status open_file(ReaderState& state) {
  const ReaderOptions& options = *state.options;
  if (options.buffer_bytes < detail::kMinWindow || options.buffer_bytes > detail::kMaxBuffer ||
      options.footer_bytes < detail::kMinWindow)
    return Status::kInvalidArgument;
  if (reinterpret_cast<std::uintptr_t>(state.arena.data()) % 8 != 0) return Status::kInvalidArgument;
  const std::size_t head = detail::reader_head_bytes(0, options.footer_bytes);
  if (state.arena.size() < head) {
    state.needed_bytes = head;
    return Status::kOutOfMemory;
  }
  state.footer.begin(*state.file, state.arena.data(), options.footer_bytes);
  state.leaves = reinterpret_cast<Leaf*>(state.arena.data() + head);
  MICROPARQUET_TRY(read::find_footer(state));
  return read::read_footer(state);
}

}  // namespace

// Zeroes the state, which means that no file is open.
void Reader::reset() { util::clear_bytes(&state_, sizeof state_); }

Status Reader::open(File& file, const ReaderOptions& options, Span<std::byte> arena) {
  reset();
  state_.file = &file;
  state_.options = &options;
  state_.arena = arena;
  const Status status = open_file(state_);
  if (status == Status::kOk) {
    read::go_to_start(state_);
    return Status::kOk;
  }
  // The reader has no file now, but keeps what the caller may ask about the failure.
  std::uint64_t needed = state_.needed_bytes;
  if (status == Status::kOutOfMemory && needed == 0) {
    needed = detail::reader_head_bytes(state_.leaf_count, options.footer_bytes);
  }
  const std::uint64_t failed_at = state_.footer.position();
  reset();
  state_.needed_bytes = needed;
  state_.failed = detail::kNoPlace;
  state_.failed_status = status;
  state_.footer.offset = failed_at;
  return status;
}

Status Reader::next_row_group() {
  if (state_.file == nullptr) return Status::kWrongState;
  for (;;) {
    if (state_.next_row_group >= state_.row_groups) return Status::kEnd;
    MICROPARQUET_TRY(seek_row_group(state_.next_row_group));
    bool match = true;
    if (state_.filter != nullptr) {
      const Status status = state_.filter->may_match(*this, match);
      if (status != Status::kOk) {
        // A repeated call asks about the same row group.
        --state_.next_row_group;
        state_.next_entry = state_.entry_begin;
        state_.row_group = detail::kNoRowGroup;
        return status;
      }
    }
    if (match) return Status::kOk;
  }
}

Status Reader::seek_row_group(std::uint32_t index) {
  ReaderState& state = state_;
  if (state.file == nullptr) return Status::kWrongState;
  if (index >= state.row_groups) return Status::kInvalidArgument;
  std::uint32_t at = state.next_row_group;
  std::uint64_t begin = state.next_entry;
  if (index < at) {
    at = 0;
    begin = state.row_groups_begin;
  }
  state.footer.seek(begin, state.footer_begin + state.footer_bytes);
  thrift::CompactReader in(state.footer);
  for (; at < index && in.ok(); ++at) in.skip_struct();
  begin = state.footer.position();
  state.row_group = detail::kNoRowGroup;
  state.rows_left = 0;
  forget_ready_rows(state);
  state.mode = detail::ReadingMode::kUndecided;
  format::RowGroup row_group;
  if (in.ok()) read::read_row_group(in, state, row_group, true);
  if (!in.ok()) {
    state.failed = detail::kNoPlace;
    state.failed_status = in.status();
    return in.status();
  }
  state.row_group = index;
  state.next_row_group = index + 1;
  state.entry_begin = begin;
  state.next_entry = state.footer.position();
  state.group_rows = row_group.rows;
  state.group_bytes = row_group.bytes;
  state.rows_left = row_group.rows;
  return Status::kOk;
}

// Reading a file that lies in memory.

namespace {

using detail::ColumnCursor;

constexpr std::uint32_t kHeaderBytes = 128;  // fits most page headers

// Prefetches a page whose checksum is not computed. Its values would otherwise be waited for piece by piece:
// the processor's own prefetching does not look beyond the next 4 KiB.
void prefetch([[maybe_unused]] const std::byte* bytes, [[maybe_unused]] std::uint32_t count) {
  if constexpr (detail::kDesktop) {
    constexpr std::uint32_t kLine = 64;
    constexpr std::uint32_t kMost = 1U << 16;  // block that the nearest caches hold
    if (count > kMost) count = kMost;
    for (std::uint32_t i = 0; i < count; i += kLine) __builtin_prefetch(bytes + i);
  }
}

// Shows uncompressed pages where they lie; headers are read through a short window.
class MappedPages final : public Decompressor {
 public:
  constexpr MappedPages() : Decompressor(CodecId::kUncompressed) {}

  Status begin_page(ColumnCursor& column, const format::PageHeader& header) const override {
    const std::uint32_t bytes = header.compressed_bytes;
    if (bytes != header.uncompressed_bytes) return Status::kCorrupt;
    // The reader never writes through this pointer.
    auto* const body =
        const_cast<std::byte*>(column.reader->image + static_cast<std::size_t>(column.window.position()));
    column.reason = FailureReason::kChecksum;
    if (!read::is_checked(column, header)) {
      prefetch(body, bytes);
    } else if (column.reader->options->checksum(0, body, bytes) != header.crc) {
      return Status::kCorrupt;
    }
    if (column.window_bytes() > kHeaderBytes)
      column.set_page_memory(column.memory_bytes - column.dictionary_bytes - kHeaderBytes);
    column.cursor = body;
    column.body_end = body + bytes;
    column.body_beyond = 0;
    return read::open_levels(column, header);
  }

  Status decompress(Span<const std::byte>, Span<std::byte>, Span<std::byte>) const override {
    return Status::kUnsupported;
  }
};
constexpr MappedPages kMappedPages;

}  // namespace

void Reader::read_in_place(MappedFile& file) {
  const Span<const std::byte> view = file.view();
  if (view.size() != state_.file_bytes) return;
  state_.image = view.data();
  state_.mapped_pages = &kMappedPages;
}

// Finding a column by its name.

Status Reader::find_column(std::string_view name, std::uint32_t& column) {
  if (state_.file == nullptr) return Status::kWrongState;
  state_.footer.seek(state_.schema_begin, state_.footer_begin + state_.footer_bytes);
  thrift::CompactReader in(state_.footer);
  format::SchemaTree tree;
  format::PathMatch match(name, tree);
  std::uint32_t leaf = 0;
  for (std::uint32_t i = 0; i < state_.schema_elements; ++i) {
    format::SchemaNode node;
    if (!format::read_schema_element(in, i, tree, node, &match)) return in.status();
    if (!node.leaf()) {
      match.enter_group();
      continue;
    }
    column = leaf++;
    if (match.found()) return Status::kOk;
  }
  return Status::kInvalidArgument;
}

// Giving the schema to the caller, element by element.

namespace {

Status read_name(ReaderState& state, const format::SchemaDetails& details, Span<char> buffer,
                 std::string_view& name) {
  name = {};
  if (buffer.empty()) return Status::kOk;
  if (buffer.size() < details.name_bytes) {
    state.needed_bytes = details.name_bytes;
    return Status::kOutOfMemory;
  }
  state.footer.seek(details.name_begin, state.footer_begin + state.footer_bytes);
  thrift::CompactReader in(state.footer);
  in.copy(buffer.data(), details.name_bytes);
  name = {buffer.data(), details.name_bytes};
  return in.status();
}

void fill_in(const format::SchemaNode& node, const format::SchemaTree& tree,
             const format::SchemaDetails& details, SchemaElement& element) {
  element.leaf = node.leaf();
  element.children = node.children;
  element.depth = tree.depth();
  element.type = static_cast<Type>(node.type);
  element.type_length = node.type_length;
  element.repetition = static_cast<Repetition>(node.repetition);
  if (!details.has_logical) {
    element.logical = format::from_converted_type(element.converted_type, details.precision, details.scale);
  }
  element.max_definition_level = tree.max_definition();
  element.max_repetition_level = tree.max_repetition();
}

}  // namespace

Status SchemaCursor::next(Span<char> buffer, SchemaElement& element) {
  return read(buffer, kNoColumn, element);
}

Status SchemaCursor::read(Span<char> buffer, std::uint32_t only, SchemaElement& element) {
  ReaderState& state = detail::ReaderAccess::state(reader_);
  if (state.file == nullptr) return Status::kWrongState;
  if (index_ == state.schema_elements) return Status::kEnd;
  state.footer.seek(index_ != 0 ? next_ : state.schema_begin, state.footer_begin + state.footer_bytes);
  thrift::CompactReader in(state.footer);
  format::SchemaNode node = {};
  format::SchemaDetails details;
  format::read_schema_details(in, node, details, element);
  MICROPARQUET_TRY(in.status());
  const std::uint64_t behind = state.footer.position();
  const std::uint32_t column = node.leaf() ? leaves_ : kNoColumn;
  if (only == kNoColumn || only == column) {
    MICROPARQUET_TRY(read_name(state, details, buffer, element.name));
  }
  MICROPARQUET_TRY(tree_.enter(node, index_));
  element.column = column;
  fill_in(node, tree_, details, element);
  next_ = behind;
  ++index_;
  if (node.leaf()) ++leaves_;
  return Status::kOk;
}

Status Reader::schema_element(std::uint32_t index, Span<char> buffer, SchemaElement& element) {
  if (state_.file != nullptr && index >= state_.schema_elements) return Status::kInvalidArgument;
  SchemaCursor cursor(*this);
  for (std::uint32_t i = 0; i < index; ++i) MICROPARQUET_TRY(cursor.read({}, kNoColumn, element));
  return cursor.read(buffer, kNoColumn, element);
}

Status Reader::column_element(std::uint32_t column, Span<char> buffer, SchemaElement& element) {
  if (state_.file != nullptr && column >= state_.leaf_count) return Status::kInvalidArgument;
  SchemaCursor cursor(*this);
  do {
    MICROPARQUET_TRY(cursor.read(buffer, column, element));
  } while (element.column != column);
  return Status::kOk;
}

// Texts of the footer that concern the whole file: key-values and created_by.

namespace {

using format::TextPlace;

void seek(ReaderState& state, std::uint64_t begin) {
  state.footer.seek(begin, state.footer_begin + state.footer_bytes);
}

Status read_text(ReaderState& state, const TextPlace& place, char* out, std::string_view& text) {
  text = {out, place.bytes};
  if (place.bytes == 0) return Status::kOk;
  seek(state, place.begin);
  thrift::CompactReader in(state.footer);
  in.copy(out, place.bytes);
  return in.status();
}

Status check_space(ReaderState& state, std::uint64_t bytes, Span<char> buffer) {
  if (bytes <= buffer.size()) return Status::kOk;
  state.needed_bytes = bytes;
  return Status::kOutOfMemory;
}

Status equals(ReaderState& state, const TextPlace& place, std::string_view text, bool& equal) {
  equal = false;
  if (place.bytes != text.size()) return Status::kOk;
  seek(state, place.begin);
  thrift::CompactReader in(state.footer);
  equal = in.passes(text, place.bytes);
  return in.status();
}

}  // namespace

Status KeyValueCursor::next(Span<char> buffer, KeyValue& result) {
  ReaderState& state = detail::ReaderAccess::state(reader_);
  if (state.file == nullptr) return Status::kWrongState;
  if (index_ == state.key_values) return Status::kEnd;
  seek(state, index_ != 0 ? next_ : state.key_values_begin);
  thrift::CompactReader in(state.footer);
  TextPlace key;
  TextPlace value;
  format::read_key_value(in, key, value);
  const std::uint64_t behind = state.footer.position();
  MICROPARQUET_TRY(in.status());
  MICROPARQUET_TRY(check_space(state, std::uint64_t{key.bytes} + value.bytes, buffer));
  MICROPARQUET_TRY(read_text(state, key, buffer.data(), result.key));
  MICROPARQUET_TRY(read_text(state, value, buffer.data() + key.bytes, result.value));
  next_ = behind;
  ++index_;
  return Status::kOk;
}

Status KeyValueCursor::skip(std::uint32_t count) {
  ReaderState& state = detail::ReaderAccess::state(reader_);
  seek(state, state.key_values_begin);
  thrift::CompactReader in(state.footer);
  for (; index_ < count && in.ok(); ++index_) in.skip_struct();
  next_ = state.footer.position();
  return in.status();
}

Status Reader::key_value(std::uint32_t index, Span<char> buffer, KeyValue& result) {
  if (state_.file == nullptr) return Status::kWrongState;
  if (index >= state_.key_values) return Status::kInvalidArgument;
  KeyValueCursor cursor(*this);
  MICROPARQUET_TRY(cursor.skip(index));
  return cursor.next(buffer, result);
}

Status Reader::find_key_value(std::string_view key, Span<char> buffer, std::string_view& value) {
  if (state_.file == nullptr) return Status::kWrongState;
  std::uint64_t next = state_.key_values_begin;
  for (std::uint32_t i = 0; i < state_.key_values; ++i) {
    seek(state_, next);
    thrift::CompactReader in(state_.footer);
    TextPlace found_key;
    TextPlace found_value;
    format::read_key_value(in, found_key, found_value);
    next = state_.footer.position();
    bool equal = false;
    Status status = in.status();
    if (status == Status::kOk) status = equals(state_, found_key, key, equal);
    if (status == Status::kOk && !equal) continue;
    if (status == Status::kOk) status = check_space(state_, found_value.bytes, buffer);
    return status == Status::kOk ? read_text(state_, found_value, buffer.data(), value) : status;
  }
  return Status::kInvalidArgument;
}

Status Reader::created_by(Span<char> buffer, std::string_view& text) {
  if (state_.file == nullptr) return Status::kWrongState;
  text = {};
  if (state_.created_by_begin == 0) return Status::kOk;
  seek(state_, state_.created_by_begin);
  thrift::CompactReader in(state_.footer);
  const TextPlace place = format::read_created_by(in);
  Status status = in.status();
  if (status == Status::kOk) status = check_space(state_, place.bytes, buffer);
  return status == Status::kOk ? read_text(state_, place, buffer.data(), text) : status;
}

// Statistics of a column in a row group, from the footer.

Status Reader::column_chunk(std::uint32_t column, ColumnChunkInfo& info) {
  MICROPARQUET_TRY(read::find_chunk(state_, column));
  const detail::ColumnChunk& chunk = state_.chunk;
  info.codec = static_cast<CodecId>(chunk.codec < 255 ? chunk.codec : 255);
  info.encodings = chunk.encodings;
  info.values = chunk.values;
  info.compressed_bytes = chunk.compressed_bytes;
  info.uncompressed_bytes = chunk.uncompressed_bytes;
  info.data_page_offset = chunk.data_page_offset;
  info.dictionary_page_offset = chunk.dictionary_page_offset;
  return Status::kOk;
}

Status Reader::column_statistics(std::uint32_t column, Span<std::byte> buffer, ColumnStatistics& statistics) {
  statistics = {};
  MICROPARQUET_TRY(read::find_chunk(state_, column));
  const detail::ColumnChunk& chunk = state_.chunk;
  if (chunk.statistics_begin == 0) return Status::kOk;
  state_.footer.seek(chunk.statistics_begin, state_.footer_begin + state_.footer_bytes);
  thrift::CompactReader in(state_.footer);
  format::BoundBuffer bounds(buffer);
  const Status status =
      format::read_statistics(in, column_type(column) != Type::kByteArray, bounds, statistics);
  state_.needed_bytes = bounds.needed();
  return status;
}

Status Reader::sorting_columns(Span<SortingColumn> sorting, std::size_t& count) {
  if (state_.row_group == detail::kNoRowGroup) return Status::kWrongState;
  state_.footer.seek(state_.entry_begin, state_.footer_begin + state_.footer_bytes);
  thrift::CompactReader in(state_.footer);
  format::read_sorting_columns(in, sorting, count);
  return in.status();
}

namespace {

using Counts = Span<std::uint64_t>;

// Reads each list of numbers, if it has one number for each level.
struct PartsOfSizes {
  thrift::CompactReader& in;
  Counts definition_places;
  Counts repetition_places;
  SizeStatistics& result;

  void byte_array_bytes(std::uint64_t bytes) const {
    result.has_byte_array_bytes = true;
    result.byte_array_bytes = bytes;
  }
  void definition(std::uint32_t size) const { take(size, definition_places, result.definition); }
  void repetition(std::uint32_t size) const { take(size, repetition_places, result.repetition); }

 private:
  void take(std::uint32_t size, Counts places, Span<const std::uint64_t>& levels) const {
    if (read::take_numbers(in, size, places)) levels = Span<const std::uint64_t>(places.data(), size);
  }
};

}  // namespace

Status size_statistics(Reader& reader, std::uint32_t column, Span<std::uint64_t> memory,
                       SizeStatistics& result) {
  result = {};
  detail::ReaderState& state = detail::ReaderAccess::state(reader);
  MICROPARQUET_TRY(read::enter_entry(state, column));
  const std::uint32_t definition = state.leaves[column].max_definition + 1U;
  const std::uint32_t repetition = state.leaves[column].max_repetition + 1U;
  state.needed_bytes = (definition + repetition) * sizeof(std::uint64_t);
  if (memory.size() < definition + repetition) return Status::kOutOfMemory;
  thrift::CompactReader in(state.footer);
  const PartsOfSizes parts = {in, memory.subspan(0, definition), memory.subspan(definition, repetition),
                              result};
  format::read_size_statistics(in, parts);
  if (!in.ok()) result = {};
  const Status status = read::as_no_index(in.status());
  return status == Status::kEnd ? Status::kOk : status;
}

// Details of the last failed call.

Failure Reader::failure() const {
  Failure failure;
  failure.status = state_.failed_status;
  if (failure.status == Status::kOk) return failure;
  if (state_.failed == detail::kNoPlace) {
    failure.reason = FailureReason::kFooter;
    failure.offset = state_.footer.position();
    return failure;
  }
  const detail::ColumnCursor& column = state_.columns[state_.failed];
  failure.reason = column.reason;
  failure.number = failure.status == Status::kUnsupported ? column.number : 0;
  failure.column = column.column;
  failure.offset = column.page_rows != 0 ? column.window.position() : column.next_page;
  return failure;
}

}  // namespace microparquet
