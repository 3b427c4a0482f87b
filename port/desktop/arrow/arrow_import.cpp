#include "arrow_import.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

#include "microparquet/desktop/failure.h"

namespace microparquet::desktop {

namespace {

constexpr std::uint32_t kMostDigits64 = 18;
constexpr std::int32_t kMillisPerSecond = 1000;
constexpr std::int64_t kMillisPerDay = 86'400'000;

// Marks each value with 1, or with 0 if it is null; empty: the array has no bitmap.
std::vector<std::uint8_t> validity(const ArrowArray& array, std::int64_t first, std::int64_t count) {
  std::vector<std::uint8_t> valid;
  if (array.n_buffers == 0 || array.null_count == 0 || array.buffers[0] == nullptr) {
    return valid;
  }
  valid.resize(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    valid[static_cast<std::size_t>(i)] = bit_of(array.buffers[0], first + i) ? 1 : 0;
  }
  const bool whole = std::find(valid.begin(), valid.end(), 0) == valid.end();
  return whole ? std::vector<std::uint8_t>() : valid;
}

template <typename T>
const T* values_of(const ArrowArray& array, std::int64_t first) {
  return static_cast<const T*>(array.buffers[1]) + first;
}

// Takes values as they lie there, `width` bytes each.
auto same(std::uint32_t width) {
  return [width](const ArrowArray& array, std::int64_t first, std::int64_t, ImportedValues& out) {
    out.values = static_cast<const std::byte*>(array.buffers[1]) + first * width;
  };
}

// Converts each value by `convert(value)`, which sets its result unless it has none.
template <typename From, typename To, typename Convert>
auto each(Convert convert) {
  return [convert](const ArrowArray& array, std::int64_t first, std::int64_t count, ImportedValues& out) {
    out.made.resize(static_cast<std::size_t>(count) * sizeof(To));
    const From* const values = values_of<From>(array, first);
    for (std::int64_t i = 0; i < count; ++i) {
      To value = {};
      if (out.has_value(i) && !convert(values[i], value)) {
        out.wrong = "has a date or time that is too far away for a file";
      }
      std::memcpy(out.made.data() + static_cast<std::size_t>(i) * sizeof(To), &value, sizeof value);
    }
    out.values = out.made.data();
  };
}

template <typename From>
auto widened() {
  return each<From, std::int32_t>([](From value, std::int32_t& out) {
    out = static_cast<std::int32_t>(value);
    return true;
  });
}

// Seconds as milliseconds.
template <typename T>
auto in_milliseconds() {
  return each<T, T>([](T seconds, T& out) {
    constexpr T kMost = std::numeric_limits<T>::max() / kMillisPerSecond;
    if (seconds > kMost || seconds < -kMost) {
      return false;
    }
    out = seconds * kMillisPerSecond;
    return true;
  });
}

// Milliseconds as days.
bool to_days(std::int64_t milliseconds, std::int32_t& out) {
  const std::int64_t days = milliseconds / kMillisPerDay - (milliseconds % kMillisPerDay < 0 ? 1 : 0);
  out = static_cast<std::int32_t>(days);
  return out == days;
}

void import_bits(const ArrowArray& array, std::int64_t first, std::int64_t count, ImportedValues& out) {
  out.made.resize(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    out.made[static_cast<std::size_t>(i)] = std::byte{bit_of(array.buffers[1], first + i)};
  }
  out.values = out.made.data();
}

// Whether texts end where the next ones begin, those of nulls, too, and none after the array's last one, where its bytes end.
template <typename Offset>
bool texts_follow(const ArrowArray& array, std::int64_t first, std::int64_t count) {
  const Offset* const offsets = values_of<Offset>(array, 0);
  for (std::int64_t i = first; i < first + count; ++i) {
    if (offsets[i + 1] < offsets[i]) {
      return false;
    }
  }
  return offsets[first] >= 0 && offsets[first + count] <= offsets[array.offset + array.length];
}

template <typename Offset>
void import_texts(const ArrowArray& array, std::int64_t first, std::int64_t count, ImportedValues& out) {
  out.texts.assign(static_cast<std::size_t>(count), std::string_view());
  out.values = out.texts.data();
  const Offset* const offsets = values_of<Offset>(array, first);
  const bool bytes = array.buffers[2] != nullptr || offsets[count] == offsets[0];
  if (!bytes || !texts_follow<Offset>(array, first, count)) {
    out.wrong = "has texts that do not follow each other";
    return;
  }
  const auto* const begin = static_cast<const char*>(array.buffers[2]);
  for (std::int64_t i = 0; i < count && begin != nullptr; ++i) {
    out.texts[static_cast<std::size_t>(i)] = {begin + offsets[i],
                                              static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
  }
}

// A view of 16 bytes: a length, and up to twelve bytes or else a prefix and the text's buffer and offset.
struct View {
  std::int32_t length;
  char text[4];
  std::int32_t buffer;
  std::int32_t offset;
};
constexpr std::int32_t kMostInView = 12;
constexpr std::int64_t kFirstOfTexts =
    2;  // after the nulls and the views; the sizes of the texts' buffers are the last

// False: the view shows what is in none of the buffers.
bool show_text(const ArrowArray& array, const View& view, std::string_view& text) {
  if (view.length >= 0 && view.length <= kMostInView) {
    text = {reinterpret_cast<const char*>(&view) + sizeof view.length, static_cast<std::size_t>(view.length)};
    return true;
  }
  const std::int64_t last = array.n_buffers - 1;
  const std::int64_t buffer = kFirstOfTexts + std::int64_t{view.buffer};
  const auto* const sizes = static_cast<const std::int64_t*>(array.buffers[last]);
  if (view.length < 0 || view.buffer < 0 || view.offset < 0 || buffer >= last || sizes == nullptr ||
      array.buffers[buffer] == nullptr) {
    return false;
  }
  if (std::int64_t{view.offset} + view.length > sizes[view.buffer]) {
    return false;
  }
  text = {static_cast<const char*>(array.buffers[buffer]) + view.offset,
          static_cast<std::size_t>(view.length)};
  return true;
}

// Does not look at the places of nulls, which may hold anything.
void import_views(const ArrowArray& array, std::int64_t first, std::int64_t count, ImportedValues& out) {
  out.texts.assign(static_cast<std::size_t>(count), std::string_view());
  out.values = out.texts.data();
  const View* const views = values_of<View>(array, first);
  for (std::int64_t i = 0; i < count; ++i) {
    if (out.has_value(i) && !show_text(array, views[i], out.texts[static_cast<std::size_t>(i)])) {
      out.wrong = "has a text that lies in none of its buffers";
    }
  }
}

// Whether a number of `width` bytes is that of its lowest eight.
bool fits_in_half(const std::byte* value, std::uint32_t width) {
  const std::byte sign =
      (value[sizeof(std::int64_t) - 1] & std::byte{0x80}) != std::byte{0} ? std::byte{0xFF} : std::byte{0};
  return std::all_of(value + sizeof(std::int64_t), value + width, [sign](std::byte b) { return b == sign; });
}

// Decimals of `width` bytes, of which the lowest eight hold any value of their precision.
auto low_half(std::uint32_t width) {
  return [width](const ArrowArray& array, std::int64_t first, std::int64_t count, ImportedValues& out) {
    constexpr std::size_t kBytes = sizeof(std::int64_t);
    out.made.resize(static_cast<std::size_t>(count) * kBytes);
    const auto* value = static_cast<const std::byte*>(array.buffers[1]) + first * width;
    for (std::int64_t i = 0; i < count; ++i, value += width) {
      std::memcpy(out.made.data() + static_cast<std::size_t>(i) * kBytes, value, kBytes);
      if (out.has_value(i) && !fits_in_half(value, width)) {
        out.wrong = "has a decimal of more digits than it says";
      }
    }
    out.values = out.made.data();
  };
}

// Decimals of `width` bytes, the highest one first.
auto reversed(std::uint32_t width) {
  return [width](const ArrowArray& array, std::int64_t first, std::int64_t count, ImportedValues& out) {
    out.made.resize(static_cast<std::size_t>(count) * width);
    const auto* value = static_cast<const std::byte*>(array.buffers[1]) + first * width;
    for (std::int64_t i = 0; i < count; ++i, value += width) {
      std::reverse_copy(value, value + width, out.made.data() + static_cast<std::size_t>(i) * width);
    }
    out.values = out.made.data();
  };
}

// Numbers with commas between them, up to three; those that are not there stay as they are.
bool parse_numbers(std::string_view text, std::uint32_t (&numbers)[3]) {
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::uint32_t& number : numbers) {
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) {
      return false;
    }
    if (next == end) {
      return true;
    }
    at = next + 1;
  }
  return false;
}

// The value of a dictionary's index.
std::size_t index_at(const ArrowArray& array, char format, std::int64_t i) {
  switch (format) {
    case 'c': return static_cast<std::size_t>(*values_of<std::int8_t>(array, i));
    case 'C': return *values_of<std::uint8_t>(array, i);
    case 's': return static_cast<std::size_t>(*values_of<std::int16_t>(array, i));
    case 'S': return *values_of<std::uint16_t>(array, i);
    case 'i': return static_cast<std::size_t>(*values_of<std::int32_t>(array, i));
    case 'I': return *values_of<std::uint32_t>(array, i);
    case 'l': return static_cast<std::size_t>(*values_of<std::int64_t>(array, i));
    default: return static_cast<std::size_t>(*values_of<std::uint64_t>(array, i));
  }
}

}  // namespace

