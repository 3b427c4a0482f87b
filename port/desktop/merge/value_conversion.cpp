#include "value_conversion.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "calendar.h"
#include "microparquet/schema.h"
#include "read_failure.h"
#include "type_text.h"
#include "value_text.h"

namespace mpq_tool {

namespace {

namespace mpq = microparquet;
using mpq::Cell;
using mpq::ColumnData;
using mpq::LogicalKind;
using mpq::SchemaElement;
using mpq::TimeUnit;
using mpq::Type;

bool has_value(const ColumnData& data, std::size_t row) {
  return data.valid == nullptr || data.valid[row] != 0;
}

// Cells of rows, whatever their type.
class Cells {
 public:
  Cells(const SchemaElement& element, const ColumnData& data)
      : data_(data), width_(mpq::value_bytes(element.type, element.type_length)) {}

  // Requires: the row has a value.
  Cell at(std::size_t row) const {
    if (width_ == 0) {
      const std::string_view text = static_cast<const std::string_view*>(data_.values)[row];
      static constexpr std::byte kNothing{};
      const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
      return {bytes != nullptr ? bytes : &kNothing, static_cast<std::uint32_t>(text.size())};
    }
    return {static_cast<const std::byte*>(data_.values) + row * width_, width_};
  }

 private:
  const ColumnData& data_;
  std::uint32_t width_;
};

// Makes a To of each From that is no null.
template <typename From, typename To, typename Make>
Conversion each_value(const Make& make) {
  return [make, made = std::make_shared<std::vector<To>>()](const ColumnData& data, std::size_t rows) {
    made->resize(rows);
    const From* const from = static_cast<const From*>(data.values);
    for (std::size_t i = 0; i < rows; ++i) {
      (*made)[i] = has_value(data, i) ? make(from[i]) : To();
    }
    return ColumnData{made->data(), data.valid};
  };
}

// The same of cells.
template <typename To, typename Make>
Conversion each_cell(const SchemaElement& element, const Make& make) {
  return
      [element, make, made = std::make_shared<std::vector<To>>()](const ColumnData& data, std::size_t rows) {
        made->resize(rows);
        const Cells cells(element, data);
        for (std::size_t i = 0; i < rows; ++i) {
          (*made)[i] = has_value(data, i) ? make(cells.at(i)) : To();
        }
        return ColumnData{made->data(), data.valid};
      };
}

// Makes bytes of each cell by `add(cell, bytes)`.
template <typename Add>
Conversion each_text(const SchemaElement& element, const Add& add) {
  struct Texts {
    std::string characters;
    std::vector<std::size_t> ends;
    std::vector<std::string_view> views;
  };
  return [element, add, texts = std::make_shared<Texts>()](const ColumnData& data, std::size_t rows) {
    texts->characters.clear();
    texts->ends.assign(rows, 0);
    const Cells cells(element, data);
    for (std::size_t i = 0; i < rows; ++i) {
      if (has_value(data, i)) {
        add(cells.at(i), texts->characters);
      }
      texts->ends[i] = texts->characters.size();
    }
    texts->views.resize(rows);
    std::size_t begin = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      texts->views[i] = std::string_view(texts->characters).substr(begin, texts->ends[i] - begin);
      begin = texts->ends[i];
    }
    return ColumnData{texts->views.data(), data.valid};
  };
}

[[noreturn]] void refuse(const SchemaElement& from, const Cell& cell, const SchemaElement& to,
                         const std::string& where) {
  throw WrongRequest(where + ": " + value_text(from, {cell.data, cell.bytes}) + " is no " + type_text(to) +
                     " without a loss, as which other files have the column; merge files of each type apart");
}

bool is_unsigned(const SchemaElement& element) {
  return element.logical.kind == LogicalKind::kInteger && !element.logical.is_signed;
}

// A double that is the very number.
template <typename From>
Conversion to_double(const SchemaElement& from, const SchemaElement& to, const std::string& where) {
  return each_value<From, double>([from, to, where](From number) {
    const double result = static_cast<double>(number);
    constexpr double kEnd = 9223372036854775808.0;  // and twice that for those without sign
    const bool fits = result < (std::is_signed_v<From> ? kEnd : 2 * kEnd);
    if (!fits || static_cast<From>(result) != number) {
      refuse(from, {reinterpret_cast<const std::byte*>(&number), sizeof number}, to, where);
    }
    return result;
  });
}

// The double nearest to a number that is written in digits.
Conversion text_to_double(const SchemaElement& from) {
  return each_cell<double>(from, [from](const Cell& cell) {
    const std::string text = value_text(from, {cell.data, cell.bytes});
    double number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  });
}

Conversion number_to_double(const SchemaElement& from, const SchemaElement& to, const std::string& where) {
  if (from.logical.kind == LogicalKind::kDecimal || from.type == Type::kFixedLenByteArray) {
    return text_to_double(from);
  }
  switch (from.type) {
    case Type::kFloat: return each_value<float, double>([](float number) { return double{number}; });
    case Type::kInt32:
      return is_unsigned(from) ? to_double<std::uint32_t>(from, to, where)
                               : to_double<std::int32_t>(from, to, where);
    default:
      return is_unsigned(from) ? to_double<std::uint64_t>(from, to, where)
                               : to_double<std::int64_t>(from, to, where);
  }
}

std::int64_t units_of_second(TimeUnit unit) {
  constexpr std::int64_t kThousand = 1000;
  return unit == TimeUnit::kMillis   ? kThousand
         : unit == TimeUnit::kMicros ? kThousand * kThousand
                                     : kNanosOfSecond;
}

Conversion scaled_times(const SchemaElement& from, const SchemaElement& to, const std::string& where) {
  const std::int64_t factor = units_of_second(to.logical.unit) / units_of_second(from.logical.unit);
  if (from.type == Type::kInt32) {  // of a day, which has no more than fits
    return each_value<std::int32_t, std::int64_t>([factor](std::int32_t time) { return time * factor; });
  }
  return each_value<std::int64_t, std::int64_t>([=](std::int64_t time) {
    std::int64_t scaled = 0;
    if (__builtin_mul_overflow(time, factor, &scaled)) {
      refuse(from, {reinterpret_cast<const std::byte*>(&time), sizeof time}, to, where);
    }
    return scaled;
  });
}

// The bytes of a decimal, the highest first.
void add_decimal(const SchemaElement& from, const Cell& cell, std::string& bytes) {
  if (from.type == Type::kInt32 || from.type == Type::kInt64) {
    for (std::uint32_t i = cell.bytes; i-- != 0;) {
      bytes += static_cast<char>(cell.data[i]);
    }
  } else {
    bytes += cell.text();
  }
}

bool is_text_kind(LogicalKind kind) {
  return kind == LogicalKind::kString || kind == LogicalKind::kEnum || kind == LogicalKind::kJson;
}

Conversion to_bytes(const SchemaElement& from, const SchemaElement& to) {
  if (to.logical.kind == LogicalKind::kDecimal) {
    return each_text(from, [from](const Cell& cell, std::string& bytes) { add_decimal(from, cell, bytes); });
  }
  if (is_text_kind(to.logical.kind)) {
    return each_text(from, [from](const Cell& cell, std::string& text) {
      add_value_text(from, {cell.data, cell.bytes}, text);
    });
  }
  return each_text(from, [](const Cell& cell, std::string& bytes) { bytes += cell.text(); });
}

Conversion to_int64(const SchemaElement& from) {
  return is_unsigned(from) ? each_value<std::uint32_t, std::int64_t>(
                                 [](std::uint32_t number) { return std::int64_t{number}; })
                           : each_value<std::int32_t, std::int64_t>(
                                 [](std::int32_t number) { return std::int64_t{number}; });
}

}  // namespace

