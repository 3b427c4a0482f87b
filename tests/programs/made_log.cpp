// Writes a log with options that no program of ours has, for tests of mpq:
//   made_log PATH ROWS CHECKPOINT_ROWS BLOCK_BYTES PAGE_BYTES in_place|tailed|forward|stream close|cut|save|continue
// "cut" ends without a last checkpoint, as a power cut would; "save" ends so after a save; "continue" too, of a log that
// is there.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "microparquet/microparquet.h"
#include "microparquet/port/posix_file.h"

namespace mpq = microparquet;

namespace {

constexpr mpq::Field kFields[] = {
    mpq::int64_field("number"),
    mpq::float_field("half"),
    mpq::string_field("text").as_optional(),
};

std::uint32_t number(const char* text) { return static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10)); }

mpq::Status write_rows(mpq::Writer& writer, std::uint32_t rows, std::uint32_t checkpoint_rows) {
  mpq::Status status = mpq::Status::kOk;
  for (std::uint32_t i = 0; i < rows && status == mpq::Status::kOk; ++i) {
    const mpq::Value row[] = {mpq::Value::of(std::int64_t{i}), mpq::Value::of(0.5F * static_cast<float>(i)),
                              i % 3 == 0 ? mpq::Value() : mpq::Value::of_bytes("a text")};
    status = writer.append(row);
    if (status == mpq::Status::kOk && i % checkpoint_rows == checkpoint_rows - 1) {
      status = writer.checkpoint();
    }
  }
  return status;
}

mpq::Status finish(mpq::Writer& writer, const std::string& end) {
  if (end == "close") {
    return writer.close();
  }
  return end == "cut" ? mpq::Status::kOk : writer.save();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 8) {
    return 2;
  }
  const std::string end = argv[7];
  mpq::Options options;
  options.block_bytes = static_cast<std::uint16_t>(number(argv[4]));
  options.page_bytes = number(argv[5]);
  options.whole_sectors = options.page_bytes % 512 == 0;
  options.row_group_rows = 2500;
  if (argv[6] == std::string("forward")) {
    options.layout = &mpq::kForward;
    options.row_group_bytes = 64 << 10;
  } else if (argv[6] == std::string("stream")) {
    options.layout = &mpq::kForwardSaving;
    options.row_group_bytes = 16 << 10;
    options.row_group_rows = 0;
    options.file_id = 9;
  } else if (argv[6] == std::string("tailed")) {
    options.layout = &mpq::kInPlaceTailed;
    options.file_id = 7;
  }
  std::vector<std::uint64_t> arena(mpq::Writer::required_bytes(kFields, options) / sizeof(std::uint64_t) + 1);
  mpq::PosixFile file;
  mpq::Writer writer;
  mpq::Status status =
      end == "continue" ? file.open_for_append(argv[1]) : file.create(argv[1], mpq::Existing::kOverwrite);
  if (status == mpq::Status::kOk) {
    status =
        writer.resume(file, kFields, options,
                      {reinterpret_cast<std::byte*>(arena.data()), arena.size() * sizeof(std::uint64_t)});
  }
  if (status == mpq::Status::kOk) {
    status = write_rows(writer, number(argv[2]), number(argv[3]));
  }
  if (status == mpq::Status::kOk) {
    status = finish(writer, end);
  }
  if (status != mpq::Status::kOk) {
    std::fprintf(stderr, "made_log: %s\n", mpq::to_string(status));
  }
  return status == mpq::Status::kOk ? 0 : 1;
}
