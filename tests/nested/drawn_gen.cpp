// Schemas drawn by lot and written by a table of nodes, with their rows as text; check_drawn.py has a model of their levels.
//
//   drawn_gen FOLDER COUNT
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "drawn_table.h"
#include "microparquet/port/posix_file_c.h"

namespace {

using drawn::Lot;
using drawn::Row;
using drawn::Table;

// A log of a drawn schema.
class Log {
 public:
  Log(unsigned seed, const std::string& path) : lot_(seed), path_(path + ".parquet"), text_(path + ".json") {}

  // Returns whether all went as it should.
  bool write() {
    std::size_t node = 0;
    const mpq_table_fault fault = mpq_table_check(&table_.nodes(), &node);
    if (fault != MPQ_TABLE_SOUND)
      return said("node " + std::to_string(node) + ": " + mpq_table_fault_text(fault));
    text_ << table_.text() << '\n';
    mpq_status status = mpq_posix_make(&file_);
    if (status == MPQ_OK) status = boot();
    if (status == MPQ_OK && lot_.below(2) != 0) status = boot();
    return status == MPQ_OK || said(mpq_status_text(status));
  }

 private:
  static constexpr unsigned kRows = 150;

  bool said(const std::string& what) const {
    std::printf("%s: %s\n", path_.c_str(), what.c_str());
    return false;
  }

  // Opens the file with as much memory as it takes, and with pages that a row of each array fits in.
  mpq_status open() {
    for (;;) {
      if (fresh_) std::remove(path_.c_str());
      mpq_file* file = nullptr;
      mpq_status status = mpq_posix_open_for_append(&file_, path_.c_str(), &file);
      if (status != MPQ_OK) return status;
      status = mpq_nested_resume(&writer_, file, setup_.get());
      if (status == MPQ_OK) return status;
      mpq_posix_close(&file_);
      if (!setup_.gives(status, writer_, fresh_)) return status;
    }
  }

  mpq_status boot() {
    mpq_status status = open();
    fresh_ = false;
    for (unsigned i = 0; i < kRows && status == MPQ_OK; ++i) {
      status = append();
      if (status == MPQ_OK && setup_.options().layout == &mpq_in_place && lot_.below(30) == 0)
        status = mpq_writer_checkpoint(&writer_);
    }
    if (status == MPQ_OK) status = mpq_writer_close(&writer_);
    const mpq_status closed = mpq_posix_close(&file_);
    return status == MPQ_OK ? closed : status;
  }

  // A row that no page takes is not in the file, nor is one whose list counts more than there can be.
  mpq_status append() {
    Row row(lot_, table_);
    const mpq_status status = mpq_nested_append(&writer_, row.data());
    if (status == MPQ_OK) text_ << row.text() << '\n';
    if (lot_.below(20) == 0 && row.count_too_much() &&
        mpq_nested_append(&writer_, row.data()) != MPQ_VALUE_TOO_LARGE)
      return MPQ_CORRUPT;
    return status == MPQ_VALUE_TOO_LARGE ? MPQ_OK : status;
  }

  Lot lot_;
  std::string path_;
  std::ofstream text_;
  Table table_{lot_};
  drawn::Setup setup_{lot_, table_};
  mpq_posix_file file_ = {};
  mpq_writer writer_ = {};
  bool fresh_ = true;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  bool good = true;
  for (unsigned seed = 0; seed < static_cast<unsigned>(std::atoi(argv[2])); ++seed) {
    Log log(seed, std::string(argv[1]) + "/drawn_" + std::to_string(seed));
    good = log.write() && good;
  }
  return good ? 0 : 1;
}
