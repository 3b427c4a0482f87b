// Arduino's core, as far as a sketch that logs needs it.
#include <Arduino.h>

#include "board.h"

SerialPort Serial;
std::uint32_t millis() { return board::milliseconds(); }
void delay(unsigned long ms) { board::wait(static_cast<std::uint32_t>(ms)); }
void pinMode(std::uint8_t, std::uint8_t) {}
void digitalWrite(std::uint8_t, std::uint8_t) {}
int analogRead(std::uint8_t) { return static_cast<int>(board::milliseconds() % 1024); }
void SerialPort::begin(unsigned long) {}
int SerialPort::available() { return 0; }
int SerialPort::read() { return -1; }
std::size_t SerialPort::write(std::uint8_t) { return 1; }
std::size_t SerialPort::write(const std::uint8_t*, std::size_t size) { return size; }

void setup();
void loop();

int main() {
  if (!board::mount()) return 1;
  setup();
  for (;;) {
    loop();
    delay(1);
  }
}
