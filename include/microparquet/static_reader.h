// Reader of structs, which owns its memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include "microparquet/reader.h"
#include "microparquet/typed.h"

namespace microparquet {

namespace detail {

// Stores a cell in a member. Returns false if it does not fit.
template <typename Value>
bool store_cell(const Cell& cell, Value& value) {
  using Stored = typename StoredAs<Value>::type;
  if constexpr (IsText<Value>::value) {
    if (cell.bytes > Value::capacity()) return false;
    value = cell.text();
  } else if constexpr (kIsByteArray<Value>) {
    value = cell.text();
  } else if constexpr (kFixedBytes<Value> != 0) {
    std::memcpy(value.data(), cell.data, kFixedBytes<Value>);
  } else {
    const auto stored = cell.as<Stored>();
    value = static_cast<Value>(stored);
    if constexpr (!std::is_same_v<Value, Stored>) return value == stored;
  }
  return true;
}

// Stores a cell in a member that may be optional.
// - kNullValue, kInvalidArgument: the member cannot hold it
template <typename Member>
Status store_in_member(const Cell& cell, Member& member) {
  using Held = typename OptionalValue<Member>::type;
  if constexpr (OptionalValue<Member>::kOptional) {
    if (cell.null()) {
      member.reset();
      return Status::kOk;
    }
    return store_cell(cell, member.emplace()) ? Status::kOk : Status::kInvalidArgument;
  } else {
    if (cell.null()) return Status::kNullValue;
    return store_cell<Held>(cell, member) ? Status::kOk : Status::kInvalidArgument;
  }
}

// Options with only those decoders that a schema needs, according to Needs::decoder(): no other is linked.
template <const auto& kOptions, typename Needs>
struct UsedOptions {
  static constexpr std::size_t count() {
    std::size_t count = 0;
    for (const Decoder* decoder : kOptions.decoders) count += Needs::decoder(*decoder) ? 1U : 0U;
    return count;
  }
  static constexpr auto decoders() {
    std::array<const Decoder*, count()> result = {};
    std::size_t used = 0;
    for (const Decoder* decoder : kOptions.decoders) {
      if (Needs::decoder(*decoder)) result[used++] = decoder;
    }
    return result;
  }
  static constexpr auto kDecoders = decoders();
  static constexpr ReaderOptions options() {
    ReaderOptions options = kOptions;
    options.decoders = Span<const Decoder* const>(kDecoders.data(), kDecoders.size());
    return options;
  }
};

}  // namespace detail

// Reads rows into structs by a schema known at compile time, the one that StaticWriter writes by:
//
//   static mpq::StaticReader<kSchema> log;
//   log.open(file);
//   for (Sample sample; log.next(sample) == mpq::Status::kOk;) { ... }
//
// The reader finds columns by their names, in any order; the file may have others, up to `kFileColumns` in
// all. Physical types must agree; logical types are not compared. From a file of another writer with
// timestamps in, say, milliseconds it reads numbers of milliseconds: ask reader().column_element() if that
// can happen. Decoders of kOptions that no column of the schema can need are not linked. sizeof is the whole
// cost in memory: make it static. Not thread-safe; never from an interrupt. SchemaType is never given, see
// StaticWriter.
template <const auto& kSchema, const auto& kOptions = kDefaultReaderOptions,
          std::size_t kFileColumns = std::remove_reference_t<decltype(kSchema)>::kColumns,
          typename SchemaType = std::remove_reference_t<decltype(kSchema)>>
class StaticReader {
 public:
  // Opens `file`, which stays the caller's until the last call.
  // - kInvalidArgument: a column of the schema is not in the file, or of another physical type there
  // - kOutOfMemory: the file has more than kFileColumns columns; needed_bytes() of reader() against sizeof
  // - as Reader::open and Reader::choose
  Status open(File& file) {
    const Status status = reader_.open(file, kUsedOptions, Span<std::byte>(arena_));
    return status == Status::kOk ? choose() : status;
  }

  // Opens a file that lies in memory, whose pages are read where they are: see Reader::open.
  Status open(MappedFile& file) {
    const Status status = reader_.open(file, kUsedOptions, Span<std::byte>(arena_));
    return status == Status::kOk ? choose() : status;
  }

  // Reads the next row of the file. std::string_view members point into the reader until the next call.
  // - kEnd: there is none
  // - kNullValue: a member that is not std::optional has no value in this row, which is passed
  // - kInvalidArgument: a number or string does not fit in its member; the row is passed
  // - as Reader::next_row
  template <typename Row>
  Status next(Row& row) {
    Status status = reader_.next_row();
    if (status != Status::kOk) return status;
    detail::for_each_index(std::make_index_sequence<kColumns>(), [&](auto index) {
      // This is a constant: otherwise the schema would be linked, with the encoders and bounds that it names.
      constexpr auto kAccessor = detail::column_at<index>(kSchema.columns).accessor;
      const Status stored = detail::store_in_member(reader_.cell(index), detail::access(row, kAccessor));
      if (stored != Status::kOk) status = stored;
    });
    return status;
  }

  // Passes the next row. Statuses as Reader::skip_row().
  Status skip() { return reader_.skip_row(); }

  // Goes to the first row of a row group. Statuses as Reader::seek_row_group().
  Status seek_row_group(std::uint32_t index) { return reader_.seek_row_group(index); }

  // Returns the untyped reader, for key-values, statistics and filters.
  Reader& reader() { return reader_; }

 private:
  static constexpr std::size_t kColumns = std::remove_reference_t<decltype(kSchema)>::kColumns;

  // Parts of a Field that reading needs: without the encoder and bounds, which must not be linked.
  struct Wanted {
    std::string_view name;
    Type type = Type::kInt32;
    std::uint32_t type_length = 0;
  };

  static constexpr auto wanted() {
    std::array<Wanted, kColumns> result = {};
    for (std::size_t i = 0; i < kColumns; ++i) {
      result[i].name = kSchema.fields[i].name;
      result[i].type = kSchema.fields[i].type;
      result[i].type_length = kSchema.fields[i].type_length;
    }
    return result;
  }
  static constexpr std::array<Wanted, kColumns> kWanted = wanted();

  static constexpr bool needs(const Decoder& decoder) {
    for (const Wanted& column : wanted()) {
      if (decoder.supports(column.type)) return true;
    }
    return false;
  }
  struct Needs {
    static constexpr bool decoder(const Decoder& decoder) { return needs(decoder); }
  };
  static constexpr ReaderOptions kUsedOptions = detail::UsedOptions<kOptions, Needs>::options();

  // Chooses the schema's columns.
  Status choose() {
    std::uint32_t columns[kColumns];
    for (std::size_t i = 0; i < kColumns; ++i) {
      const Status status = reader_.find_column(kWanted[i].name, columns[i]);
      if (status != Status::kOk) return status;
      if (!suits(kWanted[i], columns[i])) return Status::kInvalidArgument;
    }
    return reader_.choose(Span<const std::uint32_t>(columns));
  }

  bool suits(const Wanted& field, std::uint32_t column) const {
    return field.type == reader_.column_type(column) &&
           (field.type != Type::kFixedLenByteArray || field.type_length == reader_.type_length(column));
  }

  Reader reader_;
  alignas(8) std::array<std::byte, Reader::required_bytes(kFileColumns, kColumns, kUsedOptions)> arena_ = {};
};

}  // namespace microparquet
