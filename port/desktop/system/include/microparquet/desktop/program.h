// The program itself: its signals, its terminal, its own file, and other programs that it runs.
#pragma once

#include <csignal>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace microparquet::desktop {

// Prepares standard input and output for bytes and UTF-8, as they are for POSIX already. Call it first in main().
void begin_program();

// The signal that asked the program to stop, SIGINT or SIGTERM, or 0.
inline volatile std::sig_atomic_t stop_signal = 0;

// Notes these signals from now on, which end the program no longer. A read that waits for input returns.
void note_stop_signals();

// "interrupted by SIGINT". Requires: stop_signal is not 0.
inline std::string interruption() {
  return std::string("interrupted by ") + (stop_signal == SIGINT ? "SIGINT" : "SIGTERM");
}

// From now on a closed pipe, and a limit on the size of files, are errors of writing.
void ignore_closed_pipes();
void ignore_file_limit();

bool is_terminal(int descriptor);

// A terminal's size in characters; 0: there is none, or it does not tell.
struct TerminalSize {
  std::size_t width = 0;
  std::size_t height = 0;
};
TerminalSize terminal_size(int descriptor);

// Returns the path of the program that runs; empty if the system does not tell.
std::string own_path();

// Runs a program that is found by its name, in `folder`, with a file as its input, and calls `said` with what it prints, to
// either output, piece by piece. Returns its exit code, -1 if something ended it; none: there is no such program. -2: errno.
constexpr int kEnded = -1;
constexpr int kNotStarted = -2;
std::optional<int> run_program(const std::vector<std::string>& words, const std::string& folder,
                               const std::string& input, const std::function<void(std::string_view)>& said);

}  // namespace microparquet::desktop
