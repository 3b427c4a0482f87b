# list_sabotages(RESULT SCRIPT TARGET): the lines of SCRIPT --list; none without Python. TARGET is to build what is made of them.
function(list_sabotages result script target)
  find_package(Python3 QUIET COMPONENTS Interpreter)
  if(NOT Python3_FOUND)
    message(STATUS "${target} is left out: it needs Python 3")
    set(${result} "" PARENT_SCOPE)
    return()
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script})
  execute_process(COMMAND ${Python3_EXECUTABLE} ${script} --list OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" lines "${lines}")
  add_custom_target(${target})
  set(${result} ${lines} PARENT_SCOPE)
endfunction()

# add_sabotaged_program(PROGRAM NAME SCRIPT TARGET FOLDER SOURCE...): PROGRAM_without_NAME, of the objects PROGRAM_objects and
# what SCRIPT NAME FOLDER makes of these sources in the folder.
function(add_sabotaged_program program name script target folder)
  find_package(Python3 QUIET COMPONENTS Interpreter)
  set(sabotaged ${program}_without_${name})
  set(copy ${CMAKE_CURRENT_BINARY_DIR}/${sabotaged}.cpp)
  add_custom_command(
    OUTPUT ${copy}
    COMMAND Python3::Interpreter ${script} ${name} ${folder} ${copy}
    DEPENDS ${script} ${ARGN})
  add_executable(${sabotaged} EXCLUDE_FROM_ALL ${copy})
  target_link_libraries(${sabotaged} PRIVATE ${program}_objects)
  microparquet_core_settings(${sabotaged})
  # What is taken out may leave a variable without use.
  set_target_properties(${sabotaged} PROPERTIES COMPILE_WARNING_AS_ERROR OFF)
  add_dependencies(${target} ${sabotaged})
endfunction()

# add_sabotaged(PROGRAM SCRIPT TARGET): for each name that SCRIPT --list knows, PROGRAM_without_NAME, with a source of the
# library from which SCRIPT takes something out; it then stands before the library's. TARGET builds them all.
function(add_sabotaged program script target)
  set(script ${CMAKE_CURRENT_SOURCE_DIR}/${script})
  set(folder ${PROJECT_SOURCE_DIR}/src)
  list_sabotages(lines ${script} ${target})
  foreach(line IN LISTS lines)
    string(REPLACE " " ";" line ${line})
    list(GET line 0 name)
    list(GET line 1 source)
    add_sabotaged_program(${program} ${name} ${script} ${target} ${folder} ${folder}/${source})
    target_include_directories(${program}_without_${name} PRIVATE ${folder})
  endforeach()
endfunction()
