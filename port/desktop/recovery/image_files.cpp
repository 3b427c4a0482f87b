#include "image_files.h"

#include <algorithm>

#include "candidates.h"
#include "fat_volume.h"
#include "history.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/detail/sectors.h"

namespace microparquet::recovery {

namespace {

using format::kMagicBytes;

// The traces of a medium from `begin` on, as those of a file that begins there.
Traces moved(const Traces& traces, std::uint64_t begin) {
  Traces result;
  for (FooterTrace trace : traces.footers) {
    if (trace.begin >= begin) {
      trace.begin -= begin;
      trace.end -= begin;
      result.footers.push_back(trace);
    }
  }
  for (SlotTrace slot : traces.slots) {
    if (slot.end >= begin) {
      slot.end -= begin;
      result.slots.push_back(slot);
    }
  }
  return result;
}

// What of [begin, end) no file has.
std::vector<Piece> free_pieces(const Volume& volume, std::uint64_t begin) {
  std::vector<Piece> used;
  for (const VolumeFile& file : volume.files) {
    used.insert(used.end(), file.pieces.begin(), file.pieces.end());
  }
  std::sort(used.begin(), used.end(), [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
  std::vector<Piece> pieces;
  for (const Piece& piece : used) {
    if (piece.begin > begin) {
      pieces.push_back({begin, piece.begin - begin});
    }
    begin = std::max(begin, piece.begin + piece.bytes);
  }
  if (begin < volume.end) {
    pieces.push_back({begin, volume.end - begin});
  }
  return pieces;
}

class Finder {
 public:
  Finder(File& image, const Progress& progress)
      : image_(image), volumes_(find_volumes(image)), traces_(find_traces(image, progress)) {}

  std::vector<ImageFile> run() {
    for (const Volume& volume : volumes_) {
      for (const VolumeFile& file : volume.files) {
        add_named(file);
      }
    }
    for (const FooterTrace& trace : traces_.footers) {
      if (trace.extension.rows == 0 && trace.begin % detail::kSectorBytes == kMagicBytes &&
          !contains(named_, trace.begin)) {
        add_unnamed(trace);
      }
    }
    for (const std::uint32_t id : file_ids(traces_)) {
      const bool known = std::any_of(files_.begin(), files_.end(),
                                     [id](const ImageFile& file) { return file.file_id == id; });
      if (!known && volumes_.empty()) {  // a file whose beginning is destroyed
        add(id, "", {{0, bytes_of(image_)}});
      }
    }
    return std::move(files_);
  }

 private:
  void add_named(const VolumeFile& file) {
    if (!has_trace(file.pieces)) {
      return;
    }
    View view(image_, file.pieces);
    Traces traces = find_traces(view, {});
    if (const auto id = file_id_of(view, traces)) {
      for (const Piece& piece : file.pieces) {
        named_.push_back(piece);
      }
      files_.push_back({file.name, *id, view, std::move(traces)});
    }
  }

  static bool contains(const std::vector<Piece>& pieces, std::uint64_t place) {
    return std::any_of(pieces.begin(), pieces.end(), [place](const Piece& piece) {
      return place >= piece.begin && place - piece.begin < piece.bytes;
    });
  }

  // Other files need not be read.
  bool has_trace(const std::vector<Piece>& pieces) const {
    return std::any_of(traces_.footers.begin(), traces_.footers.end(),
                       [&](const FooterTrace& trace) { return contains(pieces, trace.begin); }) ||
           std::any_of(traces_.slots.begin(), traces_.slots.end(),
                       [&](const SlotTrace& slot) { return contains(pieces, slot.end - 1); });
  }

  void add_unnamed(const FooterTrace& trace) {
    const std::uint64_t begin = trace.begin - kMagicBytes;
    const std::uint32_t id = trace.extension.file_id;
    files_.push_back({"", id, View(image_, {{begin, bytes_of(image_) - begin}}), moved(traces_, begin)});
    for (const Volume& volume : volumes_) {
      if (begin >= volume.begin && begin < volume.end) {
        add(id, "", free_pieces(volume, begin));
      }
    }
  }

  void add(std::uint32_t id, const std::string& name, const std::vector<Piece>& pieces) {
    View view(image_, pieces);
    Traces traces = find_traces(view, {});
    files_.push_back({name, id, view, std::move(traces)});
  }

  File& image_;
  std::vector<Volume> volumes_;
  Traces traces_;  // of the whole medium
  std::vector<Piece> named_;
  std::vector<ImageFile> files_;
};

}  // namespace

std::vector<ImageFile> find_image_files(File& image, const Progress& progress) {
  return Finder(image, progress).run();
}

}  // namespace microparquet::recovery
