// libFuzzer: any bytes as the pages of a column, in a file that is right otherwise: so decoders and decompressors
// see what no change of a whole file would bring them. The input:
//
//   type, encoding, codec, form    a byte each, as Input has it: with them, whether the page is of V2, has levels in
//                                  BIT_PACKED, or is of a repeated column
//   values, bytes                  of the data page when it is not compressed, two bytes each
//   values, bytes, stored bytes    of the dictionary page
//   the dictionary page, if there is one; the data page
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "microparquet/codecs.h"
#include "read_every_way.h"
#include "read_items.h"
#include "seek_items.h"

namespace {

namespace mpq = microparquet;

using Bytes = std::vector<std::uint8_t>;

enum Kind : std::uint8_t { kI32 = 5, kI64 = 6, kBinary = 8, kList = 9, kStruct = 12 };

// Structures of Thrift's compact protocol, whose fields are given by their distance from the one before.
class Thrift {
 public:
  void begin(unsigned distance, Kind kind) {
    bytes.push_back(static_cast<std::uint8_t>(distance << 4 | kind));
  }
  void end() { bytes.push_back(0); }
  void list(unsigned distance, Kind kind, unsigned count) {
    begin(distance, kList);
    bytes.push_back(static_cast<std::uint8_t>(count << 4 | kind));
  }
  void varint(std::uint64_t number) {
    for (; number >= 0x80; number >>= 7) bytes.push_back(static_cast<std::uint8_t>(number | 0x80));
    bytes.push_back(static_cast<std::uint8_t>(number));
  }
  void i32(unsigned distance, std::uint64_t number) {
    begin(distance, kI32);
    varint(number << 1);
  }
  void i64(unsigned distance, std::uint64_t number) {
    begin(distance, kI64);
    varint(number << 1);
  }
  void letter(char name) {
    varint(1);
    bytes.push_back(static_cast<std::uint8_t>(name));
  }

  Bytes bytes;
};

struct Page {
  std::uint32_t values = 0;
  std::uint32_t bytes = 0;  // uncompressed
  const std::uint8_t* stored = nullptr;
  std::uint32_t stored_bytes = 0;
};

struct Input {
  static constexpr std::size_t kHead = 14;
  static constexpr std::array<std::uint8_t, 9> kEncodings = {0, 2, 3, 5, 8, 9, 6, 7, 10};
  static constexpr std::array<std::uint8_t, 7> kCodecs = {0, 1, 7, 2,
                                                          4, 5, 6};  // none first; LZO is left out

  Input(const std::uint8_t* data, std::size_t size)
      : type(data[0] % 8),
        encoding(kEncodings[data[1] % kEncodings.size()]),
        codec(kCodecs[data[2] % kCodecs.size()]),
        level_encoding((data[3] & 4) != 0 ? 4 : 3),
        repetition(data[0] / 8 % 4 == 3 ? 2 : data[3] & 1),
        is_v2((data[0] & 32) != 0),
        has_dictionary((data[3] & 2) != 0),
        type_length(1 + data[3] / 8U),
        definition_bytes(data[1] / 16),
        repetition_bytes(data[2] / 16) {
    const auto number = [data](std::size_t at) { return data[at] | std::uint32_t{data[at + 1]} << 8; };
    const auto rest = static_cast<std::uint32_t>(size - kHead);
    page.values = number(4);
    rows = repetition == 2 ? page.values / (1 + data[0] / 64U) : page.values;
    page.bytes = number(6);
    dictionary.values = number(8);
    dictionary.bytes = number(10);
    dictionary.stored = data + kHead;
    if (has_dictionary) dictionary.stored_bytes = number(12) < rest ? number(12) : rest;
    page.stored = data + kHead + dictionary.stored_bytes;
    page.stored_bytes = rest - dictionary.stored_bytes;
    if (codec != 0) return;
    page.bytes = page.stored_bytes;
    dictionary.bytes = dictionary.stored_bytes;
  }

