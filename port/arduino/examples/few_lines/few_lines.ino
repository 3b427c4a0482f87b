// Logs two analog inputs and the time, ten times a second, into LOG00001.PQT on an SD card: pandas opens it, DuckDB as
// read_parquet('LOG00001.PQT'). With SdFat it is LOG00001.parquet, which every program knows by its name. The power may be
// cut and the card pulled at any time; the log continues when they are back.
//
// Needs: an SD card slot at the board's SPI pins, its chip select at pin 10; sensors at A0 and A1; 14 KB of RAM.
#include <SD.h>
#include <microparquet.h>

microparquet::Logger<decltype(SD)> logger;

void setup() {
  Serial.begin(115200);
  logger.begin(SD, "LOG", [] { return SD.begin(10); });
}

void loop() {
  logger.add("light", analogRead(A0));
  logger.add("volts", analogRead(A1) * 3.3F / 1023);
  if (!logger.end_row()) Serial.println(logger.message());
  delay(100);
}
