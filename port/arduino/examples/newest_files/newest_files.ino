// Logs an analog input ten times a second for years: where the card is full, the oldest files of the log make place for new ones, and
// nothing else goes. SdFat can do that; a Teensy has its volume in SD.sdfs.
//
// Needs: SdFat 2; an SD card slot at the board's SPI pins, its chip select at pin 10; a sensor at A0; 9 KB of RAM.
#include <SdFat.h>
#include <microparquet.h>

SdFs sd;
microparquet::Logger<SdFs, 4> logger;  // up to four columns

void setup() {
  Serial.begin(115200);
  microparquet::RetentionLimits limits;
  limits.bytes = 1000000000;  // of all files; without it the card's space is the limit
  logger.drop_oldest(limits);
  logger.begin(sd, "LOG", [] { return sd.begin(10); });
}

void loop() {
  logger.add("light", analogRead(A0));
  if (!logger.end_row()) Serial.println(logger.message());
  delay(100);
}
