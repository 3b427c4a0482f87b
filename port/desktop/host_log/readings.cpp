#include "readings.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "microparquet/text/grouped_digits.h"

namespace host_log {

namespace {

namespace fs = std::filesystem;

std::optional<long> number_in(const fs::path& path) {
  std::ifstream file(path);
  long number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

std::string word_in(const fs::path& path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  return word;
}

// Files of the folders in `parent` whose names begin with `folder` and which themselves begin and end as
// told.
template <typename Take>
void for_each_file(const fs::path& parent, std::string_view folder, std::string_view begin,
                   std::string_view end, Take take) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parent, error)) {
    if (entry.path().filename().string().rfind(folder, 0) != 0) {
      continue;
    }
    for (const auto& file : fs::directory_iterator(entry.path(), error)) {
      const std::string name = file.path().filename().string();
      const bool ends =
          name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
      if (name.rfind(begin, 0) == 0 && ends) {
        take(file.path());
      }
    }
  }
}

// The CPU's own sensor, if the machine says which that is, else the first that answers. Both interfaces give
// thousandths of a degree.
std::string find_temperature() {
  std::string found;
  bool found_cpu = false;
  const auto consider = [&](const fs::path& path, std::string_view kind) {
    const bool cpu = kind == "coretemp" || kind == "k10temp" || kind == "x86_pkg_temp" ||
                     kind == "cpu_thermal" || kind == "cpu-thermal";
    if (number_in(path) && (found.empty() || (cpu && !found_cpu))) {
      found = path.string();
      found_cpu = cpu;
    }
  };
  for_each_file("/sys/class/thermal", "thermal_zone", "temp", "temp",
                [&](const fs::path& path) { consider(path, word_in(path.parent_path() / "type")); });
  for_each_file("/sys/class/hwmon", "hwmon", "temp", "_input",
                [&](const fs::path& path) { consider(path, word_in(path.parent_path() / "name")); });
  return found;
}

std::int64_t memory_used_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::int64_t kilobytes = 0;
  std::string unit;
  std::int64_t total = 0;
  std::int64_t available = 0;
  while (file >> name >> kilobytes && std::getline(file, unit)) {
    if (name == "MemTotal:") {
      total = kilobytes;
    } else if (name == "MemAvailable:") {
      available = kilobytes;
    }
  }
  return (total - available) * 1024;
}

float load_1min() {
  std::ifstream file("/proc/loadavg");
  float load = 0;
  file >> load;
  return load;
}

std::int64_t now_us() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

}  // namespace

Readings::Readings() : before_(cpu_time()), temperature_path_(find_temperature()) {}

Sample Readings::take() {
  Sample sample;
  sample.time_us = now_us();
  const CpuTime now = cpu_time();
  if (now.all > before_.all && now.busy >= before_.busy) {
    sample.cpu_percent =
        100.0f * static_cast<float>(now.busy - before_.busy) / static_cast<float>(now.all - before_.all);
  }
  before_ = now;
  sample.memory_used_bytes = memory_used_bytes();
  sample.load_1min = load_1min();
  sample.temperature_c = temperature();
  return sample;
}

// The first line of /proc/stat: user nice system idle iowait irq softirq steal ..., since the start of the
// machine.
Readings::CpuTime Readings::cpu_time() {
  std::ifstream file("/proc/stat");
  std::string name;
  file >> name;
  std::array<std::uint64_t, 8> ticks = {};
  for (std::uint64_t& tick : ticks) {
    file >> tick;
  }
  constexpr std::size_t kIdle = 3;
  constexpr std::size_t kIoWait = 4;
  CpuTime time;
  for (const std::uint64_t tick : ticks) {
    time.all += tick;
  }
  time.busy = time.all - ticks[kIdle] - ticks[kIoWait];
  return time;
}

std::optional<float> Readings::temperature() const {
  if (temperature_path_.empty()) {
    return std::nullopt;
  }
  const auto thousandths = number_in(temperature_path_);
  return thousandths ? std::optional(static_cast<float>(*thousandths) / 1000.0f) : std::nullopt;
}

std::string status_text(const Sample& sample, std::uint64_t rows) {
  constexpr double kBytesPerMegabyte = 1e6;
  std::array<char, 160> text = {};
  std::snprintf(text.data(), text.size(), "%s rows   CPU %5.1f %%   memory %.0f MB   load %.2f",
                microparquet::text::grouped_digits(rows).c_str(), static_cast<double>(sample.cpu_percent),
                static_cast<double>(sample.memory_used_bytes) / kBytesPerMegabyte,
                static_cast<double>(sample.load_1min));
  std::string line = text.data();
  if (sample.temperature_c) {
    std::snprintf(text.data(), text.size(), "   %.1f C", static_cast<double>(*sample.temperature_c));
    line += text.data();
  }
  return line + "   Ctrl-C ends";
}

}  // namespace host_log
