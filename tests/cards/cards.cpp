// What models of SD cards say of logs of `imu8`: bytes programmed in a card's flash for each byte of values.
//
//   cards --list                                                    names the logs
//   cards [OPTION...] [--trace FILE] [--files FOLDER] LOG [SECONDS [HERTZ]]          logs on FatFs; FILE gets the commands
//   cards [OPTION...] --replay FILE NAME VALUE_BYTES SECONDS        what the models say of such a file
//
// --files FOLDER only leaves the log's files there, for programs that read them: opening_times.py.
//
// Prints figures, of a driver that holds a write open and, with `plain_driver` in their names, of one that does not;
// --table prints tables of all models instead. --check BYTES fails if a page of that size was written while it had durable bytes,
// or a file was read between two footers; a log that promises it is always checked.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "cards/logs.h"
#include "cards/models.h"
#include "cards/order_check.h"
#include "cards/trace.h"

namespace {

using cards::Driver;
using cards::Everyone;
using cards::LogSize;
using cards::Models;

constexpr std::uint32_t kClusterBytes = 32 << 10;

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, FileCloser>;

OpenFile open(const std::string& path, const char* mode) {
  OpenFile file(std::fopen(path.c_str(), mode));
  if (file != nullptr) return file;
  std::perror(path.c_str());
  std::exit(1);
}

[[noreturn]] void refuse_usage() {
  std::fputs("see the head of cards.cpp for how it is called\n", stderr);
  std::exit(2);
}

// The bytes of a page; not a whole number of sectors is refused.
std::uint32_t block_size(const std::string& text) {
  const auto bytes = static_cast<std::uint32_t>(std::strtoul(text.c_str(), nullptr, 10));
  if (bytes == 0 || bytes % cards::kSectorBytes != 0) refuse_usage();
  return bytes;
}

// Takes the option off the arguments. With a value, that is returned; else the option itself.
std::string take(std::vector<std::string>& arguments, const std::string& option, bool has_value) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] != option) continue;
    if (has_value && i + 1 == arguments.size()) refuse_usage();
    std::string value = has_value ? arguments[i + 1] : option;
    const auto at = arguments.begin() + static_cast<std::ptrdiff_t>(i);
    arguments.erase(at, at + (has_value ? 2 : 1));
    return value;
  }
  return {};
}

void print(Models& held, Models& plain, const std::string& name, const LogSize& size, bool as_table) {
  held.end();
  plain.end();
  if (as_table) {
    std::printf("%s, a driver that holds writes open\n", name.c_str());
    held.print_table(size);
    std::printf("%s, a command for each call of the driver\n", name.c_str());
    plain.print_table(size);
  } else {
    held.print("card." + name, size);
    std::printf("card.%s.plain_driver %.2f bytes_per_byte\n", name.c_str(), plain.mean(size));
  }
}

// Null: there is none of that name.
const cards::Log* find_log(const std::string& name) {
  for (const cards::Log& log : cards::logs()) {
    if (name == log.name) return &log;
  }
  return nullptr;
}

// Copies a file of the mounted card.
void copy(const std::string& name, const std::string& to) {
  const OpenFile out = open(to, "wb");
  FIL file;
  if (f_open(&file, name.c_str(), FA_READ) != FR_OK) std::exit(1);
  std::vector<char> bytes(64 << 10);
  for (UINT moved = 1; moved != 0;) {
    if (f_read(&file, bytes.data(), static_cast<UINT>(bytes.size()), &moved) != FR_OK) std::exit(1);
    if (std::fwrite(bytes.data(), 1, moved, out.get()) != moved) std::exit(1);
  }
  static_cast<void>(f_close(&file));
}

void copy_files(const std::string& folder) {
  DIR root;
  FILINFO found;
  if (f_opendir(&root, "/") != FR_OK) std::exit(1);
  while (f_readdir(&root, &found) == FR_OK && found.fname[0] != 0) {
    const std::string name = found.fname;
    if (name.find("PQT") != std::string::npos) copy(name, folder + "/" + name + ".parquet");
  }
}

