#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "microparquet/desktop/files.h"
#include "microparquet/desktop/program.h"

#ifdef __APPLE__
#include <mach-o/dyld.h>

#include <cstdint>
#endif

namespace microparquet::desktop {

void begin_program() {}

void note_stop_signals() {
  struct sigaction action = {};
  action.sa_handler = [](int signal) { stop_signal = signal; };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void ignore_closed_pipes() { static_cast<void>(std::signal(SIGPIPE, SIG_IGN)); }

void ignore_file_limit() { static_cast<void>(std::signal(SIGXFSZ, SIG_IGN)); }

bool is_terminal(int descriptor) { return isatty(descriptor) != 0; }

TerminalSize terminal_size(int descriptor) {
  winsize size = {};
  const bool is_known = is_terminal(descriptor) && ioctl(descriptor, TIOCGWINSZ, &size) == 0;
  return is_known ? TerminalSize{size.ws_col, size.ws_row} : TerminalSize();
}

std::string own_path() {
  std::error_code error;
#ifdef __APPLE__
  std::uint32_t bytes = 0;
  static_cast<void>(_NSGetExecutablePath(nullptr, &bytes));
  std::string path(bytes, 0);
  if (_NSGetExecutablePath(path.data(), &bytes) != 0) return {};
  return std::filesystem::canonical(path.c_str(), error).string();
#else
  return std::filesystem::read_symlink("/proc/self/exe", error).string();
#endif
}

namespace {

constexpr int kNotFound = 127;  // exit codes of shells
constexpr int kNotRun = 126;

// Becomes another program in the child.
[[noreturn]] void become(const std::vector<char*>& words, const char* folder, const char* input, int said) {
  const bool ready = chdir(folder) == 0 && dup2(said, STDOUT_FILENO) >= 0 && dup2(said, STDERR_FILENO) >= 0;
  const int from = ready ? ::open(input, O_RDONLY) : -1;
  if (from >= 0 && dup2(from, STDIN_FILENO) >= 0) {
    execvp(words.front(), words.data());
  }
  _exit(errno == ENOENT ? kNotFound : kNotRun);
}

void read_all(int descriptor, const std::function<void(std::string_view)>& said) {
  constexpr std::size_t kPiece = 4096;
  char piece[kPiece];
  for (ssize_t bytes = 0; (bytes = ::read(descriptor, piece, sizeof piece)) != 0;) {
    if (bytes < 0 && errno != EINTR) {
      return;
    }
    said({piece, bytes < 0 ? 0 : static_cast<std::size_t>(bytes)});
  }
}

}  // namespace

std::optional<int> run_program(const std::vector<std::string>& words, const std::string& folder,
                               const std::string& input, const std::function<void(std::string_view)>& said) {
  std::vector<char*> arguments;
  for (const std::string& word : words) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  int ends[2] = {};
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return kNotStarted;
  }
  const Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  const pid_t child = fork();
  if (child == 0) {
    become(arguments, folder.c_str(), input.c_str(), writing.number());
  }
  if (child < 0) {
    return kNotStarted;
  }
  writing = Descriptor();
  read_all(reading.number(), said);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status)) {
    return kEnded;
  }
  return WEXITSTATUS(status) == kNotFound ? std::nullopt : std::optional<int>(WEXITSTATUS(status));
}

}  // namespace microparquet::desktop
