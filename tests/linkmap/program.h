// Begins the programs of tests/linkmap/named.py, which are linked and never run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "microparquet/codecs.h"
#include "microparquet/cursors.h"
#include "microparquet/encoders.h"
#include "microparquet/filter.h"
#include "microparquet/indexed_layout.h"
#include "microparquet/microparquet.h"
#include "microparquet/read_all.h"
#include "microparquet/row_filter.h"
#include "microparquet/sorting.h"

namespace named {

using namespace microparquet;

// Defined nowhere, so that the compiler knows nothing of them.
extern File& file;
extern MappedFile& mapped_file;
extern std::byte memory[4096];
extern RowRange places[4];
extern RowGroupPlace row_group_places[4];

constexpr SortingColumn kByA[] = {{0}};
constexpr ColumnRange kRange[1] = {};
constexpr RangeFilter kFilter{kRange};
extern RowRange scratch[6];
constexpr PageFilter kPageFilter{kRange, {memory, 1024}, {scratch, 6}};
class AllRows final : public RowFilter {
 public:
  Status select(Reader& of, RowRanges& rows) const override {
    rows.add({0, of.row_group_rows()});
    return Status::kOk;
  }
};
constexpr AllRows kRowFilter;
constexpr IndexedLayout kIndexed = with_page_index(kInPlaceNoCheckpoints, 1024);
constexpr const Decompressor* kSnappy[] = {&kSnappyDecompressor};
constexpr const Decompressor* kLz4Raw[] = {&kLz4RawDecompressor};
constexpr ColumnChoice kChoices[] = {{0, 128}};

struct Within {
  std::optional<std::int32_t> c;
};

struct Lists {
  List<std::int32_t, 4> a;
};
inline constexpr auto kLists = schema(list("a", &Lists::a));
inline StaticReader<kLists> lists_reader;

Encoder::ValuesThatFit values_that_fit;
Encoder::Put put;
Encoder::Finish finish;
EncoderDictionary::Freeze freeze;
EncoderDictionary::Drop drop;
inline constexpr EncoderDictionary kTable{64, &freeze, &drop};
inline constexpr Encoder kTableEncoder{EncodingId::kRleDictionary,
                                       {Type::kInt32},
                                       72,
                                       false,
                                       nullptr,
                                       &values_that_fit,
                                       nullptr,
                                       &put,
                                       &finish,
                                       nullptr,
                                       &kTable};

class Squeeze final : public Compressor {
 public:
  constexpr Squeeze() : Compressor(CodecId::kLz4Raw, {}) {}
  std::uint32_t compress_page(Span<const std::byte> /*in*/, Span<std::byte> /*out*/,
                              Span<std::byte> /*scratch*/) const override {
    return 0;
  }
};
inline constexpr Squeeze kSqueeze;

class Unsqueeze final : public Decompressor {
 public:
  constexpr Unsqueeze() : Decompressor(CodecId::kLz4Raw) {}
  Status decompress(Span<const std::byte> /*in*/, Span<std::byte> /*out*/,
                    Span<std::byte> /*scratch*/) const override {
    return Status::kCorrupt;
  }
};
inline constexpr Unsqueeze kUnsqueeze;
inline constexpr const Decompressor* kDecompressors[] = {&kUnsqueeze};

}  // namespace named
