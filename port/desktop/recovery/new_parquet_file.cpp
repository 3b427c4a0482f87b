#include "new_parquet_file.h"

#include "microparquet/desktop/failure.h"
#include "microparquet/desktop/files.h"

namespace microparquet::recovery {

namespace {

std::string checked_target(const std::string& path, bool overwrite) {
  check_target(path, overwrite);
  return path;
}

}  // namespace

void check_target(const std::string& path, bool overwrite) {
  const desktop::FileState there = desktop::state_of(path);
  if (there.kind == desktop::FileKind::kNone) {
    return;
  }
  if (there.kind != desktop::FileKind::kFile) {
    throw desktop::Failure(path + ": is there already, and is no file");
  }
  if (there.bytes != 0 && !overwrite) {
    throw desktop::Failure(path + ": is there already; --overwrite replaces it");
  }
}

NewParquetFile::NewParquetFile(const std::string& path, bool overwrite)
    : overwrite_(overwrite), sink_(checked_target(path, overwrite)), output_(sink_) {}

void NewParquetFile::finish(const std::vector<FooterField>& fields) {
  const Status status = output_.finish(fields);
  sink_.file.sync();
  if (status != Status::kOk) {
    throw desktop::Failure(sink_.file.path() + ": nothing is written: no program could open it (" +
                           to_string(status) + ")");
  }
  check_target(sink_.file.path(), overwrite_);
  sink_.file.take_name();
}

}  // namespace microparquet::recovery
