// The suite for ports on a microcontroller: SemihostingFile, on the host's file system.
#include "contract_test.h"

#include "microparquet/port/semihosting.h"
#include "microparquet/port/semihosting_file.h"

using microparquet::File;
using microparquet::SemihostingFile;
using microparquet::Status;

namespace {

class SemihostingPort final : public port_contract::TestedPort {
 public:
  SemihostingPort() : TestedPort("SemihostingFile") {}
  File* create() override {
    return file_.create(kPath, microparquet::Existing::kOverwrite) == Status::kOk ? &file_ : nullptr;
  }
  File* open_again() override {
    const bool good = file_.close() == Status::kOk && file_.open_for_append(kPath) == Status::kOk;
    return good ? &file_ : nullptr;
  }
  void remove() {
    CHECK_EQ(file_.close(), Status::kOk);
    CHECK_EQ(microparquet::semihosting::remove(kPath), 0);
  }

 private:
  static constexpr const char* kPath = "port_contract_test.bin";
  SemihostingFile file_;
};

}  // namespace

TEST("a semihosting file holds the contract of ports, on the board itself") {
  SemihostingPort port;
  port_contract::check_all(port, 18);
  port.remove();
}
