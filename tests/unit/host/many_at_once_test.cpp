// Compares the desktop's code for many values at a time with that for one by one.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/bits.h"
#include "encoding/delta_numbers.h"
#include "encoding/desktop/unpack.h"
#include "microparquet/detail/column_cursor.h"
#include "microparquet/detail/column_writer.h"
#include "microparquet/static_reader.h"
#include "microparquet/static_writer.h"
#include "support/check.h"
#include "support/names.h"
#include "written_file.h"

namespace {

using microparquet::detail::LevelDecoder;
using microparquet::detail::LevelEncoder;

TEST("eight bits become eight bytes, and come back") {
  for (std::uint32_t bits = 0; bits < 256; ++bits) {
    const std::uint64_t bytes = microparquet::util::bytes_of_bits(bits);
    std::uint32_t ones = 0;
    for (unsigned i = 0; i < 8; ++i) {
      CHECK_EQ(bytes >> 8 * i & 0xFF, bits >> i & 1);
      ones += bits >> i & 1;
    }
    CHECK_EQ(microparquet::util::bits_of_bytes(bytes), bits);
    CHECK_EQ(microparquet::util::count_bytes(bytes), ones);
    CHECK_EQ(microparquet::util::bytes_set(bytes * 0x80), bytes);
    CHECK_EQ(microparquet::util::bytes_set(bytes * 0xFF), bytes);
  }
}

TEST("numbers of all widths are unpacked") {
  constexpr std::uint32_t kCount = microparquet::encoding::kUnpacked;
  for (unsigned width = 0; width <= 32; ++width) {
    std::vector<std::byte> packed(kCount / 8 * width);
    for (std::size_t i = 0; i < packed.size(); ++i)
      packed[i] = static_cast<std::byte>(written::mix(static_cast<std::uint32_t>(i), width));
    std::uint32_t numbers[kCount];
    microparquet::encoding::unpack(packed.data(), width, numbers);
    for (std::uint32_t i = 0; i < kCount; ++i) {
      const unsigned bit = i * width;
      const std::uint64_t one =
          width == 0 ? 0 : microparquet::encoding::bits_at(packed.data() + bit / 8, bit % 8, width);
      CHECK_EQ(std::uint64_t{numbers[i]}, one);
    }
  }
}

// Rows that are valid or not: in short and long runs, and at random.
std::vector<std::uint8_t> make_valid(std::uint32_t seed) {
  std::vector<std::uint8_t> valid;
  for (std::uint32_t i = 0; valid.size() < 3000; ++i) {
    const std::uint32_t chance = written::mix(seed, i);
    const std::uint32_t run = chance % 4 == 0 ? chance / 4 % 200 : chance / 4 % 9;
    for (std::uint32_t j = 0; j < run; ++j)
      valid.push_back(static_cast<std::uint8_t>(i % 2 == 0 ? 0 : 1 + written::mix(seed, j) % 255));
  }
  return valid;
}

TEST("levels of many rows are encoded as those of each row, and decoded") {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const std::vector<std::uint8_t> valid = make_valid(seed);
    const auto rows = static_cast<std::uint32_t>(valid.size());
    std::vector<std::byte> one_by_one(rows + 64);
    std::vector<std::byte> at_once(rows + 64);
    LevelEncoder each{};
    LevelEncoder all{};
    each.bit_width = all.bit_width = 1;
    each.begin_page(one_by_one.data());
    all.begin_page(at_once.data());
    std::uint32_t present = 0;
    std::uint32_t counted = 0;
    for (std::uint32_t i = 0; i < rows; ++i) {
      each.put(valid[i] != 0 ? 1 : 0, 1);
      present += valid[i] != 0 ? 1U : 0U;
    }
    for (std::uint32_t i = 0; i < rows;) {
      std::uint32_t part = 1 + written::mix(seed, i) % 300;
      if (part > rows - i) part = rows - i;
      counted += all.put_valid(valid.data() + i, part);
      // The bound by which the writer reserves space.
      CHECK(static_cast<std::uint32_t>(all.cursor - all.begin) <= (i + part) / 4 + 16);
      i += part;
    }
    each.finish();
    all.finish();
    CHECK_EQ(counted, present);
    CHECK_EQ(all.nulls, each.nulls);
    const auto bytes = static_cast<std::size_t>(each.cursor - each.begin);
    REQUIRE_EQ(static_cast<std::size_t>(all.cursor - all.begin), bytes);
    CHECK(std::memcmp(one_by_one.data(), at_once.data(), bytes) == 0);

    LevelDecoder decoder{};
    decoder.bit_width = 1;
    decoder.maximum = 1;
    decoder.unread = rows;
    decoder.bytes.view_memory(at_once.data(), static_cast<std::uint32_t>(bytes));
    std::vector<std::uint8_t> levels(rows);
    for (std::uint32_t i = 0; i < rows;) {
      std::uint32_t part = 1 + written::mix(seed, i) % 500;
      if (part > rows - i) part = rows - i;
      std::uint32_t ones = 0;
      std::uint32_t read = part;
      REQUIRE_EQ(decoder.read(levels.data() + i, read, ones), Status::kOk);
      CHECK_EQ(read, part);
      std::uint32_t expected = 0;
      for (std::uint32_t j = i; j < i + part; ++j) {
        CHECK_EQ(unsigned{levels[j]}, valid[j] != 0 ? 1U : 0U);
        expected += levels[j];
      }
      CHECK_EQ(ones, expected);
      i += part;
    }
    std::uint32_t read = 1;
    std::uint32_t ones = 0;
    CHECK_EQ(decoder.read(levels.data(), read, ones), Status::kCorrupt);
  }
}

