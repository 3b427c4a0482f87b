// The part of Arduino's core that a sketch and the libraries of files need, as its documentation declares it;
// and all macros of its reference, which every sketch has before the headers of a library. Standard headers
// come before the macros, as in a core.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "binary.h"

// NOLINTBEGIN(readability-identifier-naming, bugprone-dynamic-static-initializers): as Arduino has it
#define LED_BUILTIN 13
#define INPUT 0
#define OUTPUT 1
#define INPUT_PULLUP 2
#define INPUT_PULLDOWN 3
#define LOW 0
#define HIGH 1
#define A0 14
#define A1 15
#define A2 16
#define A3 17
#define A4 18
#define A5 19
#define CHANGE 2
#define FALLING 3
#define RISING 4
#define LSBFIRST 0
#define MSBFIRST 1
#define SERIAL 0
#define DISPLAY 1
#define DEFAULT 1
#define EXTERNAL 0
#define INTERNAL 3
#define DEC 10
#define HEX 16
#define OCT 8
#define BIN 2
#define PI 3.1415926535897932384626433832795
#define HALF_PI 1.5707963267948966192313216916398
#define TWO_PI 6.283185307179586476925286766559
#define DEG_TO_RAD 0.017453292519943295769236907684886
#define RAD_TO_DEG 57.295779513082320876798154814105
#define EULER 2.718281828459045235360287471352
#define F(text) (text)
#define PROGMEM
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define abs(x) ((x) > 0 ? (x) : -(x))
#define round(x) ((x) >= 0 ? static_cast<long>((x) + 0.5) : static_cast<long>((x) - 0.5))
#define constrain(x, low, high) ((x) < (low) ? (low) : ((x) > (high) ? (high) : (x)))
#define radians(degree) ((degree) * DEG_TO_RAD)
#define degrees(radian) ((radian) * RAD_TO_DEG)
#define sq(x) ((x) * (x))
#define lowByte(word) (static_cast<std::uint8_t>((word) & 0xFF))
#define highByte(word) (static_cast<std::uint8_t>((word) >> 8))
#define word(...) (static_cast<std::uint16_t>(__VA_ARGS__))
#define bit(number) (1UL << (number))
#define bitRead(value, number) (((value) >> (number)) & 1)
#define bitSet(value, number) ((value) |= (1UL << (number)))
#define bitClear(value, number) ((value) &= ~(1UL << (number)))
#define bitToggle(value, number) ((value) ^= (1UL << (number)))
#define bitWrite(value, number, set) ((set) ? bitSet(value, number) : bitClear(value, number))
#define _BV(number) (1UL << (number))
#define interrupts() (static_cast<void>(0))
#define noInterrupts() (static_cast<void>(0))
#define digitalPinToInterrupt(pin) (pin)
#define clockCyclesPerMicrosecond() (16)
#define clockCyclesToMicroseconds(cycles) ((cycles) / clockCyclesPerMicrosecond())
#define microsecondsToClockCycles(time) ((time) * clockCyclesPerMicrosecond())

std::uint32_t millis();  // unsigned long there, which has 32 bits
std::uint32_t micros();
void delay(unsigned long ms);
void pinMode(std::uint8_t pin, std::uint8_t mode);
void digitalWrite(std::uint8_t pin, std::uint8_t value);
int analogRead(std::uint8_t pin);

class Print {
 public:
  virtual std::size_t write(std::uint8_t byte) = 0;
  virtual std::size_t write(const std::uint8_t* bytes, std::size_t size) = 0;
  virtual void flush() {}
  std::size_t print(const char* text);
  std::size_t println(const char* text);
  std::size_t print(std::uint32_t number) { return print(std::to_string(number).c_str()); }
  int getWriteError() { return write_error_; }
  void clearWriteError() { write_error_ = 0; }

 protected:
  ~Print() = default;
  void setWriteError(int error = 1) { write_error_ = error; }

 private:
  int write_error_ = 0;
};

class Stream : public Print {
 public:
  virtual int available() = 0;
  virtual int read() = 0;
  virtual int peek() = 0;

 protected:
  ~Stream() = default;
};

class SerialPort final : public Stream {
 public:
  void begin(unsigned long baud);
  explicit operator bool() const { return true; }
  std::size_t write(std::uint8_t byte) override;
  std::size_t write(const std::uint8_t* bytes, std::size_t size) override;
  int available() override;
  int read() override;
  int peek() override { return -1; }
};
extern SerialPort Serial;
// NOLINTEND(readability-identifier-naming, bugprone-dynamic-static-initializers)
