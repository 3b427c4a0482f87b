// A file named on the command line.
#pragma once

#include <string>

namespace mpq_tool {

// Standard input, "-", is a file like others: what comes through a pipe is stored first in a temporary file
// that has no name and is gone with the program, since a Parquet file is read from its end.
class InputFile {
 public:
  // Throws Failure.
  explicit InputFile(const std::string& argument);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  // To be opened.
  const std::string& path() const { return path_; }
  // For people.
  const std::string& name() const { return name_; }

 private:
  void store();

  std::string path_;
  std::string name_;
  int descriptor_ = -1;  // of the temporary file
};

}  // namespace mpq_tool
