#include "played_board.h"

#include <Arduino.h>

SerialPort Serial;
std::uint32_t millis() { return ports::now_ms; }
void delay(unsigned long ms) { ports::now_ms += static_cast<std::uint32_t>(ms); }
void pinMode(std::uint8_t, std::uint8_t) {}
void digitalWrite(std::uint8_t, std::uint8_t value) { ports::led = value == HIGH; }
int analogRead(std::uint8_t) { return ports::light_at(ports::now_ms); }
void SerialPort::begin(unsigned long) {}
std::size_t SerialPort::write(std::uint8_t byte) { return write(&byte, 1); }
std::size_t SerialPort::write(const std::uint8_t* bytes, std::size_t size) {
  ports::said.append(reinterpret_cast<const char*>(bytes), size);
  return size;
}
