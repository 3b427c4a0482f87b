// The compressions of desktops: what they make comes back, takes no more than they promise, and is refused
// when it is not whole.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <vector>

#include "hadoop_frames.h"
#include "host/left_out_codec.h"
#include "microparquet/codecs.h"
#include "microparquet/desktop/codecs.h"
#include "support/check.h"
#include "written_file.h"

namespace mpq = microparquet;
using microparquet::Status;
using microparquet::desktop::NamedCodec;

namespace {

using Block = std::vector<std::byte>;

// Buffers are just as long as they may be, for sanitizers to see a step beyond.
Block made_by(const mpq::Compressor& compressor, const Block& in) {
  Block out(compressor.growth().most_bytes(static_cast<std::uint32_t>(in.size())));
  Block scratch(compressor.scratch_bytes());
  out.resize(compressor.compress_page(in, out, scratch));
  return out;
}

Status undone(const mpq::Decompressor& decompressor, const Block& in, Block& out) {
  Block scratch(decompressor.scratch_bytes());
  return decompressor.decompress(in, out, scratch);
}

bool comes_back(const NamedCodec& codec, const Block& block) {
  const Block stored = made_by(*codec.compressor, block);
  Block back(block.size());
  return undone(*codec.decompressor, stored, back) == Status::kOk && back == block;
}

// Bytes with `bits` bits of noise in each.
Block noise(std::size_t bytes, unsigned bits) {
  Block block(bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    block[i] = static_cast<std::byte>(written::mix(static_cast<std::uint32_t>(i), bits) & ((1U << bits) - 1));
  return block;
}

Block joined(std::initializer_list<Block> parts) {
  Block all;
  for (const Block& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

Block part_of(const Block& block, std::size_t begin, std::size_t end) {
  return Block(block.begin() + static_cast<std::ptrdiff_t>(begin),
               block.begin() + static_cast<std::ptrdiff_t>(end));
}

// Four bytes, the highest first.
Block big_endian(std::size_t number) {
  Block bytes;
  for (unsigned shift = 32; shift != 0; shift -= 8)
    bytes.push_back(static_cast<std::byte>(number >> (shift - 8)));
  return bytes;
}

Block hadoop_block(const Block& stored) { return joined({big_endian(stored.size()), stored}); }

// A block that is what it becomes.
bool copy_block(mpq::Span<const std::byte> block, mpq::Span<std::byte> out, std::size_t& bytes) {
  if (block.size() > out.size()) return false;
  if (!block.empty()) std::memcpy(out.data(), block.data(), block.size());
  bytes = block.size();
  return true;
}

Status framed(const Block& in, std::size_t bytes) {
  Block out(bytes);
  return mpq::desktop::undo_hadoop_frames(in, out, copy_block);
}

}  // namespace

TEST("desktop codecs: each compression of the format has a name, and its objects their number") {
  for (unsigned id = 1; id < 8; ++id) {
    const NamedCodec* const codec = mpq::desktop::find_codec(static_cast<mpq::CodecId>(id));
    CHECK(codec != nullptr && codec == mpq::desktop::find_codec(codec->name));
    if (codec == nullptr) continue;
    CHECK(codec->decompressor == nullptr || codec->decompressor->id() == codec->id);
    CHECK(codec->compressor == nullptr || codec->compressor->id() == codec->id);
    CHECK(codec->decompressor != nullptr || codec->library != nullptr);
  }
  CHECK(mpq::desktop::find_codec("zip") == nullptr);
  CHECK(mpq::desktop::find_codec(mpq::CodecId::kUncompressed) == nullptr);
}

TEST("desktop codecs: blocks of any size come back") {
  for (const NamedCodec& codec : mpq::desktop::codecs()) {
    if (codec.compressor == nullptr) continue;
    for (const unsigned bits : {0U, 1U, 4U, 8U}) {
      bool all = true;
      for (std::size_t bytes = 1; bytes < 400; ++bytes) all = all && comes_back(codec, noise(bytes, bits));
      for (const std::size_t bytes :
           std::initializer_list<std::size_t>{4096, 65'535, 65'536, 65'537, 300'000})
        all = all && comes_back(codec, noise(bytes, bits));
      CHECK(all);
    }
    CHECK(made_by(*codec.compressor, noise(65'536, 0)).size() < 65'536 / 16);
  }
}

TEST("desktop codecs: what is cut, too long, or of another size is corrupt") {
  const Block block = noise(1000, 3);
  for (const NamedCodec& codec : mpq::desktop::codecs()) {
    if (codec.compressor == nullptr) continue;
    const Block stored = made_by(*codec.compressor, block);
    Block out(block.size());
    for (std::size_t bytes = 0; bytes < stored.size(); ++bytes)
      CHECK(undone(*codec.decompressor, part_of(stored, 0, bytes), out) == Status::kCorrupt);
    CHECK(undone(*codec.decompressor, joined({stored, Block(1)}), out) == Status::kCorrupt);
    for (const std::size_t bytes : {std::size_t{0}, block.size() - 1, block.size() + 1, 2 * block.size()}) {
      Block other(bytes);
      CHECK(undone(*codec.decompressor, stored, other) == Status::kCorrupt);
    }
    CHECK(undone(*codec.decompressor, stored, out) == Status::kOk &&
          out == block);  // the one before left nothing
  }
}

TEST("desktop codecs: changed bytes stay within their page") {
  const Block block = noise(700, 5);
  for (const NamedCodec& codec : mpq::desktop::codecs()) {
    if (codec.compressor == nullptr) continue;
    const Block stored = made_by(*codec.compressor, block);
    bool statuses = true;
    for (std::uint32_t i = 0; i < 4000; ++i) {
      Block changed = stored;
      for (std::uint32_t k = 0; k <= i % 3; ++k) {
        changed[written::mix(i, k) % changed.size()] ^=
            static_cast<std::byte>(1 + written::mix(i, k + 9) % 255);
      }
      Block out(block.size());
      const Status status = undone(*codec.decompressor, changed, out);
      statuses = statuses && (status == Status::kOk || status == Status::kCorrupt);
    }
    CHECK(statuses);
  }
}

TEST("desktop codecs: GZIP has any number of members") {
  const NamedCodec& gzip = *mpq::desktop::find_codec("gzip");
  if (is_left_out(gzip)) return;
  const Block block = noise(3000, 4);
  const Block first = made_by(*gzip.compressor, part_of(block, 0, 1000));
  const Block rest = made_by(*gzip.compressor, part_of(block, 1000, 3000));
  Block out(block.size());
  CHECK(undone(*gzip.decompressor, joined({first, rest}), out) == Status::kOk && out == block);
  CHECK(undone(*gzip.decompressor, joined({rest, first}), out) == Status::kOk && out != block);
  CHECK(undone(*gzip.decompressor, joined({first, rest, first}), out) == Status::kCorrupt);
  CHECK(undone(*gzip.decompressor, first, out) == Status::kCorrupt);
}

TEST("desktop codecs: LZ4 is read in Hadoop's frames, in its own, and bare") {
  const mpq::desktop::NamedCodec& lz4 = *mpq::desktop::find_codec("lz4");
  if (is_left_out(lz4)) return;
  const mpq::Lz4RawCompressor compressor;
  const Block block = noise(3000, 2);
  const Block whole = made_by(compressor, block);
  const Block first = made_by(compressor, part_of(block, 0, 1000));
  const Block rest = made_by(compressor, part_of(block, 1000, 3000));
  const Block one_piece = joined({big_endian(3000), hadoop_block(first), hadoop_block(rest)});
  const Block two_pieces =
      joined({big_endian(1000), hadoop_block(first), big_endian(2000), hadoop_block(rest)});
  for (const Block& stored : {whole, one_piece, two_pieces}) {
    Block out(block.size());
    CHECK(undone(*lz4.decompressor, stored, out) == Status::kOk && out == block);
    for (std::size_t bytes = 0; bytes < stored.size(); ++bytes)
      CHECK(undone(*lz4.decompressor, part_of(stored, 0, bytes), out) == Status::kCorrupt);
    CHECK(undone(*lz4.decompressor, joined({stored, Block(1)}), out) == Status::kCorrupt);
  }
  // A frame of 15 bytes that are not compressed, without checksums.
  Block frame;
  for (const int byte : {0x04, 0x22, 0x4D, 0x18, 0x60, 0x40, 0x82, 0x0F, 0x00, 0x00, 0x80})
    frame.push_back(static_cast<std::byte>(byte));
  const Block text = noise(15, 8);
  frame = joined({frame, text, big_endian(0)});
  Block out(text.size());
  CHECK(undone(*lz4.decompressor, frame, out) == Status::kOk && out == text);
  Block twice(2 * text.size());
  CHECK(undone(*lz4.decompressor, joined({frame, frame}), twice) == Status::kOk &&
        twice == joined({text, text}));
  for (std::size_t bytes = 0; bytes < frame.size(); ++bytes)
    CHECK(undone(*lz4.decompressor, part_of(frame, 0, bytes), out) == Status::kCorrupt);
}

TEST("desktop codecs: Hadoop's frames are as long as they say") {
  const Block five = noise(5, 8);
  const Block piece = joined({big_endian(5), hadoop_block(five)});
  CHECK(framed(piece, 5) == Status::kOk);
  CHECK(framed(joined({piece, piece}), 10) == Status::kOk);
  CHECK(framed(joined({big_endian(10), hadoop_block(five), hadoop_block(five)}), 10) == Status::kOk);
  CHECK(framed(joined({big_endian(0), piece, big_endian(0)}), 5) == Status::kOk);
  CHECK(framed({}, 0) == Status::kOk);
  CHECK(framed({}, 1) == Status::kCorrupt);
  CHECK(framed(piece, 4) == Status::kCorrupt);
  CHECK(framed(piece, 6) == Status::kCorrupt);
  CHECK(framed(joined({big_endian(4), hadoop_block(five)}), 5) ==
        Status::kCorrupt);  // a block beyond its piece
  CHECK(framed(joined({big_endian(6), hadoop_block(five)}), 6) ==
        Status::kCorrupt);  // a piece without its end
  CHECK(framed(joined({big_endian(5), big_endian(6), five}), 5) == Status::kCorrupt);  // beyond the input
  CHECK(framed(joined({big_endian(0xFFFFFFFF), hadoop_block(five)}), 5) == Status::kCorrupt);
  CHECK(framed(joined({big_endian(5), big_endian(0xFFFFFFFF), five}), 5) == Status::kCorrupt);
  for (std::size_t bytes = 1; bytes < piece.size(); ++bytes)
    CHECK(framed(part_of(piece, 0, bytes), 5) == Status::kCorrupt);
}