  std::uint8_t type;
  std::uint8_t encoding;  // of the data page
  std::uint8_t codec;
  std::uint8_t level_encoding;
  std::uint8_t repetition;  // of the column: required, optional or repeated
  bool is_v2;
  bool has_dictionary;
  std::uint32_t type_length;
  std::uint32_t definition_bytes;  // V2
  std::uint32_t repetition_bytes;  // V2
  std::uint32_t rows;
  Page dictionary;
  Page page;
};

void add_dictionary_header(Thrift& header, const Input& input) {
  header.begin(4, kStruct);
  header.i32(1, input.dictionary.values);
  header.i32(1, 0);
}

void add_data_header(Thrift& header, const Input& input) {
  header.begin(input.is_v2 ? 5 : 2, kStruct);
  header.i32(1, input.page.values);
  if (input.is_v2) {
    header.i32(1, 0);  // nulls
    header.i32(1, input.rows);
  }
  header.i32(1, input.encoding);
  header.i32(1, input.is_v2 ? input.definition_bytes : input.level_encoding);
  header.i32(1, input.is_v2 ? input.repetition_bytes : input.level_encoding);
}

// Returns the bytes that it would have without compression.
std::size_t add_page(Bytes& file, const Input& input, bool is_dictionary) {
  const Page& page = is_dictionary ? input.dictionary : input.page;
  Thrift header;
  header.i32(1, is_dictionary ? 2U : input.is_v2 ? 3U : 0U);
  header.i32(1, page.bytes);
  header.i32(1, page.stored_bytes);
  is_dictionary ? add_dictionary_header(header, input) : add_data_header(header, input);
  header.end();
  header.end();
  file.insert(file.end(), header.bytes.begin(), header.bytes.end());
  file.insert(file.end(), page.stored, page.stored + page.stored_bytes);
  return header.bytes.size() + page.bytes;
}

void add_schema(Thrift& footer, const Input& input) {
  footer.list(1, kStruct, 2);
  footer.begin(4, kBinary);
  footer.letter('m');
  footer.i32(1, 1);
  footer.end();
  footer.i32(1, input.type);
  footer.i32(1, input.type_length);
  footer.i32(1, input.repetition);
  footer.begin(1, kBinary);
  footer.letter('c');
  footer.end();
}

Bytes file_of(const Input& input) {
  constexpr std::array<std::uint8_t, 4> kMagic = {'P', 'A', 'R', '1'};
  Bytes file(kMagic.begin(), kMagic.end());
  std::size_t raw_bytes = 0;
  if (input.has_dictionary) raw_bytes = add_page(file, input, true);
  const std::size_t data_page = file.size();
  raw_bytes += add_page(file, input, false);
  Thrift footer;
  footer.i32(1, 1);
  add_schema(footer, input);
  footer.i64(1, input.rows);
  footer.list(1, kStruct, 1);  // row groups
  footer.list(1, kStruct, 1);  // column chunks
  footer.i64(2, 0);
  footer.begin(1, kStruct);
  footer.i32(1, input.type);
  footer.list(1, kI32, 1);
  footer.varint(static_cast<std::uint64_t>(input.encoding) << 1U);
  footer.list(1, kBinary, 1);
  footer.letter('c');
  footer.i32(1, input.codec);
  footer.i64(1, input.page.values);
  footer.i64(1, raw_bytes);
  footer.i64(1, file.size() - kMagic.size());
  footer.i64(2, data_page);
  if (input.has_dictionary) footer.i64(2, kMagic.size());
  footer.end();
  footer.end();
  footer.i64(1, raw_bytes);
  footer.i64(1, input.rows);
  footer.end();
  footer.end();
  file.insert(file.end(), footer.bytes.begin(), footer.bytes.end());
  for (unsigned byte = 0; byte < 4; ++byte)
    file.push_back(static_cast<std::uint8_t>(footer.bytes.size() >> 8 * byte));
  file.insert(file.end(), kMagic.begin(), kMagic.end());
  return file;
}

// Decompresses between bytes that are nobody's, which a sanitizer watches: in a reader's memory others lie
// beside a page.
void decompress(const mpq::Decompressor& decompressor, const Page& page) {
  const std::vector<std::byte> in(reinterpret_cast<const std::byte*>(page.stored),
                                  reinterpret_cast<const std::byte*>(page.stored) + page.stored_bytes);
  std::vector<std::byte> out(page.bytes);
  static_cast<void>(decompressor.decompress({in.data(), in.size()}, {out.data(), out.size()}, {}));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < Input::kHead) return 0;
  const Input input(data, size);
  if (input.codec == 1) decompress(mpq::kSnappyDecompressor, input.page);
  if (input.codec == 7) decompress(mpq::kLz4RawDecompressor, input.page);
  const Bytes file = file_of(input);
  read_every_way(file.data(), file.size());
  read_items_every_way(file.data(), file.size());
  seek_items_every_way(file.data(), file.size());
  return 0;
}
