# A component of ESP-IDF: this project lies in components/microparquet of a project, or EXTRA_COMPONENT_DIRS names it.
# FatFsFile (port/fatfs) works over ESP-IDF's own FatFs, too: add it to the component that uses it.
get_filename_component(root ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
file(GLOB_RECURSE sources ${root}/src/*.cpp)
idf_component_register(
  SRCS ${sources}
       ${root}/port/fat_common/flushed_file.cpp
       ${root}/port/fat_common/named_file.cpp
       ${root}/port/esp_idf/vfs_file.cpp
       ${root}/port/uart/uart_file.cpp
  INCLUDE_DIRS ${root}/include
               ${root}/port/fat_common/include
               ${root}/port/esp_idf/include
               ${root}/port/uart/include
  PRIV_INCLUDE_DIRS ${root}/src
  REQUIRES vfs)
target_compile_features(${COMPONENT_LIB} PUBLIC cxx_std_17)
