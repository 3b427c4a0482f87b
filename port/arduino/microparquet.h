// All of the library and its port to Arduino.
#pragma once

#if __cplusplus < 201703L
#error "microparquet needs C++17: -std=gnu++17 in compiler.cpp.extra_flags of platform.local.txt, or build_flags"
#endif

#include "microparquet/microparquet.h"
#include "microparquet/port/arduino_file.h"
#include "microparquet/port/uart_file.h"
