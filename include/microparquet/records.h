// Whole rows of nested columns, event by event: lists, structs and maps as they were, whatever columns they are
// stored in.
//
//   mpq::Reader reader;
//   reader.open(file, options, arena);
//   const mpq::ColumnChoice columns[] = {{0}, {3}};
//   reader.choose_items(columns);
//   alignas(8) std::byte memory[2048];
//   mpq::Records records(reader, memory);
//   if (records.begin() == mpq::Status::kOk) {
//     mpq::Event event;
//     while (records.next(event) == mpq::Status::kOk) { ... }
//   }
//
// No row is held: a list of any length passes through the columns' buffers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/column_values.h"
#include "microparquet/detail/record_node.h"
#include "microparquet/reader.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// What comes next in a row. A value or null stands in what has begun last and not ended.
enum class EventKind : std::uint8_t {
  kBeginRow,     // the fields of the row follow, in the schema's order
  kBeginStruct,  // its members follow, in the schema's order
  kBeginList,    // its elements follow
  kBeginMap,     // structs of a key and a value follow
  kEnd,          // of a struct, list or map
  kEndRow,       // all of its fields have come
  kNull,         // a value, struct, list or map that is missing
  kValue,        // one is there
};

// See Records.
struct Event {
  EventKind kind = EventKind::kEndRow;  // which of those it is
  // The node of the schema, by the number that Reader::schema_element() takes: what begins, ends, is missing or has
  // the value. Of a list the node that is one, not those below it that only spell it out.
  std::uint32_t element = 0;
  // kValue: the chosen column.
  std::size_t place = 0;
  // kValue: the value; it stays until the next call.
  Cell cell;
};

// The rows of a reader's chosen columns. What a list or a map is, is decided by the rules of LogicalTypes.md, with
// those for files of older writers; a repeated node of no other meaning is a list. A MAP without values is a list of
// its keys. Groups of which no column is chosen are left out.
//
// Not thread-safe; never from an interrupt.
class Records {
 public:
  // Bytes of memory, aligned to 8, that suffice for a file whose schema has `schema_elements` nodes, `chosen` columns of
  // which are chosen, and no name of more than `longest_name` bytes.
  static constexpr std::size_t required_bytes(std::size_t schema_elements, std::size_t chosen,
                                              std::size_t longest_name = 256) {
    return detail::align8(schema_elements * sizeof(detail::RecordNode)) +
           chosen * sizeof(detail::RecordLeaf) + 2 * longest_name;
  }

  // `reader` has its columns chosen by choose_items(), and none of their items read in the current row group. It and
  // `memory`, aligned to 8, are the caller's and must stay.
  Records(Reader& reader, Span<std::byte> memory) : reader_(reader), memory_(memory) {}
  Records(const Records&) = delete;
  Records& operator=(const Records&) = delete;

  // Reads the schema, and begins before the first row that is left: once, and again after choose_items().
  // - kOutOfMemory: see Reader::needed_bytes()
  // - kInvalidArgument: the memory is not aligned to 8
  // - kWrongState: no column is chosen
  Status begin();

  // As what a node of the schema comes in a row: kValue, kBeginStruct, kBeginList or kBeginMap. Requires: begin()
  // returned kOk, and there is such a node.
  EventKind kind_of(std::uint32_t element) const;

  // The same apart from a node's own repetition: as what an element comes, where a repeated node is a list of such.
  // Requires: as kind_of().
  EventKind shape_of(std::uint32_t element) const;

  // The node of an element of a list, or of an entry of a map: the repeated node below it or, in lists of three
  // levels, the child of that. Requires: shape_of(list) is kBeginList or kBeginMap.
  std::uint32_t element_of(std::uint32_t list) const {
    return nodes_[list + 1].is_element ? list + 1 : list + 2;
  }

  // Goes to row group `index`: its first row is the next one. A row that has begun does not end.
  // - kInvalidArgument: no such row group
  // - as Reader::seek_row_group(); repeat the call then
  Status seek_row_group(std::uint32_t index);

  // Goes to row `row` of row group `row_group`, both counted from 0: kBeginRow of it is the next event. Pages before it
  // are passed as by Reader::seek_items().
  // - kInvalidArgument: no such row group, or it has no such row
  // - as Reader::next_item(); no event comes then until a seek succeeds: repeat the call
  Status seek_row(std::uint32_t row_group, std::uint64_t row);

  // The next event, through all row groups. A call that failed may be repeated.
  // - kEnd: there are no more rows
  // - kCorrupt: also where columns do not agree on the shape of a row; Reader::failure() says in which
  // - as Reader::next_item()
  Status next(Event& event);

 private:
  using Node = detail::RecordNode;
  using Leaf = detail::RecordLeaf;

  // What has begun and not ended.
  struct Frame {
    std::uint32_t node;
    std::uint32_t next;       // struct: the member that comes next
    std::uint8_t repetition;  // that the next item of each column in it has
    std::uint8_t definition;  // that each item in it has, or more
    bool list;                // or a map
    bool begun;               // list: an element has come, or none will
    bool empty;               // list: none will
  };

  Status read_nodes(std::uint32_t& leaves);
  Status load(Leaf& leaf);
  Status load_at(std::uint32_t node, const Frame& outer, const Leaf*& leaf);
  Status disagree(const Leaf& leaf);
  void enter_row_group();
  Status begin_row(Event& event);
  Status end_row_group();
  Status next_member(Event& event);
  Status next_element(Event& event);
  Status enter(std::uint32_t number, bool as_element, Event& event);
  Status enter_list(std::uint32_t node, std::uint32_t repeated, const Leaf& leaf, Event& event);
  Status pass_missing(std::uint32_t node, const Frame& outer, const Leaf& first);
  void push(std::uint32_t node, const Frame& frame);

  Reader& reader_;
  Span<std::byte> memory_;
  Node* nodes_ = nullptr;
  Leaf* leaves_ = nullptr;
  std::uint32_t leaf_count_ = 0;
  std::uint32_t depth_ = 0;      // frames
  std::uint64_t rows_left_ = 0;  // in the row group
  bool in_row_group_ = false;
  bool lost_ = false;  // a seek has failed: the columns do not stand at one row
  Frame frames_[2 * detail::SchemaTree::kMaxDepth + 2];
};

}  // namespace microparquet
