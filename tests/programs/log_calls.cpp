// Continues a log by the calls that are given, and leaves what a power cut after the last one would:
//   log_calls FILE [--block=BYTES] [--row-group=BYTES] [--file-id=N] [--forward] [--tailed] [--stream] [--dictionary] [--first=N]
//             [--ms-per-row=MS] [unsynced] CALL...
// The calls: rows=N, checkpoint, save, end_row_group, key=VALUE (set_key_value), close. With `unsynced` also what
// was written and not published is left. Rows have n = 0, 1, 2, ... in order, or from N on; every third x is
// null, and with a dictionary x has one. With a time for each row the writer makes checkpoints by it. Row groups of 0 bytes are as large
// as the library chooses.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "microparquet/port/memory_file.h"
#include "microparquet/writer.h"
#include "support/names.h"

namespace {

using microparquet::MemoryFile;

constexpr Field kFields[] = {microparquet::int64_field("n"), microparquet::float_field("x").as_optional()};
constexpr Field kFieldsWithDictionary[] = {kFields[0], kFields[1].with_encoder(microparquet::kDictionary)};
constexpr std::size_t kMaxBytes = 16 << 20;

// A card: what was published is known apart from what was written.
class Card final : public microparquet::File {
 public:
  Card(Span<std::byte> memory, std::size_t bytes, std::uint16_t block_bytes)
      : memory_(memory, bytes), published_(bytes), block_bytes_(block_bytes) {}

  microparquet::FileAbilities abilities() const override { return {true, true, true, block_bytes_}; }
  Status size(std::uint64_t& bytes) override { return memory_.size(bytes); }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override { return memory_.read_at(offset, out); }
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    return memory_.write_at(offset, data);
  }
  Status sync(std::uint64_t size) override {
    published_ = static_cast<std::size_t>(size);
    return memory_.sync(size);
  }
  Status shrink(std::uint64_t size) override {
    published_ = static_cast<std::size_t>(size);
    return memory_.shrink(size);
  }

  Span<const std::byte> written() const { return memory_.contents(); }
  Span<const std::byte> published() const { return written().subspan(0, published_); }

 private:
  MemoryFile memory_;
  std::size_t published_;
  std::uint16_t block_bytes_;
};

struct Call {
  std::string name;
  std::string value;  // stays where it is: the writer does not copy key-values
};

struct Order {
  std::string path;
  Options options;
  std::vector<Call> calls;
  std::uint64_t first = 0;       // number of the first row
  std::uint32_t ms_per_row = 0;  // 0: the time is not told
  bool keeps_unsynced = false;
  bool has_dictionary = false;
};

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "log_calls: %s\n", what.c_str());
  std::exit(1);
}

void expect_ok(const std::string& call, Status status) {
  if (status != Status::kOk) fail(call + ": " + to_string(status));
}

Status append_rows(Writer& writer, const Order& order, unsigned long count) {
  Status status = Status::kOk;
  for (; count != 0 && status == Status::kOk; --count) {
    if (order.ms_per_row != 0)
      status = writer.tick(static_cast<std::uint32_t>(writer.rows()) * order.ms_per_row);
    if (status != Status::kOk) break;
    const auto n = static_cast<std::int64_t>(order.first + writer.rows());
    const Value row[] = {Value::of(n), n % 3 == 0 ? Value() : Value::of(static_cast<float>(n))};
    status = writer.append(row);
  }
  return status;
}

Status make(const Call& call, const Order& order, Writer& writer) {
  if (call.name == "rows") return append_rows(writer, order, std::strtoul(call.value.c_str(), nullptr, 10));
  if (call.name == "checkpoint") return writer.checkpoint();
  if (call.name == "save") return writer.save();
  if (call.name == "end_row_group") return writer.end_row_group();
  if (call.name == "key") return writer.set_key_value("key", call.value);
  if (call.name == "close") return writer.close();
  return Status::kUnsupported;
}

Order order_of(const std::vector<std::string>& words) {
  if (words.empty()) fail("no FILE");
  Order order;
  order.path = words[0];
  order.options.file_id = 7;
  order.options.row_group_bytes = 16 << 10;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::size_t sign = words[i].find('=');
    const Call call = {words[i].substr(0, sign), sign == std::string::npos ? "" : words[i].substr(sign + 1)};
    if (call.name == "--forward") {
      order.options.layout = &microparquet::kForward;
    } else if (call.name == "--tailed") {
      order.options.layout = &microparquet::kInPlaceTailed;
    } else if (call.name == "--stream") {
      order.options.layout = &microparquet::kForwardSaving;
    } else if (call.name == "--dictionary") {
      order.has_dictionary = true;
    } else if (call.name == "--block") {
      order.options.block_bytes = static_cast<std::uint16_t>(std::strtoul(call.value.c_str(), nullptr, 10));
    } else if (call.name == "--row-group") {
      order.options.row_group_bytes =
          static_cast<std::uint32_t>(std::strtoul(call.value.c_str(), nullptr, 10));
    } else if (call.name == "--file-id") {
      order.options.file_id = static_cast<std::uint32_t>(std::strtoul(call.value.c_str(), nullptr, 10));
    } else if (call.name == "--first") {
      order.first = std::strtoul(call.value.c_str(), nullptr, 10);
    } else if (call.name == "--ms-per-row") {
      order.ms_per_row = static_cast<std::uint32_t>(std::strtoul(call.value.c_str(), nullptr, 10));
    } else if (call.name == "unsynced") {
      order.keeps_unsynced = true;
    } else {
      order.calls.push_back(call);
    }
  }
  return order;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

int main(int count, char** arguments) {
  const Order order = order_of({arguments + 1, arguments + count});
  const std::string before = read_file(order.path);
  std::vector<std::byte> memory(kMaxBytes);
  std::memcpy(memory.data(), before.data(), before.size());
  Card card(memory, before.size(), order.options.block_bytes);
  alignas(8) static std::byte arena[64 << 10];
  Writer writer;
  const Span<const Field> fields = order.has_dictionary ? kFieldsWithDictionary : kFields;
  expect_ok("resume", writer.resume(card, fields, order.options, arena));
  for (const Call& call : order.calls) expect_ok(call.name, make(call, order, writer));
  const Span<const std::byte> left = order.keeps_unsynced ? card.written() : card.published();
  std::ofstream out(order.path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(left.data()), static_cast<std::streamsize>(left.size()));
  return out.flush() ? 0 : 1;
}
