// Whole rows of nested columns, event by event: lists, structs and maps, whatever columns store them.
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
// The reader holds no row: a list of any length passes through the columns' buffers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/column_values.h"
#include "microparquet/detail/record_node.h"
#include "microparquet/reader.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// Kinds of events in a row. A value or null belongs to the innermost part that has begun and not ended.
enum class EventKind : std::uint8_t {
  kBeginRow,     // the fields of the row follow, in the schema's order
  kBeginStruct,  // its members follow, in the schema's order
  kBeginList,    // its elements follow
  kBeginMap,     // structs of a key and a value follow
  kEnd,          // a struct, list or map ends
  kEndRow,       // all of its fields have come
  kNull,         // a value, struct, list or map is missing
  kValue,        // a value is present
};

// Event of a row, from Records.
struct Event {
  EventKind kind = EventKind::kEndRow;  // kind of the event
  // Node of the schema that begins, ends, is missing or has the value, by the number that
  // Reader::schema_element() takes. For a list it is the node of the list, not one below that only spells it
  // out.
  std::uint32_t element = 0;
  // Chosen column of a kValue.
  std::size_t place = 0;
  // Value of a kValue; it stays until the next call.
  Cell cell;
};

// Rows of a reader's chosen columns. The rules of LogicalTypes.md decide which nodes are lists and maps, with
// those for files of older writers; any other repeated node is a list. A MAP without values is a list of its
// keys. Groups without a chosen column are left out.
//
// Not thread-safe; never from an interrupt.
class Records {
 public:
  // Returns the bytes of memory, aligned to 8, that suffice for a file whose schema has `schema_elements`
  // nodes, with `chosen` columns chosen and no name longer than `longest_name` bytes.
  static constexpr std::size_t required_bytes(std::size_t schema_elements, std::size_t chosen,
                                              std::size_t longest_name = 256) {
    return detail::align8(schema_elements * sizeof(detail::RecordNode)) +
           chosen * sizeof(detail::RecordLeaf) + 2 * longest_name;
  }

  // Takes a reader whose columns were chosen by choose_items(), and none of their items read in the current
  // row group. It and `memory`, aligned to 8, are the caller's and must stay.
  Records(Reader& reader, Span<std::byte> memory) : reader_(reader), memory_(memory) {}
  Records(const Records&) = delete;
  Records& operator=(const Records&) = delete;

  // Reads the schema, and begins before the first row that is left. Call it once, and again after
  // choose_items().
  // - kOutOfMemory: see Reader::needed_bytes()
  // - kInvalidArgument: the memory is not aligned to 8
  // - kWrongState: no column is chosen
  Status begin();

  // Returns how a node of the schema appears in a row: kValue, kBeginStruct, kBeginList or kBeginMap.
  // Requires: begin() returned kOk, and there is such a node.
  EventKind kind_of(std::uint32_t element) const;

  // Returns how an element of a node appears, disregarding the node's own repetition: a repeated node is a
  // list of such elements. Requires: as kind_of().
  EventKind shape_of(std::uint32_t element) const;

  // Returns the node of a list's element, or of a map's entry: the repeated node below it or, in lists of
  // three levels, the child of that. Requires: shape_of(list) is kBeginList or kBeginMap.
  std::uint32_t element_of(std::uint32_t list) const {
    return nodes_[list + 1].is_element ? list + 1 : list + 2;
  }

  // Goes to row group `index`: its first row is the next one. A row that has begun gets no end event.
  // - kInvalidArgument: no such row group
  // - as Reader::seek_row_group(); repeat the call then
  Status seek_row_group(std::uint32_t index);

  // Goes to row `row` of row group `row_group`, both counted from 0: its kBeginRow is the next event. Earlier
  // pages are skipped as by Reader::seek_items().
  // - kInvalidArgument: no such row group, or it has no such row
  // - as Reader::next_item(); no event comes then until a seek succeeds: repeat the call
  Status seek_row(std::uint32_t row_group, std::uint64_t row);

  // Reads the next event, through all row groups. A call that failed may be repeated.
  // - kEnd: there are no more rows
  // - kCorrupt: also if columns do not agree on the shape of a row; Reader::failure() says in which
  // - as Reader::next_item()
  Status next(Event& event);

 private:
  using Node = detail::RecordNode;
  using Leaf = detail::RecordLeaf;

  // Part of a row that has begun and not ended.
  struct Frame {
    std::uint32_t node;
    std::uint32_t next;       // next member of a struct
    std::uint8_t repetition;  // level of the next item of each column in it
    std::uint8_t definition;  // smallest one of the items in it
    bool list;                // a list or a map
    bool begun;               // true once a list's element has come, or the list is empty
    bool empty;               // true if a list has no element
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
  std::uint32_t depth_ = 0;      // number of frames
  std::uint64_t rows_left_ = 0;  // rows left in the row group
  bool in_row_group_ = false;
  bool lost_ = false;  // a seek has failed: the columns do not stand at one row
  Frame frames_[2 * detail::SchemaTree::kMaxDepth + 2];
};

}  // namespace microparquet
