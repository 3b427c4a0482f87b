#include "microparquet/port/windows_path.h"

#include <windows.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace microparquet::detail {

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

namespace {

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

}  // namespace

bool WindowsPath::is_plain(const char* text) {
  const std::string_view path = text;
  const bool has_drive = path.size() >= 3 && path[1] == ':' && is_slash(path[2]);
  if (path.find(':', has_drive ? 2 : 0) != path.npos) return false;
  const auto slash = std::find_if(path.rbegin(), path.rend(), is_slash);
  const std::string_view name = path.substr(static_cast<std::size_t>(path.rend() - slash));
  return !name.empty() && name.back() != '.' && name.back() != ' ' && !is_device(name);
}

int WindowsPath::take(const char* path, Names names) {
  if (names == Names::kFile && !is_plain(path)) return ERROR_INVALID_NAME;
  const int units = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, nullptr, 0);
  if (units == 0) return static_cast<int>(GetLastError());
  if (!bytes_.resize(static_cast<std::size_t>(units) * sizeof(wchar_t))) return ERROR_NOT_ENOUGH_MEMORY;
  auto* const text = reinterpret_cast<wchar_t*>(bytes_.data());
  MultiByteToWideChar(CP_UTF8, 0, path, -1, text, units);
  std::replace(text, text + units, L'/', L'\\');
  constexpr int kShortPath = 240;  // MAX_PATH, less a name of 8.3
  return units > kShortPath && std::wstring_view(text).substr(0, 2) != L"\\\\" ? make_absolute() : 0;
}

// Only an absolute path may be long, with a prefix after which the system looks at nothing in it.
int WindowsPath::make_absolute() {
  detail::MappedBytes full;
  const wchar_t* const text = this->text();
  const DWORD units = GetFullPathNameW(text, 0, nullptr, nullptr);
  if (units == 0) return static_cast<int>(GetLastError());
  if (!full.resize((kLongPrefix.size() + units) * sizeof(wchar_t))) return ERROR_NOT_ENOUGH_MEMORY;
  auto* const begin = reinterpret_cast<wchar_t*>(full.data());
  if (GetFullPathNameW(text, units, begin + kLongPrefix.size(), nullptr) == 0) {
    return static_cast<int>(GetLastError());
  }
  std::copy(kLongPrefix.begin(), kLongPrefix.end(), begin);
  if (!bytes_.resize(full.size())) return ERROR_NOT_ENOUGH_MEMORY;
  std::memcpy(bytes_.data(), full.data(), full.size());
  return 0;
}

}  // namespace microparquet::detail
