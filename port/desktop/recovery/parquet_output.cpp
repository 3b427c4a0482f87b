#include "parquet_output.h"

#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "failure.h"
#include "microparquet/detail/fields.h"
#include "thrift_value.h"

namespace microparquet::recovery {

namespace {

using format::ColumnChunkField;
using format::ColumnMetaDataField;
using format::RowGroupField;

constexpr std::byte kMagic[] = {std::byte{'P'}, std::byte{'A'}, std::byte{'R'}, std::byte{'1'}};

// What else points into the file, and is not copied.
constexpr int kIndexPlaces[] = {4, 5, 6, 7};  // ColumnChunk: offset index, column index
constexpr int kBloomFilterOffset = 14;        // ColumnMetaData
constexpr int kBloomFilterLength = 15;

std::uint64_t begin_of(const ThriftValue& meta_data) {
  const std::uint64_t data = meta_data.number_of(ColumnMetaDataField::kDataPageOffset);
  const std::uint64_t dictionary = meta_data.number_of(ColumnMetaDataField::kDictionaryPageOffset);
  return dictionary != 0 && dictionary < data ? dictionary : data;
}

ThriftValue parse(const Bytes& entry) {
  std::size_t used = 0;
  auto row_group = ThriftValue::parse_struct(entry, used);
  if (!row_group) {
    throw Failure("the description of a row group is malformed");
  }
  return std::move(*row_group);
}

// Moves what the entry says of a column chunk from `begin` to `to`.
void move_chunk(ThriftValue& chunk, ThriftValue& meta_data, std::uint64_t begin, std::uint64_t to) {
  for (const int offset :
       {ColumnMetaDataField::kDataPageOffset, ColumnMetaDataField::kDictionaryPageOffset}) {
    if (const std::uint64_t at = meta_data.number_of(offset); at >= begin && at != 0) {
      meta_data.set(offset, ThriftValue::of_i64(at - begin + to));
    }
  }
  meta_data.remove(ColumnMetaDataField::kIndexPageOffset);
  meta_data.remove(kBloomFilterOffset);
  meta_data.remove(kBloomFilterLength);
  chunk.set(ColumnChunkField::kFileOffset, ThriftValue::of_i64(0));
  for (const int place : kIndexPlaces) {
    chunk.remove(place);
  }
}

}  // namespace

ParquetOutput::ParquetOutput(std::string path, bool overwrite) : path_(std::move(path)) {
  using Existing = PosixFile::Existing;
  if (file_.create(path_.c_str(), overwrite ? Existing::kOverwrite : Existing::kRefuse) != Status::kOk) {
    finished_ = true;  // whatever is there is not ours
    throw Failure(path_ + ": " +
                  (file_.last_errno() == EEXIST ? "is there already; --overwrite replaces it"
                                                : std::strerror(file_.last_errno())));
  }
  write(kMagic);
}

ParquetOutput::~ParquetOutput() {
  if (!finished_) {
    static_cast<void>(unlink(path_.c_str()));
  }
}

void ParquetOutput::fail() { throw Failure(path_ + ": " + std::strerror(file_.last_errno())); }

void ParquetOutput::write(ByteView bytes) {
  if (file_.write_at(bytes_, bytes) != Status::kOk) {
    fail();
  }
  bytes_ += bytes.size();
}

void ParquetOutput::copy(File& from, std::uint64_t begin, std::uint64_t bytes) {
  constexpr std::uint64_t kPiece = 1 << 20;
  Bytes piece;
  for (std::uint64_t done = 0; done < bytes; done += piece.size()) {
    piece.resize(static_cast<std::size_t>(std::min(kPiece, bytes - done)));
    if (from.read_at(begin + done, piece) != Status::kOk) {
      throw Failure("pages that could be read cannot be read again");
    }
    write(piece);
  }
}

void ParquetOutput::add_row_group(File& from, const Bytes& entry) {
  ThriftValue row_group = parse(entry);
  ThriftValue* const columns = row_group.find(RowGroupField::kColumns);
  if (columns == nullptr || columns->items().empty()) {
    throw Failure("a row group has no columns");
  }
  const std::uint64_t group_begin = bytes_;
  for (ThriftValue& chunk : columns->items()) {
    ThriftValue* const meta_data = chunk.find(ColumnChunkField::kMetaData);
    if (meta_data == nullptr) {
      throw Failure("a column chunk has no description");
    }
    const std::uint64_t begin = begin_of(*meta_data);
    const std::uint64_t to = bytes_;
    copy(from, begin, meta_data->number_of(ColumnMetaDataField::kTotalCompressedSize));
    move_chunk(chunk, *meta_data, begin, to);
  }
  if (row_group.find(RowGroupField::kFileOffset) != nullptr) {
    row_group.set(RowGroupField::kFileOffset, ThriftValue::of_i64(group_begin));
  }
  row_group.remove(RowGroupField::kOrdinal);
  entries_.push_back(row_group.serialise());
}

void ParquetOutput::finish(const std::vector<FooterField>& fields) {
  write(build_footer(fields, entries_, std::nullopt));
  if (file_.sync(bytes_) != Status::kOk || file_.close() != Status::kOk) {
    fail();
  }
  finished_ = true;
}

}  // namespace microparquet::recovery
