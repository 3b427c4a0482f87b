#include "small_reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

namespace lives::small {
namespace {

// Thrift's compact protocol.
enum Kind { kStop, kTrue, kFalse, kByte, kI16, kI32, kI64, kDouble, kBinary, kList, kSet, kMap, kStruct };

// Past the end, or at what cannot be, it is bad from then on and gives zeros.
class Thrift {
 public:
  explicit Thrift(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool bad() const { return bad_; }
  const char* at() const { return at_; }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const unsigned byte = next();
      value |= std::uint64_t{byte & 0x7F} << shift;
      if (byte < 0x80) return value;
    }
    bad_ = true;
    return 0;
  }
  std::int64_t number() {
    const std::uint64_t value = varint();
    return static_cast<std::int64_t>(value >> 1 ^ (0 - (value & 1)));
  }
  std::string_view binary() {
    const std::uint64_t bytes = varint();
    if (bytes > static_cast<std::uint64_t>(end_ - at_)) bad_ = true;
    if (bad_) return {};
    at_ += bytes;
    return {at_ - bytes, static_cast<std::size_t>(bytes)};
  }
  // Calls `element` for each.
  template <typename Element>
  void list(Element element) {
    const unsigned header = next();
    std::uint64_t count = header >> 4;
    if (count == 15) count = varint();
    for (; count != 0 && !bad_; --count) element(header & 15);
  }
  // Calls `field` with number and kind of each; it takes the value, or answers false.
  template <typename Field>
  void structure(Field field) {
    for (int id = 0; !bad_;) {
      const unsigned header = next();
      if (header == kStop || bad_) return;
      id = header >> 4 != 0 ? id + static_cast<int>(header >> 4) : static_cast<int>(number());
      if (!field(id, header & 15)) skip(header & 15);
    }
  }
  void skip(unsigned kind) {
    switch (kind) {
      case kTrue:
      case kFalse: return;
      case kByte: next(); return;
      case kI16:
      case kI32:
      case kI64: varint(); return;
      case kDouble:
        for (int i = 0; i < 8; ++i) next();
        return;
      case kBinary: binary(); return;
      case kList:
      case kSet:
        list([&](unsigned element) { element <= kFalse ? static_cast<void>(next()) : skip(element); });
        return;
      case kStruct: structure([](int, unsigned) { return false; }); return;
      default: bad_ = true;
    }
  }

 private:
  unsigned next() {
    if (at_ == end_) bad_ = true;
    return bad_ ? 0 : static_cast<unsigned char>(*at_++);
  }

  const char* at_;
  const char* end_;
  bool bad_ = false;
};

std::uint32_t word(const char* at) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < 4; ++i)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(at[i])) << 8 * i;
  return value;
}

// CRC-32 of GZIP, eight bytes a step.
std::uint32_t crc32(std::string_view bytes) {
  using Tables = std::array<std::array<std::uint32_t, 256>, 8>;
  static const Tables tables = [] {
    Tables all{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t crc = i;
      for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0xEDB88320 & (0 - (crc & 1)));
      all[0][i] = crc;
    }
    for (std::size_t i = 0; i < 256; ++i) {
      for (std::size_t k = 1; k < 8; ++k) all[k][i] = all[k - 1][i] >> 8 ^ all[0][all[k - 1][i] & 0xFF];
    }
    return all;
  }();
  std::uint32_t crc = ~0U;
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    const std::uint32_t low = word(bytes.data() + i) ^ crc;
    const std::uint32_t high = word(bytes.data() + i + 4);
    crc = 0;
    for (unsigned k = 0; k < 4; ++k)
      crc ^= tables[7 - k][low >> 8 * k & 0xFF] ^ tables[3 - k][high >> 8 * k & 0xFF];
  }
  for (; i < bytes.size(); ++i)
    crc = crc >> 8 ^ tables[0][(crc ^ static_cast<unsigned char>(bytes[i])) & 0xFF];
  return ~crc;
}

