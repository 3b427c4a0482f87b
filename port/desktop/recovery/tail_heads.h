// Heads of tails: what the writer says of the open row group in one of its places (src/FORMAT.md, "Tails").
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "byte_views.h"
#include "microparquet/file.h"
#include "open_file.h"
#include "thrift_dom/footer_parts.h"
#include "view.h"

namespace microparquet::recovery {

constexpr std::uint32_t kTailTag = 0x5471706D;  // "mpqT"
constexpr std::uint32_t kTailPlaces = 3;        // of a row group

// A column in a head. All its pages but the open one follow each other in its extent.
struct TailColumn {
  Piece stored;  // its stored pages
  std::uint64_t extent_end = 0;
  std::uint32_t first_row = 0;  // first row of the open page
  std::uint32_t nulls = 0;      // nulls in the stored pages
  Piece open;                   // its open page in this place; no bytes: it has no rows
};

// A head whose checksum is right.
struct TailHead {
  Piece place;   // place in the file, of which `bytes` are written
  Piece head;    // whole sectors
  Piece places;  // all places of the row group
  std::uint32_t file_id = 0;
  std::uint32_t sequence = 0;
  std::uint32_t number = 0;
  std::uint32_t live_place = 0;
  std::uint32_t continues = 0;
  std::uint32_t finished_crc = 0;
  std::uint32_t listed_bytes = 0;
  std::uint32_t listed_crc = 0;
  std::uint32_t rows = 0;
  std::uint32_t described_rows = 0;
  std::uint32_t tail_rows = 0;
  bool save = false;
  bool pages_hold = false;  // the checksum of the open pages is right
  std::vector<TailColumn> columns;
};

// The leaves of a file with these footer fields; empty: they make no footer that can be read.
std::vector<Leaf> leaves_of(const std::vector<FooterField>& fields);

// The heads in the places of the row group whose slots end at `begin`, in the order of the places. Nothing of theirs
// lies from `limit` on.
std::vector<TailHead> heads_at(File& file, std::uint64_t begin, std::uint64_t limit,
                               const std::vector<Leaf>& leaves);

// The head at `at`, wherever its places begin; none: it is not whole, or has another form.
std::optional<TailHead> head_at(File& file, std::uint64_t at, const std::vector<Leaf>& leaves);

}  // namespace microparquet::recovery
