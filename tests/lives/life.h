// Some ten boots of a program that logs to one file, and all that can go wrong with it.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cells.h"
#include "image.h"
#include "microparquet/file_start.h"
#include "microparquet/writer.h"
#include "plan.h"
#include "small_reader.h"
#include "store.h"
#include "support/chance.h"
#include "tally.h"
#include "trace.h"
#include "watched_file.h"

namespace lives {

class Life {
 public:
  // `seed`: of what happens; how it is done is the plan's.
  Life(Plan& plan, Store& store, std::uint64_t seed, Tally& tally, Trace& trace);

  // Given each file that was found right, with its rows.
  using Keep = std::function<void(mpq::Span<const std::byte> file, const RowId* rows, std::size_t count)>;
  void set_keep(Keep keep) { keep_ = std::move(keep); }

  // Sets a function that unpacks codecs which only some programs have.
  void set_unpack(small::Unpack unpack) { unpack_ = unpack; }

  // The first thing that is wrong. It is what the store is left with that counts in the end.
  Fault run(unsigned boots);

 private:
  // The life's knowledge of a file.
  struct Log {
    std::vector<RowId> rows;  // taken, and those that a call is about to take
    std::size_t durable = 0;
    std::size_t safe = 0;
    std::size_t unsafe = 0;  // rows after those that were found, of which resume() may have some
    std::vector<KeyValues> key_values = {{}};  // as they were after each change
    std::size_t least_key_values = 0;          // of these, what must be there
    bool begun = false;                        // there must be a file

    // Takes over the found rows and key-values as all that there are.
    void become(const Found& found, bool saves);
  };

  bool alive() const { return !fault_ && !over_ && !store_.is_off(); }
  Log& log() { return logs_[slot_]; }
  const Log& log() const { return logs_[slot_]; }
  WatchedFile& file() { return files_[slot_]; }
  void fail(Wrong wrong, const std::string& text);
  Troubles any_troubles();

  void boot();
  bool begin();
  void open_file(unsigned slot);
  mpq::FileStart any_start();
  void damage();
  void step();
  void end();
  void settle();
  bool look(unsigned slot, mpq::Span<const std::byte> file, Found& found);

  template <typename Call>
  mpq::Status call(Op op, Call call);
  bool is_damage(mpq::Status status) const;
  void heal(Op op);
  bool answered(mpq::Status status) const;
  bool publishes_late() const;
  void judge(Op op, mpq::Status status);
  bool may_answer(Op op, mpq::Status status) const;
  void count_rows();
  // Whether the call is repeated, as it failed.
  bool stays_as_it_is(bool all_durable) const;
  void asks_again(mpq::Status status);
  bool repeats(mpq::Status status);

  void append(unsigned rows);
  void append_wrong();
  void append_columns(unsigned rows);
  void tick();
  void checkpoint();
  void save();
  void take_up();
  std::pair<std::string_view, std::string_view> any_key_value();
  static void replace(KeyValues& list, std::string_view key, std::string_view value);
  void set_key_value();
  void roll();
  void reconnect();
  void offer_another_file();
  void close();
  void begin_again();
  void steady();

  Plan& plan_;
  Store& store_;
  Chance chance_;
  Tally& tally_;
  Trace& trace_;
  Keep keep_;
  small::Unpack unpack_ = nullptr;
  mpq::Writer writer_;
  std::vector<std::uint64_t> arena_;
  Rows source_;
  WatchedFile files_[kSlots];
  Fault fault_;
  unsigned slot_ = 0;
  Log logs_[kSlots];
  unsigned boot_ = 0;
  unsigned next_row_ = 0;
  std::uint64_t now_ms_ = 0;
  KeyValues own_;                    // those that the open writer was given
  std::deque<std::string> strings_;  // what they point to
  std::vector<mpq::KeyValue> first_key_values_;
  std::uint64_t lost_before_ = 0;  // lost_rows() that are counted already
  bool left_as_it_was_ = false;    // by a close() that found no space and had no row to keep
  std::size_t rows_before_ = 0;    // that the file had when it was resumed
  bool over_ = false;              // nothing more in this boot
  bool damaged_ = false;           // a byte of the file has wrong bits
  bool steps_aside_ = false;       // in this boot it has, or had: no other file is begun, nothing is lost
  bool aims_ = false;              // nothing else goes wrong in this boot
  Bytes older_;                    // a file as it once was
  Bytes first_footer_;             // of the file when the writer began
  bool closed_ = false;
  bool closing_ = false;  // a close() or roll() has failed
  bool rolling_ = false;  // to the other slot
  bool failed_ = false;   // a call of this writer has
  bool broken_ = false;   // and not for lack of space
};

}  // namespace lives
