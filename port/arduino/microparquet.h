// All of the library and its port to Arduino.
#pragma once

#if __cplusplus < 201703L
#error "microparquet needs -std=gnu++17: compiler.cpp.extra_flags in platform.local.txt, or build_flags"
#else

#include "microparquet/microparquet.h"
#include "microparquet/port/arduino_file.h"
#include "microparquet/port/logger.h"
#include "microparquet/port/uart_file.h"

#endif
