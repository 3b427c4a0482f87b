#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <cerrno>
#include <cstdlib>

#include "microparquet/desktop/files.h"
#include "microparquet/desktop/program.h"

namespace microparquet::desktop {

namespace {

UINT code_page_before = 0;

HANDLE handle_of_console(int descriptor) { return reinterpret_cast<HANDLE>(_get_osfhandle(descriptor)); }

// The console would end the program as soon as this returns, when its window is closed.
BOOL WINAPI note_control(DWORD event) {
  constexpr DWORD kTimeToEndMs = 10'000;
  const bool is_word = event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
  stop_signal = is_word ? SIGINT : SIGTERM;
  if (!is_word) Sleep(kTimeToEndMs);
  return TRUE;
}

std::wstring in_utf16(const std::string& text) {
  const int units = MultiByteToWideChar(CP_UTF8, 0, text.c_str(), -1, nullptr, 0);
  std::wstring wide(static_cast<std::size_t>(units), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, text.c_str(), -1, wide.data(), units);
  wide.resize(wide.empty() ? 0 : wide.size() - 1);
  return wide;
}

}  // namespace

void begin_program() {
  for (int descriptor = 0; descriptor < 3; ++descriptor) {
    static_cast<void>(_setmode(descriptor, _O_BINARY));
    DWORD mode = 0;
    if (descriptor != kInputDescriptor && GetConsoleMode(handle_of_console(descriptor), &mode) != FALSE) {
      SetConsoleMode(handle_of_console(descriptor), mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    }
  }
  code_page_before = GetConsoleOutputCP();
  if (code_page_before != 0) {
    SetConsoleOutputCP(CP_UTF8);
    static_cast<void>(std::atexit([] { SetConsoleOutputCP(code_page_before); }));
  }
}

void note_stop_signals() { SetConsoleCtrlHandler(&note_control, TRUE); }

void ignore_closed_pipes() {}

void ignore_file_limit() {}

bool is_terminal(int descriptor) {
  DWORD mode = 0;
  return GetConsoleMode(handle_of_console(descriptor), &mode) != FALSE;
}

TerminalSize terminal_size(int descriptor) {
  CONSOLE_SCREEN_BUFFER_INFO found = {};
  if (GetConsoleScreenBufferInfo(handle_of_console(descriptor), &found) == FALSE) return {};
  return {static_cast<std::size_t>(found.srWindow.Right - found.srWindow.Left + 1),
          static_cast<std::size_t>(found.srWindow.Bottom - found.srWindow.Top + 1)};
}

std::string own_path() {
  constexpr std::size_t kLongest = 32'768;
  std::wstring path(kLongest, L'\0');
  path.resize(GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
  std::string narrow(3 * path.size() + 1, '\0');
  const int bytes = WideCharToMultiByte(CP_UTF8, 0, path.data(), static_cast<int>(path.size()), narrow.data(),
                                        static_cast<int>(narrow.size()), nullptr, nullptr);
  narrow.resize(static_cast<std::size_t>(bytes));
  return narrow;
}

namespace {

void read_said(HANDLE pipe, const std::function<void(std::string_view)>& said) {
  constexpr std::size_t kPiece = 4096;
  char piece[kPiece];
  for (DWORD bytes = 0; ReadFile(pipe, piece, sizeof piece, &bytes, nullptr) != FALSE && bytes != 0;) {
    said({piece, bytes});
  }
}

// Requires: no word has a quote in it.
std::wstring command_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    line += (line.empty() ? "\"" : " \"") + word + "\"";
  }
  return in_utf16(line);
}

bool start(const std::vector<std::string>& words, const std::string& folder, HANDLE input, HANDLE said,
           PROCESS_INFORMATION& child) {
  STARTUPINFOW about = {};
  about.cb = sizeof about;
  about.dwFlags = STARTF_USESTDHANDLES;
  about.hStdInput = input;
  about.hStdOutput = said;
  about.hStdError = said;
  return CreateProcessW(nullptr, command_line(words).data(), nullptr, nullptr, TRUE, 0, nullptr,
                        in_utf16(folder).c_str(), &about, &child) != FALSE;
}

}  // namespace

std::optional<int> run_program(const std::vector<std::string>& words, const std::string& folder,
                               const std::string& input, const std::function<void(std::string_view)>& said) {
  const Descriptor script = open_file(folder + "/" + input, Access::kRead);
  HANDLE reading = nullptr;
  HANDLE writing = nullptr;
  if (!script.is_open() || CreatePipe(&reading, &writing, nullptr, 0) == FALSE) {
    return kNotStarted;
  }
  const HANDLE from = handle_of_console(script.number());
  SetHandleInformation(writing, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
  SetHandleInformation(from, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
  PROCESS_INFORMATION child = {};
  const bool is_started = start(words, folder, from, writing, child);
  const DWORD error = is_started ? 0 : GetLastError();
  CloseHandle(writing);
  DWORD code = 0;
  if (is_started) {
    read_said(reading, said);
    WaitForSingleObject(child.hProcess, INFINITE);
    GetExitCodeProcess(child.hProcess, &code);
    CloseHandle(child.hThread);
    CloseHandle(child.hProcess);
  }
  CloseHandle(reading);
  if (error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND) {
    return std::nullopt;
  }
  errno = EIO;
  return is_started ? static_cast<int>(code) : kNotStarted;
}

}  // namespace microparquet::desktop
