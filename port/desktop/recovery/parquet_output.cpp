#include "parquet_output.h"

#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "failure.h"
#include "format/moved_row_group.h"
#include "microparquet/detail/format/magic.h"
#include "open_file.h"

namespace microparquet::recovery {

ParquetOutput::ParquetOutput(std::string path, bool overwrite)
    : path_(std::move(path)), part_path_(path_ + ".part"), overwrite_(overwrite) {
  check_target();
  if (file_.create(part_path_.c_str(), microparquet::Existing::kOverwrite) != Status::kOk) {
    throw Failure(part_path_ + ": " + std::strerror(file_.native_error()));
  }
  begun_ = true;
  write({reinterpret_cast<const std::byte*>(format::kMagicText.data()), format::kMagicBytes});
}

ParquetOutput::~ParquetOutput() {
  if (begun_) {
    static_cast<void>(unlink(part_path_.c_str()));
  }
}

void ParquetOutput::check_target() const {
  struct stat there = {};
  if (stat(path_.c_str(), &there) != 0) {
    return;
  }
  if (!S_ISREG(there.st_mode)) {
    throw Failure(path_ + ": is there already, and is no file");
  }
  if (there.st_size != 0 && !overwrite_) {
    throw Failure(path_ + ": is there already; --overwrite replaces it");
  }
}

void ParquetOutput::fail() { throw Failure(part_path_ + ": " + std::strerror(file_.native_error())); }

void ParquetOutput::write(ByteView bytes) {
  if (file_.write_at(bytes_, bytes) != Status::kOk) {
    fail();
  }
  bytes_ += bytes.size();
}

void ParquetOutput::copy(File& from, std::uint64_t begin, std::uint64_t bytes) {
  constexpr std::uint64_t kPiece = 1 << 20;
  Bytes piece;
  for (std::uint64_t done = 0; done < bytes; done += piece.size()) {
    piece.resize(static_cast<std::size_t>(std::min(kPiece, bytes - done)));
    if (from.read_at(begin + done, piece) != Status::kOk) {
      throw Failure("pages that could be read cannot be read again");
    }
    write(piece);
  }
}

void ParquetOutput::add_row_group(File& from, const Bytes& entry) {
  MovedRowGroup moved = move_row_group(entry, bytes_);
  for (const Piece& piece : moved.pieces) {
    copy(from, piece.begin, piece.bytes);
  }
  entries_.push_back(std::move(moved.entry));
}

void ParquetOutput::finish(const std::vector<FooterField>& fields) {
  write(build_footer(fields, entries_, std::nullopt));
  if (file_.sync(bytes_) != Status::kOk) {
    fail();
  }
  if (const Status status = OpenFile().open(file_); status != Status::kOk) {
    throw Failure(path_ + ": nothing is written: no program could open it (" + to_string(status) + ")");
  }
  if (file_.close() != Status::kOk) {
    fail();
  }
  check_target();
  if (std::rename(part_path_.c_str(), path_.c_str()) != 0) {
    throw Failure(path_ + ": " + std::strerror(errno));
  }
  begun_ = false;
}

}  // namespace microparquet::recovery
