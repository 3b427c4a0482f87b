// A file named on the command line.
#pragma once

#include <string>

#include "microparquet/desktop/descriptor.h"

namespace mpq_tool {

// Standard input, "-", is a file like others: what comes through a pipe is stored first in a temporary file
// that has no name and is gone with the program, since a Parquet file is read from its end.
class InputFile {
 public:
  // Throws Failure.
  explicit InputFile(const std::string& argument);

  // To be opened.
  const std::string& path() const { return path_; }
  // For people.
  const std::string& name() const { return name_; }

 private:
  void store();

  std::string path_;
  std::string name_;
  microparquet::desktop::Descriptor stored_;  // the temporary file
};

}  // namespace mpq_tool