struct Page {
  int type = -1;
  std::int64_t bytes = -1;
  std::int64_t plain_bytes = -1;
  std::int64_t values = -1;
  std::optional<std::uint32_t> crc;
  std::int64_t encoding = -1;
  std::int64_t levels = -1;
  // Fields of version 2.
  std::int64_t nulls = -1;
  std::int64_t rows = -1;
  std::int64_t definition_bytes = -1;
  std::int64_t repetition_bytes = -1;
  bool is_compressed = true;
};

void read_v2_header(Thrift& in, Page& page) {
  in.structure([&](int id, unsigned kind) {
    if (id == 7) page.is_compressed = kind == kTrue;
    if (kind != kI32) return false;
    const std::int64_t number = in.number();
    if (id == 1) page.values = number;
    if (id == 2) page.nulls = number;
    if (id == 3) page.rows = number;
    if (id == 4) page.encoding = number;
    if (id == 5) page.definition_bytes = number;
    if (id == 6) page.repetition_bytes = number;
    return true;
  });
}

Page read_page_header(Thrift& in) {
  Page page;
  in.structure([&](int id, unsigned kind) {
    if ((id == 5 || id == 7) && kind == kStruct) {
      in.structure([&](int inner, unsigned inner_kind) {
        if (inner_kind != kI32) return false;
        const std::int64_t number = in.number();
        if (inner == 1) page.values = number;
        if (inner == 2) page.encoding = number;
        if (inner == 3) page.levels = number;
        return true;
      });
      return true;
    }
    if (id == 8 && kind == kStruct) {
      read_v2_header(in, page);
      return true;
    }
    if (kind != kI32) return false;
    const std::int64_t number = in.number();
    if (id == 1) page.type = static_cast<int>(number);
    if (id == 2) page.plain_bytes = number;
    if (id == 3) page.bytes = number;
    if (id == 4) page.crc = static_cast<std::uint32_t>(number);
    return true;
  });
  return page;
}

// A block of LZ4 that has `most` bytes when it is unpacked; false: it has not, or is no such block.
bool unpack_lz4(std::string_view bytes, std::size_t most, std::string& plain) {
  const auto take = [&bytes] {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    return std::size_t{byte};
  };
  // A length of 15 or more continues in further bytes, each of which adds up to 255.
  const auto length = [&](std::size_t count) {
    for (std::size_t more = count == 15 ? 255 : 0; more == 255 && !bytes.empty(); count += more)
      more = take();
    return count;
  };
  plain.clear();
  while (!bytes.empty()) {
    const std::size_t token = take();
    const std::size_t literals = length(token >> 4);
    if (literals > bytes.size() || literals > most - plain.size()) return false;
    plain += bytes.substr(0, literals);
    bytes.remove_prefix(literals);
    if (bytes.empty()) break;
    if (bytes.size() < 2) return false;
    const std::size_t low = take();
    const std::size_t back = low | take() << 8;
    const std::size_t copied = length(token & 15) + 4;
    if (back == 0 || back > plain.size() || copied > most - plain.size()) return false;
    for (std::size_t i = 0; i < copied; ++i) plain += plain[plain.size() - back];
  }
  return plain.size() == most;
}

// The body of a page, or the values of one of version 2, without its codec, if it has one; `memory` is where it lies
// then. False: it cannot be unpacked.
bool unpack_body(int codec, Unpack unpack, const Page& page, std::string_view& body, std::string& memory) {
  const bool is_v2 = page.type == 3;
  const std::int64_t levels = is_v2 ? page.definition_bytes : 0;
  if (codec == 0 || !page.is_compressed) return page.bytes == page.plain_bytes && (is_v2 || codec == 0);
  if (page.plain_bytes < levels) return false;
  const auto plain_bytes = static_cast<std::size_t>(page.plain_bytes - levels);
  const bool is_unpacked = codec == 7 ? unpack_lz4(body, plain_bytes, memory)
                                      : unpack != nullptr && unpack(codec, body, plain_bytes, memory);
  body = memory;
  return is_unpacked && memory.size() == plain_bytes;
}

