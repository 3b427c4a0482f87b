# sdfat_library(NAME PRELUDE): SdFat's file systems of MICROPARQUET_SDFAT_DIR, without Arduino's core. PRELUDE is a header that
# stands before each source and each user's.
function(sdfat_library name prelude)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${MICROPARQUET_SDFAT_DIR}/src/*.cpp)
  list(FILTER sources INCLUDE REGEX "/(common|FatLib|ExFatLib|FsLib)/")
  add_library(${name} STATIC ${sources})
  target_include_directories(${name} SYSTEM PUBLIC ${MICROPARQUET_SDFAT_DIR}/src)
  target_compile_definitions(
    ${name} PUBLIC ENABLE_ARDUINO_FEATURES=0 ENABLE_ARDUINO_SERIAL=0 ENABLE_ARDUINO_STRING=0 SPI_DRIVER_SELECT=3
                   SDFAT_FILE_TYPE=3 USE_BLOCK_DEVICE_INTERFACE=1)
  target_compile_options(${name} PUBLIC "SHELL:-include ${prelude}")
endfunction()
