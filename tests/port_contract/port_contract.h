// The contract of file.h as a suite that any port can be put under, on a desktop or on the board itself: no
// heap, no test framework, no file system but the port's own.
//
//   class CardPort final : public port_contract::Port {
//     File* create() override { return file_.create("TEST.BIN", Existing::kOverwrite) == Status::kOk ? &file_ : nullptr; }
//     File* open_again() override { ... close(), then open_for_append() }
//     void report(bool held, const char* clause) override { printf("%s: %s\n", held ? "held" : "BROKEN", clause); }
//   };
//   CardPort port;
//   const port_contract::Result result = port_contract::check(port);
#pragma once

#include "microparquet/file.h"

namespace port_contract {

class Port {
 public:
  // An empty file, open to be written. Null: that failed, which breaks every clause that needs it.
  virtual microparquet::File* create() = 0;

  // Closes that file, and opens it to be continued. Null: this port cannot, as a serial line.
  virtual microparquet::File* open_again() = 0;

  // The power goes and comes back: what is not on the medium is lost. Then opens the file to be continued.
  // Null: that cannot be played here, as on most boards.
  virtual microparquet::File* open_after_cut() { return nullptr; }

  // The next access of the medium fails, and those after it succeed; `fails` false: none fails any more.
  // False: that cannot be played here.
  virtual bool fail_next(bool fails) {
    static_cast<void>(fails);
    return false;
  }

  // A clause, and whether the port holds it. Of those that its abilities leave out nothing is said.
  virtual void report(bool held, const char* clause) = 0;

 protected:
  ~Port() = default;
};

struct Result {
  unsigned held = 0;
  unsigned broken = 0;
};

// Checks all clauses that apply, each with a file of its own; at most 20 KB are written to one. Takes 700
// bytes of stack.
Result check(Port& port);

}  // namespace port_contract
