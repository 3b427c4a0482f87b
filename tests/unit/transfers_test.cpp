// Whole sectors go to the File, and come from it, where drivers with DMA and data caches take them.
#include "microparquet/writer.h"
#include "support/check.h"
#include "support/driver_file.h"
#include "support/file_view.h"
#include "support/names.h"
#include "written_file.h"

using microparquet::Layout;
using microparquet::MemoryFile;

namespace {

constexpr Field kColumns[] = {microparquet::int32_field("n"),
                              microparquet::string_field("text").as_optional(),
                              microparquet::int64_field("time"), microparquet::double_field("level")};
constexpr int kRowsOfLife = 160;

struct Memory {
  std::uint32_t page_bytes;
  std::uint16_t block_bytes;
  std::uint8_t align;
};

// Row groups are small, so that the footers are longer than their windows.
Options options_for(const Memory& memory, const Layout& layout) {
  Options options = written::in_place(memory.page_bytes, 40);
  options.block_bytes = memory.block_bytes;
  options.transfer_align = memory.align;
  options.layout = &layout;
  options.row_group_bytes = layout.in_place ? 0 : 4 * (memory.page_bytes + 64) * 2;
  return options;
}

// The driver wants no more than a word where the options keep their default.
std::size_t line_of(const Memory& memory) { return memory.align == 8 ? support::kWordBytes : memory.align; }

// On its alignment and on no more.
Span<std::byte> arena_on(std::size_t align, std::size_t bytes) {
  return written::arena_memory().subspan(align, bytes);
}

Status append(Writer& writer, int number) {
  const Value row[] = {Value::of(number), Value::of_bytes("a text"), Value::of(std::int64_t{number} << 20),
                       Value::of(number / 4.0)};
  return writer.append(row);
}

// Opens or resumes the file, appends rows with checkpoints between them, and closes it.
void live(support::DriverFile& file, const Options& options, bool resumes) {
  Writer writer;
  const Span<std::byte> arena = arena_on(options.transfer_align, Writer::required_bytes(kColumns, options));
  REQUIRE_EQ(
      resumes ? writer.resume(file, kColumns, options, arena) : writer.open(file, kColumns, options, arena),
      Status::kOk);
  if (!resumes)
    REQUIRE_EQ(writer.set_key_value("device", "a name that all later footers inherit"), Status::kOk);
  for (int i = 0; i < kRowsOfLife; ++i) {
    REQUIRE_EQ(append(writer, i), Status::kOk);
    if (i % 90 == 60) REQUIRE_EQ(writer.checkpoint(), Status::kOk);
  }
  CHECK_EQ(writer.close(), Status::kOk);
}

void check_lives(const Memory& memory, const Layout& layout) {
  constexpr int kLives = 3;
  const Options options = options_for(memory, layout);
  MemoryFile medium(written::file_memory());
  support::DriverFile file(medium, line_of(memory));
  for (int life = 0; life < kLives; ++life) live(file, options, life != 0);
  CHECK_EQ(file.misaligned(), 0U);
  if (layout.in_place) CHECK(file.transfers() > 40 || memory.page_bytes < 512);
  const view::File view(medium.contents());
  REQUIRE(view.whole());
  CHECK_EQ(view.rows(), kLives * kRowsOfLife);
}

}  // namespace

TEST("whole sectors lie on words, and on the lines of a cache by option") {
  for (const std::uint8_t align :
       {std::uint8_t{8}, std::uint8_t{16}, std::uint8_t{32}, std::uint8_t{64}, std::uint8_t{128}}) {
    for (const std::uint32_t page_bytes : {512U, 1024U, 1536U, 2048U}) {
      check_lives({page_bytes, 512, align}, microparquet::kInPlace);
      check_lives({page_bytes, 4096, align}, microparquet::kInPlace);
    }
    check_lives({256, 512, align}, microparquet::kInPlace);
    check_lives({512, 512, align}, microparquet::kForward);
  }
}

TEST("an arena that does not begin on Options::transfer_align is refused") {
  for (const std::uint8_t align : {std::uint8_t{8}, std::uint8_t{32}, std::uint8_t{128}}) {
    const Options options = options_for({512, 512, align}, microparquet::kInPlace);
    Writer writer;
    MemoryFile file(written::file_memory());
    const Span<std::byte> arena = arena_on(align / 2, Writer::required_bytes(kColumns, options));
    CHECK_EQ(writer.open(file, kColumns, options, arena), Status::kInvalidArgument);
    CHECK_EQ(writer.resume(file, kColumns, options, arena), Status::kInvalidArgument);
  }
}

TEST("an alignment of memory that none can have is refused") {
  for (const unsigned align : {0U, 1U, 4U, 12U, 24U, 96U, 129U, 255U}) {
    Options options = written::in_place(512);
    options.transfer_align = static_cast<std::uint8_t>(align);
    Writer writer;
    MemoryFile file(written::file_memory());
    CHECK_EQ(writer.open(file, kColumns, options, written::arena_memory()), Status::kInvalidArgument);
  }
}
