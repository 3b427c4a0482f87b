# The unit tests as firmware: one image of all of them; three of a third each, unit_tests_PART; and for boards with little
# memory an image for each source, unit_tests_MACHINE_SOURCE, of which tests/target/boards.py builds and runs those that fit;
# not with MICROPARQUET_UNITY_TESTS, where the sources of a third are compiled as one.
file(GLOB target_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/target/*_test.cpp)
set(tests ${portable_tests} ${target_tests})
set(port_contract ${PROJECT_SOURCE_DIR}/tests/port_contract)
set(helpers ${portable_tests} ${port_contract}/port_contract.cpp)
list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
list(FILTER helpers EXCLUDE REGEX "_test\\.cpp$")
set(parts 0 1 2)

add_library(unit_test_helpers STATIC EXCLUDE_FROM_ALL main_semihosting.cpp ${helpers})
target_link_libraries(unit_test_helpers PUBLIC microparquet::microparquet microparquet::memory microparquet::semihosting)
unit_test_settings(unit_test_helpers)
target_compile_options(unit_test_helpers PRIVATE -O2)  # they read what the tests have written, an eighth of all instructions

foreach(part IN LISTS parts)
  set(objects unit_test_objects_${part})
  every_third(tests_of_part ${part} ${tests})  # boards.py counts them in the same order
  tests_as_one(sources unit_tests_${part} ${tests_of_part})
  add_library(${objects} OBJECT EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(${objects} PUBLIC microparquet::microparquet microparquet::memory microparquet::semihosting)
  target_include_directories(${objects} PRIVATE ${port_contract})
  unit_test_settings(${objects})
  set_target_properties(${objects} PROPERTIES UNITY_BUILD OFF)  # names of tests repeat
  # Leaves the size of each function's frame beside the object. A debugger finds lines, no variables: with those the tests
  # of a core, many of which are templates, take twice the time to compile.
  target_compile_options(${objects} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fstack-usage> -g1)
  list(APPEND all_objects $<TARGET_OBJECTS:${objects}>)

  microparquet_firmware(unit_tests_${part} SOURCES $<TARGET_OBJECTS:${objects}> LIBRARIES unit_test_helpers)
  set_target_properties(unit_tests_${part} PROPERTIES EXCLUDE_FROM_ALL ON)

  if(MICROPARQUET_UNITY_TESTS)
    continue()
  endif()
  foreach(machine microbit lm3s6965evb)
    foreach(test IN LISTS tests_of_part)
      cmake_path(GET test STEM name)
      microparquet_firmware(
        unit_tests_${machine}_${name}
        MACHINE ${machine}
        SOURCES $<FILTER:$<TARGET_OBJECTS:${objects}>,INCLUDE,/${name}[.]cpp>
        LIBRARIES unit_test_helpers)
      set_target_properties(unit_tests_${machine}_${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    endforeach()
  endforeach()
endforeach()

microparquet_firmware(unit_tests SOURCES ${all_objects} LIBRARIES unit_test_helpers)
