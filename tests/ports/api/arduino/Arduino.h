// What a sketch and the libraries of files need of Arduino's core, as its documentation declares it.
#pragma once

#include <cstddef>
#include <cstdint>

// NOLINTBEGIN(readability-identifier-naming, bugprone-dynamic-static-initializers): as Arduino has it
#define LED_BUILTIN 13
#define OUTPUT 1
#define LOW 0
#define HIGH 1
#define A0 14
#define A1 15

std::uint32_t millis();  // unsigned long there, which has 32 bits
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
  int available() override { return 0; }
  int read() override { return -1; }
  int peek() override { return -1; }
};
extern SerialPort Serial;
// NOLINTEND(readability-identifier-naming, bugprone-dynamic-static-initializers)
