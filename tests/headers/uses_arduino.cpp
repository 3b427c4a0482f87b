// Instantiates ArduinoFile, over files that can be cut and files that cannot.
#include <cstddef>
#include <cstdint>

#include "microparquet/port/arduino_file.h"

namespace uses_arduino {

// The class of a core's library of files, with the members that the port needs.
class Plain {
 public:
  bool seek(std::uint32_t position);
  std::uint32_t size();
  int read(std::uint8_t* to, std::size_t bytes);
  std::size_t write(const std::uint8_t* from, std::size_t bytes);
  void flush();
  void close();
  explicit operator bool() const;
};

// A class of files of more than 4 GiB.
class Large : public Plain {
 public:
  bool seek(std::uint64_t position);
  std::uint64_t size();
  bool truncate(std::uint64_t size);
  bool sync();
};

template <typename Class>
microparquet::Status make_one() {
  microparquet::ArduinoFile<Class> file;
  std::byte bytes[8] = {};
  microparquet::Status status = file.read_at(0, bytes);
  if (status == microparquet::Status::kOk) status = file.write_at(0, bytes);
  if (status == microparquet::Status::kOk) status = file.shrink(4);
  return status == microparquet::Status::kOk ? file.sync(4) : status;
}
template microparquet::Status make_one<Plain>();
template microparquet::Status make_one<Large>();

}  // namespace uses_arduino
