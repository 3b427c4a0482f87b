# add_sabotaged(PROGRAM SCRIPT TARGET): for each name that SCRIPT --list knows, PROGRAM_without_NAME, of the objects
# PROGRAM_objects and a source of the library from which SCRIPT takes something out; it then stands before the library's.
# TARGET builds them all.
function(add_sabotaged program script target)
  find_package(Python3 QUIET COMPONENTS Interpreter)
  if(NOT Python3_FOUND)
    message(STATUS "${target} is left out: it needs Python 3")
    return()
  endif()
  set(script ${CMAKE_CURRENT_SOURCE_DIR}/${script})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script})
  execute_process(COMMAND ${Python3_EXECUTABLE} ${script} --list OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" lines "${lines}")
  add_custom_target(${target})

  foreach(line IN LISTS lines)
    string(REPLACE " " ";" line ${line})
    list(GET line 0 name)
    list(GET line 1 source)
    set(sabotaged ${program}_without_${name})
    set(copy ${CMAKE_CURRENT_BINARY_DIR}/${sabotaged}.cpp)
    add_custom_command(
      OUTPUT ${copy}
      COMMAND Python3::Interpreter ${script} ${name} ${PROJECT_SOURCE_DIR}/src ${copy}
      DEPENDS ${script} ${PROJECT_SOURCE_DIR}/src/${source})
    add_executable(${sabotaged} EXCLUDE_FROM_ALL ${copy})
    target_include_directories(${sabotaged} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${sabotaged} PRIVATE ${program}_objects)
    microparquet_core_settings(${sabotaged})
    # What is taken out may leave a variable without use.
    set_target_properties(${sabotaged} PROPERTIES COMPILE_WARNING_AS_ERROR OFF)
    add_dependencies(${target} ${sabotaged})
  endforeach()
endfunction()
