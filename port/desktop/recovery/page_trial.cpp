#include "page_trial.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "byte_views.h"
#include "microparquet/detail/encoding/plain.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/encoding_id.h"
#include "open_file.h"
#include "reading_steps.h"
#include "thrift_dom/page_headers.h"

namespace microparquet::recovery {

namespace {

constexpr std::size_t kTrialItems = 4096;
constexpr std::uint64_t kMostItems =
    1 << 26;  // of all trials: a few bytes may say that there are thousands of millions
constexpr std::uint64_t kMostItemsAByte = 16384;  // limit for each further byte of the file

bool decode_alike(const ColumnModel& a, const ColumnModel& b) {
  return a.codec == b.codec && a.element.type == b.element.type &&
         a.element.type_length == b.element.type_length &&
         a.element.max_definition_level == b.element.max_definition_level &&
         a.element.max_repetition_level == b.element.max_repetition_level;
}

// Whether a column of this type can have pages of this encoding.
bool encodes(EncodingId encoding, Type type) {
  const bool integer = type == Type::kInt32 || type == Type::kInt64;
  const bool bytes = type == Type::kByteArray || type == Type::kFixedLenByteArray;
  switch (encoding) {
    case EncodingId::kPlain:
    case EncodingId::kPlainDictionary:
    case EncodingId::kRleDictionary: return true;
    case EncodingId::kRle: return type == Type::kBoolean;
    case EncodingId::kDeltaBinaryPacked: return integer;
    case EncodingId::kDeltaLengthByteArray: return type == Type::kByteArray;
    case EncodingId::kDeltaByteArray: return bytes;
    case EncodingId::kAlp: return type == Type::kFloat || type == Type::kDouble;
    case EncodingId::kByteStreamSplit: return type != Type::kBoolean && type != Type::kByteArray;
    default: return false;
  }
}

std::uint64_t plain_bytes(const SchemaElement& element, std::uint32_t values) {
  return encoding::least_plain_bytes(element.type, encoding::plain_width(element.type, element.type_length),
                                     values);
}

// Compares the sizes that are known without decoding.
bool sizes_fit(const ColumnModel& column, const ListedPage& page) {
  const format::PageHeader& header = page.header;
  const SchemaElement& element = column.element;
  const bool stored = column.codec == CodecId::kUncompressed || (page.second_version() && !header.compressed);
  if ((stored && header.compressed_bytes != header.uncompressed_bytes) ||
      header.uncompressed_bytes / most_expanded(column.codec) > header.compressed_bytes) {
    return false;
  }
  const bool flat = element.max_repetition_level == 0;
  if (page.second_version() && flat && header.rows != header.values) {
    return false;
  }
  const bool fixed_encoding = header.encoding == static_cast<std::uint32_t>(EncodingId::kPlain) ||
                              header.encoding == static_cast<std::uint32_t>(EncodingId::kByteStreamSplit);
  if (!fixed_encoding || element.max_definition_level != 0) {
    return true;
  }
  const std::uint64_t bytes = plain_bytes(element, header.values);
  const std::uint64_t there =
      header.uncompressed_bytes -
      std::min(header.uncompressed_bytes, header.repetition_bytes + header.definition_bytes);
  return element.type == Type::kByteArray ? there >= bytes : there == bytes;
}

}  // namespace

PageTrial::PageTrial(View& view, const std::vector<ListedPage>& pages,
                     const std::vector<ColumnModel>& columns)
    : view_(view),
      pages_(pages),
      columns_(columns),
      items_left_(kMostItems + kMostItemsAByte * view.bytes()) {
  for (const ColumnModel& column : columns) {
    const auto first = std::find_if(columns.begin(), columns.end(),
                                    [&](const ColumnModel& other) { return decode_alike(column, other); });
    kinds_.push_back(static_cast<std::size_t>(first - columns.begin()));
  }
}

const PageReading& PageTrial::read(std::uint32_t page, std::size_t column, std::uint32_t dictionary) {
  if (!pages_[page].uses_dictionary()) {
    dictionary = kNoPage;
  }
  const auto key = std::make_tuple(page, kinds_[column], dictionary);
  const auto known = known_.find(key);
  return known != known_.end() ? known->second
                               : known_.emplace(key, try_page(page, column, dictionary)).first->second;
}

bool PageTrial::fits_dictionary(std::uint32_t page, std::size_t column) const {
  const ListedPage& dictionary = pages_[page];
  const SchemaElement& element = columns_[column].element;
  const std::uint64_t bytes = plain_bytes(element, dictionary.header.values);
  return dictionary.checksum_holds && element.type != Type::kBoolean &&
         sizes_fit(columns_[column], dictionary) &&
         (element.type == Type::kByteArray ? dictionary.header.uncompressed_bytes >= bytes
                                           : dictionary.header.uncompressed_bytes == bytes);
}

PageReading PageTrial::try_page(std::uint32_t number, std::size_t column, std::uint32_t dictionary) {
  const ListedPage& page = pages_[number];
  const ColumnModel& model = columns_[column];
  PageReading reading;
  if (page.dictionary() || !page.checksum_holds || !sizes_fit(model, page) ||
      !encodes(static_cast<EncodingId>(page.header.encoding), model.element.type) ||
      (page.uses_dictionary() && dictionary == kNoPage)) {
    return reading;
  }
  if (page.uses_dictionary() && dictionary == kLostPage) {
    // Nothing can be said of its values; of lists not even how many rows they are, but in the second version.
    reading.fits = model.element.max_repetition_level == 0 || page.second_version();
    reading.rows = page.second_version() ? page.header.rows : page.header.values;
    return reading;
  }
  return decode(number, column, dictionary);
}

PageReading PageTrial::decode(std::uint32_t number, std::size_t column, std::uint32_t dictionary) {
  const ListedPage& page = pages_[number];
  const ColumnModel& model = columns_[column];
  const bool lists = model.element.max_repetition_level != 0;
  PageReading reading;
  std::uint64_t rows = page.header.values;
  std::uint64_t items = 0;
  if (lists) {
    // How many rows it has is found by reading it as if it had as many as items.
    std::uint64_t begun = 0;
    const VisitItems count = [&](const AnyBatch& batch) {
      items += batch.level_count;
      begun += static_cast<std::uint64_t>(
          std::count(batch.repetition_levels, batch.repetition_levels + batch.level_count, 0));
    };
    const auto reset = [&] { items = begun = 0; };
    static_cast<void>(decode_as(page, model, dictionary, rows, false, count, reset));
    if (items == 0 && rows != 0 && !page.second_version()) {
      reading.begins_row = false;
      static_cast<void>(decode_as(page, model, dictionary, rows + 1, true, count, reset));
    }
    rows = begun;
  }
  items = 0;
  const Status status = decode_as(
      page, model, dictionary, rows + (reading.begins_row ? 0 : 1), !reading.begins_row,
      [&](const AnyBatch& batch) { items += batch.level_count; }, [&] { items = 0; });
  if (status == Status::kUnsupported && !lists) {
    reading.fits = true;
  } else if (status == Status::kEnd && items == page.header.values) {
    reading.fits = reading.decoded = true;
  }
  reading.rows = static_cast<std::uint32_t>(rows);
  return reading;
}

bool PageTrial::visit(std::uint32_t page, std::size_t column, std::uint32_t dictionary,
                      const VisitItems& items) {
  const PageReading& reading = read(page, column, dictionary);
  const bool continues = !reading.begins_row;
  return reading.decoded &&
         decode_as(pages_[page], columns_[column], pages_[page].uses_dictionary() ? dictionary : kNoPage,
                   reading.rows + (continues ? 1U : 0U), continues, items, {}) == Status::kEnd;
}

// The page as the only one of a chunk of `rows` rows. One that continues a row has a made page before it, whose item it
// continues.
Status PageTrial::decode_as(const ListedPage& page, const ColumnModel& column, std::uint32_t dictionary,
                            std::uint64_t rows, bool continues, const VisitItems& items,
                            const std::function<void()>& again) {
  SchemaElement element = column.element;
  element.type_length =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(element.type_length, view_.bytes()));
  MemoryMedium medium;
  const auto add = [&](ByteView bytes) { static_cast<void>(medium.write_at(medium.bytes().size(), bytes)); };
  const Bytes magic(format::kMagicBytes);
  add(magic);
  std::optional<Piece> stored_dictionary;
  if (dictionary < pages_.size()) {
    const ListedPage& entries = pages_[dictionary];
    stored_dictionary = Piece{medium.bytes().size(), entries.end - entries.begin};
    add(read_bytes(view_, entries.begin, static_cast<std::size_t>(entries.end - entries.begin)));
  }
  PageRun run{medium.bytes().size(), 0, page.header.values};
  if (continues) {
    add(page_of_one_item(element));
    ++run.values;
  }
  add(read_bytes(view_, page.begin, static_cast<std::size_t>(page.end - page.begin)));
  run.end = medium.bytes().size();
  ColumnChunkInfo info;
  info.codec = column.codec;
  info.encodings = 1U << page.header.encoding | 1U << static_cast<unsigned>(EncodingId::kRle);
  const std::uint64_t most = 4 * most_expanded(column.codec) * medium.bytes().size() + (1 << 20);
  for (;;) {
    ColumnFile file(medium);
    Status status = file.open(element, info, run, rows, stored_dictionary);
    status = status == Status::kOk ? file.begin(buffer_bytes_) : status;
    if (status == Status::kOk) {
      status = read_items(file, column, continues, items);
    }
    if (status != Status::kValueTooLarge && status != Status::kOutOfMemory) {
      return status;
    }
    const std::uint64_t needed = file.reader().needed_bytes() * 5 / 4 + 64;
    if (!again || needed > most || needed > 0x7FFFFFFF || needed <= buffer_bytes_) {
      return Status::kCorrupt;
    }
    buffer_bytes_ = static_cast<std::uint32_t>(needed);
    again();
  }
}

