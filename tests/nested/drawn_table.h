// Schemas drawn by lot, as tables of nodes, and rows of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "microparquet/c/microparquet.h"

namespace drawn {

class Lot {
 public:
  explicit Lot(unsigned seed) : random_(seed) {}
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_()) % limit; }

 private:
  std::mt19937 random_;
};

// A node, with those in it.
struct Part {
  mpq_node node = {};
  std::string name;
  std::vector<Part> children;

  bool is_value() const { return node.kind == nullptr; }
  bool is_span() const { return node.kind == &mpq_span; }
  bool is_counted() const { return is_span() || node.kind == &mpq_list || node.kind == &mpq_map; }
};

// A table of nodes, and the parts it is made of.
class Table {
 public:
  explicit Table(Lot& lot);
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  const std::vector<Part>& parts() const { return parts_; }
  const mpq_table& nodes() const { return table_; }
  // Returns its text in JSON: of each part its name, its kind, whether it may be missing, and what is in it.
  std::string text() const;

 private:
  std::vector<Part> parts_;
  std::vector<mpq_node> nodes_;
  mpq_table table_ = {};
};

// A row of such a table and its text, in JSON. What lies in a part that is missing, and after the last element of a list, is
// never to be looked at: it is no number that any of them may have.
class Row {
 public:
  Row(Lot& lot, const Table& table);

  const std::byte* data() const { return reinterpret_cast<const std::byte*>(bytes_.data()); }
  const std::string& text() const { return text_; }
  // Has the last part count more than there can be. Returns false if it counts nothing.
  bool count_too_much();

 private:
  void fill_struct(const std::vector<Part>& parts, std::byte* at);
  void fill_part(const Part& part, std::byte* at, unsigned number);
  void fill_list(const Part& part, std::byte* at);
  void fill_value(const mpq_node& node, std::byte* at, unsigned number);
  void fill_text(std::byte* at, unsigned number);
  void fill_fixed(std::byte* at);

  Lot& lot_;
  const Table& table_;
  std::vector<std::uint64_t> bytes_;
  std::deque<std::vector<std::uint64_t>> elsewhere_;
  std::deque<std::string> letters_;
  std::string text_;
};

// Returns bytes as Row::text() has them.
std::string text_of_bytes(const std::byte* bytes, std::size_t count);

// Setup of a writer of such a table, with options by lot and memory that grows.
class Setup {
 public:
  Setup(Lot& lot, const Table& table);
  Setup(const Setup&) = delete;
  Setup& operator=(const Setup&) = delete;

  mpq_options& options() { return options_; }
  const mpq_nested_setup* get() const { return &setup_; }
  // Gives what a call that opens has asked for: more memory, or in a new file pages that take a row of each array. Returns false
  // if it has asked for neither.
  bool gives(mpq_status status, const mpq_writer& writer, bool is_new);

 private:
  void take_memory();

  mpq_options options_ = mpq_default_options;
  mpq_nested_setup setup_ = {};
  std::vector<std::uint64_t> memory_ = std::vector<std::uint64_t>(64);
};

}  // namespace drawn
