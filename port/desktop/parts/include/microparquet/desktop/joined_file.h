// A Parquet file whose column chunks lie in other files, read as if all were in one: a summary, as the file
// _metadata that Spark, Dask and parquet-java leave in the folder of a data set.
//
//   const int folder = ::open("data_set", O_RDONLY | O_DIRECTORY);
//   PosixFile summary;
//   summary.open_for_reading("data_set/_metadata");
//   JoinedFile table(summary, folder);
//   reader.open(table, options, arena);
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "microparquet/file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet::desktop {

class PartFile;

// Only read, with positions that are no file's: each part has a room of its own in them. The parts are opened
// as they are read, a few at a time. One thread.
//
// ColumnChunk.file_path (parquet.thrift) is resolved in the folder that the caller gives and never leads out
// of it: an absolute path, one with "..", and one through a symbolic link fail when the part is read. Parts
// are taken as the summary describes them; what it says of one that has changed since is damage like any
// other, and checksums find it.
class JoinedFile final : public File {
 public:
  // Reads the footer of `summary`, whole. `summary` and `folder`, a descriptor, are the caller's; they must
  // stay open. Throws Failure: the footer is malformed, cannot be read, or names places that no file has.
  JoinedFile(File& summary, int folder);
  ~JoinedFile();
  JoinedFile(const JoinedFile&) = delete;
  JoinedFile& operator=(const JoinedFile&) = delete;

  // Whether any column chunk lies in another file.
  bool has_parts() const;

  // Names, for people, the part that could not be read, and why; empty when none has failed.
  const std::string& failure() const { return failure_; }

  FileAbilities abilities() const override { return {}; }
  Status size(std::uint64_t& bytes) override;
  // - kOk
  // - kIoError: failure() says what; also of bytes that the summary does not describe
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;
  // - kUnsupported, always
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;
  Status sync(std::uint64_t size) override;

 private:
  Status read_part(std::size_t number, std::uint64_t offset, Span<std::byte> out);
  Status read_footer(std::uint64_t offset, Span<std::byte> out) const;

  File& summary_;
  int folder_;
  std::vector<PartFile> parts_;
  std::deque<std::size_t> open_;  // numbers of parts, the one opened first at the front
  std::vector<std::byte> footer_;
  std::string failure_;
};

// Says, for people, why `path`, as a summary in `folder` (a descriptor) has it, is no file of `bytes` bytes
// or more, and what to do. Empty: it is one.
std::string why_no_part(int folder, const std::string& path, std::uint64_t bytes);

}  // namespace microparquet::desktop
