#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "microparquet/desktop/files.h"
#include "microparquet/desktop/native_file.h"
#include "microparquet/desktop/program.h"
#include "microparquet/port/windows_path.h"

namespace microparquet::desktop {

namespace {

using detail::WindowsPath;

constexpr int kNoFileName = 10'000;  // an errno of these libraries alone

int errno_of(DWORD error) {
  constexpr DWORD kQuotaExceeded = 1295;  // names that not all headers have
  constexpr DWORD kIsFolder = 336;
  switch (error) {
    case ERROR_INVALID_NAME: return kNoFileName;
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_DRIVE:
    case ERROR_BAD_PATHNAME:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME: return ENOENT;
    case ERROR_ACCESS_DENIED: return EACCES;
    case ERROR_SHARING_VIOLATION: return EBUSY;
    case ERROR_LOCK_VIOLATION: return EWOULDBLOCK;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS: return EEXIST;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
    case kQuotaExceeded: return ENOSPC;
    case ERROR_FILE_TOO_LARGE: return EFBIG;
    case ERROR_WRITE_PROTECT: return EROFS;
    case ERROR_NOT_READY:
    case ERROR_DEV_NOT_EXIST:
    case ERROR_DEVICE_REMOVED:
    case ERROR_NO_SUCH_DEVICE:
    case ERROR_DEVICE_NOT_CONNECTED: return ENODEV;
    case ERROR_BROKEN_PIPE:
    case ERROR_PIPE_NOT_CONNECTED:
    case ERROR_NO_DATA: return EPIPE;
    case ERROR_OPERATION_ABORTED: return EINTR;
    case ERROR_INVALID_HANDLE: return EBADF;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY: return ENOMEM;
    case ERROR_DIRECTORY: return ENOTDIR;
    case kIsFolder: return EISDIR;
    case ERROR_SEEK: return ESPIPE;
    case ERROR_HANDLE_EOF: return ENODATA;
    case ERROR_FILENAME_EXCED_RANGE: return ENAMETOOLONG;
    case ERROR_NO_UNICODE_TRANSLATION: return EILSEQ;
    case ERROR_INVALID_FUNCTION:
    case ERROR_INVALID_PARAMETER: return EINVAL;
    default: return EIO;
  }
}

int failed(DWORD error = GetLastError()) {
  errno = errno_of(error);
  return -1;
}

// Closed by its destructor.
class Handle {
 public:
  explicit Handle(HANDLE handle) : handle_(handle) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (is_open()) CloseHandle(handle_);
  }
  bool is_open() const { return handle_ != INVALID_HANDLE_VALUE; }
  HANDLE get() const { return handle_; }

