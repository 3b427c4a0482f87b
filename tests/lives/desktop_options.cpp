#include "desktop_options.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "microparquet/codecs.h"
#include "microparquet/desktop/codecs.h"
#include "microparquet/desktop/data_page_v2.h"
#include "microparquet/desktop/full_index.h"
#include "microparquet/desktop/string_encoders.h"
#include "microparquet/encoders.h"
#include "microparquet/indexed_layout.h"

namespace lives {
namespace {

using mpq::Type;

// An object that lives as long as the plan.
template <typename Object>
const Object& keep(Plan& plan, std::shared_ptr<Object> object) {
  const Object& kept = *object;
  plan.objects.push_back(std::move(object));
  return kept;
}

std::uint32_t longest_text(const Plan& plan) {
  unsigned longest = 0;
  for (const ColumnHabit& habit : plan.habits) longest = std::max(longest, habit.longest);
  return longest;
}

// A size of pages that has a place for the longest text, whatever the column beside it is.
std::uint32_t any_page_bytes(const Plan& plan, Chance& chance) {
  constexpr std::uint32_t kWhole[] = {512, 512, 512, 1024, 1536, 2048, 4096};
  constexpr std::uint32_t kAny[] = {128, 136, 200, 256, 256, 264, 320, 512, 1000, 1024, 2048, 4096};
  const std::uint32_t least = 3 * longest_text(plan);
  std::uint32_t bytes = 0;
  do {
    bytes = plan.options.whole_sectors ? chance.any_of(kWhole) : chance.any_of(kAny);
  } while (bytes < least);
  return bytes;
}

void vary_sizes(Plan& plan, Chance& chance) {
  constexpr std::uint32_t kRows[] = {0, 0, 0, 7, 33, 128, 400};
  constexpr std::uint32_t kBytes[] = {0, 0, 4096, 8192, 16384, 65536};
  constexpr std::uint32_t kTimes[] = {1, 50, 500, 2000, 10000};
  constexpr std::uint16_t kShares[] = {0, 1, 4, 32};
  mpq::Options& options = plan.options;
  options.whole_sectors = chance.percent(50);
  options.page_bytes = any_page_bytes(plan, chance);
  options.row_group_rows = chance.any_of(kRows);
  options.row_group_bytes = chance.any_of(kBytes);
  options.row_group_ms = chance.percent(25) ? chance.between(20, 20000) : 0;
  options.checkpoint_ms = chance.percent(20) && !plan.hardships.steady ? 0 : chance.any_of(kTimes);
  options.max_loss_ms = options.checkpoint_ms * chance.between(1, 20);
  options.checkpoint_ratio = chance.any_of(kShares);
  for (mpq::Field& field : plan.fields)
    field.page_bytes = chance.percent(25) ? any_page_bytes(plan, chance) : 0;
}

const mpq::Encoder& any_encoder(Type type, Chance& chance) {
  if (type == Type::kBoolean)
    return chance.percent(50) ? static_cast<const mpq::Encoder&>(mpq::kPlainBoolean) : mpq::kRleBoolean;
  if (type == Type::kFixedLenByteArray) return mpq::kPlainFixed;
  mpq::Field field;
  field.type = type;
  switch (chance.below(7)) {
    case 0: return type == Type::kByteArray ? mpq::kPlainByteArray : mpq::kPlainFixed;
    case 1: return *field.with_encoder(mpq::kDictionary).encoder;
    case 2: return *field.with_encoder(mpq::kDictionaryOf<128, 256>).encoder;
    case 3: return *field.with_encoder(mpq::kDictionaryOf<4096, 1024>).encoder;
    case 4: return *field.with_encoder(mpq::kAutoOf<1024, 64>).encoder;
    default: break;
  }
  if (type == Type::kByteArray)
    return chance.percent(50) ? mpq::desktop::kDeltaByteArray : mpq::desktop::kDeltaLengthByteArray;
  if (type == Type::kFloat || type == Type::kDouble)
    return chance.percent(50) ? mpq::kByteStreamSplit : *field.with_encoder(mpq::kAuto).encoder;
  return *field.with_encoder(mpq::kDeltaBinaryPacked).encoder;
}

// Null: none.
const mpq::Compressor* any_compressor(Plan& plan, Chance& chance, std::uint32_t page_bytes) {
  // Smaller pages would have too little space for the longest values, beside levels and the bytes that
  // compression may add.
  constexpr std::uint32_t kLeastPage = 256;
  if (page_bytes < kLeastPage || page_bytes < 3 * longest_text(plan) + 100) return nullptr;
  static constexpr mpq::Lz4RawCompressor kSmallTable(4);
  static constexpr mpq::Lz4RawCompressor kLargeTable(12);
  static constexpr mpq::desktop::DataPageV2 kPlainPages;
  constexpr const char* kNames[] = {"zstd", "gzip", "brotli", "snappy"};
  const mpq::Compressor* compressor = nullptr;
  const unsigned kind = chance.below(10);
  if (kind < 3) compressor = nullptr;
  if (kind >= 3 && kind < 7)
    compressor = kind == 3 ? &kSmallTable : kind == 4 ? &kLargeTable : &mpq::kLz4RawCompressor;
  if (kind >= 7 && page_bytes >= 512) {
    const mpq::desktop::NamedCodec* const codec = mpq::desktop::find_codec(chance.any_of(kNames));
    if (codec->compressor != nullptr) compressor = codec->compressor;
  }
  if (!chance.percent(40)) return compressor;
  if (compressor == nullptr) return &kPlainPages;
  return &keep(plan, std::make_shared<mpq::desktop::DataPageV2>(*compressor));
}

void vary_pages(Plan& plan, Chance& chance) {
  const bool compresses = chance.percent(70);
  for (mpq::Field& field : plan.fields) {
    const std::uint32_t page_bytes = field.page_bytes != 0 ? field.page_bytes : plan.options.page_bytes;
    field.encoder = &any_encoder(field.type, chance);
    field.compressor = compresses && chance.percent(70) ? any_compressor(plan, chance, page_bytes) : nullptr;
  }
}

void vary_index(Plan& plan, Chance& chance) {
  const bool in_place = plan.options.layout->in_place;
  const bool checkpoints = plan.options.layout->checkpoints != mpq::CheckpointKind::kNone;
  const mpq::Layout& layout = !in_place     ? mpq::kForward
                              : checkpoints ? mpq::kInPlace
                                            : mpq::kInPlaceNoCheckpoints;
  plan.options.layout = &layout;
  if (chance.percent(50)) return;
  constexpr unsigned kPages[] = {0, 3, 20, 100, 2000};
  const std::uint32_t bytes = mpq::page_index_bytes(plan.schema(), plan.options, chance.any_of(kPages));
  const mpq::IndexedLayout indexed = mpq::with_page_index(layout, bytes);
  if (chance.percent(40)) {
    plan.options.layout = &keep(plan, std::make_shared<mpq::IndexedLayout>(indexed));
    return;
  }
  for (mpq::Field& field : plan.fields) {
    if (!chance.percent(50)) continue;
    const std::uint32_t filter_bytes = chance.percent(60) ? 32U << chance.below(6) : 0;
    auto filter = std::make_shared<std::vector<std::byte>>(filter_bytes);
    const mpq::Span<std::byte> room(filter->data(), filter->size());
    keep(plan, std::move(filter));
    field.encoder = &keep(plan, std::make_shared<mpq::desktop::NotedColumn>(*field.encoder, room));
  }
  plan.options.layout = &keep(plan, std::make_shared<mpq::desktop::FullIndexLayout>(
                                        mpq::desktop::with_full_index(indexed, plan.schema())));
}

}  // namespace

void vary_options(Plan& plan, Chance& chance, bool first) {
  if (first) {
    for (ColumnHabit& habit : plan.habits) {
      if (chance.percent(75)) habit.course = static_cast<Course>(chance.below(kCourses));
    }
  }
  vary_sizes(plan, chance);
  vary_pages(plan, chance);
  vary_index(plan, chance);
}

bool unpack_page(int codec, std::string_view bytes, std::size_t plain_bytes, std::string& plain) {
  const mpq::desktop::NamedCodec* const named = mpq::desktop::find_codec(static_cast<mpq::CodecId>(codec));
  if (named == nullptr || named->decompressor == nullptr) return false;
  plain.resize(plain_bytes);
  std::vector<std::byte> scratch(named->decompressor->scratch_bytes());
  return named->decompressor->decompress({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()},
                                         {reinterpret_cast<std::byte*>(plain.data()), plain.size()},
                                         {scratch.data(), scratch.size()}) == mpq::Status::kOk;
}

}  // namespace lives
