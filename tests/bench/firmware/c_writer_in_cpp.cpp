// The same program as c_writer.c, in C++.
#include "c_writer.h"
#include "microparquet/file.h"
#include "microparquet/writer.h"

namespace {
using namespace microparquet;

constexpr Field kFields[] = {timestamp_field("time"), int32_field("number"), float_field("x"),
                             float_field("y"),        float_field("z"),      float_field("temperature"),
                             int32_field("status"),   int32_field("errors")};
constexpr Options kOptions;

class Medium final : public File {
 public:
  explicit Medium(void* context) : context_(context) {}

  FileAbilities abilities() const override {
    FileAbilities abilities;
    abilities.seek = true;
    abilities.read_back = true;
    return abilities;
  }
  Status size(std::uint64_t& bytes) override {
    bytes = c_writer_size(context_);
    return Status::kOk;
  }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    return static_cast<Status>(c_writer_read(context_, offset, out.data(), out.size()));
  }
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    return static_cast<Status>(c_writer_write(context_, offset, data.data(), data.size()));
  }
  Status sync(std::uint64_t bytes) override { return static_cast<Status>(c_writer_sync(context_, bytes)); }

 private:
  void* context_;
};

alignas(8) std::byte memory[8192];
Writer writer;

}  // namespace

int main() {
  c_writer_row row;
  c_writer_measure(&row);
  Medium medium(&row);
  Status status = writer.open(medium, kFields, kOptions, memory);
  const ColumnData columns[] = {{&row.time}, {&row.number},      {&row.x},      {&row.y},
                                {&row.z},    {&row.temperature}, {&row.status}, {&row.errors}};
  if (status == Status::kOk) status = writer.append_columns(columns, 1);
  if (status == Status::kOk) status = writer.tick(1000);
  if (status == Status::kOk) status = writer.checkpoint();
  if (status == Status::kOk) status = writer.close();
  return static_cast<int>(status);
}
