#include "arrow_node.h"

#include <map>
#include <string>

#include "microparquet/desktop/failure.h"

namespace microparquet::desktop {

namespace {

// The nodes of the schema with their names, and which columns are chosen.
class SchemaNodes {
 public:
  SchemaNodes(GrowingReader& memory, const Records& records) : records_(records) {
    const Status status = memory.visit_schema([this](const SchemaElement& element) {
      names_.emplace_back(element.name);
      elements_.push_back(element);
    });
    if (status != Status::kOk) {
      throw Failure(std::string("the schema cannot be read: ") + to_string(status));
    }
    const Reader& reader = memory.reader();
    for (std::size_t place = 0; place < reader.chosen(); ++place) {
      places_[reader.chosen_column(place)] = place;
    }
  }

  // The fields of the row.
  ArrowNode row() const {
    ArrowNode node;
    node.format = "+s";
    add_members(0, node);
    return node;
  }

 private:
  std::uint32_t end_of(std::uint32_t number) const {
    std::uint32_t end = number + 1;
    while (end < elements_.size() && elements_[end].depth > elements_[number].depth) {
      ++end;
    }
    return end;
  }

  bool is_chosen(std::uint32_t number) const {
    for (std::uint32_t i = number, end = end_of(number); i < end; ++i) {
      if (elements_[i].leaf && places_.count(elements_[i].column) != 0) {
        return true;
      }
    }
    return false;
  }

  void add_members(std::uint32_t number, ArrowNode& node) const {
    const std::uint32_t end = end_of(number);
    for (std::uint32_t child = number + 1; child < end; child = end_of(child)) {
      if (is_chosen(child)) {
        node.children.push_back(member(child));
      }
    }
    node.leaf = node.children.empty() ? 0 : node.children.front().leaf;
  }

  // A node with its repetition.
  ArrowNode member(std::uint32_t number) const {
    const SchemaElement& element = elements_[number];
    if (element.repetition != Repetition::kRepeated) {
      return shaped(number);
    }
    ArrowNode list;
    list.name = names_[number];
    list.definition = element.max_definition_level - 1;  // is there, with its elements or without
    make_list(list, number, shaped(number));
    return list;
  }

  // The same without it.
  ArrowNode shaped(std::uint32_t number) const {
    const SchemaElement& element = elements_[number];
    ArrowNode node;
    node.name = names_[number];
    node.nullable = element.repetition == Repetition::kOptional;
    node.definition = element.max_definition_level;
    switch (records_.shape_of(number)) {
      case EventKind::kBeginList: make_list(node, number + 1, list_element(number)); break;
      case EventKind::kBeginMap: make_map(node, number + 1); break;
      case EventKind::kBeginStruct:
        node.format = "+s";
        add_members(number, node);
        break;
      default:
        node.kind = ArrowNode::Kind::kValue;
        node.leaf = places_.at(element.column);
        set_type(element, node);
        break;
    }
    return node;
  }

  ArrowNode list_element(std::uint32_t list) const {
    const std::uint32_t element = records_.element_of(list);
    return element == list + 1 ? shaped(element) : member(element);
  }

  void make_list(ArrowNode& list, std::uint32_t repeated, ArrowNode element) const {
    list.kind = ArrowNode::Kind::kList;
    list.format = "+l";
    list.element_definition = elements_[repeated].max_definition_level;
    list.repetition = elements_[repeated].max_repetition_level;
    list.leaf = element.leaf;
    list.children.push_back(std::move(element));
  }

  void make_map(ArrowNode& map, std::uint32_t repeated) const {
    ArrowNode entries;
    entries.name = names_[repeated];
    entries.format = "+s";
    entries.definition = elements_[repeated].max_definition_level;
    add_members(repeated, entries);
    const bool whole = entries.children.size() == 2;
    if (whole) {
      entries.children.front().nullable = false;  // Arrow requires it of keys
    }
    make_list(map, repeated, std::move(entries));
    if (whole) {
      map.kind = ArrowNode::Kind::kMap;
      map.format = "+m";
    }
  }

