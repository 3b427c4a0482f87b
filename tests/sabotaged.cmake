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

# add_program_with_header(PROGRAM NAME SCRIPT TARGET FOLDER HEADER SOURCE): PROGRAM_without_NAME, of the objects PROGRAM_objects and SOURCE
# of the folder, which includes what SCRIPT makes of HEADER.
function(add_program_with_header program name script target folder header source)
  find_package(Python3 QUIET COMPONENTS Interpreter)
  set(sabotaged ${program}_without_${name})
  set(headers ${CMAKE_CURRENT_BINARY_DIR}/${sabotaged})
  add_custom_command(
    OUTPUT ${headers}/${header}
    COMMAND Python3::Interpreter ${script} ${name} ${folder} ${headers}/${header}
    DEPENDS ${script} ${folder}/${header})
  add_executable(${sabotaged} EXCLUDE_FROM_ALL ${folder}/${source} ${headers}/${header})
  target_include_directories(${sabotaged} BEFORE PRIVATE ${headers})
  target_link_libraries(${sabotaged} PRIVATE ${program}_objects)
  microparquet_core_settings(${sabotaged})
  set_target_properties(${sabotaged} PROPERTIES COMPILE_WARNING_AS_ERROR OFF)
  add_dependencies(${target} ${sabotaged})
endfunction()

# add_sabotaged(PROGRAM SCRIPT TARGET): for each name that SCRIPT --list knows, PROGRAM_without_NAME, with a source of the
# library from which SCRIPT takes something out; it then stands before the library's, as one does that includes such a header.
# TARGET builds them all.
function(add_sabotaged program script target)
  set(script ${CMAKE_CURRENT_SOURCE_DIR}/${script})
  set(folder ${PROJECT_SOURCE_DIR}/src)
  list_sabotages(lines ${script} ${target})
  foreach(line IN LISTS lines)
    string(REPLACE " " ";" line ${line})
    list(GET line 0 name)
    list(GET line 1 source)
    list(LENGTH line length)
    if(length GREATER 2)
      list(GET line 2 compiled)
      add_program_with_header(${program} ${name} ${script} ${target} ${folder} ${source} ${compiled})
    else()
      add_sabotaged_program(${program} ${name} ${script} ${target} ${folder} ${folder}/${source})
    endif()
    target_include_directories(${program}_without_${name} PRIVATE ${folder})
  endforeach()
endfunction()
