// Decisions that follow from schema and options before a file is opened: for a StaticWriter at compile time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/compressor.h"
#include "microparquet/detail/column_plan.h"
#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/config.h"
#include "microparquet/detail/footer_state.h"
#include "microparquet/detail/format/footer_constants.h"
#include "microparquet/detail/format/row_group_bytes.h"
#include "microparquet/detail/layout_objects.h"
#include "microparquet/detail/math.h"
#include "microparquet/detail/page_transform.h"
#include "microparquet/detail/pool_plan.h"
#include "microparquet/detail/sectors.h"
#include "microparquet/detail/sort_state.h"
#include "microparquet/indexed_layout.h"
#include "microparquet/options.h"
#include "microparquet/schema.h"

namespace microparquet::detail {

// Every window has these bytes: too few for a whole sector, so that they may be read to anywhere in it.
inline constexpr std::uint32_t kLeastWindowBytes = 256;

constexpr std::uint32_t window_bytes(const Options& options) {
  // About a page: little RAM on devices, and few writes for a footer on desktops. See thrift::WindowSink. The
  // forward layout gathers them in its pool.
  std::uint32_t bytes = kLeastWindowBytes;
  while (options.layout->in_place && bytes <= options.page_bytes / 2) bytes *= 2;
  return bytes;
}

// Bytes a row are counted in 16ths.
inline constexpr std::uint32_t kRowFraction = 16;

// A record is an entry at the head of a slot, and a trailer with its CRC at the slot's end; see FORMAT.md.
inline constexpr std::uint32_t kRecordTrailerBytes = 32 + 4;

// Returns the length of our extension of a footer, with the columns' free extents and its CRC.
constexpr std::uint32_t footer_extension_bytes(std::size_t columns, const Options& options) {
  constexpr std::uint32_t kExtent = 2 * sizeof(std::uint32_t);
  const std::uint32_t extents = options.layout->in_place ? kExtent * static_cast<std::uint32_t>(columns) : 0;
  return kFooterExtensionBytes + extents + sizeof(std::uint32_t);
}

constexpr std::uint32_t record_bytes(Schema schema, const Options& options) {
  const std::uint32_t bytes = format::most_row_group_bytes(schema, options) + kRecordTrailerBytes;
  return options.layout->in_place ? BlockSize(options.block_bytes).round_up(bytes) : bytes;
}

// Returns the layout as one with an index. Requires: the options name such a layout.
constexpr const IndexedLayout& indexed_layout(const Options& options) {
  return static_cast<const IndexedLayout&>(*options.layout);
}

// Returns the longest index of a row group in the file. Requires: the options name a layout with an index.
constexpr std::uint32_t most_index_bytes_of(const Options& options) {
  const std::uint32_t more =
      options.layout->extends_index ? static_cast<const ExtendedLayout&>(*options.layout).file_bytes : 0;
  return most_index_bytes(indexed_layout(options).index_bytes()) + more;
}

// Returns the space in a segment after its rows, beside the footer that may have to close the file: for the
// slots of a row group, and the index of its pages.
constexpr Sectors sectors_after_rows(Schema schema, const Options& options) {
  const Sectors slots = 2 * Sectors::whole_in(record_bytes(schema, options));
  if (!options.layout->indexes_pages) return slots;
  return slots + BlockSize(options.block_bytes).holding(most_index_bytes_of(options));
}

// Returns whether pages are lengthened before a checkpoint, since they do not end on a block by themselves.
constexpr bool lengthens_pages(const Options& options) {
  return options.layout->in_place && (!options.whole_sectors || options.block_bytes != kSectorBytes);
}

// Returns the head of a column's extent before its first data page: whole blocks for its dictionary page.
constexpr std::uint32_t dictionary_head_bytes(const Encoder& encoder, const Compressor* compressor,
                                              std::uint32_t block_bytes) {
  return BlockSize(block_bytes).round_up(dictionary_page_bytes(encoder, compressor));
}

// Returns the pages for values that an encoder may leave from an open page: see Encoder::finish.
constexpr std::uint32_t pages_of_kept_values(const Field& field, const Options& options) {
  if (field.encoder->state_bytes == 0 || field.encoder->id == EncodingId::kPlain || is_optional(field) ||
      !options.layout->in_place)
    return 0;
  if (field.type == Type::kByteArray) return 0;
  const std::uint32_t page_bytes = page_bytes_of(field, options);
  return pages_of_values(kMostKeptValues, encoding::plain_width(field.type, field.type_length), page_bytes,
                         header_reserve(field, page_bytes));
}

// Returns the most that a checkpoint writes of a column: its dictionary page, and its open page with the
// pages of values left from it.
constexpr Sectors open_page_sectors(const Field& field, const Options& options) {
  const std::uint32_t page = page_bytes_of(field, options) * (1 + pages_of_kept_values(field, options));
  const bool lengthens = lengthens_pages(options) || has_tails(field, options);
  return Sectors::holding(lengthens ? page + options.block_bytes + format::kMinPadding - 1 : page) +
         Sectors::whole_in(dictionary_head_bytes(*field.encoder, field.compressor, options.block_bytes));
}

// Largest planned size of a row group.
inline constexpr std::uint32_t kMaxRowGroupBytes = 1 << 30;

// Layout of the arena after the columns at its head. Each part begins on 8 bytes; window and pages, which go to
// the File, on Options::transfer_align.
struct ArenaPlan {
  // Length of the part that is zeroed for each row group: the state of the sort checker, and the states of
  // each column's encoder and bounds. It follows the columns; then comes the layout's state.
  std::uint32_t states_bytes;
  std::uint32_t sort_bytes;  // first part of these, before the states of columns: with ColumnNotes, if the
                             // layout has any
  std::uint32_t levels;      // place of the levels of all optional columns
  std::uint32_t window;
  std::uint32_t window_bytes;
  std::uint32_t record_bytes;     // length of a record's slot in the file
  std::uint32_t extension_bytes;  // length of our extension in a footer
  Sectors open_page_sectors;      // most that a checkpoint writes of open pages
  // In place: see sectors_after_rows(). Forward: the least pool, in bytes.
  Sectors after_rows;
  std::size_t kept;  // place of kept entries
  std::size_t key_values;
  std::size_t pages;
  std::size_t bytes;