// BYTE_STREAM_SPLIT as the values would be in PLAIN, `width` bytes each.
bool unpack_split(std::string_view bytes, std::size_t width, std::string& plain) {
  if (width == 0 || bytes.size() % width != 0) return false;
  const std::size_t count = bytes.size() / width;
  plain.resize(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) plain[i % count * width + i / count] = bytes[i];
  return true;
}

// Definition levels of one bit, in the hybrid of runs and packed groups of eight.
bool read_levels(std::string_view bytes, std::size_t count, std::vector<unsigned char>& valid) {
  valid.clear();
  Thrift in(bytes);
  const char* const end = bytes.data() + bytes.size();
  while (valid.size() < count) {
    const std::uint64_t header = in.varint();
    if (in.bad() || header < 2) return false;
    const char* at = in.at();
    if ((header & 1) == 0) {
      if (at == end || static_cast<unsigned char>(*at) > 1) return false;
      if (header >> 1 > count - valid.size()) return false;
      valid.insert(valid.end(), static_cast<std::size_t>(header >> 1), static_cast<unsigned char>(*at++));
    } else {
      if (header >> 1 > static_cast<std::uint64_t>(end - at)) return false;
      for (std::uint64_t i = 0; i < header >> 1; ++i, ++at) {
        for (unsigned bit = 0; bit < 8; ++bit) valid.push_back(static_cast<unsigned char>(*at) >> bit & 1);
      }
    }
    in = Thrift({at, static_cast<std::size_t>(end - at)});
  }
  valid.resize(count);
  return true;
}

// DELTA_BINARY_PACKED as the values would be in PLAIN, `width` bytes each; `bytes` is what stands after them. False: the
// bytes are no such page.
bool take_deltas(std::string_view& bytes, std::size_t width, std::string& plain) {
  Thrift in(bytes);
  const std::uint64_t block = in.varint();
  const std::uint64_t miniblocks = in.varint();
  std::uint64_t left = in.varint();
  auto value = static_cast<std::uint64_t>(in.number());
  if (in.bad() || miniblocks == 0 || block == 0 || block % (miniblocks * 32) != 0) return false;
  const std::size_t in_miniblock = static_cast<std::size_t>(block / miniblocks);
  const auto take = [&] {
    for (unsigned i = 0; i < width; ++i) plain += static_cast<char>(value >> 8 * i & 0xFF);
    --left;
  };
  plain.clear();
  if (left != 0) take();
  std::string_view rest = bytes.substr(static_cast<std::size_t>(in.at() - bytes.data()));
  while (left != 0) {
    Thrift head(rest);
    const auto least = static_cast<std::uint64_t>(head.number());
    rest.remove_prefix(static_cast<std::size_t>(head.at() - rest.data()));
    if (head.bad() || rest.size() < miniblocks) return false;
    const std::string_view widths = rest.substr(0, static_cast<std::size_t>(miniblocks));
    rest.remove_prefix(widths.size());
    for (std::size_t k = 0; k < widths.size() && left != 0; ++k) {
      const std::size_t bits = static_cast<unsigned char>(widths[k]);
      if (bits > 8 * width || rest.size() < in_miniblock * bits / 8) return false;
      for (std::size_t i = 0; i < in_miniblock && left != 0; ++i) {
        std::uint64_t number = 0;
        for (std::size_t bit = i * bits; bit < (i + 1) * bits; ++bit) {
          const std::uint64_t one = static_cast<unsigned char>(rest[bit / 8]) >> bit % 8 & 1;
          number |= one << (bit - i * bits);
        }
        value += least + number;
        take();
      }
      rest.remove_prefix(in_miniblock * bits / 8);
    }
  }
  bytes = rest;
  return true;
}

bool unpack_deltas(std::string_view bytes, std::size_t width, std::string& plain) {
  return take_deltas(bytes, width, plain) && bytes.empty();
}

