// What recovery finds in a single file before it writes anything, and how it tells people of that: line by line, a word for
// each, and a sentence.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "candidates.h"
#include "result.h"
#include "traces.h"
#include "view.h"

namespace microparquet::recovery {

// Why a single file cannot be written again as it is.
enum class Obstacle : std::uint8_t {
  kNone,
  kNoFooter,      // none that can be believed
  kOtherFiles,    // its rows lie in other files, which it describes
  kLaterVersion,  // a later version has written it, which finds all of its rows; `found` has those known here
};

struct FileFindings {
  Obstacle obstacle = Obstacle::kNone;
  std::optional<Found> found;
};

// The rows of the file `view`, as find_rows() has them. Throws SeveralFiles.
FileFindings find_in_file(View& view, const Traces& traces, std::optional<std::uint32_t> wanted,
                          Unproved unproved, const Progress& progress);

// Whether the file begins as one of Parquet; else it may be an image of a medium.
bool begins_as_parquet(File& file);

// The last footer is whole, and all that it describes is there as it says.
bool is_sound(const View& view, const Found& found);

// Whether there is something to be written into a new file: rows, or a whole file that never had any.
bool is_worth_writing(const View& view, const Found& found, const Result& result);

using Tell = std::function<void(const std::string& what, const std::string& text)>;

// What describes the rows, which of them are lost, and why.
void tell_found(const Found& found, const Tell& tell);
// What is kept of them.
void tell_kept(const Result& result, const Tell& tell);
// That --unchecked would keep more, where it would.
void tell_of_unproved(const Found& found, const Tell& tell);

enum class Outcome : std::uint8_t {
  kAllThere = 0,
  kSomeLost = 1,
  kNothing = 2,
  kUnsure = 3,  // some may be wrong
};

// Tells, as the last line, of rows that nothing proves.
Outcome tell_outcome(const Found& found, const Result& result, const Tell& tell);

// "0a1b2c3d".
std::string file_id_text(std::uint32_t id);
// The ids of all files that have footers among the traces: ": 0a1b2c3d, 00000002".
std::string file_ids_text(const Traces& traces);
// The title of a file on an image.
std::string image_file_text(const ImageFile& file);

}  // namespace microparquet::recovery
