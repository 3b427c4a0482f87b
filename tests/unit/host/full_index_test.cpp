// Tests the parts of a page index that only desktops write.
#include "microparquet/desktop/full_index.h"

#include "microparquet/encoders.h"
#include "support/check.h"
#include "support/names.h"
#include "written_file.h"

using microparquet::Encoder;
using microparquet::Layout;
using microparquet::desktop::NotedColumn;

namespace {
constexpr int kFilterOffset = 14;  // ColumnMetaData.bloom_filter_offset
}

// A filter without its values would say that they are not there.
TEST("full index: booleans have no bloom filter, whatever memory it was given") {
  static std::byte filters[2][32];
  for (const Encoder* encoder : {&microparquet::kPlainBoolean, &microparquet::kRleBoolean}) {
    const NotedColumn flag(*encoder, filters[0]);
    const NotedColumn number(microparquet::kPlainFixed, filters[1]);
    const Field fields[] = {microparquet::boolean_field("flag").with_encoder(flag),
                            microparquet::int32_field("number").with_encoder(number)};
    for (const Layout* layout : {&microparquet::kInPlace, &microparquet::kForward}) {
      const auto index =
          microparquet::desktop::with_full_index(microparquet::with_page_index(*layout, 4096), fields);
      Options options = written::in_place(512);
      options.layout = &index;
      written::File file(fields, options);
      REQUIRE_EQ(file.opened(), Status::kOk);
      for (std::int32_t row = 0; row < 100; ++row) {
        const Value values[] = {Value::of(row % 3 == 0), Value::of(row)};
        REQUIRE_EQ(file.writer.append(values), Status::kOk);
      }
      REQUIRE_EQ(file.writer.close(), Status::kOk);
      CHECK(!file.view().column(0, 0).has(kFilterOffset));
      CHECK(file.view().column(0, 1).has(kFilterOffset));
    }
  }
}
