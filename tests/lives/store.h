// The store of a life's files: a simulated card, or a file system on one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "medium.h"
#include "microparquet/file.h"
#include "support/chance.h"

namespace lives {

// Troubles of one boot. Calls of all files are counted from 0.
struct Troubles {
  static constexpr unsigned kNever = ~0U;
  unsigned cut_at = kNever;      // the power goes in this call
  unsigned pull_at = kNever;     // the medium is pulled out in this one
  unsigned fails_one_in = 0;     // calls fail by chance; 0: none does
  unsigned fails_from = kNever;  // that many of those from here on fail
  unsigned failures = 0;
  unsigned failing_sync = kNever;              // this sync does its work and is said to have failed
  std::uint64_t capacity = ~std::uint64_t{0};  // bytes of a file
  std::uint64_t seed = 0;
  bool any() const {
    return cut_at != kNever || pull_at != kNever || fails_one_in != 0 || failures != 0 ||
           failing_sync != kNever || capacity != ~std::uint64_t{0};
  }
};

// All bytes of an open file. False: it cannot be read to its end.
inline bool read_whole(mpq::File& file, Bytes& bytes) {
  std::uint64_t size = 0;
  if (file.size(size) != mpq::Status::kOk) return false;
  bytes.resize(static_cast<std::size_t>(size));
  return file.read_at(0, {bytes.data(), bytes.size()}) == mpq::Status::kOk;
}

// A file of a slot; there are two, for roll().
inline constexpr unsigned kSlots = 2;

class Store {
 public:
  virtual ~Store() = default;

  // A boot begins, and nothing goes wrong yet.
  virtual void power_on() = 0;
  // Makes these troubles happen from the next call on.
  virtual void strike(const Troubles& troubles) = 0;
  // Opens the file of a slot, and makes an empty one if there is none. A handle before it is void. Null:
  // the power went, or the file system refused.
  virtual mpq::File* open(unsigned slot) = 0;
  virtual void remove(unsigned slot) = 0;
  // The power has gone: nothing can be done any more.
  virtual bool is_off() const = 0;
  // The medium is pulled out; it comes back without some of what was not on it yet.
  virtual bool is_out() const = 0;
  virtual void come_back() = 0;
  // The boot ends, by the power if it was not gone before. `keeps_all`: but nothing is lost.
  virtual void power_off(bool keeps_all) = 0;
  // The published bytes of a file after it. False: there is no file; then there are none.
  virtual bool read(unsigned slot, Bytes& file) = 0;
  // All that lies where the file is.
  virtual Bytes remains(unsigned /*slot*/) { return {}; }
  // The space after the file's end is used by others, or was.
  virtual void change_remains(unsigned /*slot*/, Chance& /*chance*/) {}
  // A byte of the file has wrong bits until heal() or until it is written. False: the store cannot do that.
  virtual bool damage(unsigned /*slot*/, std::uint64_t /*offset*/, std::byte /*wrong*/) { return false; }
  virtual void heal(unsigned /*slot*/) {}
  // Whether a file has come to the size that no file of the store can exceed.
  virtual bool is_full() const { return false; }
  // A fault of the store itself; empty: none.
  virtual std::string complaint() { return {}; }

  // Called before some calls of a file: a cut would leave `file` in that slot.
  using Probe = std::function<void(unsigned slot, mpq::Span<const std::byte> file)>;
  void set_probe(Probe probe) { probe_ = std::move(probe); }

 protected:
  Probe probe_;
};

}  // namespace lives