ArrowColumn::ArrowColumn(const ArrowSchema& schema, const std::string& name) : name_(name) {
  if (schema.dictionary != nullptr) {
    dictionary_ = std::make_unique<ArrowColumn>(*schema.dictionary, name);
    field_ = dictionary_->field();
    width_ = dictionary_->width_;
    const std::string_view indices = schema.format;
    if (indices.size() != 1 || std::string_view("cCsSiIlL").find(indices[0]) == std::string_view::npos) {
      refuse(indices);
    }
    const char index = indices[0];
    convert_ = [index](const ArrowArray& array, std::int64_t first, std::int64_t count, ImportedValues& out) {
      out.made.resize(static_cast<std::size_t>(count) * sizeof(std::size_t));
      for (std::int64_t i = 0; i < count; ++i) {
        const std::size_t number = out.has_value(i) ? index_at(array, index, first + i) : 0;
        std::memcpy(out.made.data() + static_cast<std::size_t>(i) * sizeof number, &number, sizeof number);
      }
    };
  } else {
    set_type(schema.format);
  }
  field_.name = name_;
  if ((schema.flags & ARROW_FLAG_NULLABLE) != 0) {
    field_ = field_.as_optional();
  }
}

void ArrowColumn::refuse(std::string_view format) const {
  throw Failure("column " + name_ + " is of a type that is not written, in Arrow's words \"" +
                std::string(format) + "\"; cast it, or leave it out");
}

