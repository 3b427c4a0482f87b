// Arguments and the opened file, for all programs that print every value of a file.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "microparquet/desktop/codecs.h"
#include "microparquet/port/posix_file.h"
#include "microparquet/read_all.h"
#include "microparquet/reader.h"

namespace dump_program {

namespace mpq = microparquet;
using mpq::Status;

// NAME FILE [--by WAY] [--buffer-bytes N] [--batch-items N] [--no-crc]
struct Settings {
  const char* path = nullptr;
  std::string by;
  std::uint32_t buffer_bytes = 512;
  std::size_t batch_items = 100;  // places of a batch
  bool crc = true;
};

inline Settings parse(int count, char** arguments, const char* by) {
  Settings settings;
  settings.by = by;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    const bool more = i + 1 < count;
    if (argument == "--by" && more) {
      settings.by = arguments[++i];
    } else if (argument == "--buffer-bytes" && more) {
      settings.buffer_bytes = static_cast<std::uint32_t>(std::atoi(arguments[++i]));
    } else if (argument == "--batch-items" && more) {
      settings.batch_items = static_cast<std::size_t>(std::atoi(arguments[++i]));
    } else if (argument == "--no-crc") {
      settings.crc = false;
    } else {
      settings.path = arguments[i];
    }
  }
  return settings;
}

// Every encoding and compression that can be read.
inline mpq::ReaderOptions reader_options(const Settings& settings) {
  mpq::ReaderOptions options;
  options.buffer_bytes = settings.buffer_bytes;
  options.decoders = mpq::kAllDecoders;
  options.bit_packed_levels = &mpq::read_bit_packed_levels;
  options.decompressors = mpq::desktop::decompressors();
  if (!settings.crc) options.checksum = nullptr;
  return options;
}

// A reader with columns chosen, in memory that is not cleared: that would take most of the time.
class OpenReader {
 public:
  // Opens the file; choose(reader) chooses columns. A reader that has all the memory it may want tells how much is
  // enough; then it gets just that.
  template <typename Choose>
  Status open(mpq::File& file, const Settings& settings, Choose choose) {
    options_ = reader_options(settings);
    const Status status = open_in(file, std::size_t{1} << 25, choose);
    return status == Status::kOk ? open_in(file, static_cast<std::size_t>(reader_.needed_bytes()), choose)
                                 : status;
  }

  mpq::Reader& reader() { return reader_; }

 private:
  template <typename Choose>
  Status open_in(mpq::File& file, std::size_t bytes, Choose choose) {
    arena_.reset(new std::uint64_t[(bytes + 7) / 8]);
    const Status status = reader_.open(file, options_, {reinterpret_cast<std::byte*>(arena_.get()), bytes});
    return status == Status::kOk ? choose(reader_) : status;
  }

  mpq::ReaderOptions options_;
  std::unique_ptr<std::uint64_t[]> arena_;
  mpq::Reader reader_;
};

// The main function: print(file, settings) prints all but the last line.
template <typename Print>
int run(int count, char** arguments, const char* by, Print print) {
  const Settings settings = parse(count, arguments, by);
  mpq::PosixFile file;
  if (settings.path == nullptr || file.open_for_reading(settings.path) != Status::kOk) {
    std::fprintf(stderr, "%s: no file to read\n", arguments[0]);
    return 2;
  }
  std::printf("status %s\n", mpq::to_string(print(file, settings)));
  return 0;
}

}  // namespace dump_program
