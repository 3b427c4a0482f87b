# MICROPARQUET_DESKTOP: whether the system has POSIX files, a terminal and the libraries of a distribution. Whatever else
# an SDK calls its system is a device's.
if(CMAKE_SYSTEM_NAME MATCHES "^(Linux|Darwin|.*BSD|DragonFly|SunOS)$")
  set(MICROPARQUET_DESKTOP ON)
else()
  set(MICROPARQUET_DESKTOP OFF)
endif()
