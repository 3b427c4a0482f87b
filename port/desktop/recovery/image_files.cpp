#include "image_files.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "candidates.h"
#include "history.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/detail/sectors.h"
#include "volume.h"

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
      trace.tag -= begin;
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

std::string doubt_of(const VolumeFile& file) {
  const std::string place = "its entry at byte " + std::to_string(file.entry);
  std::string doubt;
  switch (file.standing) {
    case Standing::kSound: break;
    case Standing::kTorn: doubt = place + " is torn"; break;
    case Standing::kDeleted: doubt = place + " is a deleted one"; break;
  }
  if (!file.chain.fault.empty()) {
    doubt += (doubt.empty() ? "by " + place + ", " : "; ") + file.chain.fault;
  }
  return doubt;
}

class Finder {
 public:
  Finder(File& image, const Progress& progress)
      : image_(image), volumes_(find_volumes(image)), traces_(image, progress) {
    for (const FooterTrace& trace : traces_.all().footers) {
      places_.push_back(trace.begin);
    }
    for (const SlotTrace& slot : traces_.all().slots) {
      places_.push_back(slot.end - 1);
    }
    std::sort(places_.begin(), places_.end());
  }

  ImageFiles run() {
    ImageFiles found;
    for (const Volume& volume : volumes_) {
      add_named(volume);
      for (const std::string& note : volume.notes) {
        found.notes.push_back("file system at byte " + std::to_string(volume.begin) + ": " + note);
      }
    }
    named_.settle();
    for (const Volume& volume : volumes_) {
      add_hints(volume);
    }
    for (const FooterTrace& trace : traces_.all().footers) {
      if (trace.extension.rows == 0 && trace.begin % detail::kSectorBytes == kMagicBytes &&
          !named_.contains(trace.begin)) {
        add_unnamed(trace);
      }
    }
    for (const std::uint32_t id : file_ids(traces_.all())) {
      const bool known = std::any_of(files_.begin(), files_.end(),
                                     [id](const ImageFile& file) { return file.file_id == id; });
      if (!known && volumes_.empty()) {  // a file whose beginning is destroyed
        add(id, {}, {{0, bytes_of(image_)}});
      }
    }
    found.files = std::move(files_);
    return found;
  }

 private:
  struct Entry {
    std::string name;
    std::string doubt;
  };

  void add_named(const Volume& volume) {
    for (const VolumeFile& file : volume.files) {
      if (file.standing == Standing::kSound && add_by_entry(file) && file.chain.fault.empty()) {
        named_.add(file.chain.pieces);
      }
    }
  }

  // Clusters of a deleted file may be another's by now, whose rows are not to be found under its name.
  void add_hints(const Volume& volume) {
    for (const VolumeFile& file : volume.files) {
      const auto is_named = [this](const Piece& piece) { return named_.overlaps(piece); };
      const std::vector<Piece>& pieces = file.chain.pieces;
      if (file.standing != Standing::kSound && !pieces.empty() && !named_.contains(pieces.front().begin) &&
          (begins_here(file) || std::none_of(pieces.begin(), pieces.end(), is_named))) {
        add_by_entry(file);
      }
    }
  }

  // Whether the first footer of a log stands at the file's beginning.
  bool begins_here(const VolumeFile& file) const {
    return std::binary_search(places_.begin(), places_.end(), file.chain.pieces.front().begin + kMagicBytes);
  }

  // False: there is no log in it.
  bool add_by_entry(const VolumeFile& file) {
    if (!has_trace(file.chain.pieces)) {
      return false;
    }
    View view(image_, file.chain.pieces);
    Traces traces = traces_.of(view, file.chain.pieces);
    const auto id = file_id_of(view, traces);
    if (!id) {
      return false;
    }
    const Entry entry{file.name, doubt_of(file)};
    if (!entry.doubt.empty()) {
      entries_.emplace(file.chain.pieces.front().begin, entry);
    }
    files_.push_back({entry.name, *id, view, std::move(traces), entry.doubt.empty(), entry.doubt});
    return true;
  }

  // Other files need not be read.
  bool has_trace(const std::vector<Piece>& pieces) const {
    return std::any_of(pieces.begin(), pieces.end(), [this](const Piece& piece) {
      const auto place = std::lower_bound(places_.begin(), places_.end(), piece.begin);
      return place != places_.end() && *place < piece.end();
    });
  }

  void add_unnamed(const FooterTrace& trace) {
    const std::uint64_t begin = trace.begin - kMagicBytes;
    const std::uint32_t id = trace.extension.file_id;
    const auto known = entries_.find(begin);
    const Entry entry = known != entries_.end() ? known->second : Entry();
    files_.push_back({entry.name, id, View(image_, {{begin, bytes_of(image_) - begin}}),
                      moved(traces_.all(), begin), false, entry.doubt});
    for (Volume& volume : volumes_) {
      if (const auto cluster = volume.clusters.cluster_at(begin)) {
        add(id, entry, volume.taken.gaps(begin, volume.clusters.end()));
        add_by_table(id, entry, volume, *cluster);
      }
    }
  }

  // The table may link clusters of which no entry is left.
  void add_by_table(std::uint32_t id, const Entry& entry, Volume& volume, std::uint64_t cluster) {
    const ClusterChain chain =
        volume.clusters.follow(cluster, Clusters::Links::kTable, 1, [](std::uint64_t) { return true; });
    if (chain.pieces.size() > 1) {
      add(id, entry, chain.pieces);
    }
  }

  void add(std::uint32_t id, const Entry& entry, const std::vector<Piece>& pieces) {
    View view(image_, pieces);
    Traces traces = traces_.of(view, pieces);
    files_.push_back({entry.name, id, view, std::move(traces), false, entry.doubt});
  }

  File& image_;
  std::vector<Volume> volumes_;
  MediumTraces traces_;
  std::vector<std::uint64_t> places_;  // places of these
  Regions named_;
  std::unordered_map<std::uint64_t, Entry> entries_;  // doubtful ones by the place where their file begins
  std::vector<ImageFile> files_;
};

}  // namespace

ImageFiles find_image_files(File& image, const Progress& progress) { return Finder(image, progress).run(); }

}  // namespace microparquet::recovery
