#include "played_board.h"

#include <Arduino.h>

SerialPort Serial;
std::uint32_t millis() { return ports::now_ms; }
std::uint32_t micros() { return ports::now_ms * 1000; }
void delay(unsigned long ms) { ports::now_ms += static_cast<std::uint32_t>(ms); }
void pinMode(std::uint8_t, std::uint8_t) {}
void digitalWrite(std::uint8_t, std::uint8_t value) { ports::led = value == HIGH; }
int analogRead(std::uint8_t) { return ports::light_at(ports::now_ms); }
int SerialPort::available() { return static_cast<int>(ports::typed.size()); }
int SerialPort::read() {
  if (ports::typed.empty()) return -1;
  const int letter = ports::typed.front();
  ports::typed.erase(0, 1);
  return letter;
}
void SerialPort::begin(unsigned long) {}
std::size_t SerialPort::write(std::uint8_t byte) { return write(&byte, 1); }
std::size_t SerialPort::write(const std::uint8_t* bytes, std::size_t size) {
  ports::said.append(reinterpret_cast<const char*>(bytes), size);
  return size;
}
