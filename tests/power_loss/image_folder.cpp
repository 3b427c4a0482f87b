#include "image_folder.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>

#include "expected_rows.h"

namespace power_loss {
namespace {

// Hashes the file's bytes.
std::uint64_t hash_of(const Medium& medium) {
  std::uint64_t hash = 14695981039346656037U + medium.size;
  for (std::uint32_t i = 0; i * std::uint64_t{kSector} < medium.size && i < medium.sectors(); ++i) {
    const Sector& sector = medium.sector(i);
    const std::size_t bytes = std::min<std::uint64_t>(kSector, medium.size - i * std::uint64_t{kSector});
    for (std::size_t at = 0; at < bytes; at += sizeof hash) {
      std::uint64_t word = 0;
      std::memcpy(&word, sector.data() + at, std::min(sizeof word, bytes - at));
      hash = (hash ^ word) * 1099511628211U;
      hash ^= hash >> 29;
    }
  }
  return hash;
}

std::FILE* create(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file != nullptr) return file;
  std::perror(path.c_str());
  std::exit(2);
}

}  // namespace

ImageFolder::ImageFolder(const std::string& folder, unsigned count) : folder_(folder), count_(count) {
  std::filesystem::create_directories(folder);
}

std::string ImageFolder::path_of(std::uint64_t hash) const {
  return folder_ + "/" + std::to_string(hash) + ".parquet";
}

void ImageFolder::offer(const Sighting& sighting) {
  const std::uint64_t hash = hash_of(sighting.medium);
  const std::lock_guard lock(mutex_);
  const bool full = count_ != 0 && images_.size() >= count_;
  if (full && hash > images_.rbegin()->first) return;
  if (!images_.try_emplace(hash, Image{sighting.scenario, sighting.rows}).second) return;
  const std::vector<std::byte> file = sighting.medium.file();
  std::FILE* const out = create(path_of(hash));
  std::fwrite(file.data(), 1, file.size(), out);
  std::fclose(out);
  if (!full) return;
  std::filesystem::remove(path_of(images_.rbegin()->first));
  images_.erase(std::prev(images_.end()));
}

void ImageFolder::write() {
  std::FILE* const manifest = create(folder_ + "/manifest.txt");
  for (const auto& [hash, image] : images_) {
    std::fprintf(manifest, "%s.parquet %s", std::to_string(hash).c_str(),
                 scenarios()[image.scenario].name.c_str());
    for (const Lived& lived : image.rows) {
      std::fprintf(manifest, " %u:%llu/%llu", lived.life, static_cast<unsigned long long>(lived.rows),
                   static_cast<unsigned long long>(lived.offered));
    }
    std::fputc('\n', manifest);
  }
  std::fclose(manifest);
  for (unsigned i = 0; i < scenarios().size(); ++i) {
    const Scenario& scenario = scenarios()[i];
    for (unsigned life = 0; life < kLives; ++life) {
      const std::string path = folder_ + "/" + scenario.name + "." + std::to_string(life);
      const unsigned rows = rows_of_life(scenario, life);
      if (!faults::write_expected_rows(path, scenario.workload, life, rows)) std::exit(2);
    }
  }
}

}  // namespace power_loss
