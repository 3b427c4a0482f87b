#include "microparquet/port/windows_file.h"

#include <windows.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "../posix/system_file_calls.h"

namespace microparquet {

template class SystemFile<WindowsFile>;

namespace {

// Place of the byte that a writer locks: locks of Windows are mandatory, and no file has this one.
constexpr std::uint64_t kLockedByte = 0x7FFF'FFFF'FFFF'FFFE;
constexpr std::wstring_view kLongPrefix = L"\\\\?\\";

bool is_slash(char c) { return c == '/' || c == '\\'; }

char in_capitals(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

bool equals(std::string_view text, std::string_view capitals) {
  return text.size() == capitals.size() && std::equal(text.begin(), text.end(), capitals.begin(),
                                                      [](char a, char b) { return in_capitals(a) == b; });
}

// Whether a name without its folder is that of a device. What follows the first dot does not matter.
bool is_device(std::string_view name) {
  name = name.substr(0, name.find('.'));
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  for (const std::string_view device : {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}) {
    if (equals(name, device)) return true;
  }
  const bool numbered = name.size() == 4 && name[3] >= '0' && name[3] <= '9';
  return numbered && (equals(name.substr(0, 3), "COM") || equals(name.substr(0, 3), "LPT"));
}

// Whether the path names a file as it says, and nothing else.
bool is_plain(std::string_view path) {
  const bool has_drive = path.size() >= 3 && path[1] == ':' && is_slash(path[2]);
  if (path.find(':', has_drive ? 2 : 0) != path.npos) return false;
  const auto slash = std::find_if(path.rbegin(), path.rend(), is_slash);
  const std::string_view name = path.substr(static_cast<std::size_t>(path.rend() - slash));
  return !name.empty() && name.back() != '.' && name.back() != ' ' && !is_device(name);
}

OVERLAPPED at(std::uint64_t offset) {
  OVERLAPPED place = {};
  place.Offset = static_cast<DWORD>(offset);
  place.OffsetHigh = static_cast<DWORD>(offset >> 32);
  return place;
}

int error_of(BOOL done) { return done != FALSE ? 0 : static_cast<int>(GetLastError()); }

// The system moves 32 bits of bytes at once.
DWORD at_once(std::size_t bytes) { return static_cast<DWORD>(std::min<std::size_t>(bytes, 1U << 30)); }

HANDLE open(const wchar_t* path, DWORD access, DWORD how) {
  return CreateFileW(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, how,
                     FILE_ATTRIBUTE_NORMAL, nullptr);
}

}  // namespace

namespace detail {

MappedBytes::~MappedBytes() {
  if (data_ != nullptr) VirtualFree(data_, 0, MEM_RELEASE);
}

bool MappedBytes::resize(std::size_t bytes) {
  constexpr std::size_t kLeastPlaces = 4096;
  if (bytes > places_) {
    std::size_t places = std::max(places_, kLeastPlaces);
    while (places < bytes) places *= 2;
    void* const memory = VirtualAlloc(nullptr, places, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    if (memory == nullptr) return false;
    if (data_ != nullptr) {
      std::memcpy(memory, data_, bytes_);
      VirtualFree(data_, 0, MEM_RELEASE);
    }
    data_ = static_cast<std::byte*>(memory);
    places_ = places;
  } else if (bytes > bytes_) {
    std::memset(data_ + bytes_, 0, bytes - bytes_);
  }
  bytes_ = bytes;
  return true;
}

}  // namespace detail

WindowsFile::WindowsFile() : SystemFile(ERROR_HANDLE_EOF, ERROR_NOT_ENOUGH_MEMORY) {}

WindowsFile::~WindowsFile() { static_cast<void>(close()); }

Status WindowsFile::create(const char* path, Existing existing) { return open_for_writing(path, &existing); }

// Opens a file to continue it. A killed process may have left bytes that are not on the medium, and a writer
// that resumes the file relies on them.
Status WindowsFile::open_for_append(const char* path) {
  const Status status = open_for_writing(path, nullptr);
  if (status != Status::kOk || published() == 0 || flush() == Status::kOk) {
    return status;
  }
  static_cast<void>(close());
  return Status::kMediumLost;
}

// Opens a file to write. `existing` null: the file keeps its contents.
Status WindowsFile::open_for_writing(const char* path, const Existing* existing) {
  if (const Status status = open_handle(path, true); status != Status::kOk) {
    return status;
  }
  if (const Status status = lock(existing); status != Status::kOk) {
    static_cast<void>(close());
    return status;
  }
  return Status::kOk;
}

Status WindowsFile::open_for_reading(const char* path) { return open_handle(path, false); }

Status WindowsFile::open_handle(const char* path, bool writes) {
  static_cast<void>(close());
  if (const int error = take_path(path); error != 0) {
    return failed(error);
  }
  const HANDLE handle = microparquet::open(reinterpret_cast<const wchar_t*>(path_.data()),
                                           writes ? GENERIC_READ | GENERIC_WRITE : GENERIC_READ,
                                           writes ? OPEN_ALWAYS : OPEN_EXISTING);
  if (handle == INVALID_HANDLE_VALUE) {
    const Status status = failed(static_cast<int>(GetLastError()));
    // A write-protected medium has no bytes to lose.
    return native_error() == ERROR_WRITE_PROTECT ? Status::kIoError : status;
  }
  handle_ = handle;
  if (GetFileType(handle) != FILE_TYPE_DISK) {
    static_cast<void>(close());
    return failed(ERROR_SEEK);
  }
  begin(size_of_handle(), false);
  return Status::kOk;
}

int WindowsFile::take_path(const char* path) {
  if (!is_plain(path)) return ERROR_INVALID_NAME;
  const int units = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, nullptr, 0);
  if (units == 0) return static_cast<int>(GetLastError());
  if (!path_.resize(static_cast<std::size_t>(units) * sizeof(wchar_t))) return ERROR_NOT_ENOUGH_MEMORY;
  auto* const text = reinterpret_cast<wchar_t*>(path_.data());
  MultiByteToWideChar(CP_UTF8, 0, path, -1, text, units);
  std::replace(text, text + units, L'/', L'\\');
  constexpr int kShortPath = 240;  // MAX_PATH, less a name of 8.3
  return units > kShortPath && std::wstring_view(text).substr(0, 2) != L"\\\\" ? make_absolute() : 0;
}

// Only an absolute path may be long, with a prefix after which the system looks at nothing in it.
int WindowsFile::make_absolute() {
  detail::MappedBytes full;
  const auto* const text = reinterpret_cast<const wchar_t*>(path_.data());
  const DWORD units = GetFullPathNameW(text, 0, nullptr, nullptr);
  if (units == 0) return static_cast<int>(GetLastError());
  if (!full.resize((kLongPrefix.size() + units) * sizeof(wchar_t))) return ERROR_NOT_ENOUGH_MEMORY;
  auto* const begin = reinterpret_cast<wchar_t*>(full.data());
  if (GetFullPathNameW(text, units, begin + kLongPrefix.size(), nullptr) == 0) {
    return static_cast<int>(GetLastError());
  }
  std::copy(kLongPrefix.begin(), kLongPrefix.end(), begin);
  if (!path_.resize(full.size())) return ERROR_NOT_ENOUGH_MEMORY;
  std::memcpy(path_.data(), full.data(), full.size());
  return 0;
}

bool WindowsFile::has_name() const {
  const HANDLE named =
      microparquet::open(reinterpret_cast<const wchar_t*>(path_.data()), FILE_READ_ATTRIBUTES, OPEN_EXISTING);
  if (named == INVALID_HANDLE_VALUE) {
    const DWORD error = GetLastError();
    return error != ERROR_FILE_NOT_FOUND && error != ERROR_PATH_NOT_FOUND;
  }
  BY_HANDLE_FILE_INFORMATION ours = {};
  BY_HANDLE_FILE_INFORMATION theirs = {};
  const bool known = GetFileInformationByHandle(handle_, &ours) != FALSE &&
                     GetFileInformationByHandle(named, &theirs) != FALSE;
  CloseHandle(named);
  return !known ||
         (ours.dwVolumeSerialNumber == theirs.dwVolumeSerialNumber &&
          ours.nFileIndexHigh == theirs.nFileIndexHigh && ours.nFileIndexLow == theirs.nFileIndexLow);
}

std::uint64_t WindowsFile::size_of_handle() const {
  LARGE_INTEGER size = {};
  return GetFileSizeEx(handle_, &size) != FALSE ? static_cast<std::uint64_t>(size.QuadPart) : 0;
}

// Locks the file. Others may have extended it before the lock was taken.
Status WindowsFile::lock(const Existing* existing) {
  OVERLAPPED place = at(kLockedByte);
  if (LockFileEx(handle_, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place) == FALSE) {
    return failed(static_cast<int>(GetLastError()));
  }
  begin(size_of_handle(), true);
  if (published() == 0 || existing == nullptr) {
    return Status::kOk;
  }
  if (*existing == Existing::kRefuse) {
    return failed(ERROR_FILE_EXISTS);
  }
  begin(0, true);
  const int error = cut(0);
  return error == 0 ? Status::kOk : failed(error);
}

Status WindowsFile::close() {
  if (!is_open()) {
    return Status::kOk;
  }
  end();
  const int error = error_of(CloseHandle(handle_));
  handle_ = nullptr;
  return error == 0 ? Status::kOk : failed(error);
}

int WindowsFile::read_some(std::uint64_t offset, Span<std::byte> out, std::size_t& moved) {
  OVERLAPPED place = at(offset);
  DWORD bytes = 0;
  const int error = error_of(ReadFile(handle_, out.data(), at_once(out.size()), &bytes, &place));
  moved = bytes;
  return error;
}

int WindowsFile::write_some(std::uint64_t offset, Span<const std::byte> data, std::size_t& moved) {
  OVERLAPPED place = at(offset);
  DWORD bytes = 0;
  const int error = error_of(WriteFile(handle_, data.data(), at_once(data.size()), &bytes, &place));
  moved = bytes;
  return error;
}

int WindowsFile::cut(std::uint64_t size) {
  FILE_END_OF_FILE_INFO end = {};
  end.EndOfFile.QuadPart = static_cast<LONGLONG>(size);
  return error_of(SetFileInformationByHandle(handle_, FileEndOfFileInfo, &end, sizeof end));
}

// File systems that cannot allocate, as those of many servers, answer one of several errors.
int WindowsFile::allocate(std::uint64_t /*begin*/, std::uint64_t end, bool allocates) {
  if (!allocates) return 0;
  FILE_ALLOCATION_INFO space = {};
  space.AllocationSize.QuadPart = static_cast<LONGLONG>(end);
  const int error = error_of(SetFileInformationByHandle(handle_, FileAllocationInfo, &space, sizeof space));
  return status_of(error) == Status::kNoSpace ? error : 0;
}

int WindowsFile::put_on_medium() { return error_of(FlushFileBuffers(handle_)); }

Status WindowsFile::status_of(int error) const {
  constexpr int kQuotaExceeded = 1295;  // ERROR_DISK_QUOTA_EXCEEDED, which not all headers have
  switch (error) {
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
    case ERROR_FILE_TOO_LARGE:
    case kQuotaExceeded: return Status::kNoSpace;
    case ERROR_NOT_READY:
    case ERROR_DEV_NOT_EXIST:
    case ERROR_DEVICE_NOT_CONNECTED:
    case ERROR_NO_SUCH_DEVICE:
    case ERROR_DEVICE_REMOVED:
    case ERROR_WRITE_PROTECT:
    case ERROR_WRONG_DISK:
    case ERROR_NETNAME_DELETED:
    case ERROR_UNEXP_NET_ERR: return Status::kMediumLost;
    default: return Status::kIoError;
  }
}

}  // namespace microparquet
