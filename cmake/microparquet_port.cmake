# The ports of this build system, once: what it builds, what is installed, and what a program finds. Those of other build
# systems are built by them: arduino, esp_idf and zephyr, which share what lies in fat_common.
set(MICROPARQUET_PORTS_EVERYWHERE memory uart)
set(MICROPARQUET_PORTS_OF_DESKTOPS posix stdout crc32_hardware)
set(MICROPARQUET_PORTS_OF_WINDOWS windows stdout crc32_hardware)
set(MICROPARQUET_PORTS_OF_DEVICES semihosting)
# Over file systems that the program brings itself: built where MICROPARQUET_<NAME>_DIR says where they are, and installed
# as sources.
set(MICROPARQUET_PORTS_OVER_SOURCES fatfs littlefs)
# The port over FatFs, for programs that compile it with a configuration of their own.
set(MICROPARQUET_FATFS_SOURCES fatfs_file.cpp fatfs_log_folder.cpp fatfs_remove.cpp fatfs_space.cpp exfat_clusters.cpp exfat_mend.cpp)
list(TRANSFORM MICROPARQUET_FATFS_SOURCES PREPEND ${CMAKE_CURRENT_LIST_DIR}/../port/fatfs/)

# microparquet_port(NAME [DESKTOP] SOURCES FILE... [FILE_SYSTEM FOLDER...])
#
# The library microparquet::NAME, with the headers in include/. DESKTOP: it has the whole language. FILE_SYSTEM: where
# the headers of the file system lie.
function(microparquet_port name)
  cmake_parse_arguments(PARSE_ARGV 1 port "DESKTOP" "" "SOURCES;FILE_SYSTEM")
  set(target microparquet_${name})
  add_library(${target} STATIC ${port_SOURCES})
  add_library(microparquet::${name} ALIAS ${target})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>)
  if(port_FILE_SYSTEM)
    target_include_directories(${target} SYSTEM PUBLIC ${port_FILE_SYSTEM})
  endif()
  target_link_libraries(${target} PUBLIC microparquet::microparquet)
  if(port_DESKTOP)
    microparquet_desktop_settings(${target})
  else()
    microparquet_core_settings(${target})
  endif()
endfunction()