// kEnd: after the last item.
Status PageTrial::read_items(ColumnFile& file, const ColumnModel& column, bool continues,
                             const VisitItems& items) {
  const SchemaElement& element = column.element;
  const std::size_t stride = element.type == Type::kByteArray
                                 ? sizeof(std::string_view)
                                 : std::max<std::size_t>(value_bytes(element.type, element.type_length), 1);
  const std::size_t places = std::clamp<std::size_t>((1 << 20) / stride, 1, kTrialItems);
  values_.resize(std::max(values_.size(), places * stride / sizeof(std::uint64_t) + 1));
  levels_.resize(2 * kTrialItems);
  bool first = continues;  // the made item
  for (;;) {
    AnyBatch batch;
    batch.values = values_.data();
    batch.places = first ? 1 : places;
    batch.definition_levels = levels_.data();
    batch.repetition_levels = levels_.data() + kTrialItems;
    const Status status = file.reader().next_items(0, batch);
    if (status != Status::kOk) {
      return status;
    }
    if (batch.level_count > items_left_) {
      return Status::kCorrupt;
    }
    items_left_ -= batch.level_count;
    if (!first) {
      items(batch);
    }
    first = false;
  }
}

namespace {

constexpr std::size_t kMostReadings = 2048;  // readings that are followed at a time

class FollowedPages {
 public:
  FollowedPages(PageTrial& trial, const std::vector<ListedPage>& pages,
                const std::vector<ColumnModel>& models, std::uint64_t group_rows, const PageHabits& habits)
      : pages_(pages),
        columns_(static_cast<std::uint32_t>(models.size())),
        steps_(trial, pages, models, group_rows, habits) {
    before_all_.nodes.push_back({});
  }

