#include "log_sources.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "microparquet/desktop/log_name.h"
#include "microparquet/desktop/native_file.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/port/crc32_hardware.h"
#include "read_failure.h"

namespace mpq_tool {

namespace {

namespace fs = std::filesystem;

bool is_log_name(const fs::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension == ".img" || microparquet::desktop::is_log_name(path);
}

class FolderWalk {
 public:
  FolderWalk(const std::string& lake, const TellProblem& problem) : problem_(problem) {
    std::error_code ignored;
    lake_ = fs::canonical(lake, ignored);
  }

  // A damaged folder costs what is in it, and no others.
  void walk(const fs::path& folder) {
    std::error_code error;
    if (!lake_.empty() && fs::equivalent(folder, lake_, error)) {
      return;
    }
    std::vector<fs::path> entries;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      entries.push_back(entry->path());
    }
    if (error) {
      problem_(folder.generic_string() + ": " + error.message() + "; what is in it is not collected");
    }
    std::sort(entries.begin(), entries.end());
    for (const fs::path& path : entries) {
      add(path);
    }
  }

  std::vector<std::string> found() && { return std::move(found_); }

 private:
  void add(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path, error);
    if (fs::is_directory(status)) {
      walk(path);
    } else if (is_log_name(path) && (fs::is_regular_file(status) || error)) {
      found_.push_back(path.generic_string());  // one that cannot be looked at is named when it is opened
    }
  }

  const TellProblem& problem_;
  fs::path lake_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> log_sources(const std::vector<std::string>& paths, const std::string& lake,
                                     const TellProblem& problem) {
  std::vector<std::string> found;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      found.push_back(path);
      continue;
    }
    FolderWalk walk(lake, problem);
    walk.walk(path);
    std::vector<std::string> below = std::move(walk).found();
    if (below.empty()) {
      problem(path + ": no log is in it: no file *.parquet, and no image *.img");
    }
    found.insert(found.end(), below.begin(), below.end());
  }
  return found;
}

namespace {

using microparquet::Status;
namespace desktop = microparquet::desktop;

std::string advice_for_source(int error) {
  switch (error) {
    case ENOENT: return "it is gone; collect again when it is there";
    case EACCES:
    case EPERM: return desktop::error_text(error) + "; collect as a user who may read it";
    default: return desktop::error_text(error);
  }
}

}  // namespace

SourceMedium::SourceMedium(const std::string& path)
    : source_(desktop::open_file(path, desktop::Access::kReadAtOnce)) {
  const desktop::FileState state =
      source_.is_open() ? desktop::state_of(source_.number()) : desktop::FileState();
  if (state.kind == desktop::FileKind::kNone) {
    throw Failure(path + ": " + advice_for_source(errno));
  }
  const bool is_medium =
      state.kind == desktop::FileKind::kFile || state.kind == desktop::FileKind::kBlockDevice;
  const std::int64_t end = is_medium ? desktop::end_of(source_.number()) : -1;
  if (end < 0) {
    throw Failure(path + ": it is no file and no block device");
  }
  bytes_ = static_cast<std::uint64_t>(end);
  changed_ns_ = state.changed_ns;
}

bool SourceMedium::is_parquet() {
  namespace format = microparquet::format;
  std::byte magic[format::kMagicBytes] = {};
  return bytes_ >= sizeof magic && read_at(0, magic) == Status::kOk &&
         std::memcmp(magic, format::kMagicText.data(), sizeof magic) == 0;
}

std::uint32_t SourceMedium::sum() {
  constexpr std::uint64_t kPiece = 256 << 10;
  std::vector<std::byte> piece(kPiece);
  std::uint32_t sum = 0;
  for (std::uint64_t at = 0; at < bytes_; at += kPiece) {
    const auto length = static_cast<std::size_t>(std::min(kPiece, bytes_ - at));
    if (read_at(at, {piece.data(), length}) != Status::kOk) {
      std::fill(piece.begin(), piece.end(), std::byte{0});
    }
    sum = microparquet::crc32_hardware(sum, piece.data(), length);
  }
  return sum;
}

bool SourceMedium::is_unchanged() const {
  const desktop::FileState state = desktop::state_of(source_.number());
  return state.kind != desktop::FileKind::kNone && state.changed_ns == changed_ns_ &&
         (state.kind != desktop::FileKind::kFile || state.bytes == bytes_);
}

std::string SourceMedium::why() const {
  return error_ == ENODATA ? "it became shorter while it was read; collect again when nobody writes it"
                           : desktop::error_text(error_) +
                                 "; copy it by a program that reads around bad sectors, and collect the copy";
}

microparquet::FileAbilities SourceMedium::abilities() const {
  microparquet::FileAbilities abilities;
  abilities.read_back = true;
  return abilities;
}

Status SourceMedium::size(std::uint64_t& bytes) {
  bytes = bytes_;
  return Status::kOk;
}

Status SourceMedium::read_at(std::uint64_t offset, microparquet::Span<std::byte> out) {
  if (out.size() > kBlockBytes / 2 || out.size() > bytes_ || offset > bytes_ - out.size()) {
    return read_now(offset, out);
  }
  for (std::size_t done = 0; done < out.size();) {
    const std::uint64_t at = offset + done;
    const Block* const from = block(at / kBlockBytes);
    if (from == nullptr) {
      return read_now(at, out.subspan(done, out.size() - done));
    }
    const auto inside = static_cast<std::size_t>(at % kBlockBytes);
    const std::size_t part = std::min(out.size() - done, from->bytes.size() - inside);
    std::memcpy(out.data() + done, from->bytes.data() + inside, part);
    done += part;
  }
  return Status::kOk;
}

// Null where not all of it can be read.
const SourceMedium::Block* SourceMedium::block(std::uint64_t number) {
  Block& block = blocks_[number % kBlocks];
  if (block.number == number) {
    return &block;
  }
  const std::uint64_t begin = number * kBlockBytes;
  block.number = UINT64_MAX;
  block.bytes.resize(static_cast<std::size_t>(std::min(kBlockBytes, bytes_ - begin)));
  if (read_now(begin, block.bytes) != Status::kOk) {
    return nullptr;
  }
  block.number = number;
  return &block;
}

Status SourceMedium::read_now(std::uint64_t offset, microparquet::Span<std::byte> out) {
  const bool inside = out.size() <= bytes_ && offset <= bytes_ - out.size();
  std::size_t done = 0;
  while (done < out.size()) {
    const std::ptrdiff_t came =
        desktop::read_some_at(source_.number(), out.data() + done, out.size() - done, offset + done);
    if (came > 0) {
      done += static_cast<std::size_t>(came);
    } else if (came == 0 && !inside) {
      return Status::kIoError;  // it has never been as long
    } else if (came == 0 || errno != EINTR) {
      error_ = came == 0 ? ENODATA : errno;  // 0: it has become shorter
      return Status::kIoError;
    }
  }
  return Status::kOk;
}

Status SourceMedium::write_at(std::uint64_t, microparquet::Span<const std::byte>) { return Status::kIoError; }

Status SourceMedium::sync(std::uint64_t) { return Status::kIoError; }

}  // namespace mpq_tool
