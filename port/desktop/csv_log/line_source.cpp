#include "line_source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

#include "latin1.h"
#include "microparquet/desktop/native_file.h"
#include "microparquet/text/utf8.h"

namespace csv_log {

namespace {

constexpr std::size_t kBufferBytes = 64 << 10;
constexpr int kIdleMs = 20;

}  // namespace

LineSource::LineSource(const std::string& path) : path_(path), piece_(kBufferBytes), buffer_(kBufferBytes) {
  if (path != "-") {
    file_ = desktop::open_file(path, desktop::Access::kRead);
    if (!file_.is_open()) {
      throw Failure(path + ": " +
                    (errno == ENOENT ? "no such file; check the name" : desktop::error_text(errno)));
    }
    descriptor_ = file_.number();
  }
  const desktop::FileState state = desktop::state_of(descriptor_);
  if (state.kind == desktop::FileKind::kFolder) {
    throw Failure(path + ": it is a folder; give the name of a CSV file");
  }
  can_rewind_ = path != "-" && state.kind == desktop::FileKind::kFile;
  if (can_rewind_) {
    bytes_ = state.bytes;
    std::array<char, 4> beginning = {};
    const std::ptrdiff_t bytes = desktop::read_some_at(descriptor_, beginning.data(), beginning.size(), 0);
    if (bytes > 0) {
      take_order({beginning.data(), static_cast<std::size_t>(bytes)});
    }
  }
}

LineResult LineSource::next(std::string_view& line) {
  const LineResult result = next_as_it_is(line);
  if (latin1_ && result == LineResult::kLine && !microparquet::text::is_utf8(line)) {
    converted_ = utf8_of_latin1(line);
    line = converted_;
  }
  return result;
}

LineResult LineSource::next_as_it_is(std::string_view& line) {
  std::size_t searched = begin_;
  while (true) {
    const void* const found = std::memchr(buffer_.data() + searched, '\n', end_ - searched);
    if (found != nullptr) {
      const auto end = static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data()) + 1;
      line = {buffer_.data() + begin_, end - begin_};
      begin_ = end;
      given_ += line.size();
      return LineResult::kLine;
    }
    const std::size_t behind = end_ - begin_;  // without a line end so far
    const LineResult result = read_more();
    searched = begin_ + behind;
    if (result == LineResult::kEnd && behind != 0) {
      line = {buffer_.data() + begin_, behind};
      begin_ = end_;
      given_ += behind;
      return LineResult::kLine;
    }
    if (result != LineResult::kLine) {
      return result;
    }
  }
}

std::vector<std::string_view> LineSource::peek(std::size_t lines, std::chrono::milliseconds patience) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
  std::optional<Clock::time_point> first;  // time at which there were two lines
  while (lines_held() < lines && end_ - begin_ < kMaxBytes) {
    if (!can_rewind_ && lines_held() > 1) {
      const int ready = desktop::wait_to_read(descriptor_, kIdleMs);
      first = first ? first : Clock::now();
      if (ready < 0 || Clock::now() - *first >= patience) {
        break;
      }
      if (ready == 0) {
        continue;
      }
    }
    const LineResult result = read_more();
    ended_ = result == LineResult::kEnd;
    if (result != LineResult::kLine) {
      break;
    }
  }
  shown_.clear();
  std::vector<std::string_view> seen;
  std::string_view rest(buffer_.data() + begin_, end_ - begin_);
  while (seen.size() < lines && !rest.empty()) {
    const std::size_t end = rest.find('\n');
    if (end == rest.npos && !ended_) {
      break;  // the rest of it is to come
    }
    const std::size_t bytes = std::min(end, rest.size() - 1) + 1;
    seen.push_back(rest.substr(0, bytes));
    if (latin1_ && !microparquet::text::is_utf8(seen.back())) {
      seen.back() = shown_.emplace_back(utf8_of_latin1(seen.back()));
    }
    rest.remove_prefix(bytes);
  }
  return seen;
}

std::size_t LineSource::lines_held() const {
  const auto* const begin = buffer_.data() + begin_;
  return static_cast<std::size_t>(std::count(begin, buffer_.data() + end_, '\n'));
}

// kLine: there is more in the buffer now.
LineResult LineSource::read_more() {
  if (failed_) {
    return LineResult::kFailed;
  }
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  const std::size_t before = end_;
  while (end_ == before && read_ != part_.end_byte - part_.begin_byte) {
    std::string_view piece;
    failed_ = !wait() || !read_piece(piece);
    if (failed_) {
      return LineResult::kFailed;
    }
    if (piece.empty()) {
      break;
    }
    if (!order_) {
      take_order(piece);
    }
    if (decoder_) {
      decoded_.clear();
      decoder_->decode(piece, decoded_);
      piece = decoded_;
    }
    take_text(piece);
  }
  return end_ == before ? LineResult::kEnd : LineResult::kLine;
}

// Empty: the file has ended. False: error_ has the reason.
bool LineSource::read_piece(std::string_view& piece) {
  const std::ptrdiff_t bytes = desktop::read_some(descriptor_, piece_.data(), piece_.size());
  error_ = bytes < 0 ? errno : error_;
  piece = {piece_.data(), static_cast<std::size_t>(std::max<std::ptrdiff_t>(bytes, 0))};
  return bytes >= 0;
}

void LineSource::take_order(std::string_view beginning) {
  order_ = utf16_of(beginning);
  if (*order_ != Utf16::kNone) {
    decoder_.emplace(*order_);
  }
}

// Takes what of the text is in the part.
void LineSource::take_text(std::string_view text) {
  const std::uint64_t passed = std::min<std::uint64_t>(skip_, text.size());
  skip_ -= passed;
  text.remove_prefix(static_cast<std::size_t>(passed));
  const std::uint64_t left = part_.end_byte - part_.begin_byte - read_;
  text = text.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(left, text.size())));
  read_ += text.size();
  if (buffer_.size() - end_ < text.size()) {
    buffer_.resize(std::max(2 * buffer_.size(), end_ + text.size()));
  }
  std::copy(text.begin(), text.end(), buffer_.begin() + static_cast<std::ptrdiff_t>(end_));
  end_ += text.size();
}

// Waits until there is something to read; false: error_ has the reason.
bool LineSource::wait() {
  while (idle_) {
    const int ready = desktop::wait_to_read(descriptor_, kIdleMs);
    if (ready > 0) {
      break;
    }
    if (ready < 0 || !idle_()) {
      error_ = ready < 0 ? errno : EINTR;
      return false;
    }
  }
  return true;
}

void LineSource::rewind() {
  begin_ = 0;
  end_ = 0;
  ended_ = false;
  given_ = 0;
  read_ = 0;
  if (decoder_) {  // a place in the text is none in the file
    decoder_.emplace(order_.value_or(Utf16::kNone));
  }
  skip_ = decoder_ ? part_.begin_byte : 0;
  const std::uint64_t at = decoder_ ? 0 : part_.begin_byte;
  if (!desktop::seek(descriptor_, at)) {
    throw Failure(path_ + ": " + desktop::error_text(errno));
  }
}

void LineSource::take_part(const FilePart& part) {
  part_ = part;
  rewind();
}

bool LineSource::is(const std::string& path) const {
  const desktop::FileState ours = desktop::state_of(descriptor_);
  const desktop::FileState other = desktop::state_of(path);
  return ours.kind == desktop::FileKind::kFile && other.kind == desktop::FileKind::kFile &&
         ours.identity == other.identity;
}

}  // namespace csv_log
