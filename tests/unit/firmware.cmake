# The unit tests as firmware: one image of all of them, and for boards with little memory an image for each source, of
# which tests/target/boards.py builds and runs those that fit: unit_tests_MACHINE_SOURCE.
file(GLOB target_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/target/*_test.cpp)
set(tests ${portable_tests} ${target_tests})
set(helpers ${portable_tests})
list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
list(FILTER helpers EXCLUDE REGEX "_test\\.cpp$")

add_library(unit_test_objects OBJECT EXCLUDE_FROM_ALL ${tests})
target_link_libraries(unit_test_objects PUBLIC microparquet::microparquet microparquet::memory microparquet::semihosting)
unit_test_settings(unit_test_objects)
# Leaves the size of each function's frame beside the object.
target_compile_options(unit_test_objects PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fstack-usage>)
add_library(unit_test_helpers STATIC EXCLUDE_FROM_ALL main_semihosting.cpp ${helpers})
target_link_libraries(unit_test_helpers PUBLIC microparquet::microparquet microparquet::memory microparquet::semihosting)
unit_test_settings(unit_test_helpers)

microparquet_firmware(unit_tests SOURCES $<TARGET_OBJECTS:unit_test_objects> LIBRARIES unit_test_helpers)

foreach(machine microbit lm3s6965evb)
  foreach(test IN LISTS tests)
    cmake_path(GET test STEM name)
    microparquet_firmware(
      unit_tests_${machine}_${name}
      MACHINE ${machine}
      SOURCES $<FILTER:$<TARGET_OBJECTS:unit_test_objects>,INCLUDE,/${name}[.]cpp>
      LIBRARIES unit_test_helpers)
    set_target_properties(unit_tests_${machine}_${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  endforeach()
endforeach()
