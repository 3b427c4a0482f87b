#include "host_settings.h"

#include <memory>
#include <set>

#include <CLI/CLI.hpp>

#include "microparquet/desktop/command_line_answer.h"
#include "microparquet/desktop/help_format.h"
#include "microparquet/text/version_text.h"

namespace host_log {

bool parse_command_line(int argc, char** argv, Settings& settings, int& exit_code) {
  constexpr double kMaxHz = 1000;
  constexpr double kMinHz = 0.001;
  constexpr double kMaxSeconds = 1e9;
  constexpr double kMinCheckpointSeconds = 0.01;
  CLI::App app{"Logs this machine's CPU use, memory, load and temperature into a Parquet file, until Ctrl-C.",
               "host_log"};
  app.formatter(std::make_shared<microparquet::desktop::HelpFormat>());
  app.set_version_flag("--version", microparquet::text::version_text("host_log"), "Print the version");
  app.add_option("OUT", settings.output, "Parquet file")->required();
  app.add_option("--hz", settings.hz, "Samples a second")
      ->check(CLI::Range(kMinHz, kMaxHz))
      ->capture_default_str()
      ->type_name("HZ");
  app.add_option("--seconds", settings.seconds, "How long to log (until Ctrl-C)")
      ->check(CLI::Range(0.0, kMaxSeconds))
      ->type_name("S");
  add_encoding_options(app, settings);
  app.add_option("--page-bytes", settings.page_bytes, "Size of a page (4096; 512 with plain or delta)")
      ->check(CLI::IsMember(std::set<std::uint32_t>{512, 1024, 2048, 4096}))
      ->option_text("512|1024|2048|4096");
  auto* overwrite = app.add_flag("--overwrite", settings.overwrite, "Replace OUT when it exists");
  app.add_flag("--append", settings.append, "Continue OUT when it exists, also after a crash or power cut")
      ->excludes(overwrite);
  app.add_option("--checkpoint-seconds", settings.checkpoint_seconds,
                 "Make samples durable at this age (60 to 600, as it is worth the bytes)")
      ->check(CLI::Range(kMinCheckpointSeconds, kMaxSeconds))
      ->type_name("S");
  app.add_flag("--ack", settings.ack,
               "Print \"durable N\" when N samples of OUT are durable: no crash loses them");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    exit_code = microparquet::desktop::is_answered(app, error) ? 0 : 1;
    return false;
  }
  return true;
}

}  // namespace host_log
