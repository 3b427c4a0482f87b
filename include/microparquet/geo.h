// Points of a map, by GeoParquet 1.1: GeoPandas and DuckDB open such a file as geometry.
//
//   struct Fix { std::int64_t time_us; mpq::Bytes<mpq::kWkbPointBytes> position; };
//   inline constexpr auto kFixes = mpq::schema(mpq::timestamp_us_column("time", &Fix::time_us),
//                                              mpq::column("position", &Fix::position));
//   inline constexpr auto kGeo = mpq::geo_points("position", mpq::GeoEncoding::kWkb);
//   static mpq::StaticWriter<kFixes> log;
//   ...
//   status = log.open(file);
//   if (status == mpq::Status::kOk) status = log.set_key_value(mpq::kGeoKey, kGeo.text());
//   Fix fix = {};
//   fix.position = mpq::wkb_point(8.54, 47.37);  // the longitude, then the latitude
//
// Or a point is a struct: { double x, y; } in a group() "position", with kPoint. It takes 16 bytes instead of 25, has
// least and largest values that let a reader pass over what lies elsewhere, and can be split and compressed. A fix that
// may be missing is a std::optional in either form.
//
// x is the longitude and y the latitude, in degrees, on WGS 84 (OGC:CRS84). The logical type GEOMETRY is not written:
// readers that do not know it refuse the whole file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "microparquet/typed.h"

namespace microparquet {

// Key of the key-value that says which column has points.
inline constexpr std::string_view kGeoKey = "geo";

// Forms of a point in a column.
enum class GeoEncoding : std::uint8_t {
  kWkb,    // Bytes of wkb_point()
  kPoint,  // a struct of two doubles, x and y
};

// Length of a point as well-known binary.
inline constexpr std::size_t kWkbPointBytes = 21;

// Returns the point as well-known binary of OGC 06-103r4: little-endian, type 1, x, y.
inline Bytes<kWkbPointBytes> wkb_point(double x, double y) {
  char bytes[kWkbPointBytes] = {1, 1};
  char* at = bytes + 1 + sizeof(std::uint32_t);
  for (const double number : {x, y}) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    for (unsigned i = 0; i < sizeof bits; ++i, bits >>= 8) *at++ = static_cast<char>(bits & 0xFF);
  }
  return std::string_view(bytes, sizeof bytes);
}

namespace detail {
// Never defined, and not constexpr: a compiler that stops here has found a name that JSON would have to escape.
void name_of_geo_column_needs_escapes();
}  // namespace detail

// Value of the key-value of kGeoKey, for a column whose name has up to kNameBytes bytes.
template <std::size_t kNameBytes>
class GeoText {
 public:
  // Makes the value: see geo_points().
  constexpr GeoText(std::string_view column, GeoEncoding encoding) {
    add("{\"version\":\"1.1.0\",\"primary_column\":\"");
    add(column);
    add("\",\"columns\":{\"");
    add(column);
    add(encoding == GeoEncoding::kWkb ? "\":{\"encoding\":\"WKB\"" : "\":{\"encoding\":\"point\"");
    add(",\"geometry_types\":[\"Point\"]}}}");
    for (const char letter : column) {
      if (letter == '"' || letter == '\\' || static_cast<unsigned char>(letter) < 0x20)
        detail::name_of_geo_column_needs_escapes();
    }
  }

  // Returns the JSON, which lies in this object.
  constexpr std::string_view text() const { return {letters_, size_}; }

 private:
  static constexpr std::size_t kBeside = 120;  // more than all that is no name

  constexpr void add(std::string_view part) {
    for (const char letter : part) letters_[size_++] = letter;
  }

  char letters_[2 * kNameBytes + kBeside] = {};
  std::size_t size_ = 0;
};

// Returns the value of the key-value kGeoKey for a column of points, the file's only one. Keep it as a constexpr object,
// since set_key_value() copies nothing.
template <std::size_t kBytes>
constexpr GeoText<kBytes> geo_points(const char (&column)[kBytes], GeoEncoding encoding) {
  return {std::string_view(column, kBytes - 1), encoding};
}

}  // namespace microparquet
