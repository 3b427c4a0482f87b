#include "image_rows.h"

#include <algorithm>
#include <utility>

namespace microparquet::recovery {

std::list<ImageRows> find_image_rows(File& image, const std::optional<std::uint32_t>& wanted,
                                     Unproved unproved, const ProgressOf& progress) {
  std::list<ImageRows> best;
  for (ImageFile& file : find_image_files(image, progress("looking for footers"))) {
    if (wanted && file.file_id != *wanted) {
      continue;
    }
    auto found = find_own_rows(file.view, file.traces, file.file_id, unproved, progress("checking pages"));
    if (!found) {
      continue;
    }
    const auto same = std::find_if(best.begin(), best.end(), [&file](const ImageRows& other) {
      return file.name.empty() && other.file.file_id == file.file_id;
    });
    if (same == best.end()) {
      best.push_back({std::move(file), std::move(*found)});
    } else if (found->proof.rows_kept() > same->found.proof.rows_kept()) {
      best.insert(same, {std::move(file), std::move(*found)});
      best.erase(same);
    }
  }
  return best;
}

}  // namespace microparquet::recovery
