// Logs a light sensor at 10 Hz into LOG.PQT on an SD card, for pandas, DuckDB and others to open. The power may
// be cut at any time: the file then has all rows up to the last checkpoint, and the next start goes on with it.
//
// Needs: an SD card slot at the board's SPI pins, its chip select at kChipSelect; a sensor at A0. Some 5 KB of
// RAM beside the card's library, and C++17, which SAMD boards are told in platform.local.txt:
// compiler.cpp.extra_flags=-std=gnu++17
#include <SD.h>
#include <SPI.h>
#include <microparquet.h>

namespace mpq = microparquet;

constexpr int kChipSelect = 10;
constexpr unsigned long kPeriodMs = 100;

struct Sample {
  uint32_t time_ms;  // since the board was started
  uint16_t light;    // as the converter has it
};

constexpr auto kSchema =
    mpq::schema(mpq::column("time_ms", &Sample::time_ms), mpq::column("light", &Sample::light));

// SD cannot truncate a file, which the forward layout does without: a row group lies in RAM until it is whole.
constexpr mpq::Options options() {
  mpq::Options options;
  options.layout = &mpq::kForward;
  options.page_bytes = 256;
  options.row_group_bytes = 2048;
  return options;
}
constexpr mpq::Options kOptions = options();

mpq::StaticWriter<kSchema, kOptions> writer;
File card_file;
mpq::ArduinoFile<File> file;
bool logging = false;
unsigned long next_ms = 0;

// Not FILE_WRITE, which appends wherever a write is meant to go.
bool start() {
  if (!SD.begin(kChipSelect)) return false;
  card_file = SD.open("LOG.PQT", O_READ | O_WRITE | O_CREAT);
  writer.reset();
  return file.open(card_file) == mpq::Status::kOk && writer.resume(file) == mpq::Status::kOk;
}

void setup() {
  Serial.begin(115200);
  pinMode(LED_BUILTIN, OUTPUT);
}

// The LED says that nothing is logged.
void loop() {
  if (!logging) {
    logging = start();
    digitalWrite(LED_BUILTIN, logging ? LOW : HIGH);
    next_ms = millis();
    if (!logging) delay(1000);
    return;
  }
  if (millis() - next_ms >= kPeriodMs) {
    next_ms += kPeriodMs;
    Sample sample = {static_cast<uint32_t>(next_ms), static_cast<uint16_t>(analogRead(A0))};
    const mpq::Status status = writer.append(sample);
    if (status != mpq::Status::kOk) Serial.println(mpq::to_string(status));
    logging = status == mpq::Status::kOk;
  }
  if (logging) logging = writer.tick(millis()) == mpq::Status::kOk;
}