 private:
  HANDLE handle_;
};

HANDLE handle_of(int descriptor) { return reinterpret_cast<HANDLE>(_get_osfhandle(descriptor)); }

Descriptor descriptor_of(HANDLE handle) {
  if (handle == INVALID_HANDLE_VALUE) return Descriptor(failed());
  return Descriptor(_open_osfhandle(reinterpret_cast<std::intptr_t>(handle), _O_BINARY));
}

HANDLE open_handle(const wchar_t* path, DWORD access, DWORD how, DWORD flags) {
  return CreateFileW(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, how,
                     FILE_ATTRIBUTE_NORMAL | flags, nullptr);
}

// Whether the path can only be that of a folder.
bool names_folder(std::string_view path) {
  const std::string_view name = path.substr(path.find_last_of("/\\") + 1);
  return name.empty() || name == "." || name == "..";
}

// False: errno says why.
bool take(WindowsPath& out, const std::string& path) {
  const int error =
      out.take(path.c_str(), names_folder(path) ? WindowsPath::Names::kAnything : WindowsPath::Names::kFile);
  if (error != 0) failed(static_cast<DWORD>(error));
  return error == 0;
}

// Opens a file or folder to be looked at. Not open: errno says why.
Handle open_to_look(const std::string& path) {
  WindowsPath wide;
  if (!take(wide, path)) return Handle(INVALID_HANDLE_VALUE);
  const HANDLE handle =
      open_handle(wide.text(), FILE_READ_ATTRIBUTES, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
  if (handle == INVALID_HANDLE_VALUE) failed();
  return Handle(handle);
}

std::string in_utf8(const wchar_t* text) {
  const int bytes = WideCharToMultiByte(CP_UTF8, 0, text, -1, nullptr, 0, nullptr, nullptr);
  std::string result(static_cast<std::size_t>(std::max(bytes, 1)), '\0');
  WideCharToMultiByte(CP_UTF8, 0, text, -1, result.data(), bytes, nullptr, nullptr);
  result.pop_back();
  return result;
}

std::string path_of_handle(HANDLE handle) {
  std::wstring path(GetFinalPathNameByHandleW(handle, nullptr, 0, 0), L'\0');
  if (path.empty() || GetFinalPathNameByHandleW(handle, path.data(), static_cast<DWORD>(path.size()), 0) == 0)
    return {};
  constexpr std::wstring_view kServer = L"\\\\?\\UNC\\";
  constexpr std::wstring_view kLocal = L"\\\\?\\";
  if (path.compare(0, kServer.size(), kServer) == 0) {
    path = L"\\\\" + path.substr(kServer.size());
  } else if (path.compare(0, kLocal.size(), kLocal) == 0) {
    path.erase(0, kLocal.size());
  }
  std::replace(path.begin(), path.end(), L'\\', L'/');
  return in_utf8(path.c_str());
}

std::uint64_t joined(DWORD high, DWORD low) { return std::uint64_t{high} << 32 | low; }

FileState state_of_handle(HANDLE handle) {
  FileState state;
  const DWORD type = GetFileType(handle);
  if (type == FILE_TYPE_PIPE || type == FILE_TYPE_CHAR) {
    state.kind = FileKind::kOther;
    return state;
  }
  BY_HANDLE_FILE_INFORMATION found = {};
  if (GetFileInformationByHandle(handle, &found) == FALSE) {
    failed();
    return state;
  }
  constexpr std::uint64_t kTicksBefore1970 = 116'444'736'000'000'000;
  constexpr std::int64_t kNanosInTick = 100;
  const std::uint64_t ticks =
      joined(found.ftLastWriteTime.dwHighDateTime, found.ftLastWriteTime.dwLowDateTime);
  state.kind = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? FileKind::kFolder : FileKind::kFile;
  state.bytes = joined(found.nFileSizeHigh, found.nFileSizeLow);
  state.changed_ns = static_cast<std::int64_t>(ticks - kTicksBefore1970) * kNanosInTick;
  state.identity = {found.dwVolumeSerialNumber, joined(found.nFileIndexHigh, found.nFileIndexLow)};
  return state;
}

OVERLAPPED place_at(std::uint64_t offset) {
  OVERLAPPED place = {};
  place.Offset = static_cast<DWORD>(offset);
  place.OffsetHigh = static_cast<DWORD>(offset >> 32);
  return place;
}

// The system moves 32 bits of bytes at once.
DWORD moved_at_once(std::size_t bytes) { return static_cast<DWORD>(std::min<std::size_t>(bytes, 1U << 30)); }

std::ptrdiff_t read_handle(HANDLE handle, void* out, std::size_t bytes, OVERLAPPED* place) {
  DWORD done = 0;
  if (ReadFile(handle, out, moved_at_once(bytes), &done, place) != FALSE) return done;
  const DWORD error = GetLastError();
  return error == ERROR_BROKEN_PIPE || error == ERROR_HANDLE_EOF ? 0 : failed(error);
}

std::ptrdiff_t write_handle(HANDLE handle, const void* data, std::size_t bytes, OVERLAPPED* place) {
  DWORD done = 0;
  return WriteFile(handle, data, moved_at_once(bytes), &done, place) != FALSE
             ? static_cast<std::ptrdiff_t>(done)
             : failed();
}

// Whether there is something to read from a pipe, or its end.
bool is_readable(HANDLE pipe) {
  DWORD bytes = 0;
  return PeekNamedPipe(pipe, nullptr, 0, nullptr, &bytes, nullptr) == FALSE || bytes != 0;
}

constexpr DWORD kPipeMs = 5;

// Makes a file of a name that nobody has.
Descriptor make_file(const std::string& before, std::string& path, DWORD access, DWORD flags) {
  constexpr unsigned kMostTries = 1000;
  for (unsigned i = 0; i < kMostTries; ++i) {
    char end[16];
    const unsigned number = GetCurrentProcessId() * kMostTries + GetTickCount() + i;
    static_cast<void>(std::snprintf(end, sizeof end, ".%06x", number & 0xFFFFFFU));
    path = before + end;
    WindowsPath wide;
    if (!take(wide, path)) return Descriptor();
    Descriptor made = descriptor_of(open_handle(wide.text(), access, CREATE_NEW, flags));
    if (made.is_open() || errno != EEXIST) return made;
  }
  return Descriptor();
}

}  // namespace

int error_of(const NativeFile& file) { return errno_of(static_cast<DWORD>(file.native_error())); }

std::string error_text(int error) {
  return error == kNoFileName
             ? "Windows does not take it for the name of a file: AUX, CON, NUL, PRN, COM1, LPT1 and "
               "such are devices, with any ending, a : is no part of a name, and no name ends in a "
               "dot or a space; give another name"
             : std::strerror(error);
}

bool is_no_space(int error) { return error == ENOSPC || error == EFBIG; }

Descriptor::~Descriptor() {
  if (is_open()) {
    static_cast<void>(_close(number_));
  }
}

FileState state_of(const std::string& path) {
  const Handle file = open_to_look(path);
  return file.is_open() ? state_of_handle(file.get()) : FileState();
}

FileState state_of(int descriptor) {
  return descriptor >= 0 ? state_of_handle(handle_of(descriptor)) : FileState();
}

Descriptor open_file(const std::string& path, Access access) {
  WindowsPath wide;
  if (!take(wide, path)) return Descriptor();
  const bool reads = access == Access::kRead || access == Access::kReadAtOnce;
  const DWORD wanted = reads                      ? GENERIC_READ
                       : access == Access::kWrite ? GENERIC_WRITE
                                                  : GENERIC_READ | GENERIC_WRITE;
  const DWORD how = access == Access::kChange    ? OPEN_ALWAYS
                    : access == Access::kReplace ? CREATE_ALWAYS
                                                 : OPEN_EXISTING;
  return descriptor_of(open_handle(wide.text(), wanted, how, reads ? FILE_FLAG_BACKUP_SEMANTICS : 0));
}

Descriptor open_folder(const std::string& path) {
  WindowsPath wide;
  if (const int error = wide.take(path.c_str(), WindowsPath::Names::kAnything); error != 0) {
    return Descriptor(failed(static_cast<DWORD>(error)));
  }
  return descriptor_of(open_handle(wide.text(), GENERIC_READ, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS));
}

// A name may come from a stranger's file.
Descriptor open_inside(int folder, const std::string& name, FileKind kind) {
  if (name.find_first_of("/\\") != name.npos || !WindowsPath::is_plain(name.c_str())) {
    return Descriptor(failed(ERROR_INVALID_NAME));
  }
  WindowsPath wide;
  if (!take(wide, path_of(folder) + "/" + name)) return Descriptor();
  Descriptor found = descriptor_of(open_handle(wide.text(), GENERIC_READ, OPEN_EXISTING,
                                               FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT));
  BY_HANDLE_FILE_INFORMATION information = {};
  if (!found.is_open() || GetFileInformationByHandle(handle_of(found.number()), &information) == FALSE) {
    return found;
  }
  if ((information.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) {
    errno = ELOOP;
    return Descriptor();
  }
  if (kind == FileKind::kFolder && (information.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) == 0) {
    errno = ENOTDIR;
    return Descriptor();
  }
  return found;
}

std::string path_of(int descriptor) { return path_of_handle(handle_of(descriptor)); }

// A pipe is looked at again and again: no signal would end a read that waits.
std::ptrdiff_t read_some(int descriptor, void* out, std::size_t bytes) {
  const HANDLE handle = handle_of(descriptor);
  const bool is_pipe = GetFileType(handle) == FILE_TYPE_PIPE;
  for (; is_pipe && !is_readable(handle); Sleep(kPipeMs)) {
    if (stop_signal != 0) {
      errno = EINTR;
      return -1;
    }
  }
  return read_handle(handle, out, bytes, nullptr);
}

std::ptrdiff_t read_some_at(int descriptor, void* out, std::size_t bytes, std::uint64_t offset) {
  const std::int64_t before = place_of(descriptor);
  OVERLAPPED place = place_at(offset);
  const std::ptrdiff_t done = read_handle(handle_of(descriptor), out, bytes, &place);
  static_cast<void>(before >= 0 && seek(descriptor, static_cast<std::uint64_t>(before)));
  return done;
}

std::ptrdiff_t write_some(int descriptor, const void* data, std::size_t bytes) {
  return write_handle(handle_of(descriptor), data, bytes, nullptr);
}

std::ptrdiff_t write_some_at(int descriptor, const void* data, std::size_t bytes, std::uint64_t offset) {
  OVERLAPPED place = place_at(offset);
  return write_handle(handle_of(descriptor), data, bytes, &place);
}

int wait_to_read(int descriptor, int milliseconds) {
  const HANDLE handle = handle_of(descriptor);
  if (GetFileType(handle) != FILE_TYPE_PIPE) return 1;
  for (DWORD waited = 0; !is_readable(handle); waited += kPipeMs) {
    if (stop_signal != 0) {
      errno = EINTR;
      return -1;
    }
    if (waited >= static_cast<DWORD>(milliseconds)) return 0;
    Sleep(kPipeMs);
  }
  return 1;
}

std::int64_t place_of(int descriptor) {
  LARGE_INTEGER at = {};
  const bool is_known = GetFileType(handle_of(descriptor)) == FILE_TYPE_DISK &&
                        SetFilePointerEx(handle_of(descriptor), {}, &at, FILE_CURRENT) != FALSE;
  return is_known ? at.QuadPart : failed(ERROR_SEEK);
}

bool seek(int descriptor, std::uint64_t offset) {
  LARGE_INTEGER to = {};
  to.QuadPart = static_cast<LONGLONG>(offset);
  return SetFilePointerEx(handle_of(descriptor), to, nullptr, FILE_BEGIN) != FALSE || failed() == 0;
}

std::int64_t end_of(int descriptor) {
  LARGE_INTEGER bytes = {};
  return GetFileSizeEx(handle_of(descriptor), &bytes) != FALSE ? bytes.QuadPart : failed();
}

std::uint64_t end_of_hole(int /*descriptor*/, std::uint64_t /*offset*/) { return 0; }

bool cut(int descriptor, std::uint64_t bytes) {
  FILE_END_OF_FILE_INFO end = {};
  end.EndOfFile.QuadPart = static_cast<LONGLONG>(bytes);
  return SetFileInformationByHandle(handle_of(descriptor), FileEndOfFileInfo, &end, sizeof end) != FALSE ||
         failed() == 0;
}

bool put_on_disk(int descriptor) { return FlushFileBuffers(handle_of(descriptor)) != FALSE || failed() == 0; }

void put_names_on_disk(int /*descriptor*/) {}

// Of a byte that no file has: locks of Windows keep others from reading.
bool lock(int descriptor) {
  OVERLAPPED place = place_at(0x7FFF'FFFF'FFFF'FFFE);
  return LockFileEx(handle_of(descriptor), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0,
                    &place) != FALSE ||
         failed() == 0;
}

std::string without_links(const std::string& path) {
  const Handle file = open_to_look(path);
  const std::string found = file.is_open() ? path_of_handle(file.get()) : "";
  return found.empty() ? path : found;
}

namespace {

// As on POSIX systems, where what others have open is replaced as well: NTFS can, since Windows 10.
bool replace_open(const wchar_t* from, const wchar_t* to) {
  struct Rename {
    DWORD flags;
    HANDLE root;
    DWORD bytes;
    wchar_t name[1];
  };
  constexpr DWORD kReplaceOpen = 1 | 2;  // FILE_RENAME_FLAG_: REPLACE_IF_EXISTS, POSIX_SEMANTICS
  constexpr auto kRenameEx = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);  // FileRenameInfoEx
  const Handle file(open_handle(from, DELETE | SYNCHRONIZE, OPEN_EXISTING, 0));
  const DWORD units = GetFullPathNameW(to, 0, nullptr, nullptr);
  std::vector<std::uint64_t> memory((sizeof(Rename) + (units + 1) * sizeof(wchar_t)) / sizeof(std::uint64_t) +
                                    1);
  auto* const rename = reinterpret_cast<Rename*>(memory.data());
  if (!file.is_open() || GetFullPathNameW(to, units, rename->name, nullptr) == 0) return false;
  rename->flags = kReplaceOpen;
  rename->bytes = static_cast<DWORD>((units - 1) * sizeof(wchar_t));
  return SetFileInformationByHandle(file.get(), kRenameEx, rename,
                                    static_cast<DWORD>(memory.size() * sizeof(std::uint64_t))) != FALSE;
}

}  // namespace

// Programs that look at new files, as for viruses, have them open for a moment.
bool replace(const std::string& from, const std::string& to) {
  constexpr int kTries = 50;
  constexpr DWORD kBetweenMs = 20;
  WindowsPath source;
  WindowsPath target;
  if (!take(source, from) || !take(target, to)) return false;
  for (int i = 0; i < kTries; ++i) {
    if (MoveFileExW(source.text(), target.text(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) !=
        FALSE)
      return true;
    const DWORD error = GetLastError();
    failed(error);
    if (error != ERROR_ACCESS_DENIED && error != ERROR_SHARING_VIOLATION) return false;
    if (replace_open(source.text(), target.text())) return true;
    Sleep(kBetweenMs);
  }
  return false;
}

bool remove_file(const std::string& path) {
  WindowsPath wide;
  return take(wide, path) && (DeleteFileW(wide.text()) != FALSE || failed() == 0);
}

Descriptor open_temporary(const std::string& folder) {
  std::string path;
  return make_file(folder + "/mpq", path, GENERIC_READ | GENERIC_WRITE | DELETE,
                   FILE_FLAG_DELETE_ON_CLOSE | FILE_ATTRIBUTE_TEMPORARY);
}

const char* temporary_variable() { return "TMP"; }

std::string temporary_folder() {
  std::wstring path(GetTempPathW(0, nullptr) + 1, L'\0');
  GetTempPathW(static_cast<DWORD>(path.size()), path.data());
  std::string folder = in_utf8(path.c_str());
  std::replace(folder.begin(), folder.end(), '\\', '/');
  while (!folder.empty() && folder.back() == '/') folder.pop_back();
  return folder.empty() ? "." : folder;
}

// It has the rights that its folder gives.
std::string make_beside(const std::string& path) {
  std::string made;
  return make_file(path, made, GENERIC_READ | GENERIC_WRITE, 0).is_open() ? made : "";
}

namespace {

bool is_same_letter(char a, char b) {
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return small(a) == small(b);
}

bool matches(std::string_view name, std::string_view pattern) {
  if (pattern.empty()) return name.empty();
  if (pattern.front() == '*') {
    return matches(name, pattern.substr(1)) || (!name.empty() && matches(name.substr(1), pattern));
  }
  return !name.empty() && (pattern.front() == '?' || is_same_letter(name.front(), pattern.front())) &&
         matches(name.substr(1), pattern.substr(1));
}

// Names of a folder, which ends in a slash or is empty, that match.
std::vector<std::string> names_like(const std::string& folder, std::string_view pattern) {
  std::vector<std::string> names;
  WindowsPath wide;
  WIN32_FIND_DATAW found = {};
  if (wide.take((folder + "*").c_str(), WindowsPath::Names::kAnything) != 0) return names;
  const HANDLE search = FindFirstFileW(wide.text(), &found);
  if (search == INVALID_HANDLE_VALUE) return names;
  do {
    const std::string name = in_utf8(found.cFileName);
    if (name.front() != '.' && matches(name, pattern)) names.push_back(name);
  } while (FindNextFileW(search, &found) != FALSE);
  FindClose(search);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

// Name by name.
std::vector<std::string> paths_like(const std::string& pattern) {
  std::vector<std::string> paths = {""};
  for (std::size_t begin = 0; begin < pattern.size();) {
    const std::size_t slash = std::min(pattern.find_first_of("/\\", begin), pattern.size());
    const std::string name = pattern.substr(begin, slash - begin);
    const std::string after = slash < pattern.size() ? "/" : "";
    std::vector<std::string> longer;
    for (const std::string& path : paths) {
      const bool has_pattern = name.find_first_of("*?") != name.npos;
      for (const std::string& found : has_pattern ? names_like(path, name) : std::vector<std::string>{name}) {
        longer.push_back(path + found + after);
      }
    }
    paths = std::move(longer);
    begin = slash + 1;
  }
  paths.erase(std::remove_if(paths.begin(), paths.end(),
                             [](const std::string& path) { return state_of(path).kind == FileKind::kNone; }),
              paths.end());
  return paths;
}

}  // namespace microparquet::desktop
