#include "encoding_options.h"

#include <map>
#include <set>

#include <CLI/CLI.hpp>

#include "microparquet/desktop/codecs.h"

namespace {

constexpr std::uint32_t kMostRowGroupBytes = 1 << 30;
constexpr std::uint64_t kMostBloomValues = 1'000'000'000;
constexpr double kLeastWrong = 1e-6;
constexpr double kMostWrong = 0.5;

// Null for none.
const microparquet::Compressor* compressor_named(const CLI::App& app, const std::string& name) {
  namespace desktop = microparquet::desktop;
  const desktop::NamedCodec* const codec = desktop::find_codec(name);
  if (codec == nullptr) {
    return nullptr;
  }
  if (codec->compressor == nullptr) {
    throw CLI::ValidationError("--codec", desktop::built_without(app.get_name(), *codec));
  }
  return codec->compressor;
}

// A message of CheckedTransformer would show numbers, and it would take these.
std::set<std::string> names_of(const std::map<std::string, Encoding>& encodings) {
  std::set<std::string> names;
  for (const auto& [name, encoding] : encodings) {
    names.insert(name);
  }
  return names;
}

}  // namespace

void add_encoding_options(CLI::App& app, EncodingOptions& options) {
  static const std::map<std::string, Encoding> encodings = {
      {"auto", Encoding::kAuto},
      {"delta", Encoding::kDelta},
      {"delta_length_byte_array", Encoding::kDeltaLength},
      {"delta_byte_array", Encoding::kDeltaByteArray},
      {"plain", Encoding::kPlain}};
  app.add_option_function<std::string>(
         "--encoding", [&](const std::string& name) { options.encoding = encodings.at(name); },
         "auto: all that makes it small; delta: integers as differences; delta_...: text, too (auto)")
      ->check(CLI::IsMember(names_of(encodings)))
      ->option_text("auto|delta|delta_length_byte_array|delta_byte_array|plain");
  app.add_option_function<std::string>(
         "--codec", [&](const std::string& name) { options.compressor = compressor_named(app, name); },
         "What compresses floats and text, or with plain all (lz4_raw with auto, else none)")
      ->check(CLI::IsMember(std::set<std::string>{"lz4_raw", "snappy", "gzip", "zstd", "brotli", "none"}))
      ->option_text("lz4_raw|snappy|gzip|zstd|brotli|none");
  app.add_option_function<std::string>(
         "--data-pages", [&](const std::string& name) { options.v2_pages = name == "v2"; },
         "Version of data pages: v2 compresses only values, where that makes them smaller (v1)")
      ->check(CLI::IsMember(std::set<std::string>{"v1", "v2"}))
      ->option_text("v1|v2");
  app.add_flag_function(
         "--compatible",
         [&options](std::int64_t) {
           options.compatible = true;
           options.encoding = Encoding::kPlain;
         },
         "Write what readers take that are ten years old, too: PLAIN, row groups one after another")
      ->excludes("--encoding")
      ->excludes("--codec")
      ->excludes("--data-pages");
  app.add_option("--dictionary-bytes", options.dictionary_bytes,
                 "Size of a column's dictionary, with --encoding auto")
      ->check(CLI::IsMember(std::set<std::uint32_t>{512, 1024, 2048, 4096, 8192, 16384}))
      ->check(CLI::Validator(
          [&options](std::string&) {
            return options.encoding == Encoding::kAuto ? "" : "only --encoding auto has dictionaries";
          },
          ""))
      ->option_text("512|1024|...|16384")
      ->capture_default_str();
  app.add_option("--row-group-bytes", options.row_group_bytes, "Size of a row group (the library's choice)")
      ->check(CLI::Range(std::uint32_t{1}, kMostRowGroupBytes))
      ->type_name("N");
  app.add_flag("--page-index", options.page_index,
               "Keep bounds of each page, by which readers pass over pages");
  app.add_option("--bloom", options.bloom,
                 "Columns that get a bloom filter, by which readers pass over row groups; and a page index")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,...");
  app.add_option("--bloom-values", options.bloom_values,
                 "Different values that a row group has of such a column")
      ->needs("--bloom")
      ->check(CLI::Range(std::uint64_t{1}, kMostBloomValues))
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--bloom-wrong", options.bloom_wrong,
                 "Share of values that are not there and pass nevertheless")
      ->needs("--bloom")
      ->check(CLI::Range(kLeastWrong, kMostWrong))
      ->capture_default_str()
      ->type_name("P");
}