// Runs of both kinds of levels up to `most`, where a packed run has some that are larger if `wrong`.
std::vector<std::byte> make_levels(std::uint32_t seed, unsigned width, std::uint32_t most, bool wrong) {
  std::vector<std::byte> bytes;
  for (std::uint32_t run = 0; run < 40; ++run) {
    const std::uint32_t chance = written::mix(seed, run);
    if (chance % 3 == 0) {
      bytes.push_back(static_cast<std::byte>((1 + chance / 4 % 60) << 1));
      bytes.push_back(static_cast<std::byte>(chance / 256 % (most + 1)));
      continue;
    }
    const std::uint32_t groups = 1 + chance / 4 % 9;
    bytes.push_back(static_cast<std::byte>(groups << 1 | 1));
    for (std::uint32_t group = 0; group < groups; ++group) {
      std::uint32_t packed = 0;
      for (std::uint32_t i = 0; i < 8; ++i) {
        std::uint32_t level = written::mix(chance, 8 * group + i) % (most + 1);
        if (wrong && run == 30) level = (1U << width) - 1;
        packed |= level << i * width;
      }
      for (unsigned i = 0; i < width; ++i) bytes.push_back(static_cast<std::byte>(packed >> 8 * i));
    }
  }
  return bytes;
}

LevelDecoder decoder_of(std::vector<std::byte>& bytes, unsigned width, std::uint32_t most) {
  LevelDecoder decoder{};
  decoder.bit_width = static_cast<std::uint8_t>(width);
  decoder.maximum = static_cast<std::uint8_t>(most);
  decoder.unread = 100000;
  decoder.bytes.view_memory(bytes.data(), static_cast<std::uint32_t>(bytes.size()));
  return decoder;
}

TEST("levels of every width are read many at once as one by one, and refused at the same one") {
  for (std::uint32_t most = 1; most < 16; ++most) {
    const unsigned width = most == 1 ? 1 : (most < 4 ? 2 : (most < 8 ? 3 : 4));
    for (std::uint32_t seed = 0; seed < 8; ++seed) {
      std::vector<std::byte> bytes = make_levels(seed, width, most, seed % 2 == 0);
      std::vector<std::uint8_t> each;
      LevelDecoder one_by_one = decoder_of(bytes, width, most);
      std::uint8_t level = 0;
      for (std::uint32_t alike = 0; one_by_one.peek(level, alike) == Status::kOk; one_by_one.take(1))
        each.push_back(level);
      std::vector<std::uint8_t> all(each.size() + 1000);
      LevelDecoder many = decoder_of(bytes, width, most);
      std::size_t read = 0;
      for (std::uint32_t part = 1 + seed * 37, present = 0;
           many.read(all.data() + read, part, present) == Status::kOk; part = 1 + seed * 37) {
        const auto* const from = all.data() + read;
        CHECK_EQ(std::count(from, from + part, static_cast<std::uint8_t>(most)), std::ptrdiff_t{present});
        read += part;
      }
      CHECK(read > 300);
      REQUIRE_EQ(read, each.size());
      CHECK(std::equal(each.begin(), each.end(), all.begin()));
    }
  }
}

struct Row {
  std::int64_t n;
  float f;
};
constexpr auto kRows =
    microparquet::schema(microparquet::column("n", &Row::n), microparquet::column("f", &Row::f));
constexpr Options kPages = [] {
  Options options;
  options.page_bytes = 1024;
  options.row_group_rows = 1000;
  return options;
}();

TEST("rows are those that were asked for, whatever is passed, sought and skipped between them") {
  static microparquet::StaticWriter<kRows, kPages> writer;
  microparquet::MemoryFile file(written::file_memory());
  REQUIRE_EQ(writer.open(file), Status::kOk);
  constexpr std::int64_t kCount = 3000;
  for (std::int64_t i = 0; i < kCount; ++i)
    REQUIRE_EQ(writer.append(Row{i, static_cast<float>(i)}), Status::kOk);
  REQUIRE_EQ(writer.close(), Status::kOk);

  static microparquet::StaticReader<kRows> reader;
  REQUIRE_EQ(reader.open(file), Status::kOk);
  std::int64_t next = 0;
  for (std::uint32_t step = 0; step < 3000; ++step) {
    const std::uint32_t chance = written::mix(7, step);
    switch (chance % 32) {
      case 0:
        next = chance / 32 % kCount;
        REQUIRE_EQ(reader.reader().seek_row(static_cast<std::uint64_t>(next)), Status::kOk);
        break;
      case 1:
        next = chance / 32 % 3 * 1000;
        REQUIRE_EQ(reader.seek_row_group(static_cast<std::uint32_t>(next / 1000)), Status::kOk);
        break;
      case 2:
        if (next < kCount) {
          REQUIRE_EQ(reader.skip(), Status::kOk);
          ++next;
        }
        break;
      default: {
        Row row{};
        if (next == kCount) {
          CHECK_EQ(reader.next(row), Status::kEnd);
          break;
        }
        REQUIRE_EQ(reader.next(row), Status::kOk);
        CHECK_EQ(row.n, next);
        CHECK(row.f == static_cast<float>(next));
        ++next;
      }
    }
  }
}

}  // namespace
