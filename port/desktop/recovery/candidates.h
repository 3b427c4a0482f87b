// The findings on one file before it is written again, and on each file of an image.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "image_files.h"
#include "microparquet/desktop/failure.h"
#include "proof.h"
#include "thrift_dom/footer_parts.h"
#include "traces.h"
#include "view.h"

namespace microparquet::recovery {

// The findings on one file before it is written again: the footer or records that describe its rows, and
// which of the rows are there.
struct Found {
  std::vector<FooterField> fields;
  std::optional<OwnFile> own;  // contents of a footer that is added
  Proof proof;
  std::string basis;             // a sentence: what describes the rows
  std::uint64_t footer_end = 0;  // end of the footer that describes the rows; 0: none
  std::uint32_t records = 0;     // records and heads that add to it
  std::string missing;           // a sentence, when there were rows that nothing describes
  bool may_be_remains = false;   // all rows may be of a file that had this place before: then this one lacks
                                 // none
};

// The rows of file `file_id`, by the last of its footers that can be believed and the records after it. None
// when there is no such footer.
std::optional<Found> find_own_rows(View& view, const Traces& traces, std::uint32_t file_id, Unproved unproved,
                                   const Progress& progress);

// The same of the file whose first footer is at the beginning; none when that is not there, or no row.
std::optional<Found> find_own_rows_of_beginning(View& view, const Traces& traces, Unproved unproved,
                                                const Progress& progress);

// Nothing tells which of several files is meant.
class SeveralFiles : public desktop::Failure {
 public:
  SeveralFiles() : desktop::Failure("it holds footers of several files") {}
};

// The rows of a file, whoever wrote it: of file `wanted`, or the one that the first footer tells, or the last one, or all of
// them. A file of another writer has them by the footer at its end or, where that is torn, or bytes follow it, by the one of
// which most rows hold. None when there is no footer. Throws SeveralFiles.
std::optional<Found> find_rows(View& view, const Traces& traces, std::optional<std::uint32_t> wanted,
                               Unproved unproved, const Progress& progress);

// The file id that the first footer tells, or the last one, or all of them; none when they do not agree.
std::optional<std::uint32_t> file_id_of(const View& view, const Traces& traces);

// The files on an image of a medium, with what is known of the rows of each.
struct ImageRows {
  ImageFile file;
  Found found;
};

// Told what is being done, and gives whom to tell how far it is.
using ProgressOf = std::function<Progress(const std::string& what)>;

struct ImageContents {
  std::list<ImageRows> files;
  std::vector<std::string> notes;  // sentences about damaged file systems
};

// The files of file id `wanted` on an image, or all. Where a file is found in several ways, the one with the most rows.
ImageContents find_image_rows(File& image, const std::optional<std::uint32_t>& wanted, Unproved unproved,
                              const ProgressOf& progress);

}  // namespace microparquet::recovery
