#include "read/footer.h"

#include "base/endian.h"
#include "base/try.h"
#include "format/file_metadata_reader.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/reader.h"
#include "read/row_group.h"
#include "read/schema.h"

namespace microparquet::read {

namespace {

using detail::ReaderState;
using format::kMagicBytes;

Status check_magic(const std::byte* magic) {
  const auto found = util::load<std::uint32_t>(magic);
  if (found == format::kMagic) return Status::kOk;
  return found == format::kEncryptedMagic ? Status::kEncrypted : Status::kNotParquet;
}

// Stores the parts of FileMetaData in the reader's state.
struct Parts {
  ReaderState& state;

  void version(std::int32_t version) const { state.version = version; }
  void rows(std::uint64_t rows) const { state.stated_rows = rows; }
  void schema(thrift::CompactReader& in, std::uint32_t count) const { read_schema(in, count, state); }
  void row_groups(thrift::CompactReader& in, std::uint32_t count) const {
    // The schema has a smaller field number and must come first.
    if (state.schema_begin == 0) return in.fail(Status::kCorrupt);
    state.row_groups_begin = in.window().position();
    state.row_groups = count;
    for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
      format::RowGroup row_group;
      read_row_group(in, state, row_group, false);
      state.file_rows += row_group.rows;
      if (state.file_rows < row_group.rows) in.fail(Status::kCorrupt);
    }
  }
  void key_values(thrift::CompactReader& in, std::uint32_t count) const {
    state.key_values = count;
    state.key_values_begin = in.window().position();
    for (std::uint32_t i = 0; i < state.key_values && in.ok(); ++i) in.skip_struct();
  }
  void created_by(std::uint64_t position) const { state.created_by_begin = position; }
  void column_orders(std::uint64_t position) const { state.column_orders_begin = position; }
};

}  // namespace

Status find_footer(ReaderState& state) {
  MICROPARQUET_TRY(state.file->size(state.file_bytes));
  if (state.file_bytes < kMagicBytes + format::kFileEndBytes) return Status::kNotParquet;
  std::byte tail[format::kFileEndBytes];
  MICROPARQUET_TRY(state.file->read_at(0, Span<std::byte>(tail, kMagicBytes)));
  MICROPARQUET_TRY(check_magic(tail));
  const std::uint64_t end = state.file_bytes - format::kFileEndBytes;
  MICROPARQUET_TRY(state.file->read_at(end, Span<std::byte>(tail, format::kFileEndBytes)));
  MICROPARQUET_TRY(check_magic(tail + format::kFooterLengthBytes));
  state.footer_bytes = util::load<std::uint32_t>(tail);
  if (state.footer_bytes > end - kMagicBytes) return Status::kCorrupt;
  state.footer_begin = end - state.footer_bytes;
  return Status::kOk;
}

Status read_footer(ReaderState& state) {
  state.footer.seek(state.footer_begin, state.footer_begin + state.footer_bytes);
  thrift::CompactReader in(state.footer);
  in.limit_depth(thrift::CompactReader::kMaxDepthOfFooter);
  format::read_file_metadata(in, Parts{state});
  return in.status();
}

}  // namespace microparquet::read