Conversion converted_type(const SchemaElement& from, const SchemaElement& to, const std::string& where) {
  const bool is_same = from.type == to.type && from.type_length == to.type_length;
  const LogicalKind kind = to.logical.kind;
  if (from.logical.kind == LogicalKind::kNull) {
    return [zeros = std::make_shared<std::vector<std::uint64_t>>(),
            nulls = std::make_shared<std::vector<std::uint8_t>>(), to](const ColumnData&, std::size_t rows) {
      const std::size_t width = mpq::value_bytes(to.type, to.type_length);
      zeros->resize(rows * (width != 0 ? width : sizeof(std::string_view)) / sizeof(std::uint64_t) + 1);
      nulls->resize(rows);
      return ColumnData{zeros->data(), nulls->data()};
    };
  }
  if ((kind == LogicalKind::kTime || kind == LogicalKind::kTimestamp) && kind == from.logical.kind) {
    return from.logical.unit == to.logical.unit ? Conversion() : scaled_times(from, to, where);
  }
  if (to.type == Type::kByteArray) {
    const bool stays = is_same && (!is_text_kind(kind) || is_text_kind(from.logical.kind));
    return stays ? Conversion() : to_bytes(from, to);
  }
  if (is_same && from.logical.kind != LogicalKind::kDecimal) {
    return {};
  }
  if (to.type == Type::kDouble) {
    return number_to_double(from, to, where);
  }
  return is_same ? Conversion() : to_int64(from);
}