  PageReadings run() {
    bool gap = false;
    for (std::uint32_t i = 0; i < pages_.size(); ++i) {
      gap = gap || pages_[i].after_gap;
      if (!pages_[i].checksum_holds) {
        lose(i);
        gap = true;
        continue;
      }
      Layer layer = layer_after(last(), i, gap);
      if (layer.nodes.size() > kMostReadings) {
        readings_.stopped = i;
        break;
      }
      gap = layer.nodes.empty();
      if (gap) {
        note_misfit(i);
        lose(i);
        doubt_inferred_chunk();
      } else {
        readings_.layers.push_back(std::move(layer));
      }
    }
    return std::move(readings_);
  }

 private:
  // The last page that was followed; before the first one, the beginning.
  Layer& last() { return readings_.layers.empty() ? before_all_ : readings_.layers.back(); }

  // The stands after `page`, to which those of `from` point then.
  Layer layer_after(Layer& from, std::uint32_t page, bool gap) {
    Layer layer;
    layer.page = page;
    std::map<Stand, std::uint32_t> numbers;
    const std::optional<std::uint32_t> before =
        readings_.layers.empty() ? std::nullopt : std::optional<std::uint32_t>(from.page);
    for (Node& node : from.nodes) {
      for (const PageStep& step : steps_.after(node.stand, before, page, gap)) {
        const auto [at, is_new] = numbers.emplace(step.stand, static_cast<std::uint32_t>(layer.nodes.size()));
        if (is_new) {
          layer.nodes.emplace_back();
          layer.nodes.back().stand = step.stand;
          layer.nodes.back().reading = step.reading;
        }
        if (std::find(node.next.begin(), node.next.end(), at->second) == node.next.end()) {
          node.next.push_back(at->second);
        }
      }
    }
    return layer;
  }

