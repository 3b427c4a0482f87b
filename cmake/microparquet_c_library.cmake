# The shared library microparquet_c, for other languages: the doors for C, that of the port posix among them, and nothing else.
# Its SONAME has the minor version, since each may change what C sees: see PROMISES.md.
get_target_property(sources microparquet SOURCES)
list(TRANSFORM sources PREPEND ${PROJECT_SOURCE_DIR}/src/)
list(APPEND sources ${PROJECT_SOURCE_DIR}/port/posix/posix_file.cpp ${PROJECT_SOURCE_DIR}/port/posix/posix_file_c.cpp)
add_library(microparquet_c SHARED ${sources})
add_library(microparquet::c ALIAS microparquet_c)
set_target_properties(microparquet_c PROPERTIES
  EXPORT_NAME c
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  UNITY_BUILD ON
  UNITY_BUILD_BATCH_SIZE 0)
target_include_directories(microparquet_c PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/port/posix/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_include_directories(microparquet_c PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(microparquet_c PRIVATE MICROPARQUET_DESKTOP=1 _FILE_OFFSET_BITS=64)
microparquet_core_settings(microparquet_c)
# Names are chosen by the linker: a compiler that hid all others would hide the doors, too.
if(APPLE)
  target_link_options(microparquet_c PRIVATE -Wl,-exported_symbol,_mpq_* -Wl,-dead_strip)
else()
  set(exports ${PROJECT_SOURCE_DIR}/src/c/exports.map)
  target_link_options(microparquet_c PRIVATE -nodefaultlibs -Wl,--version-script=${exports} -Wl,--gc-sections)
  target_link_libraries(microparquet_c PRIVATE c gcc)  # nothing of a C++ library
  set_target_properties(microparquet_c PROPERTIES LINK_DEPENDS ${exports})
endif()