// DELTA_LENGTH_BYTE_ARRAY as the values would be in PLAIN.
bool unpack_lengths(std::string_view bytes, std::string& plain) {
  std::string lengths;
  if (!take_deltas(bytes, 4, lengths)) return false;
  plain.clear();
  for (std::size_t i = 0; i < lengths.size(); i += 4) {
    const std::size_t size = word(lengths.data() + i);
    if (size > bytes.size()) return false;
    plain += lengths.substr(i, 4);
    plain += bytes.substr(0, size);
    bytes.remove_prefix(size);
  }
  return bytes.empty();
}

// DELTA_BYTE_ARRAY, likewise.
bool unpack_prefixes(std::string_view bytes, std::string& plain) {
  std::string prefixes;
  std::string suffixes;
  if (!take_deltas(bytes, 4, prefixes) || !unpack_lengths(bytes, suffixes)) return false;
  plain.clear();
  std::string value;
  std::string_view rest = suffixes;
  for (std::size_t i = 0; i < prefixes.size(); i += 4) {
    const std::size_t prefix = word(prefixes.data() + i);
    if (prefix > value.size() || rest.size() < 4) return false;
    const std::size_t size = word(rest.data());
    value = value.substr(0, prefix) + std::string(rest.substr(4, size));
    rest.remove_prefix(4 + size);
    for (unsigned k = 0; k < 4; ++k) plain += static_cast<char>(value.size() >> 8 * k & 0xFF);
    plain += value;
  }
  return rest.empty();
}

// Booleans in RLE as they would be in PLAIN, for the rows that are `valid`.
bool unpack_runs(std::string_view bytes, const std::vector<unsigned char>& valid, std::string& plain) {
  std::vector<unsigned char> values;
  const auto count = static_cast<std::size_t>(std::count(valid.begin(), valid.end(), 1));
  if (bytes.size() < 4 || word(bytes.data()) != bytes.size() - 4 ||
      !read_levels(bytes.substr(4), count, values))
    return false;
  plain.assign((count + 7) / 8, 0);
  for (std::size_t i = 0; i < count; ++i)
    plain[i / 8] = static_cast<char>(static_cast<unsigned char>(plain[i / 8]) | values[i] << i % 8);
  return true;
}