Conversion converted_unit(const Channel& channel) {
  const SchemaElement element = channel.column().element;
  return each_cell<double>(element, [channel](const Cell& cell) { return channel.physical(cell); });
}

namespace {

// Continues where a counter of 32 bits begins again at 0, as RunningClock has it.
class Unwrapped {
 public:
  explicit Unwrapped(const MergeTime& time)
      : wraps_at_(time.column.wraps_at), interval_(time.interval), passed_(time.offset) {}

  std::int64_t operator()(std::int64_t units) {
    constexpr std::int64_t kFarGap = 1'000;  // times an interval
    const std::int64_t step = units - before_;
    if (wraps_at_ != 0 && any_ && step < 0 && step + wraps_at_ >= 0 &&
        step + wraps_at_ <= kFarGap * std::max<std::int64_t>(interval_, 1)) {
      passed_ += wraps_at_;
    }
    any_ = true;
    before_ = units;
    return units + passed_;
  }

 private:
  std::int64_t wraps_at_;
  std::int64_t interval_;
  std::int64_t passed_;
  bool any_ = false;
  std::int64_t before_ = 0;
};

}  // namespace

Conversion converted_time(const MergeTime& merge_time, TimeUnit unit, const std::string& where) {
  const TimeColumn& time = merge_time.column;
  const TimeSource source = time.sources.front();
  const SchemaElement element = source.column.element;
  auto unwrapped = std::make_shared<Unwrapped>(merge_time);
  auto row = std::make_shared<std::uint64_t>(0);  // each has a time
  const std::int64_t to = units_of_second(unit);
  return each_cell<std::int64_t>(element, [=](const Cell& cell) {
    const auto counted = counted_units(cell, source);
    const std::uint64_t at = (*row)++;
    const auto instant = !counted            ? std::nullopt
                         : time.clocks.any() ? time.clocks.instant(at, *counted, time.units_per_second)
                                             : since_1970(time, (*unwrapped)(*counted));
    std::int64_t scaled = 0;
    if (to < time.units_per_second && instant) {  // floating point, which is counted in nanoseconds
      const std::int64_t divisor = time.units_per_second / to;
      return static_cast<std::int64_t>(
          std::llround(static_cast<long double>(*instant) / static_cast<long double>(divisor)));
    }
    if (!instant || __builtin_mul_overflow(*instant, to / time.units_per_second, &scaled)) {
      throw WrongRequest(where + ": " + value_text(element, {cell.data, cell.bytes}) +
                         " makes no date; --ticks keeps times as they are counted");
    }
    return scaled;
  });
}

}  // namespace mpq_tool
