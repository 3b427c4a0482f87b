// Wakes each minute on an ESP32, reads a light sensor, and sleeps on. The rows wait in the memory of the RTC; each half
// hour the card is switched on and takes them into /log.parquet. A reset, by a crash or a watchdog or while the card is
// written, costs no row, and stands in the column `reset` of the row after it.
//
// Needs: an SD card whose chip select is at kChipSelect, with its power switched by kCardPower; a sensor at A0.
#include <SD.h>
#include <SPI.h>
#include <esp_attr.h>
#include <esp_sleep.h>
#include <esp_system.h>
#include <microparquet.h>
#include <microparquet/port/vfs_file.h>

namespace mpq = microparquet;

constexpr int kChipSelect = 5;
constexpr int kCardPower = 4;
constexpr uint64_t kPeriodUs = 60000000;
constexpr uint32_t kRowsAWrite = 30;

struct Sample {
  uint32_t minute;                // wakes since the battery was put in
  uint16_t light;                 // number from the converter
  std::optional<uint8_t> reset;   // esp_reset_reason_t, if it was not the end of a sleep
};

constexpr auto kSchema =
    mpq::schema(mpq::column("minute", &Sample::minute), mpq::column("light", &Sample::light), mpq::column("reset", &Sample::reset));

// Forward: a file for few rows at a time.
constexpr mpq::Options options() {
  mpq::Options options;
  options.layout = &mpq::kForward;
  options.page_bytes = 256;
  options.row_group_bytes = 2048;
  return options;
}
constexpr mpq::Options kOptions = options();

// Some hours of rows, if the card is missing; 2.5 KB of the 8 KB there are.
using Queue = mpq::RetainedQueue<Sample, 127, mpq::retained_layout(kSchema.fields)>;
RTC_NOINIT_ATTR Queue queue;
RTC_NOINIT_ATTR uint32_t minute;

mpq::StaticWriter<kSchema, kOptions> writer;
mpq::VfsFile file;

// SD mounts the card as /sd.
mpq::Status write_rows() {
  mpq::Status status = file.open_for_append("/sd/log.parquet");
  if (status == mpq::Status::kOk) status = writer.resume(file);
  if (status == mpq::Status::kOk) status = queue.drain(writer);
  if (status == mpq::Status::kOk) status = writer.close();
  if (status == mpq::Status::kOk) queue.settle(writer);
  const mpq::Status closed = file.close();
  return status == mpq::Status::kOk ? closed : status;
}

// What the card does not take stays in the queue until the next minute.
void use_card() {
  digitalWrite(kCardPower, HIGH);
  if (SD.begin(kChipSelect)) {
    Serial.println(mpq::to_string(write_rows()));
    SD.end();
  }
  digitalWrite(kCardPower, LOW);
}

void setup() {
  Serial.begin(115200);
  pinMode(kCardPower, OUTPUT);
  if (queue.begin() != mpq::Status::kOk) minute = 0;
  const esp_reset_reason_t reason = esp_reset_reason();
  Sample sample = {++minute, static_cast<uint16_t>(analogRead(A0)), {}};
  if (reason != ESP_RST_DEEPSLEEP) sample.reset = static_cast<uint8_t>(reason);
  queue.push(sample);
  if (queue.pending() >= kRowsAWrite) use_card();
  esp_sleep_enable_timer_wakeup(kPeriodUs);
  esp_deep_sleep_start();
}

void loop() {}
