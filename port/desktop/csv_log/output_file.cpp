#include "output_file.h"

#include <cerrno>
#include <utility>

#include "line_source.h"
#include "microparquet/desktop/program.h"

namespace csv_log {

// A link stays one: what it leads to is replaced.
Replacement::Replacement(const std::string& path, std::unique_ptr<desktop::NativeFile> old)
    : old_path_(desktop::without_links(path)), old_(std::move(old)), path_(desktop::make_beside(old_path_)) {
  if (path_.empty()) {
    throw Failure(
        path + ": it cannot be replaced, since its folder takes no new file: " + desktop::error_text(errno));
  }
}

Replacement::~Replacement() {
  if (!path_.empty()) {
    static_cast<void>(desktop::remove_file(path_));
  }
}

void Replacement::take_place() {
  if (!desktop::kReplacesOpenFiles) {
    old_.reset();
  }
  if (!desktop::replace(path_, old_path_)) {
    throw Failure(old_path_ + ": it cannot be replaced: " + desktop::error_text(errno));
  }
  path_.clear();
}

namespace {

using desktop::NativeFile;
using microparquet::Status;
using microparquet::StdoutFile;

// A pipe or a device: there, but no file to seek in.
bool is_special(const std::string& path) {
  const desktop::FileKind kind = desktop::state_of(path).kind;
  return kind == desktop::FileKind::kOther || kind == desktop::FileKind::kBlockDevice;
}

std::string advice_for(int error) {
  switch (error) {
    case EEXIST:
      return "it exists; give another name, --append to add rows to it, or --overwrite to replace it";
    case EWOULDBLOCK: return "another program is writing it; wait for it, or give another name";
    case EISDIR: return "it is a folder; give the name of a file";
    default: return desktop::error_text(error);
  }
}

}  // namespace

Output::Output(const std::string& path)
    : path_(path),
      name_(path == "-" ? "standard output" : path),
      can_seek_(path != "-" && !is_special(path)) {}

bool Output::exists() const { return can_seek_ && desktop::state_of(path_).bytes != 0; }

void Output::open(microparquet::Existing existing) {
  if (can_seek_) {
    open_native(path_, &existing);
  } else {
    open_forward();
  }
}

void Output::open_for_append() {
  if (can_seek_) {
    open_native(path_, nullptr);
  } else {
    open_forward();
  }
}

void Output::open_to_replace() {
  if (!exists()) {
    open(microparquet::Existing::kOverwrite);
    return;
  }
  open_native(path_, nullptr);
  replacement_ = std::make_unique<Replacement>(path_, std::move(native_));
  open_native(replacement_->path(), nullptr);
}

// `existing` null: what the file holds stays.
void Output::open_native(const std::string& path, const microparquet::Existing* existing) {
  native_ = std::make_unique<NativeFile>();
  const char* const name = path.c_str();
  const Status status =
      existing != nullptr ? native_->create(name, *existing) : native_->open_for_append(name);
  if (status != Status::kOk) {
    throw Failure(path_ + ": " + advice_for(desktop::error_of(*native_)));
  }
}

void Output::open_forward() {
  if (path_ == "-") {
    if (desktop::is_terminal(desktop::kOutputDescriptor)) {
      throw Failure("OUT is -, and standard output is a terminal; redirect it to a file or a pipe");
    }
    forward_ = std::make_unique<StdoutFile>(desktop::kOutputDescriptor);
    return;
  }
  descriptor_ = desktop::open_file(path_, desktop::Access::kWrite);
  if (!descriptor_.is_open()) {
    throw Failure(path_ + ": " + desktop::error_text(errno));
  }
  forward_ = std::make_unique<StdoutFile>(descriptor_.number());
}

std::string Output::error() const {
  return desktop::error_text(native_ ? desktop::error_of(*native_) : forward_->native_error());
}

void Output::close() {
  if (native_ && native_->close() != Status::kOk) {
    throw Failure(name_ + ": " + error());
  }
  if (replacement_) {
    replacement_->take_place();
  }
}

void Output::discard() {
  const bool is_ours = native_ && !replacement_ && native_->has_name();  // else the name is another file's
  if (native_) {
    static_cast<void>(native_->close());
  }
  if (is_ours) {
    static_cast<void>(desktop::remove_file(path_));
  }
}

}  // namespace csv_log
