// Files named on the command line, by themselves or by their folders.
#pragma once

#include <string>
#include <vector>

#include "microparquet/desktop/files.h"

namespace mpq_tool {

// Standard input, "-", is a file like others: what comes through a pipe is stored first in a temporary file
// that has no name and is gone with the program, since a Parquet file is read from its end.
class InputFile {
 public:
  // Throws Failure.
  explicit InputFile(const std::string& argument);

  // Path to open.
  const std::string& path() const { return path_; }
  // Name for people.
  const std::string& name() const { return name_; }

 private:
  void store();

  std::string path_;
  std::string name_;
  microparquet::desktop::Descriptor stored_;  // the temporary file
};

// Each of `paths`, and in place of a pattern that no file is called the files that match it, where the shell leaves that to the
// programs. Throws Failure: nothing matches.
std::vector<std::string> expanded(const std::vector<std::string>& paths);

// Each of `paths`, in their order: in place of a folder the files *.parquet and *.PQT in it and in the folders below, without
// hidden ones, and in place of a pattern with * or ? that no file is called, the files that match it; these in the order of
// their names. Throws Failure: a folder has no such file, or nothing matches.
std::vector<std::string> named_files(const std::vector<std::string>& paths);

}  // namespace mpq_tool