LogSize run(const cards::Log& log, const cards::Rate& rate, Everyone& commands, const std::string& folder) {
  cards::LoggedCard card(commands, kClusterBytes);
  if (!card.is_mounted()) std::exit(1);
  const cards::Logged logged = log.run(card, rate);
  if (!folder.empty()) {  // what that reads is no part of the log
    copy_files(folder);
    std::exit(0);
  }
  const double value_bytes = cards::kRowBytes * logged.rows;
  std::fprintf(stderr, "%s: %zu bytes of RAM here, a row waited %.0f s at most\n", log.what, logged.ram_bytes,
               logged.longest_wait_s);
  std::printf("card.%s.values %.0f bytes\n", log.name, value_bytes);
  std::printf("card.%s.file %.2f bytes_per_byte\n", log.name,
              static_cast<double>(logged.file_bytes) / value_bytes);
  return {value_bytes, rate.seconds};
}

// Ends the program if the log has not done what --check, or the log itself, asks for.
void must_be_in_order(const cards::OrderCheck& check, const std::string& name) {
  if (check.overwrites() == 0 && check.reads() == 0) return;
  std::fprintf(stderr, "%s: %llu writes of pages with durable bytes, %llu reads between footers\n",
               name.c_str(), static_cast<unsigned long long>(check.overwrites()),
               static_cast<unsigned long long>(check.reads()));
  std::exit(1);
}

LogSize replay(const std::string& path, const std::vector<std::string>& arguments, Everyone& commands) {
  if (arguments.size() != 3) refuse_usage();
  const OpenFile trace = open(path, "r");
  if (const std::size_t line = cards::replay(trace.get(), commands); line != 0) {
    std::fprintf(stderr, "%s:%zu: no command of a card\n", path.c_str(), line);
    std::exit(1);
  }
  return {std::strtod(arguments[1].c_str(), nullptr), std::strtod(arguments[2].c_str(), nullptr)};
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!take(arguments, "--list", false).empty()) {
    for (const cards::Log& log : cards::logs()) std::printf("%s\n", log.name);
    return 0;
  }
  const bool as_table = !take(arguments, "--table", false).empty();
  const std::string trace_path = take(arguments, "--trace", true);
  const std::string folder = take(arguments, "--files", true);
  const std::string replayed_path = take(arguments, "--replay", true);
  const std::string asked_bytes = take(arguments, "--check", true);
  if (arguments.empty()) refuse_usage();

  Models held(Driver::kHeld);
  Models plain(Driver::kPlain);
  Everyone commands;
  held.join(commands);
  plain.join(commands);
  const cards::Log* const log = find_log(arguments[0]);
  const std::uint32_t promised = log == nullptr ? 0 : log->block_bytes;
  const std::uint32_t block_bytes = asked_bytes.empty() ? promised : block_size(asked_bytes);
  cards::OrderCheck check(block_bytes == 0 ? cards::kSectorBytes : block_bytes);
  commands.add(&check);
  LogSize size;
  if (!replayed_path.empty()) {
    size = replay(replayed_path, arguments, commands);
  } else if (log == nullptr) {
    std::fprintf(stderr, "no log %s; --list names them\n", arguments[0].c_str());
    return 2;
  } else {
    cards::Rate rate = log->rate;
    if (arguments.size() > 1) rate.seconds = std::strtod(arguments[1].c_str(), nullptr);
    if (arguments.size() > 2) rate.hertz = std::strtod(arguments[2].c_str(), nullptr);
    if (arguments.size() > 3 || rate.rows() == 0) refuse_usage();
    const OpenFile trace = trace_path.empty() ? nullptr : open(trace_path, "w");
    cards::TraceWriter writer(trace.get());
    if (trace != nullptr) commands.add(&writer);
    size = run(*log, rate, commands, folder);
  }
  if (block_bytes != 0) must_be_in_order(check, arguments[0]);
  print(held, plain, arguments[0], size, as_table);
  return 0;
}
