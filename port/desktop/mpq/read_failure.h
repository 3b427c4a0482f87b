// Failures of mpq: why a file cannot be read, and which request cannot be met.
#pragma once

#include <cstdint>
#include <string>

#include "microparquet/desktop/failure.h"
#include "microparquet/failure.h"
#include "microparquet/file.h"
#include "microparquet/reader.h"
#include "output.h"

namespace mpq_tool {

// Why the program ends early.

using microparquet::desktop::Failure;

// The user asks for what there cannot be, however often it is tried.
class WrongRequest : public Failure {
 public:
  using Failure::Failure;
};

// Work on several files, of which one that cannot be read stops no other.
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
      output_.flush();  // rows printed before the damage
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

// The reason why Reader::open() did not take the file for Parquet, as the end of a sentence that begins with
// the name of the file.
std::string why_not_parquet(microparquet::File& file);

// The reason why the reader has just answered kUnsupported in the column called `name`, as the end of such a
// sentence.
std::string why_unsupported(microparquet::File& file, microparquet::Reader& reader, const std::string& name);

// The page that the reader has just answered kCorrupt to.
std::string what_is_damaged(const microparquet::Failure& failure);

}  // namespace mpq_tool
