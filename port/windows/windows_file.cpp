#include "microparquet/port/windows_file.h"

#include <windows.h>

#include <algorithm>

#include "../posix/system_file_calls.h"

namespace microparquet {

template class SystemFile<WindowsFile>;

namespace {

// Place of the byte that a writer locks: locks of Windows are mandatory, and no file has this one.
constexpr std::uint64_t kLockedByte = 0x7FFF'FFFF'FFFF'FFFE;
constexpr int kIsFolder = 336;  // ERROR_DIRECTORY_NOT_SUPPORTED, which not all headers have

bool is_folder(const wchar_t* path) {
  const DWORD attributes = GetFileAttributesW(path);
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
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
  if (const int error = path_.take(path); error != 0) {
    return failed(error);
  }
  const HANDLE handle = microparquet::open(path_.text(), writes ? GENERIC_READ | GENERIC_WRITE : GENERIC_READ,
                                           writes ? OPEN_ALWAYS : OPEN_EXISTING);
  if (handle == INVALID_HANDLE_VALUE) {
    const int error = static_cast<int>(GetLastError());
    const Status status = failed(is_folder(path_.text()) ? kIsFolder : error);
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

bool WindowsFile::has_name() const {
  const HANDLE named = microparquet::open(path_.text(), FILE_READ_ATTRIBUTES, OPEN_EXISTING);
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
