// Logs how a machine vibrates, on a Cortex-M4F: a spectrum of 64 lines a second, which is one value, a std::array. Readers have it
// as a list; viewer.html and `mpq plot` draw it over time as a picture. Ten minutes in which a motor runs up, runs, and stops.
//
// Needs: a board with a debugger or emulator attached, whose semihosting gives it spectrum.parquet of a host; in the project's
// build that is QEMU's mps2-an386 (toolchains/qemu/run). The sensor is made up, and a second of it takes no second; a product has
// an accelerometer with a FIFO, and logs to its card's File in place of SemihostingFile.
#include <array>
#include <cmath>
#include <cstdint>

#include "microparquet/facts.h"
#include "microparquet/nested.h"
#include "microparquet/port/semihosting.h"
#include "microparquet/port/semihosting_console.h"
#include "microparquet/port/semihosting_file.h"
#include "microparquet/static_nested_writer.h"

namespace mpq = microparquet;

namespace {

constexpr std::uint32_t kSamples = 128;  // of a spectrum, at 256 Hz
constexpr std::uint32_t kLines = kSamples / 2;
constexpr float kSamplesPerSecond = 256;
constexpr std::uint32_t kSeconds = 600;

struct Second {
  std::int64_t time_us;
  float rpm;
  std::array<float, kLines> magnitude;  // m/s2, of 0 Hz, 2 Hz, 4 Hz and so on
};

// A page holds whole rows: eight spectra.
constexpr auto kSchema =
    mpq::schema(mpq::column("time_us", &Second::time_us), mpq::column("rpm", &Second::rpm),
                mpq::list("magnitude", &Second::magnitude).with_page_bytes(2048));

// Semihosting cannot shorten a file: what a row group has reserved and not used stays in it.
constexpr mpq::Options options() {
  mpq::Options options;
  options.row_group_bytes = 32 << 10;
  options.max_key_values = 4;
  return options;
}
constexpr mpq::Options kOptions = options();

mpq::StaticWriter<kSchema, kOptions> writer;
mpq::SemihostingFile file;

constexpr float kTurn = 6.283185307F;
std::array<float, kSamples> cosines;
std::array<float, kSamples> samples;

float rpm_at(std::uint32_t second) {
  constexpr float kFull = 3000;
  constexpr std::uint32_t kRunUp = 240;
  constexpr std::uint32_t kStops = 480;
  const auto at = static_cast<float>(second);
  if (second < kRunUp) return kFull * at / kRunUp;
  return second < kStops ? kFull : kFull * std::exp(-(at - kStops) / 40);
}

// Noise between -1 and 1.
float noise() {
  static std::uint32_t state = 1;
  state = state * 1664525U + 1013904223U;
  return static_cast<float>(static_cast<std::int32_t>(state)) / 2147483648.0F;
}

// The motor's own frequency, half as strong its double, and a resonance of the frame at 76 Hz.
void take_samples(float rpm) {
  static float motor = 0;
  static float frame = 0;
  const float hertz = rpm / 60;
  const float resonance = 3 / (1 + std::abs(hertz - 38));
  for (float& sample : samples) {
    motor = std::fmod(motor + hertz / kSamplesPerSecond, 1.0F);
    frame = std::fmod(frame + 76 / kSamplesPerSecond, 1.0F);
    sample = hertz / 25 * std::sin(kTurn * motor) + hertz / 50 * std::sin(2 * kTurn * motor) +
             resonance * std::sin(kTurn * frame) + 0.1F * noise();
  }
}

// The discrete Fourier transform, line by line: a product has arm_rfft_fast_f32().
void find_spectrum(std::array<float, kLines>& magnitude) {
  for (std::uint32_t line = 0; line < kLines; ++line) {
    float real = 0;
    float imaginary = 0;
    for (std::uint32_t i = 0; i < kSamples; ++i) {
      real += samples[i] * cosines[line * i % kSamples];
      imaginary += samples[i] * cosines[(line * i + kSamples / 4) % kSamples];
    }
    magnitude[line] = std::sqrt(real * real + imaginary * imaginary) / kLines;
  }
}

mpq::Status log_seconds() {
  for (std::uint32_t i = 0; i < kSamples; ++i)
    cosines[i] = std::cos(kTurn * static_cast<float>(i) / kSamples);
  mpq::Status status = file.create("spectrum.parquet", mpq::Existing::kOverwrite);
  const mpq::KeyValue about[] = {{"unit.rpm", "1/min"},
                                 {"unit.magnitude", "m/s2"},
                                 {"step.magnitude", "2 Hz"},  // from one line to the next
                                 {mpq::facts::kStartedAt, "2026-03-01T06:00:00Z"}};
  if (status == mpq::Status::kOk) status = writer.open(file, {about});
  static Second second;
  for (std::uint32_t at = 0; at < kSeconds && status == mpq::Status::kOk; ++at) {
    second.time_us = std::int64_t{1'000'000} * at;
    second.rpm = rpm_at(at);
    take_samples(second.rpm);
    find_spectrum(second.magnitude);
    status = writer.append(second);
    if (status == mpq::Status::kOk) status = writer.tick(at * 1000);
  }
  if (status == mpq::Status::kOk) status = writer.close();
  mpq::semihosting::Console console;
  console.print("spectrum.parquet: ").print_grouped(writer.rows()).print(" rows, ");
  console.print_grouped(writer.file_bytes()).print(" bytes\n");
  return status == mpq::Status::kOk ? file.close() : status;
}

}  // namespace

int main() {
  const mpq::Status status = log_seconds();
  if (status == mpq::Status::kOk) return 0;
  mpq::semihosting::print_error("spectrum: ");
  mpq::semihosting::print_error(mpq::to_string(status));
  mpq::semihosting::print_error("\n");
  return 1;
}