bool ArrowColumn::take(const Field& field, Convert convert) {
  field_ = field;
  convert_ = std::move(convert);
  return true;
}

bool ArrowColumn::set_number_type(std::string_view format) {
  const std::string_view none;
  if (format == "b") {
    return take(boolean_field(none), &import_bits);
  }
  if (format == "c") {
    return take(integer_field(none, 8, true), widened<std::int8_t>());
  }
  if (format == "C") {
    return take(integer_field(none, 8, false), widened<std::uint8_t>());
  }
  if (format == "s") {
    return take(integer_field(none, 16, true), widened<std::int16_t>());
  }
  if (format == "S") {
    return take(integer_field(none, 16, false), widened<std::uint16_t>());
  }
  if (format == "i") {
    return take(int32_field(none), same(4));
  }
  if (format == "I") {
    return take(integer_field(none, 32, false), same(4));
  }
  if (format == "l") {
    return take(int64_field(none), same(8));
  }
  if (format == "L") {
    return take(integer_field(none, 64, false), same(8));
  }
  if (format == "e") {
    return take(float16_field(none), same(2));
  }
  if (format == "f") {
    return take(float_field(none), same(4));
  }
  if (format == "g") {
    return take(double_field(none), same(8));
  }
  return false;
}

bool ArrowColumn::set_text_type(std::string_view format) {
  const std::string_view none;
  buffers_ = {3, false};
  if (format == "u") {
    return take(string_field(none), &import_texts<std::int32_t>);
  }
  if (format == "U") {
    return take(string_field(none), &import_texts<std::int64_t>);
  }
  if (format == "z") {
    return take(byte_array_field(none), &import_texts<std::int32_t>);
  }
  if (format == "Z") {
    return take(byte_array_field(none), &import_texts<std::int64_t>);
  }
  buffers_.more = true;
  if (format == "vu") {
    return take(string_field(none), &import_views);
  }
  if (format == "vz") {
    return take(byte_array_field(none), &import_views);
  }
  buffers_ = {};
  return false;
}

