// Logs planned from the memory that there is for them.
#include "microparquet/card_plan.h"

#include "microparquet/encoders.h"
#include "microparquet/port/memory_file.h"
#include "support/check.h"
#include "support/imu8_rows.h"
#include "written_file.h"

namespace {

using microparquet::CardPlan;
using microparquet::Field;
using microparquet::kPlannedLog;
using microparquet::LogRate;
using microparquet::plan;
using microparquet::PlannedLog;
using microparquet::PlannedWriter;
using microparquet::Schema;
using microparquet::Status;
using microparquet::Value;
using microparquet::bench::Imu8Row;
using microparquet::bench::kImu8Schema;

constexpr LogRate kFast = {360'000, 36, 10};  // 100 Hz
constexpr LogRate kSlow = {360, 36, 1000};    // 0.1 Hz
constexpr CardPlan kMemory[] = {{8 << 10, kFast}, {16 << 10, kFast}, {32 << 10, kFast}, {128 << 10, kFast}};
constexpr CardPlan k16k = {16 << 10, kFast};
constexpr CardPlan k32k = {32 << 10, kFast};
constexpr CardPlan kTooLittle = {3 << 10, kFast};

constexpr Field kTexts[] = {microparquet::int64_field("t"), microparquet::string_field("text").as_optional(),
                            microparquet::int32_field("n").with_encoder(microparquet::kDeltaBinaryPacked)};

}  // namespace

TEST("a planned log takes the memory it says, and no more than it is given") {
  static_assert(sizeof(PlannedWriter<kImu8Schema, k16k>) == kPlannedLog<kImu8Schema, k16k>.ram_bytes);
  static_assert(sizeof(PlannedWriter<kImu8Schema, k32k>) == kPlannedLog<kImu8Schema, k32k>.ram_bytes);
  std::size_t before = 0;
  for (const CardPlan& card : kMemory) {
    const PlannedLog log = plan(Schema(kImu8Schema.fields), card);
    CHECK(log.fits(card));
    CHECK(log.ram_bytes > before);
    CHECK(log.ram_bytes >= log.least_ram_bytes);
    CHECK_EQ(log.ram_bytes, sizeof(microparquet::Writer) + microparquet::Writer::required_bytes(
                                                               Schema(kImu8Schema.fields), log.options));
    before = log.ram_bytes;
  }
}

TEST("with too little memory the plan names the least, which then suffices") {
  constexpr PlannedLog kLog = kPlannedLog<kImu8Schema, kTooLittle>;
  static_assert(!kLog.fits(kTooLittle));
  const PlannedLog log = plan(Schema(kTexts), {1000, kFast});
  CHECK(!log.fits({1000, kFast}));
  const auto least = static_cast<std::uint32_t>(log.least_ram_bytes);
  CHECK(plan(Schema(kTexts), {least, kFast}).fits({least, kFast}));
  CHECK(!plan(Schema(kTexts), {least - 1, kFast}).fits({least - 1, kFast}));
  microparquet::MemoryFile file(written::file_memory(0));
  microparquet::Writer writer;
  CHECK_EQ(writer.open(file, kTexts, log.options, written::arena_memory().subspan(0, 1000)),
           Status::kOutOfMemory);
}

TEST("a planned log is as it was written, and its row groups end on a card's pages") {
  static PlannedWriter<kImu8Schema, k32k> writer;
  microparquet::MemoryFile file(written::file_memory(0));
  REQUIRE_EQ(writer.open(file), Status::kOk);
  Imu8Row row = {};
  for (std::int32_t n = 0; n < 3000; ++n) {
    row.seq = n;
    REQUIRE_EQ(writer.append(row), Status::kOk);
  }
  REQUIRE_EQ(writer.close(), Status::kOk);
  const view::File view(file.contents());
  CHECK(view.whole());
  CHECK_EQ(view.rows(), 3000);
  CHECK(view.row_groups() > 4);
}

TEST("a slow log has small blocks and few row groups in a file, a fast one a card's page as block") {
  const PlannedLog slow = plan(Schema(kImu8Schema.fields), {16 << 10, kSlow});
  CHECK_EQ(slow.options.block_bytes, 512U);
  CHECK(slow.queue_rows >= 2);
  const PlannedLog fast = plan(Schema(kImu8Schema.fields), k16k);
  CHECK_EQ(fast.options.block_bytes, 16U << 10);
  CHECK(fast.queue_rows >= 50);
  CHECK(slow.roll.ms > fast.roll.ms);
  for (const CardPlan& card : kMemory) {
    const PlannedLog log = plan(Schema(kImu8Schema.fields), card);
    const std::uint64_t bytes = std::uint64_t{log.roll.ms} * 3600 / 1000;
    CHECK(bytes / log.options.row_group_bytes < 10'000);
  }
}

TEST("few rows between two checkpoints, or saves, are planned with tails") {
  const Schema schema(kImu8Schema.fields);
  const PlannedLog slow = plan(schema, {16 << 10, {360, 36}});
  CHECK(slow.options.layout == &microparquet::kInPlaceTailed);
  CHECK(slow.fits({16 << 10}));
  CHECK(plan(schema, k16k).options.layout == &microparquet::kForward);
  const CardPlan saving = {16 << 10, {36'000, 36}, 600'000, 1000};
  const PlannedLog saved = plan(schema, saving);
  CHECK(saved.options.layout == &microparquet::kInPlaceSaving);
  CHECK_EQ(saved.options.save_ms, 1000U);
  CHECK_EQ(saved.options.max_loss_ms, 600'000U);
  // Where a few saves fill the pool, the stream is saved.
  for (const std::uint32_t save_ms : {1'000U, 10'000U}) {
    for (const std::uint32_t ram_bytes : {16U << 10, 19U << 10, 64U << 10}) {
      const CardPlan card = {ram_bytes, kFast, 600'000, save_ms};
      const PlannedLog stream = plan(schema, card);
      CHECK(stream.options.layout == &microparquet::kForwardSaving);
      CHECK_EQ(stream.options.save_ms, save_ms);
      CHECK_EQ(stream.options.max_loss_ms, 600'000U);
      CHECK_EQ(stream.options.block_bytes, 512U);
      CHECK(stream.options.row_group_bytes < 17 << 10);
      CHECK(stream.fits(card));
    }
  }
  const CardPlan small = {9 << 10, kFast, 600'000, 1000};
  CHECK(plan(schema, small).options.layout == &microparquet::kInPlaceSaving);
  // Without tails checkpoints come as often.
  const PlannedLog cut = plan(Schema(kTexts), saving);
  CHECK(cut.options.layout == &microparquet::kForward);
  CHECK_EQ(cut.options.max_loss_ms, 1000U);
}

TEST("columns of any width are planned, and take the rows they are given") {
  for (const std::uint32_t ram_bytes : {8U << 10, 16U << 10, 64U << 10}) {
    const PlannedLog log = plan(Schema(kTexts), {ram_bytes, kFast});
    REQUIRE(log.fits({ram_bytes, kFast}));
    microparquet::MemoryFile file(written::file_memory(0));
    microparquet::Writer writer;
    REQUIRE_EQ(writer.open(file, kTexts, log.options, written::arena_memory().subspan(0, ram_bytes)),
               Status::kOk);
    for (std::int32_t n = 0; n < 2000; ++n) {
      const Value row[] = {Value::of(std::int64_t{n}), n % 5 == 0 ? Value() : Value::of_bytes("a text"),
                           Value::of(n)};
      REQUIRE_EQ(writer.append(row), Status::kOk);
    }
    REQUIRE_EQ(writer.close(), Status::kOk);
    CHECK(view::File(file.contents()).whole());
    CHECK_EQ(view::File(file.contents()).rows(), 2000);
  }
}
