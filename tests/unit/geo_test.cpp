// Points of maps as bytes, and the key-value that names their column.
#include "microparquet/geo.h"

#include <cstring>

#include "support/check.h"

using microparquet::GeoEncoding;

namespace {

inline constexpr auto kWkbText = microparquet::geo_points("position", GeoEncoding::kWkb);
inline constexpr auto kPointText = microparquet::geo_points("p", GeoEncoding::kPoint);

}  // namespace

TEST("geo: a point is 21 bytes of well-known binary") {
  const auto point = microparquet::wkb_point(1.5, -2);
  const std::string_view bytes = point;
  constexpr char kExpected[] = "\x01\x01\0\0\0\0\0\0\0\0\0\xF8\x3F\0\0\0\0\0\0\0\xC0";
  REQUIRE_EQ(bytes.size(), 21U);
  CHECK(std::memcmp(bytes.data(), kExpected, 21) == 0);
}

TEST("geo: the key-value says which column has points, and how") {
  CHECK(kWkbText.text() ==
        "{\"version\":\"1.1.0\",\"primary_column\":\"position\",\"columns\":{\"position\":{\"encoding\":"
        "\"WKB\","
        "\"geometry_types\":[\"Point\"]}}}");
  CHECK(kPointText.text() ==
        "{\"version\":\"1.1.0\",\"primary_column\":\"p\",\"columns\":{\"p\":{\"encoding\":\"point\","
        "\"geometry_types\":[\"Point\"]}}}");
}

TEST("geo: texts take literals, and bytes are no text") {
  struct Row {
    microparquet::Text<6> name;
    microparquet::Bytes<4> bytes;
  };
  Row row{"attic", {}};
  CHECK(std::string_view(row.name) == "attic");
  row.name = "kitchen";
  CHECK(std::string_view(row.name) == "kitche");
  constexpr auto kSchema = microparquet::schema(microparquet::column("name", &Row::name),
                                                microparquet::column("bytes", &Row::bytes));
  CHECK(kSchema.fields[0].logical.kind == microparquet::LogicalKind::kString);
  CHECK(kSchema.fields[1].logical.kind == microparquet::LogicalKind::kNone);
  CHECK(kSchema.fields[1].type == microparquet::Type::kByteArray);
}