bool ArrowColumn::set_time_type(std::string_view format) {
  const std::string_view none;
  if (format == "tdD") {
    return take(date_field(none), same(4));
  }
  if (format == "tdm") {
    return take(date_field(none), each<std::int64_t, std::int32_t>(&to_days));
  }
  if (format == "tts") {
    return take(time_field(none, TimeUnit::kMillis, false), in_milliseconds<std::int32_t>());
  }
  if (format == "ttm") {
    return take(time_field(none, TimeUnit::kMillis, false), same(4));
  }
  if (format == "ttu") {
    return take(time_field(none, TimeUnit::kMicros, false), same(8));
  }
  if (format == "ttn") {
    return take(time_field(none, TimeUnit::kNanos, false), same(8));
  }
  if (format.substr(0, 2) == "tD") {
    return take(int64_field(none), same(8));
  }
  return false;
}

// The types whose name is a letter or two, and have no parameters.
bool ArrowColumn::set_fixed_type(std::string_view format) {
  return set_number_type(format) || set_text_type(format) || set_time_type(format);
}

void ArrowColumn::set_type(std::string_view format) {
  if (set_fixed_type(format)) {
    // all is said
  } else if (format.substr(0, 2) == "d:") {
    set_decimal(format.substr(2));
  } else if (format.substr(0, 2) == "ts" && format.size() > 3) {
    set_timestamp(format.substr(2));
  } else if (std::uint32_t numbers[3] = {};
             format.substr(0, 2) == "w:" && parse_numbers(format.substr(2), numbers) && numbers[0] != 0) {
    field_ = fixed_field({}, numbers[0]);
    convert_ = same(numbers[0]);
  } else {
    refuse(format);
  }
  width_ = field_.type == Type::kByteArray ? sizeof(std::string_view)
                                           : value_bytes(field_.type, field_.type_length);
}

// "precision,scale" or "precision,scale,bits".
void ArrowColumn::set_decimal(std::string_view parameters) {
  std::uint32_t numbers[3] = {0, 0, 128};
  const bool parsed = parse_numbers(parameters, numbers);
  const auto [precision, scale, bits] = numbers;
  constexpr std::uint32_t kMostBits = 256;
  if (!parsed || scale > precision || precision > std::numeric_limits<std::uint8_t>::max() ||
      bits > kMostBits) {
    refuse(parameters);
  }
  const auto digits = static_cast<std::uint8_t>(precision);
  const auto after_point = static_cast<std::uint8_t>(scale);
  if (bits == 32) {
    field_ = decimal32_field({}, digits, after_point);
    convert_ = same(4);
  } else if (bits == 64) {
    field_ = decimal64_field({}, digits, after_point);
    convert_ = same(8);
  } else if (precision <= kMostDigits64) {
    field_ = decimal64_field({}, digits, after_point);
    convert_ = low_half(bits / 8);
  } else {
    field_ = decimal_fixed_field({}, bits / 8, digits, after_point);
    convert_ = reversed(bits / 8);
  }
}

