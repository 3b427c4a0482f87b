#include "open_file.h"

#include "microparquet/desktop/codecs.h"
#include "microparquet/port/crc32_hardware.h"
#include "microparquet/read_all.h"

namespace microparquet::recovery {

Status OpenFile::open(File& file, std::uint32_t footer_bytes) {
  ReaderOptions options;
  options.footer_bytes = footer_bytes;
  options.decoders = kAllDecoders;
  options.bit_packed_levels = &read_bit_packed_levels;
  options.decompressors = desktop::decompressors();
  options.checksum = &crc32_hardware;
  return memory_.open(file, options);
}

Status OpenFile::read_leaves(std::vector<Leaf>& leaves) {
  leaves.clear();
  std::vector<std::string> path;
  std::vector<LeafGroup> groups;
  std::uint32_t node = 0;
  return memory_.visit_schema([&](const SchemaElement& element) {
    if (element.depth == 0) {
      return;
    }
    ++node;
    groups.resize(element.depth - 1);
    groups.push_back({node, element.max_definition_level, element.max_repetition_level});
    path.resize(element.depth - 1);
    path.emplace_back(element.name);
    if (element.leaf) {
      Leaf& leaf = leaves.emplace_back();
      for (const std::string& part : path) {
        leaf.name += (leaf.name.empty() ? "" : ".") + part;
      }
      leaf.element = element;
      leaf.element.name = {};
      leaf.node = node;
      leaf.groups.assign(groups.begin(), groups.end() - 1);
    }
  });
}

Status OpenFile::statistics(std::uint32_t column, ColumnStatistics& statistics) {
  constexpr std::uint64_t kMax = 1 << 24;  // longer bounds are left out
  return memory_.statistics(column, bounds_, kMax, statistics);
}

}  // namespace microparquet::recovery