  const Records& records_;
  std::vector<SchemaElement> elements_;
  std::vector<std::string> names_;
  std::map<std::uint32_t, std::size_t> places_;  // among the chosen, by columns
};

}  // namespace

void set_unit(double scale, double offset, ArrowNode& node) {
  constexpr std::string_view kNumbers = "bcCsSiIlLefgd";
  if (node.format.empty() || kNumbers.find(node.format.front()) == kNumbers.npos) {
    return;
  }
  node.stored = UnitConversion{node.format, node.width, scale, offset};
  node.format = "g";
  node.width = sizeof(double);
}

ArrowNode arrow_schema(GrowingReader& memory, const Records& records) {
  return SchemaNodes(memory, records).row();
}

namespace {

constexpr std::uint32_t kDecimal128Bytes = 16;
constexpr std::uint32_t kDecimal256Bytes = 32;
constexpr std::uint32_t kMostDigits128 = 38;
constexpr std::uint32_t kMostDigits256 = 76;

void set(ArrowNode& node, std::string format, Conversion conversion, std::uint32_t width) {
  node.format = std::move(format);
  node.conversion = conversion;
  node.width = width;
}

void set_physical_type(const SchemaElement& element, ArrowNode& node) {
  switch (element.type) {
    case Type::kBoolean: return set(node, "b", Conversion::kBits, 1);
    case Type::kInt32: return set(node, "i", Conversion::kSame, 4);
    case Type::kInt64: return set(node, "l", Conversion::kSame, 8);
    case Type::kInt96: return set(node, "tsn:", Conversion::kInt96, 8);
    case Type::kFloat: return set(node, "f", Conversion::kSame, 4);
    case Type::kDouble: return set(node, "g", Conversion::kSame, 8);
    case Type::kByteArray: return set(node, "Z", Conversion::kBytes, 0);
    case Type::kFixedLenByteArray:
      return set(node, "w:" + std::to_string(element.type_length), Conversion::kSame, element.type_length);
  }
}

void set_integer(const SchemaElement& element, ArrowNode& node) {
  const LogicalType& logical = element.logical;
  const bool sign = logical.is_signed;
  if (element.type == Type::kInt64) {
    return set(node, sign ? "l" : "L", Conversion::kSame, 8);
  }
  if (element.type != Type::kInt32) {
    return;
  }
  switch (logical.bits) {
    case 8: return set(node, sign ? "c" : "C", Conversion::kNarrow, 1);
    case 16: return set(node, sign ? "s" : "S", Conversion::kNarrow, 2);
    default: return set(node, sign ? "i" : "I", Conversion::kSame, 4);
  }
}

void set_decimal(const SchemaElement& element, ArrowNode& node) {
  const LogicalType& logical = element.logical;
  const bool number = element.type == Type::kInt32 || element.type == Type::kInt64;
  const bool text = element.type == Type::kByteArray || element.type == Type::kFixedLenByteArray;
  const bool small = logical.precision <= kMostDigits128 && element.type_length <= kDecimal128Bytes;
  const std::uint32_t width = small ? kDecimal128Bytes : kDecimal256Bytes;
  if ((!number && !text) || logical.precision > kMostDigits256 || element.type_length > width) {
    return;
  }
  const std::string bits = small ? "" : ",256";
  set(node, "d:" + std::to_string(logical.precision) + "," + std::to_string(logical.scale) + bits,
      number ? Conversion::kDecimal : Conversion::kBigEndian, width);
}

// A letter for the unit.
char unit_of(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kMillis: return 'm';
    case TimeUnit::kMicros: return 'u';
    case TimeUnit::kNanos: return 'n';
  }
  return 'u';
}

void set_time(const SchemaElement& element, ArrowNode& node) {
  const bool millis = element.logical.unit == TimeUnit::kMillis;
  if (element.type != (millis ? Type::kInt32 : Type::kInt64)) {
    return;
  }
  set(node, std::string("tt") + unit_of(element.logical.unit), Conversion::kSame, millis ? 4 : 8);
}

void set_timestamp(const SchemaElement& element, ArrowNode& node) {
  if (element.type != Type::kInt64) {
    return;
  }
  set(node, std::string("ts") + unit_of(element.logical.unit) + ':' + (element.logical.utc ? "UTC" : ""),
      Conversion::kSame, 8);
}

void set_text(const SchemaElement& element, ArrowNode& node) {
  if (element.type == Type::kByteArray) {
    set(node, "U", Conversion::kBytes, 0);
  }
}

}  // namespace

void set_type(const SchemaElement& element, ArrowNode& node) {
  node.file_width = value_bytes(element.type, element.type_length);
  set_physical_type(element, node);  // stays where the logical type does not fit it
  switch (element.logical.kind) {
    case LogicalKind::kString:
    case LogicalKind::kEnum:
    case LogicalKind::kJson: return set_text(element, node);
    case LogicalKind::kDecimal: return set_decimal(element, node);
    case LogicalKind::kDate:
      if (element.type == Type::kInt32) {
        set(node, "tdD", Conversion::kSame, 4);
      }
      return;
    case LogicalKind::kTime: return set_time(element, node);
    case LogicalKind::kTimestamp: return set_timestamp(element, node);
    case LogicalKind::kInteger: return set_integer(element, node);
    case LogicalKind::kFloat16:
      if (element.type == Type::kFixedLenByteArray && element.type_length == 2) {
        set(node, "e", Conversion::kSame, 2);
      }
      return;
    case LogicalKind::kNull: return set(node, "n", Conversion::kNone, 0);
    default: return;
  }
}

}  // namespace microparquet::desktop
