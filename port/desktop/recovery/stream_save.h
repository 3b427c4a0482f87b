// Saves of a stream: what it would have written next, in one of two places (src/FORMAT.md, "Saves of a stream").
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "byte_views.h"
#include "history.h"
#include "microparquet/file.h"
#include "traces.h"

namespace microparquet::recovery {

struct StreamSave {
  std::uint64_t place = 0;  // where its head begins
  std::uint64_t begin = 0;  // where its bytes belong
  Bytes bytes;
  std::uint64_t rows = 0;  // of the file, with those in the save
  SavedEntries entries;
};

// What a place for saves holds; bytes that are none of these are left of earlier ones.
struct SavePlace {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t saved_end = 0;  // end of the save that begins here; 0: none is whole
  std::uint64_t rows = 0;       // of the file, with those in the save
  bool counts = false;          // it continues the footer
};

// The two places that the footer names; none if it is not of a stream with saves.
std::vector<SavePlace> find_save_places(File& file, const FooterTrace& footer);

// The saves that continue this footer and are whole, the newest first. One counts if the records lead to it.
std::vector<StreamSave> find_stream_saves(File& file, const FooterTrace& footer);

// As read_history(), of a file that shows the bytes of a save where they belong. None: the records do not lead to it.
std::optional<History> read_history_to_save(File& shown, const Traces& traces, const FooterTrace& trace,
                                            bool even_void, const SavedEntries& saved);

// As read_history(), of the file with what a stream has saved where it belongs, as the next boot would make it; or as it is, where
// records tell of as many rows without the save. `save` of the history is the one that counts.
std::optional<History> read_saved_history(File& file, const Traces& traces, const FooterTrace& trace,
                                          bool even_void = false);

}  // namespace microparquet::recovery
