// A new Parquet file of an operating system, out of row groups of others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "byte_sink.h"
#include "microparquet/desktop/new_file.h"
#include "parquet_output.h"

namespace microparquet::recovery {

// Throws Failure when a new file cannot take the name `path`; `overwrite`: one that is there is replaced.
void check_target(const std::string& path, bool overwrite);

// All calls throw Failure. The file gets its name when it is whole and can be opened; until then it lies
// beside it, and is removed when it is not finished.
class NewParquetFile {
 public:
  NewParquetFile(const std::string& path, bool overwrite);
  NewParquetFile(const NewParquetFile&) = delete;
  NewParquetFile& operator=(const NewParquetFile&) = delete;

  ParquetOutput& output() { return output_; }
  void finish(const std::vector<FooterField>& fields);
  std::uint64_t bytes() const { return sink_.bytes(); }

 private:
  class Sink final : public ByteSink {
   public:
    explicit Sink(const std::string& path) : file(path) {}

    void write(const void* data, std::size_t bytes) override { file.write(data, bytes); }
    void take(File& from, std::uint64_t begin, std::uint64_t bytes) override {
      copy_bytes(from, begin, bytes, *this);
    }
    std::uint64_t bytes() const override { return file.bytes(); }
    File& written() override { return file.file(); }

    desktop::NewFile file;
  };

  bool overwrite_;
  Sink sink_;
  ParquetOutput output_;
};

}  // namespace microparquet::recovery
