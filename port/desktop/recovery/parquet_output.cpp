#include "parquet_output.h"

#include <sys/stat.h>
#include <algorithm>

#include "microparquet/desktop/failure.h"
#include "microparquet/detail/format/magic.h"
#include "open_file.h"
#include "thrift_dom/row_group_parts.h"

namespace microparquet::recovery {

namespace {

std::string checked_target(const std::string& path, bool overwrite) {
  check_target(path, overwrite);
  return path;
}

}  // namespace

void check_target(const std::string& path, bool overwrite) {
  struct stat there = {};
  if (stat(path.c_str(), &there) != 0) {
    return;
  }
  if (!S_ISREG(there.st_mode)) {
    throw desktop::Failure(path + ": is there already, and is no file");
  }
  if (there.st_size != 0 && !overwrite) {
    throw desktop::Failure(path + ": is there already; --overwrite replaces it");
  }
}

ParquetOutput::ParquetOutput(const std::string& path, bool overwrite)
    : overwrite_(overwrite), out_(checked_target(path, overwrite)) {
  out_.write(format::kMagicText.data(), format::kMagicBytes);
}

void ParquetOutput::copy(File& from, std::uint64_t begin, std::uint64_t bytes) {
  constexpr std::uint64_t kPiece = 1 << 20;
  Bytes piece;
  for (std::uint64_t done = 0; done < bytes; done += piece.size()) {
    piece.resize(static_cast<std::size_t>(std::min(kPiece, bytes - done)));
    if (from.read_at(begin + done, piece) != Status::kOk) {
      throw desktop::Failure("pages that could be read cannot be read again");
    }
    out_.write(piece.data(), piece.size());
  }
}

void ParquetOutput::add_row_group(File& from, const Bytes& entry) {
  MovedRowGroup moved = move_row_group(entry, out_.bytes());
  for (const Piece& piece : moved.pieces) {
    copy(from, piece.begin, piece.bytes);
  }
  entries_.push_back(std::move(moved.entry));
}

void ParquetOutput::finish(const std::vector<FooterField>& fields) {
  const Bytes footer = build_footer(fields, entries_, std::nullopt);
  out_.write(footer.data(), footer.size());
  out_.sync();
  if (const Status status = OpenFile().open(out_.file()); status != Status::kOk) {
    throw desktop::Failure(out_.path() + ": nothing is written: no program could open it (" +
                           to_string(status) + ")");
  }
  check_target(out_.path(), overwrite_);
  out_.take_name();
}

}  // namespace microparquet::recovery
