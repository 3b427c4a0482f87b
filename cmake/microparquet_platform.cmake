# MICROPARQUET_POSIX: whether the system has POSIX files, a terminal and the libraries of a distribution.
# MICROPARQUET_DESKTOP: whether the library is built for a desktop, see microparquet/detail/desktop.h. Neither depends on the build
# type, or on whether one compiles for another machine. Whatever else an SDK calls its system is a device's.
if(CMAKE_SYSTEM_NAME MATCHES "^(Linux|Darwin|.*BSD|DragonFly|SunOS|WASI)$")
  set(MICROPARQUET_POSIX ON)
else()
  set(MICROPARQUET_POSIX OFF)
endif()
if(MICROPARQUET_POSIX OR CMAKE_SYSTEM_NAME STREQUAL "Windows")
  set(MICROPARQUET_DESKTOP 1)
else()
  set(MICROPARQUET_DESKTOP 0)
endif()
