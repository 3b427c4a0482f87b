// Logs an analog input ten times a second, as few_lines does, on a board without a clock. The time comes late, here over the serial
// line: "T1767225600" sets it, in seconds since 1970, UTC. Rows have a date from then on, in the column `time`, and those before get
// one by the file's clock anchors: mpq shows it. Any other line is a mark, in the column `mark`: mpq plot draws it over the signal.
// A radio, a GPS receiver or a clock chip calls set_time() as well, and a button mark().
//
// Needs: an SD card slot at the board's SPI pins, its chip select at pin 10; a sensor at A0; 10 KB of RAM.
#include <SD.h>
#include <microparquet.h>

microparquet::Logger<decltype(SD), 4> logger;  // up to four columns
char line[33];
unsigned letters = 0;

void setup() {
  Serial.begin(115200);
  logger.begin(SD, "LATE", [] { return SD.begin(10); });
}

void use_line() {
  if (line[0] == 'T') {
    logger.set_time(atol(line + 1));
  } else {
    logger.mark(line);
  }
}

void read_serial() {
  while (Serial.available() > 0) {
    const char letter = static_cast<char>(Serial.read());
    const bool ends = letter == '\n' || letter == '\r';
    if (!ends && letters < sizeof line - 1) line[letters++] = letter;
    if (!ends || letters == 0) continue;
    line[letters] = 0;
    letters = 0;
    use_line();
  }
}

void loop() {
  read_serial();
  logger.add("light", analogRead(A0));
  if (!logger.end_row()) Serial.println(logger.message());
  delay(100);
}
