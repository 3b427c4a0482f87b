// A port under the suite in a test of check.h. Each says how many clauses it holds; tests/figures adds them up.
#pragma once

#include "port_contract.h"
#include "support/check.h"

namespace port_contract {

// Prints the clauses that do not hold.
class TestedPort : public Port {
 public:
  explicit TestedPort(const char* name) : name_(name) {}
  const char* name() const { return name_; }
  void report(bool held, const char* clause) override {
    if (held) return;
    check::print(name_);
    check::print(": ");
    check::print(clause);
    check::print("\n");
  }

 protected:
  ~TestedPort() = default;

 private:
  const char* name_;
};

// The port holds `clauses`, and breaks none.
inline void check_all(TestedPort& port, unsigned clauses) {
  const Result result = check(port);
  CHECK_EQ(result.broken, 0U);
  CHECK_EQ(result.held, clauses);
  check::print("port_contract ");
  check::print(port.name());
  check::print(" ");
  check::detail::print_unsigned(result.held);
  check::print("\n");
}

}  // namespace port_contract
