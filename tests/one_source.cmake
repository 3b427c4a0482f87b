# tests_as_one(RESULT NAME SOURCE...): with MICROPARQUET_UNITY_TESTS, one source NAME.cpp that is all these tests; else they
# themselves. It takes half as long to compile where all have to be, and longer where one has changed. CMake's own unity
# builds do not serve, since names repeat among tests: here each is a namespace, after the headers of all.
function(tests_as_one result name)
  if(NOT MICROPARQUET_UNITY_TESTS)
    set(${result} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(headers "")
  set(namespaces "")
  foreach(source IN LISTS ARGN)
    file(STRINGS ${source} includes REGEX "^#include ")
    list(APPEND headers ${includes})
    cmake_path(GET source STEM stem)
    string(APPEND namespaces "namespace ${stem} {\n#include \"${source}\"\n}\n")
  endforeach()
  list(REMOVE_DUPLICATES headers)
  list(JOIN headers "\n" headers)
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${file} CONTENT "${headers}\n${namespaces}" @ONLY)  # written only when it has changed
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
  set(${result} ${file} PARENT_SCOPE)
endfunction()

# every_third(RESULT FIRST SOURCE...): of the sources those that are FIRST, FIRST + 3, ...
function(every_third result first)
  set(chosen "")
  set(place 0)
  foreach(source IN LISTS ARGN)
    if(place EQUAL first)
      list(APPEND chosen ${source})
    endif()
    math(EXPR place "(${place} + 1) % 3")
  endforeach()
  set(${result} ${chosen} PARENT_SCOPE)
endfunction()

# one_source(TARGET): with MICROPARQUET_UNITY_TESTS compiles the sources of a program as one; no name of an anonymous namespace
# stands in two of them. What folders with the same flags compile source by source, ccache compiles once.
function(one_source target)
  if(MICROPARQUET_UNITY_TESTS)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  endif()
endfunction()