// The entries of a dictionary page of PLAIN values, each as PLAIN has it; `width` 0: byte arrays.
bool read_entries(std::string_view bytes, std::size_t width, std::size_t count,
                  std::vector<std::string_view>& entries) {
  entries.clear();
  for (; count != 0; --count) {
    std::size_t size = width;
    if (width == 0) {
      if (bytes.size() < 4) return false;
      size = 4 + std::size_t{word(bytes.data())};
    }
    if (size > bytes.size()) return false;
    entries.push_back(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
  return bytes.empty();
}

// `count` indices as their entries are in PLAIN.
bool unpack_indices(std::string_view bytes, std::size_t count, const std::vector<std::string_view>& entries,
                    std::string& plain) {
  plain.clear();
  if (bytes.empty()) return count == 0;
  const std::size_t width = static_cast<unsigned char>(bytes[0]);
  bytes.remove_prefix(1);
  const auto take = [&](std::size_t index) {
    if (index >= entries.size() || count == 0) return false;
    plain += entries[index];
    --count;
    return true;
  };
  while (count != 0) {
    Thrift in(bytes);
    const std::uint64_t header = in.varint();
    if (in.bad() || header < 2 || width > 16) return false;
    bytes.remove_prefix(static_cast<std::size_t>(in.at() - bytes.data()));
    const bool packed = (header & 1) != 0;
    const std::uint64_t size = packed ? (header >> 1) * width : (width + 7) / 8;
    if (size > bytes.size()) return false;
    const std::uint64_t numbers = packed ? (header >> 1) * 8 : header >> 1;
    if (!packed && numbers > count) return false;
    for (std::uint64_t i = 0; i < numbers && count != 0; ++i) {
      std::size_t index = 0;
      for (std::size_t b = 0; b < width; ++b) {
        const std::size_t bit = (packed ? static_cast<std::size_t>(i) * width : 0) + b;
        index |= std::size_t{static_cast<unsigned char>(bytes[bit / 8])} >> bit % 8 << b & std::size_t{1}
                                                                                               << b;
      }
      if (!take(index)) return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(size));
  }
  return bytes.empty();
}

void read_statistics(Thrift& in, Chunk& chunk) {
  in.structure([&](int id, unsigned kind) {
    if (id == 3 && kind == kI64) {
      chunk.nulls = in.number();
    } else if (id == 5 && kind == kBinary) {
      chunk.greatest = in.binary();
    } else if (id == 6 && kind == kBinary) {
      chunk.least = in.binary();
    } else {
      return false;
    }
    return true;
  });
}

void read_chunk(Thrift& in, Chunk& chunk) {
  in.structure([&](int id, unsigned kind) {
    if (id != 3 || kind != kStruct) return false;
    in.structure([&](int inner, unsigned inner_kind) {
      if (inner == 12 && inner_kind == kStruct) {
        read_statistics(in, chunk);
        return true;
      }
      if (inner_kind != kI32 && inner_kind != kI64) return false;
      const std::int64_t number = in.number();
      if (inner == 1) chunk.type = static_cast<int>(number);
      if (inner == 4) chunk.codec = static_cast<int>(number);
      if (inner == 5) chunk.values = static_cast<std::uint64_t>(number);
      if (inner == 7) chunk.bytes = static_cast<std::uint64_t>(number);
      if (inner == 9) chunk.begin = static_cast<std::uint64_t>(number);
      if (inner == 11) chunk.dictionary = static_cast<std::uint64_t>(number);
      return true;
    });
    return true;
  });
}

void read_row_group(Thrift& in, RowGroup& row_group) {
  in.structure([&](int id, unsigned kind) {
    if (id == 1 && kind == kList) {
      in.list([&](unsigned) { read_chunk(in, row_group.chunks.emplace_back()); });
    } else if (id == 3 && kind == kI64) {
      row_group.rows = static_cast<std::uint64_t>(in.number());
    } else if (id == 4 && kind == kList) {
      in.list([&](unsigned) {
        SortedBy& sorted = row_group.sorted_by.emplace_back();
        in.structure([&](int inner, unsigned inner_kind) {
          if (inner == 1 && inner_kind == kI32) {
            sorted.column = static_cast<int>(in.number());
            return true;
          }
          if (inner == 2) sorted.descending = inner_kind == kTrue;
          return false;
        });
      });
    } else {
      return false;
    }
    return true;
  });
}

void read_column(Thrift& in, Column& column) {
  in.structure([&](int id, unsigned kind) {
    if (id == 4 && kind == kBinary) {
      column.name = in.binary();
    } else if (kind != kI32 || id > 3) {
      return false;
    } else {
      const auto number = static_cast<int>(in.number());
      if (id == 1) column.type = number;
      if (id == 2) column.type_length = number;
      if (id == 3) column.repetition = number;
    }
    return true;
  });
}

}  // namespace

std::string File::open(std::string_view bytes) {
  constexpr std::string_view kMagic = "PAR1";
  bytes_ = bytes;
  columns.clear();
  row_groups.clear();
  key_values.clear();
  rows = 0;
  if (bytes.size() < 12 || bytes.substr(0, 4) != kMagic || bytes.substr(bytes.size() - 4) != kMagic)
    return "it does not begin and end with PAR1";
  const std::uint32_t footer = word(bytes.data() + bytes.size() - 8);
  if (footer > bytes.size() - 12) return "its footer is longer than the file";
  Thrift in(bytes.substr(bytes.size() - 8 - footer, footer));
  in.structure([&](int id, unsigned kind) {
    if (id == 2 && kind == kList) {
      in.list([&](unsigned) { read_column(in, columns.emplace_back()); });
    } else if (id == 3 && kind == kI64) {
      rows = static_cast<std::uint64_t>(in.number());
    } else if (id == 4 && kind == kList) {
      in.list([&](unsigned) { read_row_group(in, row_groups.emplace_back()); });
    } else if (id == 5 && kind == kList) {
      in.list([&](unsigned) {
        auto& pair = key_values.emplace_back();
        in.structure([&](int inner, unsigned inner_kind) {
          if (inner_kind != kBinary) return false;
          (inner == 1 ? pair.first : pair.second) = in.binary();
          return true;
        });
      });
    } else {
      return false;
    }
    return true;
  });
  if (in.bad() || columns.empty()) return "its footer cannot be read";
  if (in.at() != bytes.data() + bytes.size() - 8) return "its footer ends before its end";
  columns.erase(columns.begin());  // the root
  std::uint64_t sum = 0;
  for (const RowGroup& row_group : row_groups) {
    sum += row_group.rows;
    if (row_group.chunks.size() != columns.size()) return "a row group has other columns than the schema";
  }
  return sum == rows ? "" : "the rows of the row groups are not those of the file";
}

std::string File::read(const RowGroup& row_group, std::size_t column, const Visitor& visitor) const {
  const Chunk& chunk = row_group.chunks[column];
  const Column& kind = columns[column];
  if (chunk.values != row_group.rows) return "a chunk has not as many values as its row group rows";
  // The chunk begins with its dictionary page, if there is one.
  const std::uint64_t begin = chunk.dictionary != 0 ? chunk.dictionary : chunk.begin;
  if (begin > bytes_.size() || chunk.bytes > bytes_.size() - begin) return "a chunk lies outside of the file";
  if (chunk.codec != 0 && chunk.codec != 7 && unpack_ == nullptr)
    return "a chunk has another codec than LZ4_RAW";
  constexpr int kWidths[] = {0, 4, 8, 12, 4, 8, 0};
  const bool fixed = kind.type == 7;
  if (kind.type < 0 || kind.type > 7) return "a column has no type";
  const std::size_t width = static_cast<std::size_t>(fixed ? kind.type_length : kWidths[kind.type]);
  if (chunk.dictionary != 0 &&
      (chunk.dictionary >= chunk.begin || chunk.begin - chunk.dictionary > chunk.bytes))
    return "a dictionary is not where its chunk begins";
  const auto dictionary_bytes = static_cast<std::size_t>(chunk.begin - begin);
  std::string_view rest = bytes_.substr(static_cast<std::size_t>(chunk.begin),
                                        static_cast<std::size_t>(chunk.bytes) - dictionary_bytes);
  std::vector<std::string_view> entries;
  std::string dictionary;
  if (chunk.dictionary != 0) {
    const std::string_view page_bytes =
        bytes_.substr(static_cast<std::size_t>(chunk.dictionary), dictionary_bytes);
    Thrift in(page_bytes);
    const Page page = read_page_header(in);
    std::string_view body = page_bytes.substr(static_cast<std::size_t>(in.at() - page_bytes.data()));
    if (in.bad() || page.type != 2 || page.encoding != 0 || page.values < 0 ||
        page.bytes != static_cast<std::int64_t>(body.size()) || !page.crc || crc32(body) != *page.crc ||
        !unpack_body(chunk.codec, unpack_, page, body, dictionary))
      return "a dictionary page cannot be read";
    if (!read_entries(body, width, static_cast<std::size_t>(page.values), entries))
      return "a dictionary has other entries than it says";
  }
  std::vector<unsigned char> valid;
  std::string uncompressed;
  std::string unpacked;
  std::uint64_t left = chunk.values;
  while (left != 0) {
    Thrift in(rest);
    const Page page = read_page_header(in);
    const bool is_v2 = page.type == 3;
    if (in.bad() || (page.type != 0 && !is_v2) ||
        (page.encoding != 0 && page.encoding != 3 && (page.encoding < 5 || page.encoding > 9)) ||
        page.values <= 0)
      return "a page header cannot be read";
    rest.remove_prefix(static_cast<std::size_t>(in.at() - rest.data()));
    const auto values = static_cast<std::uint64_t>(page.values);
    if (page.bytes < 0 || static_cast<std::uint64_t>(page.bytes) > rest.size() || values > left)
      return "a page goes beyond its chunk";
    std::string_view body = rest.substr(0, static_cast<std::size_t>(page.bytes));
    rest.remove_prefix(body.size());
    if (!page.crc || crc32(body) != *page.crc) return "a page has another checksum";
    valid.assign(static_cast<std::size_t>(values), 1);
    if (is_v2) {
      const auto bytes = static_cast<std::uint64_t>(page.definition_bytes);
      if (page.rows != page.values || page.repetition_bytes != 0 || bytes > body.size() ||
          (bytes != 0) != (kind.repetition == 1))
        return "a page of version 2 cannot be as its header says";
      if (bytes != 0 && !read_levels(body.substr(0, static_cast<std::size_t>(bytes)), valid.size(), valid))
        return "levels cannot be read";
      if (page.nulls != std::count(valid.begin(), valid.end(), 0))
        return "a page has other nulls than it says";
      body.remove_prefix(static_cast<std::size_t>(bytes));
    }
    if (!unpack_body(chunk.codec, unpack_, page, body, uncompressed)) return "a page cannot be unpacked";
    if (kind.repetition == 1 && !is_v2) {
      if (body.size() < 4 || word(body.data()) > body.size() - 4) return "levels go beyond their page";
      const std::size_t bytes = word(body.data());
      if (!read_levels(body.substr(4, bytes), static_cast<std::size_t>(values), valid))
        return "levels cannot be read";
      body.remove_prefix(4 + bytes);
    }
    if (page.encoding == 5) {
      if ((kind.type != 1 && kind.type != 2) || !unpack_deltas(body, width, unpacked))
        return "differences cannot be read";
      body = unpacked;
    }
    if (page.encoding == 6 || page.encoding == 7) {
      if (kind.type != 6 ||
          !(page.encoding == 6 ? unpack_lengths(body, unpacked) : unpack_prefixes(body, unpacked)))
        return "byte arrays cannot be read";
      body = unpacked;
    }
    if (page.encoding == 8) {
      const auto present = static_cast<std::size_t>(std::count(valid.begin(), valid.end(), 1));
      if (chunk.dictionary == 0 || !unpack_indices(body, present, entries, unpacked))
        return "indices cannot be read";
      body = unpacked;
    }
    if (page.encoding == 9) {
      if ((kind.type != 4 && kind.type != 5) || !unpack_split(body, width, unpacked))
        return "values are not split as they have to be";
      body = unpacked;
    }
    if (page.encoding == 3) {
      if (kind.type != 0 || !unpack_runs(body, valid, unpacked)) return "runs cannot be read";
      body = unpacked;
    }
    std::size_t bit = 0;
    for (const unsigned char is : valid) {
      if (is == 0) {
        if (!visitor(true, {})) return "";
        continue;
      }
      std::string_view value;
      if (kind.type == 0) {
        if (bit / 8 >= body.size()) return "a page has fewer values than it says";
        const char one = static_cast<char>(static_cast<unsigned char>(body[bit / 8]) >> bit % 8 & 1);
        ++bit;
        if (!visitor(false, {&one, 1})) return "";
        continue;
      }
      std::size_t bytes = width;
      if (kind.type == 6) {
        if (body.size() < 4) return "a page has fewer values than it says";
        bytes = word(body.data());
        body.remove_prefix(4);
      }
      if (bytes > body.size()) return "a page has fewer values than it says";
      if (!visitor(false, body.substr(0, bytes))) return "";
      body.remove_prefix(bytes);
    }
    if (body.size() != (bit + 7) / 8) return "a page has bytes after its values";
    left -= values;
  }
  return rest.empty() ? "" : "a chunk has bytes after its pages";
}

}  // namespace lives::small
