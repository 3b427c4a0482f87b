// Commands as text, a line each, so that other models can be run over what one log has sent:
//   C ms                      a call of the program
//   W sector count cause      cause: pages, records, footers, table or directory
//   R sector count
//   S                         a sync
//   N                         the call ends a file, its time is not asked for
//   P                         a file's sync has returned
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "cards/commands.h"

namespace cards {

class TraceWriter final : public Commands {
 public:
  explicit TraceWriter(std::FILE* out) : out_(out) {}
  void write(std::uint32_t sector, std::uint32_t count, Cause cause) override;
  void read(std::uint32_t sector, std::uint32_t count) override;
  void sync() override;
  void begin_call(std::uint32_t ms) override;
  void forget_call() override;
  void publish() override;

 private:
  void begin_line();

  std::FILE* out_;
  std::uint32_t call_ms_ = 0;
  bool is_in_call_ = true;  // a call without commands has no line
};

// Passes commands on to several.
class Everyone final : public Commands {
 public:
  void add(Commands* commands) { all_.push_back(commands); }
  void write(std::uint32_t sector, std::uint32_t count, Cause cause) override {
    for (Commands* commands : all_) commands->write(sector, count, cause);
  }
  void read(std::uint32_t sector, std::uint32_t count) override {
    for (Commands* commands : all_) commands->read(sector, count);
  }
  void sync() override {
    for (Commands* commands : all_) commands->sync();
  }
  void begin_call(std::uint32_t ms) override {
    for (Commands* commands : all_) commands->begin_call(ms);
  }
  void forget_call() override {
    for (Commands* commands : all_) commands->forget_call();
  }
  void publish() override {
    for (Commands* commands : all_) commands->publish();
  }

 private:
  std::vector<Commands*> all_;
};

// Sends the commands of a trace. Returns the number of the first line that is none, 0 if all are.
std::size_t replay(std::FILE* in, Commands& to);

}  // namespace cards