  // Returns the least pool in which a row group can be begun, in the forward layout.
  constexpr std::uint32_t least_pool() const { return after_rows.count(); }
};

// Lays out parts one after another.
class ArenaCursor {
 public:
  constexpr std::size_t take(std::size_t bytes) {
    const std::size_t at = at_;
    at_ += align8(bytes);
    return at;
  }
  constexpr std::uint32_t take32(std::size_t bytes) { return static_cast<std::uint32_t>(take(bytes)); }
  // Passes over bytes up to the alignment, a power of two.
  constexpr void align(std::size_t alignment) { at_ = (at_ + alignment - 1) & ~(alignment - 1); }

 private:
  std::size_t at_ = 0;
};

// Notes on a column's chunk whose pages may have several encodings.
struct EncodedChunk {
  std::uint32_t encodings;   // encodings of its data pages, a bit each
  std::uint32_t sealed_sum;  // share of the last sealed page in pages_sum, without its CRC
};
static_assert(sizeof(EncodedChunk) == PageTransform::kEncodedChunkBytes);

// Notes on a chunk with a dictionary.
struct alignas(8) DictionaryChunk : EncodedChunk {
  std::uint32_t dictionary_bytes;  // length of the dictionary page, header included; 0: there is none
  // Experience with dictionaries, for those of the next row groups.
  std::uint32_t entries;            // number in the last dictionary
  std::uint8_t row_groups_without;  // number from the next row group on
  std::uint8_t next_without;        // number after the next dictionary that overflows
  // Numbers of the file's row groups before the open one, for DictionaryCounts.
  std::uint16_t fallbacks;
  std::uint16_t left_out;
};
static_assert(sizeof(DictionaryChunk) == PageTransform::kDictionaryChunkBytes);
// Notes on a chunk with compressed pages.
struct TransformedChunk : DictionaryChunk {
  std::uint64_t saved_bytes;  // sum modulo 2^64, since pages may have grown
};
static_assert(sizeof(TransformedChunk) == PageTransform::kTransformedChunkBytes);
// Notes on a chunk whose values may be split. The choice carries over to the next chunks.
struct SplitChunk : TransformedChunk {
  std::uint32_t pages_until_trial;
  bool stays_whole;  // whether the next pages are not split
};
static_assert(sizeof(SplitChunk) == PageTransform::kSplitChunkBytes);
// Value of DictionaryChunk::dictionary_bytes while entries may be added.
inline constexpr std::uint32_t kOpenDictionary = 0xFFFFFFFF;

// Memory in the arena for transforming pages: notes on each column's chunk, scratch of the compressors, and
// space for the compressed body of a page or a dictionary. The window follows it.
struct TransformPlan {
  const PageTransform* functions = nullptr;  // null: no column is transformed
  std::uint32_t page_bytes = 0;
  std::uint32_t scratch_bytes = 0;

