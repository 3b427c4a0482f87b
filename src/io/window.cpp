#include "microparquet/detail/window.h"

#include "base/bytes.h"
#include "base/try.h"

namespace microparquet::detail {

// Not inlined: arithmetic of 64 bits is long on small cores, and these functions have many callers.
std::uint64_t Window::position() const { return offset - available(); }

std::uint64_t Window::left() const { return limit - offset + available(); }

void Window::begin(File& source, std::byte* memory, std::uint32_t bytes) {
  file = &source;
  base = memory;
  cursor = memory;
  end = memory;
  offset = 0;
  limit = 0;
  capacity = bytes;
}

void Window::view_memory(std::byte* memory, std::uint32_t bytes) {
  file = nullptr;
  base = memory;
  cursor = memory;
  end = memory + bytes;
  offset = bytes;
  limit = bytes;
  capacity = bytes;
}

void Window::seek(std::uint64_t position, std::uint64_t new_limit) {
  const std::uint64_t first = offset - static_cast<std::size_t>(end - base);
  if (position >= first && position <= offset) {
    cursor = base + static_cast<std::size_t>(position - first);
    limit = new_limit;
  } else {
    restart_at(position, new_limit);
  }
}

void Window::restart_at(std::uint64_t position, std::uint64_t new_limit) {
  cursor = base;
  end = base;
  offset = position;
  limit = new_limit;
}

Status Window::fill(std::uint32_t bytes) {
  const auto there = static_cast<std::uint32_t>(available());
  if (there >= bytes) return Status::kOk;
  if (left() < bytes) return Status::kCorrupt;
  if (bytes > capacity) return Status::kOutOfMemory;
  util::move_bytes(base, cursor, there);
  cursor = base;
  end = base + there;
  std::uint32_t more = capacity - there;
  if (limit - offset < more) more = static_cast<std::uint32_t>(limit - offset);
  MICROPARQUET_TRY(file->read_at(offset, Span<std::byte>(end, more)));
  end += more;
  offset += more;
  return Status::kOk;
}

void Window::cut(std::uint32_t bytes) {
  capacity = bytes;
  std::byte* const last = base + bytes;
  if (cursor > last) {
    restart_at(position(), limit);
  } else if (end > last) {
    offset -= static_cast<std::size_t>(end - last);
    end = last;
  }
}

Status Window::skip(std::uint64_t bytes) {
  if (left() < bytes) return Status::kCorrupt;
  if (bytes <= available()) {
    cursor += static_cast<std::size_t>(bytes);
    return Status::kOk;
  }
  restart_at(position() + bytes, limit);
  return Status::kOk;
}

}  // namespace microparquet::detail
