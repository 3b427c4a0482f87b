// Logs a light sensor at 10 Hz into LOG00.PQT on an SD card: pandas opens it, DuckDB as
// read_parquet('LOG00.PQT'). The power may be cut at any time: the file then has all rows up to the last
// checkpoint, and the next start continues it. LOG01.PQT follows when a file is full, or one that the sketch
// cannot continue, and so on.
//
// Needs: an SD card slot at the board's SPI pins, its chip select at kChipSelect; a sensor at A0. Some 5 KB
// of RAM beside the card's library, and C++17, set for SAMD boards in platform.local.txt:
// compiler.cpp.extra_flags=-std=gnu++17
#include <SD.h>
#include <SPI.h>
#include <microparquet.h>

#if defined(ARDUINO_ARCH_ESP8266) || defined(ARDUINO_ARCH_RP2040) || defined(TEENSYDUINO)
#error "SD.open() takes other modes on this core, and would empty the log: use Logger, or SD.open(name, \"r+\")"
#endif

namespace mpq = microparquet;

constexpr int kChipSelect = 10;
constexpr uint32_t kPeriodMs = 100;

// A file of kFileBytes is full; closing it needs some more bytes, up to kMaxBytes. SD does not tell how much
// space a card has: there must be space for all files.
constexpr uint32_t kFileBytes = 4UL << 20;
constexpr uint32_t kMaxBytes = 5UL << 20;
constexpr unsigned kMaxFiles = 100;

struct Sample {
  uint32_t time_ms;  // time since the board was started
  uint16_t light;    // number from the converter
};

constexpr auto kSchema =
    mpq::schema(mpq::column("time_ms", &Sample::time_ms), mpq::column("light", &Sample::light));

// Forward, since SD cannot truncate a file: a row group lies in RAM until it is complete.
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
unsigned number = 0;  // number of the file
bool logging = false;
uint32_t due_ms = 0;  // time at which a sample was last due

// Opens the log, but not by FILE_WRITE, which appends even if a write is meant to go elsewhere.
mpq::Status start() {
  if (!SD.begin(kChipSelect)) return mpq::Status::kIoError;
  const char name[] = {'L', 'O', 'G', char('0' + number / 10), char('0' + number % 10), '.', 'P', 'Q', 'T', 0};
  card_file = SD.open(name, O_READ | O_WRITE | O_CREAT);
  writer.reset();
  const mpq::Status status = file.attach(card_file, kMaxBytes);
  return status == mpq::Status::kOk ? writer.resume(file) : status;
}

// Ends the log after a failure. A failed card is tried again in a second. Any other failure lasts, and the
// next file is used. SD keeps memory for a file until it is closed; ArduinoFile closes it unless that would
// tear it.
void stop(mpq::Status status) {
  const bool failed = status == mpq::Status::kIoError;
  logging = false;
  digitalWrite(LED_BUILTIN, HIGH);
  Serial.println(mpq::to_string(status));
  if (!failed) static_cast<void>(writer.close());  // the rows in RAM, if the file is full
  static_cast<void>(file.close());
  if (failed) delay(1000);
  if (!failed) ++number;
}

bool is_full() {
  uint64_t bytes = 0;
  return file.size(bytes) == mpq::Status::kOk && bytes >= kFileBytes;
}

void setup() {
  Serial.begin(115200);
  pinMode(LED_BUILTIN, OUTPUT);
}

// Lights the LED while nothing is logged.
void loop() {
  if (!logging) {
    if (number == kMaxFiles) return;
    const mpq::Status status = start();
    if (status != mpq::Status::kOk) return stop(status);
    logging = true;
    digitalWrite(LED_BUILTIN, LOW);
    due_ms = millis();
    return;
  }
  mpq::Status status = writer.tick(millis());
  const uint32_t time_ms = millis();
  const uint32_t since_ms = time_ms - due_ms;
  if (status == mpq::Status::kOk && since_ms >= kPeriodMs) {
    due_ms = time_ms - since_ms % kPeriodMs;  // samples missed while the card paused stay missing
    Sample sample = {time_ms, static_cast<uint16_t>(analogRead(A0))};
    status = writer.append(sample);
  }
  if (status == mpq::Status::kOk && is_full()) status = mpq::Status::kLimitReached;
  if (status != mpq::Status::kOk) stop(status);
}
