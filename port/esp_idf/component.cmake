# A component of ESP-IDF: this project lies in components/microparquet of a project, or EXTRA_COMPONENT_DIRS names it.
get_filename_component(root ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
file(GLOB_RECURSE sources ${root}/src/*.cpp)
list(FILTER sources EXCLUDE REGEX "/desktop/")
set(folders ${root}/include ${root}/port/fat_common/include ${root}/port/esp_idf/include ${root}/port/uart/include)

# Requirements must not depend on CONFIG_ options, which are not known yet when this file is read: the components of the
# options that are set are required after that, if they exist.
set(file_systems "")
foreach(file_system fatfs littlefs)
  string(TOUPPER CONFIG_MICROPARQUET_${file_system} option)
  if(${option})
    list(APPEND sources ${root}/port/${file_system}/${file_system}_file.cpp
                        ${root}/port/${file_system}/${file_system}_file_c.cpp)
    list(APPEND folders ${root}/port/${file_system}/include)
    list(APPEND file_systems ${file_system})
  endif()
endforeach()

idf_component_register(
  SRCS ${sources}
       ${root}/port/fat_common/flushed_file.cpp
       ${root}/port/fat_common/named_file.cpp
       ${root}/port/fat_common/named_log_folder.cpp
       ${root}/port/esp_idf/vfs_file.cpp
       ${root}/port/esp_idf/vfs_log_folder.cpp
       ${root}/port/uart/uart_file.cpp
  INCLUDE_DIRS ${folders}
  PRIV_INCLUDE_DIRS ${root}/src
  REQUIRES vfs
  KCONFIG ${CMAKE_CURRENT_LIST_DIR}/Kconfig)
target_compile_features(${COMPONENT_LIB} PUBLIC cxx_std_17)
if(file_systems)
  idf_component_optional_requires(PUBLIC ${file_systems})
endif()
