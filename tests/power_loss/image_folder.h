// Images that the cuts have left, for other programs.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "trial.h"

namespace power_loss {

class ImageFolder {
 public:
  // Keeps `count` of the distinct images, always the same ones; all with 0. `folder` is made.
  ImageFolder(const std::string& folder, unsigned count);

  // Offers an image, from any thread.
  void offer(const Sighting& sighting);

  // Writes the manifest and the rows.
  void write();

 private:
  struct Image {
    unsigned scenario;
    History rows;
  };
  std::string path_of(std::uint64_t hash) const;

  std::string folder_;
  unsigned count_;
  std::mutex mutex_;
  std::map<std::uint64_t, Image> images_;  // by their hash: the least ones are kept
};

}  // namespace power_loss