  constexpr std::size_t bytes(std::size_t columns) const {
    return functions == nullptr ? 0 : columns * functions->chunk_bytes + page_bytes + align8(scratch_bytes);
  }
};

constexpr TransformPlan plan_transform(Schema schema, const Options& options) {
  TransformPlan plan;
  for (const Field& field : schema) {
    plan.functions = larger_transform(plan.functions, transform_of(field));
    if (field.compressor == nullptr) continue;
    const std::uint32_t dictionary = round_up(dictionary_page_bytes(*field.encoder, field.compressor), 8);
    const std::uint32_t page = page_bytes_of(field, options);
    if (page > plan.page_bytes) plan.page_bytes = page;
    if (dictionary > plan.page_bytes) plan.page_bytes = dictionary;
    if (field.compressor->scratch_bytes() > plan.scratch_bytes)
      plan.scratch_bytes = field.compressor->scratch_bytes();
  }
  return plan;
}

// Returns ArenaPlan::sort_bytes. noinline: plan_arena() is already deep on the stack.
[[gnu::noinline]] constexpr std::uint32_t sort_bytes_of(Schema schema, const Options& options) {
  const std::size_t notes = options.layout->indexes_pages ? schema.size() * kColumnNotesBytes : 0;
  return static_cast<std::uint32_t>(align8(sort_state_bytes(options)) + align8(notes));
}

// Bytes that a pool has more where it is saved: for a head, and to end a sector.
inline constexpr std::uint32_t kSaveBytes = 2 * kSectorBytes;

// Returns the head of the pool, in the forward layout: for what waits to be written, less than a sector, and for
// a row group's record.
constexpr std::uint32_t pool_head_bytes(std::uint32_t record, const Options& options) {
  const std::uint32_t waiting = options.whole_sectors ? kSectorBytes : options.transfer_align;
  return round_up(waiting + record, 8);
}

// Returns the least regions of all columns in the pool, and a sector at least.
[[gnu::noinline]] constexpr std::uint32_t least_regions(Schema schema, const Options& options) {
  std::uint32_t bytes = 0;
  for (const Field& field : schema) {
    const std::uint32_t page = page_bytes_of(field, options);
    bytes += least_region(page, header_reserve(field, page), rows_per_page(field, page));
  }
  return bytes < kSectorBytes ? kSectorBytes : bytes;
}

// Returns the bytes that a pool has beside the least one: space for some more values of a fixed width.
[[gnu::noinline]] constexpr std::uint32_t usual_beside(Schema schema, const Options& options) {
  constexpr std::uint32_t kBytes = 128;
  std::uint32_t bytes = 0;
  for (const Field& field : schema) {
    if (rows_per_page(field, page_bytes_of(field, options)) != 0) bytes += kBytes;
  }
  return bytes;
}

// Lengths of the parts of a tail's head; see FORMAT.md.
inline constexpr std::uint32_t kTailHeadBytes = 64;
inline constexpr std::uint32_t kTailColumnBytes = 28;
inline constexpr std::uint32_t kTailForecastBytes = 8;
inline constexpr std::uint32_t kTailLevelsBytes = 36;

// Returns the most sectors that a tail's head takes; 0: there are no tails.
constexpr Sectors tail_head_sectors(Schema schema, const Options& options) {
  if (!keeps_pages(schema, options)) return Sectors(0);
  std::uint32_t bytes = kTailHeadBytes + sort_bytes_of(schema, options) + sizeof(std::uint32_t);
  for (const Field& field : schema) {
    bytes += kTailColumnBytes + kTailForecastBytes + bounds_state_bytes(field, options) +
             field.encoder->state_bytes;
    if (is_optional(field)) bytes += kTailLevelsBytes;
  }
  return Sectors::holding(bytes);
}

// Plans the arena. Requires: each field names an encoder.
constexpr ArenaPlan plan_arena(Schema schema, const Options& options) {
  ArenaPlan plan{};
  plan.sort_bytes = sort_bytes_of(schema, options);
  plan.states_bytes = plan.sort_bytes;
  std::size_t levels = 0;
  std::size_t pages = 0;
  // The bounds of open pages follow the layout's state.
  const bool keeps = options.layout->checkpoints == CheckpointKind::kKeepPages;
  std::size_t tail_bounds = 0;
  for (const Field& field : schema) {
    if (keeps)
      tail_bounds += bounds_state_bytes(field, options) + (is_optional(field) ? kOpenLevelsBytes : 0);
    if (is_optional(field)) levels += sizeof(LevelEncoder);
    plan.states_bytes += bounds_state_bytes(field, options);
    plan.states_bytes += field.encoder->state_bytes;
    pages += page_bytes_of(field, options);
    plan.open_page_sectors += open_page_sectors(field, options);
  }
  plan.after_rows = sectors_after_rows(schema, options);
  if (!options.layout->in_place) {
    std::uint32_t usual = pool_head_bytes(record_bytes(schema, options), options);
    pages = options.row_group_bytes != 0 ? align8(options.row_group_bytes) : usual + 2 * pages;
    usual += least_regions(schema, options);
    plan.after_rows = Sectors(usual);
    usual += usual_beside(schema, options);
    if (pages < usual) pages = usual;
    if (saves_stream(*options.layout)) pages += kSaveBytes;
    // A footer that ends on a block has zeros before it.
    plan.open_page_sectors = Sectors::holding(static_cast<std::uint32_t>(pages) + options.block_bytes);
  }
  std::size_t kept = 0;
  if (options.max_row_groups_in_memory != 0) {
    kept = options.max_row_groups_in_memory * std::size_t{format::most_row_group_bytes(schema, options)} +
           kRecordTrailerBytes;
  }
  plan.window_bytes = window_bytes(options);
  plan.record_bytes = record_bytes(schema, options);
  plan.extension_bytes = footer_extension_bytes(schema.size(), options);

  ArenaCursor cursor;
  cursor.take(schema.size() * sizeof(ColumnWriter));
  cursor.take(plan.states_bytes);
  cursor.take(options.layout->state_bytes + tail_bounds);
  plan.levels = cursor.take32(levels);
  cursor.take(plan_transform(schema, options).bytes(schema.size()));
  cursor.align(options.transfer_align);
  plan.window = cursor.take32(plan.window_bytes);
  plan.kept = cursor.take(kept);
  plan.key_values = cursor.take(options.max_key_values * sizeof(KeyValue));
  cursor.align(options.transfer_align);
  plan.pages = cursor.take(pages);
  plan.bytes = cursor.take(0);
  return plan;
}

// Plans the transforms; `compressors` has one for each column.
constexpr ColumnTransforms plan_column_transforms(Schema schema, const Options& options,
                                                  const Compressor* const* compressors) {
  const TransformPlan plan = plan_transform(schema, options);
  const auto bytes = static_cast<std::uint32_t>(plan.bytes(schema.size()));
  return {plan.functions, plan.page_bytes != 0 ? compressors : nullptr,
          plan_arena(schema, options).window - bytes};
}

// The complete plan of a writer.
struct WriterPlan {
  const Options* options;
  const ColumnPlan* columns;
  std::uint32_t columns_count;
  std::uint32_t bytes_per_row;          // sum of the columns whose pages all hold the same number of rows, in
                                        // 16ths
  const LayoutOps* layout;              // functions of the layout
  const ExtentForecast* forecast;       // null: there are no other columns
  const PageLengthening* lengthening;   // null: pages end on blocks anyway
  const Blocks* blocks;                 // null: blocks are sectors
  const ColumnTransforms* transforms;   // null: no page is transformed
  const DictionaryPages* dictionaries;  // null: no column has any
  WriteRowGroup* write_row_group;
  std::uint32_t page_padding;  // pages are multiples of a power of two, here less one; 0: pages of any size
  // Constant parts of a footer, see format/footer_constants.h.
  Span<const std::byte> footer_head;
  Span<const std::byte> footer_tail;
  ArenaPlan arena;
};

// Returns whether checkpoints keep pages: the layout's functions are not those of another one.
inline bool keeps_pages(const WriterPlan& plan) {
  const Layout& layout = *plan.options->layout;
  return layout.checkpoints == CheckpointKind::kKeepPages && plan.layout == layout.ops;
}

constexpr ReconnectLayout reconnect_layout(const Layout& layout, bool keeps_pages) {
  if (saves_stream(layout)) return static_cast<const SavingLayout&>(layout).reconnect;
  if (!layout.in_place) return &reconnect_forward_layout;
  if (keeps_pages) return static_cast<const KeepingLayout&>(layout).reconnect;
  return layout.checkpoints != CheckpointKind::kNone ? &reconnect_checkpointed_layout
                                                     : &reconnect_in_place_layout;
}

constexpr ResumeLayout resume_layout(const WriterPlan& plan, const Layout& layout, bool keeps_pages) {
  if (saves_stream(layout)) return static_cast<const SavingLayout&>(layout).resume;
  if (!layout.in_place) return &resume_forward_layout;
  if (keeps_pages) return static_cast<const KeepingLayout&>(layout).resume;
  return plan.forecast != nullptr ? &resume_forecast_layout : &resume_in_place_layout;
}

inline ResumeLayout resume_layout(const WriterPlan& plan) {
  return resume_layout(plan, *plan.options->layout, keeps_pages(plan));
}

// Returns the options of a writer whose schema is known when it is compiled. Parts of the forward layout that it does
// not need are not linked then.
constexpr Options used_options(Schema schema, Options options) {
  bool fixed = options.max_row_groups_in_memory == 0;
  for (const Field& field : schema) fixed = fixed && rows_per_page(field, page_bytes_of(field, options)) != 0;
  const bool is_plain =
      !options.layout->in_place && !options.layout->indexes_pages && !saves_stream(*options.layout);
  if (is_plain && fixed) options.layout = &kFixedForward;
  return options;
}

// What a layout whose checkpoints keep pages changes in a plan. Pages may end before they are full, so no column has a
// fixed number of rows in one.
struct KeepingPlan {
  const LayoutOps* layout;
  const ExtentForecast* forecast;
  bool is_fixed;
};

// noinline: few programs plan such a layout when they run.
[[gnu::noinline]] constexpr KeepingPlan plan_keeping(Schema schema, const Options& options, bool is_fixed) {
  const auto& keeping = static_cast<const KeepingLayout&>(*options.layout);
  if (keeps_pages(schema, options))
    return {keeping.ops, is_fixed ? keeping.extents : keeping.forecast, is_fixed};
  return {keeping.cutting_ops, any_tails(schema, options) ? &kSectorTailForecast : &kSmoothedForecast, false};
}

// Makes the plan. It uses `transforms` only if there is a transform.
constexpr WriterPlan plan_writer(Schema schema, const Options& options, const ColumnPlan* columns,
                                 const ColumnTransforms* transforms, Span<const std::byte> footer_head,
                                 Span<const std::byte> footer_tail) {
  const bool tails = any_tails(schema, options);
  const bool asks_lengthening =
      options.layout->checkpoints != CheckpointKind::kNone || options.layout->indexes_pages;
  std::uint32_t bytes_per_row = 0;
  const ExtentForecast* forecast = nullptr;
  for (const Field& field : schema) {
    if (const std::uint32_t rows = rows_per_page(field, page_bytes_of(field, options)); rows != 0) {
      bytes_per_row += page_bytes_of(field, options) * kRowFraction / rows + 1;
    } else {
      forecast = tails ? &kSectorTailForecast : &kSmoothedForecast;
    }
  }
  const LayoutOps* layout = tails && !asks_lengthening ? &kSectorTailsOps : options.layout->ops;
  if (options.layout->checkpoints == CheckpointKind::kKeepPages) {
    const KeepingPlan keeping = plan_keeping(schema, options, forecast == nullptr);
    layout = keeping.layout;
    forecast = keeping.forecast;
    if (!keeping.is_fixed) bytes_per_row = 0;
  }
  const DictionaryPages* dictionaries = nullptr;
  const PageTransform* const transform = plan_transform(schema, options).functions;
  WriteRowGroup* write = transform != nullptr            ? transform->write_row_group
                         : options.layout->indexes_pages ? indexed_layout(options).write_row_group
                                                         : &write_row_group;
  for (const Field& field : schema) {
    if (const EncoderDictionary* const dictionary = field.encoder->dictionary; dictionary != nullptr) {
      dictionaries = dictionary->pages;
      write = dictionary->transform->write_row_group;
    }
  }
  return {&options,
          columns,
          static_cast<std::uint32_t>(schema.size()),
          bytes_per_row,
          layout,
          forecast,
          tails                      ? &kSectorTails
          : lengthens_pages(options) ? &kPageLengthening
                                     : nullptr,
          options.block_bytes != kSectorBytes ? &kBlocks : nullptr,
          transform != nullptr ? transforms : nullptr,
          dictionaries,
          write,
          pads_pages(options) ? kSectorBytes - 1 : 0,
          footer_head,
          footer_tail,
          plan_arena(schema, options)};
}

// Parts of a plan made at run time, at the head of the arena.
struct PlanPlaces {
  std::size_t columns;
  std::size_t transforms;
  std::size_t footer_head;
  std::size_t footer_tail;
  std::size_t bytes;
};

constexpr PlanPlaces place_plan(Schema schema, const Options& options) {
  const std::size_t columns = align8(sizeof(WriterPlan));
  const std::size_t transforms = columns + schema.size() * sizeof(ColumnPlan);
  const bool any = plan_transform(schema, options).functions != nullptr;
  const std::size_t transforms_bytes = sizeof(ColumnTransforms) + schema.size() * sizeof(const Compressor*);
  const std::size_t head = transforms + (any ? transforms_bytes : 0);
  const std::size_t tail = head + format::footer_head_bytes(schema);
  ArenaCursor cursor;
  cursor.take(tail + format::write_footer_tail(schema.size(), footer_extension_bytes(schema.size(), options),
                                               nullptr));
  cursor.align(options.transfer_align);
  return {columns, transforms, head, tail, cursor.take(0)};
}

}  // namespace microparquet::detail
