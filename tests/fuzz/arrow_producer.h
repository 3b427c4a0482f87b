// A producer of Arrow arrays that does as a script of bytes says: it keeps the rules, or breaks one here and there. Its
// buffers are as long as what it claims asks for, to the byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "microparquet/desktop/arrow_abi.h"

// Numbers out of a script; 0 after its end.
class Script {
 public:
  Script(const std::uint8_t* data, std::size_t size) : data_(data), end_(data + size) {}
  std::uint8_t byte() { return data_ != end_ ? *data_++ : 0; }
  std::uint32_t below(std::uint32_t limit) { return byte() % limit; }
  // Now and then, as long as the script lasts.
  bool lies() { return byte() >= 250; }
  std::int64_t any();

 private:
  const std::uint8_t* data_;
  const std::uint8_t* end_;
};

class Producer {
 public:
  explicit Producer(Script& script);
  Producer(const Producer&) = delete;
  Producer& operator=(const Producer&) = delete;

  // A stream that stays with the producer, which must outlive it.
  ArrowArrayStream stream();

  const ArrowSchema& schema() const { return schema_; }
  // The arrays that have been given so far.
  const std::deque<ArrowArray>& arrays() const { return arrays_; }

 private:
  ArrowSchema& make_named();
  ArrowSchema& make_type(bool may_have_dictionary, std::uint32_t depth);
  void add_parts(ArrowSchema& type, std::uint32_t depth);
  ArrowArray& make_column(const ArrowSchema& type, std::int64_t slots);
  std::int64_t add_offsets(std::vector<const void*>& buffers, std::int64_t slots, unsigned offset_bytes);
  void make_parts(const ArrowSchema& type, ArrowArray& array, std::int64_t slots);
  void make_buffers(const ArrowSchema& type, ArrowArray& array, std::int64_t slots);
  std::int64_t add_texts(std::vector<const void*>& buffers, std::int64_t slots, unsigned offset_bytes);
  void add_views(std::vector<const void*>& buffers, std::int64_t slots);
  void make_schema();
  void make_array();
  std::byte* memory(std::size_t bytes);

  static int get_schema(ArrowArrayStream* stream, ArrowSchema* out);
  static int get_next(ArrowArrayStream* stream, ArrowArray* out);

  Script& script_;
  ArrowSchema schema_ = {};
  std::deque<ArrowArray> arrays_;
  std::size_t given_ = 0;
  std::deque<ArrowSchema> types_;
  std::deque<ArrowArray> columns_;
  std::deque<std::vector<ArrowSchema*>> type_lists_;
  std::deque<std::vector<ArrowArray*>> column_lists_;
  std::deque<std::vector<const void*>> buffer_lists_;
  std::deque<std::string> texts_;
  std::vector<std::unique_ptr<std::byte[]>> memory_;
};
