#include "scenario.h"

#include <cstdlib>
#include <string_view>

#include "microparquet/port/crc32_hardware.h"

namespace power_loss {
namespace {

constexpr std::uint32_t kFileId = 1000;

const faults::Workload& workload(std::string_view name) {
  for (const faults::Workload& candidate : faults::workloads()) {
    if (candidate.name == name) return candidate;
  }
  std::abort();  // a name below is wrong
}

// A workload of the fault tests with other numbers of rows.
Scenario scenario(const char* name, std::string_view of, unsigned rows, unsigned later_rows) {
  Scenario result;
  result.name = name;
  result.workload = workload(of);
  result.workload.rows = rows;
  result.workload.batch = 0;
  result.workload.options.file_id = kFileId;
  result.workload.options.checksum = &mpq::crc32_hardware;
  result.later_rows = later_rows;
  return result;
}

Scenario with_calls(Scenario result, unsigned checkpoint_rows, unsigned row_group_rows) {
  result.checkpoint_rows = checkpoint_rows;
  result.row_group_rows = row_group_rows;
  return result;
}

// A checkpoint every `checkpoint_ms`, whatever it costs; rows come every 10 ms.
Scenario with_ticks(Scenario result, std::uint32_t checkpoint_ms) {
  result.ms_per_row = 10;
  result.workload.options.checkpoint_ms = checkpoint_ms;
  result.workload.options.max_loss_ms = checkpoint_ms;
  return result;
}

// One when the bytes since the last one are what it costs.
Scenario with_share(Scenario result) {
  result.workload.options.checkpoint_ratio = 1;
  result.workload.options.max_loss_ms = 60000;
  result.bytes_per_row = 36;
  return result;
}

// Rows come by append_columns, that many at a time.
Scenario in_batches(Scenario result, unsigned rows) {
  result.workload.batch = rows;
  return result;
}

// Checkpoints leave pages open.
Scenario tailed(Scenario result) {
  result.workload.options.layout = &mpq::kInPlaceTailed;
  return result;
}

// A row group is as large as fits, so that pages fill.
Scenario in_one_group(Scenario result) {
  result.workload.options.row_group_rows = 0;
  result.workload.options.row_group_bytes = 16 << 10;
  return result;
}

// Between checkpoints rows are saved.
Scenario saving(Scenario result, unsigned save_rows) {
  result.save_rows = save_rows;
  return tailed(result);
}

// The same in a stream, on a medium that can seek.
Scenario saving_stream(Scenario result, unsigned save_rows, bool shrinks = true) {
  result.save_rows = save_rows;
  result.workload.options.layout = &mpq::kForwardSaving;
  result.workload.options.whole_sectors = true;
  result.workload.abilities.seek = true;
  result.workload.abilities.shrink = shrinks;
  return result;
}

// A save comes right after each row group: it is small, and the row group is not on the medium yet.
Scenario saving_row_groups(Scenario result) {
  result.saves_row_groups = true;
  return result;
}

Scenario without_checkpoints(Scenario result) {
  result.workload.options.layout = &mpq::kInPlaceNoCheckpoints;
  return result;
}

// The scenario on a medium that erases so much before it writes.
Scenario on_blocks(Scenario result, std::uint16_t block_bytes) {
  result.workload.options.block_bytes = block_bytes;
  result.workload.abilities.block_bytes = block_bytes;
  return result;
}

// The scenarios, of which every other one begins with memory on the lines of a cache.
std::vector<Scenario> aligned(std::vector<Scenario> scenarios) {
  constexpr std::uint8_t kCacheLine = 32;
  bool is_aligned = false;
  for (Scenario& scenario : scenarios) {
    if (is_aligned) scenario.workload.options.transfer_align = kCacheLine;
    is_aligned = !is_aligned;
  }
  return scenarios;
}

Scenario rolling(Scenario result) {
  result.rolls = true;
  return result;
}

}  // namespace

// Small, so that there are many pages, records, footers and segments to cut in a few hundred writes.
const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> list = aligned({
      with_calls(scenario("fixed", "fixed_512", 700, 90), 60, 200),
      with_calls(scenario("tiny_fixed", "fixed_256", 500, 90), 60, 200),
      with_calls(scenario("mixed", "mixed_512", 400, 60), 40, 150),
      with_calls(scenario("tiny_mixed", "mixed_256", 300, 60), 40, 150),
      with_calls(scenario("large_pages", "mixed_4096", 600, 150), 150, 400),
      with_calls(scenario("tables", "tables_512", 500, 90), 60, 170),
      with_calls(scenario("tiny_tables", "tables_256", 400, 60), 30, 90),
      with_calls(scenario("deltas", "deltas_512", 600, 90), 60, 250),
      with_calls(scenario("tiny_deltas", "deltas_256", 400, 60), 30, 120),
      with_calls(scenario("splits", "splits_1024", 600, 90), 60, 250),
      with_calls(scenario("tiny_splits", "splits_256", 300, 60), 30, 120),
      with_calls(scenario("dictionaries", "dictionaries_512", 500, 90), 60, 250),
      with_calls(scenario("tiny_dictionaries", "dictionaries_256", 400, 60), 30, 120),
      with_calls(scenario("automatic", "automatic_1024", 600, 90), 60, 250),
      with_calls(scenario("tiny_automatic", "automatic_256", 300, 60), 30, 120),
      with_calls(scenario("small_groups", "small_groups", 150, 20), 7, 11),
      with_calls(scenario("dense", "mixed_256", 40, 10), 2, 30),
      with_calls(scenario("no_shrink", "no_shrink", 100, 20), 7, 11),
      in_batches(with_calls(scenario("tiny_batches", "mixed_256", 400, 60), 3, 10), 20),
      with_ticks(scenario("ticks", "mixed_512", 500, 60), 300),
      with_ticks(scenario("tiny_ticks", "mixed_256", 400, 60), 200),
      with_ticks(with_calls(scenario("ticks_and_calls", "small_groups", 200, 30), 25, 9), 50),
      with_share(with_ticks(scenario("share", "fixed_512", 700, 60), 50)),
      tailed(with_calls(scenario("tailed", "fixed_512", 300, 60), 7, 1000)),
      tailed(with_calls(scenario("tailed_each_row", "fixed_512", 90, 40), 1, 1000)),
      tailed(with_calls(scenario("tailed_mixed", "mixed_512", 120, 30), 3, 60)),
      tailed(with_ticks(scenario("tailed_ticks", "mixed_512", 200, 40), 50)),
      tailed(with_calls(scenario("tailed_groups", "small_groups", 100, 20), 3, 11)),
      tailed(with_calls(scenario("tailed_no_shrink", "no_shrink", 100, 20), 3, 50)),
      tailed(with_calls(scenario("tailed_deltas", "deltas_512", 200, 40), 7, 90)),
      rolling(tailed(with_calls(scenario("tailed_rolls", "mixed_512", 100, 30), 3, 40))),
      saving(with_calls(scenario("saving", "fixed_512", 200, 60), 23, 1000), 3),
      saving(in_one_group(with_calls(scenario("saving_pages", "small_groups", 400, 60), 200, 1000)), 20),
      saving(with_calls(scenario("saving_each_row", "mixed_512", 80, 40), 11, 60), 1),
      saving(with_calls(scenario("saving_groups", "small_groups", 100, 20), 7, 11), 2),
      saving(with_calls(scenario("saving_no_shrink", "no_shrink", 100, 20), 9, 50), 2),
      without_checkpoints(scenario("no_checkpoints", "mixed_512", 500, 60)),
      without_checkpoints(scenario("tables_no_checkpoints", "tables_512", 500, 60)),
      without_checkpoints(scenario("dictionaries_no_checkpoints", "dictionaries_512", 500, 60)),
      without_checkpoints(scenario("segments", "small_groups", 150, 60)),
      with_calls(scenario("forward", "forward_read_back", 500, 60), 90, 200),
      with_calls(scenario("forward_tables", "forward_tables", 300, 60), 50, 90),
      with_calls(scenario("forward_deltas", "forward_deltas", 400, 60), 70, 150),
      with_calls(scenario("forward_splits", "forward_splits", 400, 60), 70, 150),
      with_calls(scenario("forward_dictionaries", "forward_dictionaries", 300, 60), 50, 90),
      with_calls(scenario("forward_automatic", "forward_automatic", 400, 60), 70, 150),
      with_calls(scenario("forward_small_groups", "forward_small_groups", 250, 40), 25, 60),
      saving_row_groups(
          saving_stream(with_calls(scenario("stream_saves", "forward_read_back", 300, 60), 90, 25), 40)),
      saving_stream(with_calls(scenario("stream_saves_each_row", "forward_small_groups", 60, 20), 25, 5), 1,
                    false),
      saving_stream(with_calls(scenario("stream_saves_tables", "forward_tables", 200, 40), 50, 90), 9),
      saving_stream(
          with_ticks(with_calls(scenario("stream_saves_ticks", "forward_deltas", 300, 60), 1000, 170), 500),
          9),
      rolling(with_calls(scenario("rolls", "mixed_512", 200, 60), 40, 150)),
      rolling(with_calls(scenario("tiny_rolls", "small_groups", 100, 20), 7, 11)),
      rolling(with_calls(scenario("forward_rolls", "forward_read_back", 300, 60), 90, 200)),
      on_blocks(with_calls(scenario("blocks_1024", "fixed_512", 200, 60), 60, 130), 1024),
      on_blocks(with_calls(scenario("tiny_blocks_1024", "small_groups", 60, 20), 7, 11), 1024),
      on_blocks(with_calls(scenario("blocks_2048", "mixed_512", 150, 60), 40, 100), 2048),
      on_blocks(with_ticks(scenario("tiny_blocks_2048", "mixed_256", 150, 60), 200), 2048),
      on_blocks(with_calls(scenario("tables_2048", "tables_512", 200, 60), 50, 90), 2048),
      on_blocks(with_calls(scenario("tiny_tables_4096", "tables_256", 200, 60), 40, 90), 4096),
      on_blocks(with_calls(scenario("tiny_deltas_2048", "deltas_256", 200, 60), 50, 90), 2048),
      on_blocks(with_calls(scenario("deltas_4096", "deltas_512", 200, 60), 50, 90), 4096),
      on_blocks(with_calls(scenario("splits_2048", "splits_1024", 200, 60), 50, 90), 2048),
      on_blocks(with_calls(scenario("tiny_dictionaries_2048", "dictionaries_256", 200, 60), 50, 90), 2048),
      on_blocks(with_calls(scenario("automatic_4096", "automatic_1024", 300, 60), 50, 120), 4096),
      on_blocks(with_calls(scenario("blocks_4096", "mixed_512", 150, 60), 40, 100), 4096),
      on_blocks(with_calls(scenario("tiny_blocks_4096", "mixed_256", 150, 60), 40, 100), 4096),
      on_blocks(with_calls(scenario("large_pages_4096", "mixed_4096", 600, 150), 150, 400), 4096),
      on_blocks(with_calls(scenario("small_groups_4096", "no_shrink", 60, 20), 7, 11), 4096),
      on_blocks(rolling(with_calls(scenario("rolls_4096", "mixed_512", 100, 60), 40, 150)), 4096),
      on_blocks(without_checkpoints(scenario("segment_4096", "small_groups", 60, 30)), 4096),
      on_blocks(with_calls(scenario("forward_1024", "forward_read_back", 200, 60), 60, 130), 1024),
      on_blocks(with_calls(scenario("forward_4096", "forward_small_groups", 120, 40), 25, 60), 4096),
      on_blocks(with_calls(scenario("forward_16384", "forward_read_back", 200, 60), 60, 130), 16384),
      on_blocks(with_calls(scenario("forward_32768", "forward_small_groups", 120, 40), 25, 60), 32768),
  });
  return list;
}

unsigned rows_of_life(const Scenario& scenario, unsigned life) {
  return life == 0 ? scenario.workload.rows : scenario.later_rows;
}

}  // namespace power_loss
