#include "input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "wrong_request.h"

namespace mpq_tool {

using microparquet::desktop::Descriptor;

namespace {

bool is_whole_file(int descriptor) {
  struct stat information = {};
  return fstat(descriptor, &information) == 0 && S_ISREG(information.st_mode) &&
         lseek(descriptor, 0, SEEK_CUR) == 0;
}

// A file that no name leads to.
int open_temporary(std::string folder) {
  folder += "/mpq.XXXXXX";
  const int descriptor = mkostemp(folder.data(), O_CLOEXEC);
  if (descriptor >= 0) {
    static_cast<void>(unlink(folder.c_str()));
  }
  return descriptor;
}

bool write_all(int descriptor, const char* data, std::size_t bytes) {
  while (bytes != 0) {
    const ssize_t done = ::write(descriptor, data, bytes);
    if (done < 0 && errno != EINTR) {
      return false;
    }
    data += done < 0 ? 0 : done;
    bytes -= done < 0 ? 0 : static_cast<std::size_t>(done);
  }
  return true;
}

}  // namespace

InputFile::InputFile(const std::string& argument) : path_(argument), name_(argument) {
  if (argument != "-") {
    return;
  }
  name_ = "standard input";
  if (isatty(STDIN_FILENO) != 0) {
    throw Failure("standard input is a terminal; redirect a file or a pipe to it");
  }
  if (is_whole_file(STDIN_FILENO)) {
    path_ = "/dev/stdin";
  } else {
    store();
  }
}

void InputFile::store() {
  const char* const told = std::getenv("TMPDIR");
  const std::string folder = told != nullptr ? told : "/tmp";
  stored_ = Descriptor(open_temporary(folder));
  if (stored_.number() < 0) {
    throw Failure("standard input is to be stored in " + folder + ": " + std::strerror(errno) +
                  "; set TMPDIR to another folder");
  }
  std::array<char, 64 << 10> buffer;
  ssize_t bytes = 0;
  while ((bytes = ::read(STDIN_FILENO, buffer.data(), buffer.size())) != 0) {
    if (bytes < 0 && errno != EINTR) {
      throw Failure(std::string("standard input: ") + std::strerror(errno));
    }
    if (bytes > 0 && !write_all(stored_.number(), buffer.data(), static_cast<std::size_t>(bytes))) {
      throw Failure("standard input is stored in " + folder + ": " + std::strerror(errno) +
                    "; set TMPDIR to a folder with more space");
    }
  }
  path_ = "/dev/fd/" + std::to_string(stored_.number());
}

}  // namespace mpq_tool
