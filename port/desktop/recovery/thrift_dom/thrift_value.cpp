#include "thrift_dom/thrift_value.h"

#include <algorithm>

#include "thrift/compact_reader.h"

namespace microparquet::recovery {

using thrift::CompactReader;
using thrift::CompactType;
using thrift::FieldHeader;

class ThriftParser {
 public:
  explicit ThriftParser(CompactReader& in) : in_(in) {}

  ThriftValue parse(const FieldHeader& field, unsigned depth) {
    constexpr unsigned kMaxDepth = 16;
    ThriftValue value(field.type);
    if (depth == kMaxDepth) {
      in_.fail(Status::kUnsupported);
    }
    switch (field.type) {
      case CompactType::kTrue: value.number_ = 1; break;
      case CompactType::kFalse: break;
      case CompactType::kByte:
      case CompactType::kI16:
      case CompactType::kI32:
      case CompactType::kI64: value.number_ = in_.i64(field); break;
      case CompactType::kDouble: copy(value.bytes_, 8); break;
      case CompactType::kBinary: copy(value.bytes_, in_.binary(field)); break;
      case CompactType::kList: parse_list(value, depth); break;
      case CompactType::kStruct: parse_fields(value, depth); break;
      default: in_.fail(Status::kUnsupported); break;  // sets and maps, which Parquet does not use
    }
    return value;
  }

 private:
  void copy(Bytes& bytes, std::uint32_t size) {
    if (in_.ok()) {
      bytes.resize(size);
      in_.copy(bytes.data(), size);
    }
  }

  void parse_fields(ThriftValue& value, unsigned depth) {
    for (FieldHeader field; in_.next(field);) {
      value.fields_.emplace_back(field.id, parse(field, depth + 1));
    }
  }

  void parse_list(ThriftValue& value, unsigned depth) {
    if (in_.window().available() == 0) {
      return in_.fail(Status::kCorrupt);
    }
    FieldHeader element;
    element.type = static_cast<CompactType>(static_cast<unsigned>(*in_.window().cursor) & 15);
    value.element_ = element.type;
    FieldHeader list;
    list.type = CompactType::kList;
    for (std::uint32_t left = in_.list(list, element.type); left != 0 && in_.ok(); --left) {
      const bool boolean = element.type == CompactType::kTrue || element.type == CompactType::kFalse;
      value.items_.push_back(boolean ? parse_boolean() : parse(element, depth + 1));
    }
  }

  // In a list a boolean is a byte of its own.
  ThriftValue parse_boolean() {
    std::byte byte = {};
    in_.copy(&byte, 1);
    return ThriftValue::of_number(byte == std::byte{1} ? CompactType::kTrue : CompactType::kFalse,
                                  byte == std::byte{1} ? 1 : 0);
  }

  CompactReader& in_;
};

class ThriftPrinter {
 public:
  explicit ThriftPrinter(Bytes& bytes) : sink_(bytes), out_(sink_) {}

  void print(const ThriftValue& value) {
    switch (value.type_) {
      case CompactType::kTrue:
      case CompactType::kFalse: break;  // said by the type
      case CompactType::kByte: out_.byte(static_cast<std::uint8_t>(value.number_)); break;
      case CompactType::kI16:
      case CompactType::kI32:
      case CompactType::kI64: print_number(value.number_); break;
      case CompactType::kBinary: out_.varint(value.bytes_.size()); [[fallthrough]];
      case CompactType::kDouble: sink_.put(value.bytes_.data(), value.bytes_.size()); break;
      case CompactType::kList: print_list(value); break;
      default: print_fields(value); break;
    }
  }

 private:
  void print_number(std::int64_t number) {
    out_.varint(static_cast<std::uint64_t>(number) << 1 ^ static_cast<std::uint64_t>(number >> 63));
  }

  void print_list(const ThriftValue& value) {
    const auto size = static_cast<unsigned>(value.items_.size());
    out_.byte(thrift::list_byte(value.element_, std::min(size, 15U)));
    if (size >= 15) {
      out_.varint(size);
    }
    for (const ThriftValue& item : value.items_) {
      if (item.type_ == CompactType::kTrue || item.type_ == CompactType::kFalse) {
        out_.byte(static_cast<unsigned>(item.type_));
      } else {
        print(item);
      }
    }
  }

  void print_fields(const ThriftValue& value) {
    int last_id = 0;
    for (const auto& [id, field] : value.fields_) {
      write_field_header(out_, id, field.type_, last_id);
      print(field);
    }
    out_.byte(0);
  }

  BytesSink sink_;
  BytesWriter out_;
};

ThriftValue ThriftValue::of_number(Type type, std::int64_t number) {
  ThriftValue value(type);
  value.number_ = number;
  return value;
}

ThriftValue ThriftValue::of_bytes(Bytes bytes) {
  ThriftValue value(Type::kBinary);
  value.bytes_ = std::move(bytes);
  return value;
}

ThriftValue ThriftValue::of_text(const std::string& text) {
  const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
  return of_bytes(Bytes(begin, begin + text.size()));
}

ThriftValue ThriftValue::of_list(Type element, std::vector<ThriftValue> items) {
  ThriftValue value(Type::kList);
  value.element_ = element;
  value.items_ = std::move(items);
  return value;
}

ThriftValue ThriftValue::of_bits(std::uint32_t bits) {
  std::vector<ThriftValue> numbers;
  for (unsigned number = 0; number < 32; ++number) {
    if ((bits >> number & 1) != 0) {
      numbers.push_back(of_i32(number));
    }
  }
  return of_list(Type::kI32, std::move(numbers));
}

const ThriftValue* ThriftValue::find(int id) const {
  const auto field =
      std::find_if(fields_.begin(), fields_.end(), [id](const Field& each) { return each.first == id; });
  return field == fields_.end() ? nullptr : &field->second;
}

ThriftValue* ThriftValue::find(int id) {
  return const_cast<ThriftValue*>(static_cast<const ThriftValue*>(this)->find(id));
}

std::uint64_t ThriftValue::number_of(int id) const {
  const ThriftValue* const field = find(id);
  return field != nullptr ? static_cast<std::uint64_t>(field->number_) : 0;
}

void ThriftValue::set(int id, ThriftValue value) {
  if (ThriftValue* const field = find(id); field != nullptr) {
    *field = std::move(value);
    return;
  }
  const auto behind =
      std::find_if(fields_.begin(), fields_.end(), [id](const Field& each) { return each.first > id; });
  fields_.emplace(behind, id, std::move(value));
}

void ThriftValue::remove(int id) {
  fields_.erase(
      std::remove_if(fields_.begin(), fields_.end(), [id](const Field& each) { return each.first == id; }),
      fields_.end());
}

std::optional<ThriftValue> ThriftValue::parse_struct(ByteView bytes, std::size_t& used) {
  detail::Window window = window_on(bytes);
  CompactReader in(window);
  const ThriftValue value = ThriftParser(in).parse(FieldHeader(), 0);
  used = static_cast<std::size_t>(window.position());
  return in.ok() ? std::optional(value) : std::nullopt;
}

Bytes ThriftValue::serialise() const {
  Bytes bytes;
  ThriftPrinter(bytes).print(*this);
  return bytes;
}

}  // namespace microparquet::recovery
