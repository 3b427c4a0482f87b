// Work on several files, of which one that cannot be read stops no other.
#pragma once

#include "output.h"
#include "wrong_request.h"

namespace mpq_tool {

class Guard {
 public:
  explicit Guard(Output& output) : output_(output) {}

  // Reports what goes wrong with a file. A WrongRequest is thrown on: it concerns all files.
  template <typename Action>
  void run(Action action) {
    try {
      action();
    } catch (const WrongRequest&) {
      throw;
    } catch (const Failure& failure) {
      output_.flush();  // what was printed before the damage
      tell(failure.what());
      code_ = 1;
    }
  }

  // The exit code: 1 once a file could not be read.
  int code() const { return code_; }

 private:
  Output& output_;
  int code_ = 0;
};

}  // namespace mpq_tool