  void lose(std::uint32_t page) {
    readings_.damaged.push_back({pages_[page].begin, pages_[page].end - pages_[page].begin});
  }

  void note_misfit(std::uint32_t page) {
    if (readings_.misfit) {
      return;
    }
    readings_.misfit = Misfit{page, {}};
    for (const Node& node : last().nodes) {
      const bool first = readings_.layers.empty();
      if (!first && node.stand.rows != 0) {
        readings_.misfit->columns.insert((node.stand.column + 1) % columns_);
      }
      if (first || !pages_[page].dictionary()) {
        readings_.misfit->columns.insert(node.stand.column);
      }
    }
  }

  // No reading explains a page, so it is damaged, or one before it was, and was taken for one of another column: where a chunk
  // was taken to begin without a dictionary, its pages are in doubt.
  void doubt_inferred_chunk() {
    if (readings_.layers.empty()) {
      return;
    }
    for (const Node& node : readings_.layers.back().nodes) {
      for (auto layer = readings_.layers.rbegin(); layer != readings_.layers.rend(); ++layer) {
        const bool same = std::any_of(layer->nodes.begin(), layer->nodes.end(), [&](const Node& other) {
          return other.stand.group == node.stand.group && other.stand.column == node.stand.column;
        });
        if (!same) {
          break;
        }
        if (node.stand.dictionary == kNoPage && (node.stand.column != 0 || node.stand.group != 0)) {
          readings_.doubted.insert(layer->page);
        }
      }
    }
  }

  const std::vector<ListedPage>& pages_;
  std::uint32_t columns_;
  PageSteps steps_;
  Layer before_all_;
  PageReadings readings_;
};

}  // namespace

PageReadings follow_pages(PageTrial& trial, const std::vector<ListedPage>& pages,
                          const std::vector<ColumnModel>& models, std::uint64_t group_rows,
                          const PageHabits& habits) {
  return FollowedPages(trial, pages, models, group_rows, habits).run();
}

}  // namespace microparquet::recovery
