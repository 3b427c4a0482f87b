// row_groups FILE COUNT: writes COUNT row groups of one `imu8` row each, and prints how much memory that
// took: the writer and what it touched of a painted arena; and the deepest stack from which it called its
// file. That one varies by a few bytes with where a footer's bytes happen to fill the window; its bound is
// figured from the call graph.
#include <cstdlib>

#include "microparquet/port/semihosting.h"
#include "microparquet/port/semihosting_console.h"
#include "microparquet/port/semihosting_file.h"
#include "microparquet/writer.h"
#include "support/forwarding_file.h"
#include "support/imu8.h"
#include "support/imu8_schema.h"

namespace {
using namespace microparquet;

constexpr std::byte kPaint{0xA5};
constexpr std::size_t kGuard = 256;

constexpr Options make_options() {
  Options options;
  options.page_bytes = MICROPARQUET_BENCH_PAGE_BYTES;
  options.row_group_rows = 1;
  return options;
}

constexpr Options kOptions = make_options();
constexpr std::size_t kArenaBytes = Writer::required_bytes(bench::kImu8Fields, kOptions);

// The same as its argument, and keeps the lowest stack pointer it is called with: the library's frames down
// to, and not into, the file. Unlike a painted stack it misses no byte that a frame holds and happens not to
// write.
class WatchingFile final : public support::ForwardingFile {
 public:
  using ForwardingFile::ForwardingFile;

  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    watch();
    return ForwardingFile::read_at(offset, out);
  }
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    watch();
    return ForwardingFile::write_at(offset, data);
  }

  // Bytes of stack between `top` and the deepest call.
  std::size_t stack_below(std::uintptr_t top) const { return top - lowest_; }

 private:
  void watch() {
    const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    if (frame < lowest_) lowest_ = frame;
  }

  std::uintptr_t lowest_ = ~std::uintptr_t{0};
};

SemihostingFile host_file;
WatchingFile file(host_file);
Writer writer;
semihosting::Console console;
alignas(8) std::byte arena[kArenaBytes + kGuard];

std::size_t touched_arena() {
  std::size_t bytes = sizeof arena;
  while (bytes != 0 && arena[bytes - 1] == kPaint) --bytes;
  return bytes;
}

Status append(const bench::Imu8Row& row) {
  const Value values[] = {Value::of(row.ts),     Value::of(row.seq),       Value::of(row.ax),
                          Value::of(row.ay),     Value::of(row.az),        Value::of(row.temp),
                          Value::of(row.status), Value::of(row.battery_mv)};
  return writer.append(values);
}

[[gnu::noinline]] Status run(const char* path, std::int32_t count) {
  bench::Imu8Generator generator(count);
  Status status = host_file.create(path, microparquet::Existing::kOverwrite);
  if (status == Status::kOk) {
    status = writer.open(file, bench::kImu8Fields, kOptions, Span<std::byte>(arena, kArenaBytes));
  }
  for (std::int32_t i = 0; i < count && status == Status::kOk; ++i) {
    bench::Imu8Row row;
    generator.next(row);
    status = append(row);
  }
  if (status == Status::kOk) status = writer.close();
  if (status == Status::kOk) status = host_file.close();
  return status;
}

}  // namespace

int main() {
  char line[256];
  const std::string_view arguments = semihosting::command_line(line);
  const std::size_t path = arguments.find(' ') + 1;
  const std::size_t count = arguments.find(' ', path);
  line[count] = '\0';

  const auto top = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  for (std::byte& byte : arena) byte = kPaint;
  const Status status =
      run(line + path, static_cast<std::int32_t>(std::strtol(line + count + 1, nullptr, 10)));
  console.print(std::uint64_t{writer.row_groups()}).print(" row groups, memory ");
  console.print(std::uint64_t{sizeof writer + touched_arena()}).print(" bytes, stack ");
  console.print(std::uint64_t{file.stack_below(top)}).print(" bytes\n");
  return static_cast<int>(status);
}