// "u:Europe/Berlin": a zone says that the values count from 1970 in UTC; its name is not kept.
void ArrowColumn::set_timestamp(std::string_view parameters) {
  const bool utc = parameters.size() > 2;
  switch (parameters[0]) {
    case 's':
      field_ = timestamp_field({}, TimeUnit::kMillis, utc);
      convert_ = in_milliseconds<std::int64_t>();
      return;
    case 'm': field_ = timestamp_field({}, TimeUnit::kMillis, utc); break;
    case 'u': field_ = timestamp_field({}, TimeUnit::kMicros, utc); break;
    case 'n': field_ = timestamp_field({}, TimeUnit::kNanos, utc); break;
    default: refuse(parameters);
  }
  convert_ = same(8);
}

void ArrowColumn::mark_values(const ArrowArray& array, std::int64_t begin, std::int64_t count,
                              const std::uint8_t* visible) {
  std::vector<std::uint8_t>& valid = imported_.valid;
  valid = validity(array, begin, count);
  bool nulls = !valid.empty();
  if (visible != nullptr) {
    nulls = false;
    valid.resize(static_cast<std::size_t>(count), 1);
    for (std::size_t i = 0; i < valid.size(); ++i) {
      nulls = nulls || visible[i] > valid[i];
      valid[i] &= visible[i];
    }
  }
  if (nulls && field_.repetition == Repetition::kRequired) {
    throw Failure("column " + name_ + " has nulls, though its schema says that it has none");
  }
}

ColumnData ArrowColumn::import(const ArrowArray& array, std::int64_t first, std::int64_t count,
                               const std::uint8_t* visible) {
  check(array, first + count);
  const std::int64_t begin = array.offset + first;
  imported_.wrong = nullptr;
  mark_values(array, begin, count, visible);
  if (count != 0) {
    convert_(array, begin, count, imported_);
  }
  if (imported_.wrong != nullptr) {
    throw Failure("column " + name_ + " of the stream " + imported_.wrong);
  }
  if (dictionary_ != nullptr) {
    if (array.dictionary == nullptr) {
      throw Failure("column " + name_ +
                    " of the stream has no dictionary, which its schema says that it has");
    }
    import_dictionary(array, count);
  }
  return {imported_.values, imported_.valid.empty() ? nullptr : imported_.valid.data()};
}

// Replaces the indices in `made` by the dictionary's values.
void ArrowColumn::import_dictionary(const ArrowArray& array, std::int64_t count) {
  const auto entries = static_cast<std::size_t>(array.dictionary->length);
  const ColumnData dictionary = dictionary_->import(*array.dictionary, 0, array.dictionary->length);
  const std::vector<std::byte> indices = std::move(imported_.made);
  imported_.made.assign(static_cast<std::size_t>(count) * width_, std::byte{0});
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    std::size_t index = 0;
    std::memcpy(&index, indices.data() + i * sizeof index, sizeof index);
    if (!imported_.has_value(static_cast<std::int64_t>(i))) {
      continue;
    }
    if (index >= entries) {
      throw Failure("column " + name_ + " has an index beyond its dictionary");
    }
    if (dictionary.valid != nullptr && dictionary.valid[index] == 0) {
      imported_.valid.resize(static_cast<std::size_t>(count), 1);
      imported_.valid[i] = 0;
      continue;
    }
    std::memcpy(imported_.made.data() + i * width_,
                static_cast<const std::byte*>(dictionary.values) + index * width_, width_);
  }
  imported_.values = imported_.made.data();
}

}  // namespace microparquet::desktop
