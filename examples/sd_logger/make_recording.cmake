# Makes a table for the flash of a recording: CSV with a header line, then seconds and six readings a line.
#
#   cmake -D IN=recording.csv -D OUT=recording.cpp -P make_recording.cmake
cmake_minimum_required(VERSION 3.21)

# CMake calculates with integers only: "12.3456789" is 12345679, rounded half up.
function(to_microseconds result seconds)
  if(NOT seconds MATCHES "^([0-9]+)\\.?([0-9]*)$")
    message(FATAL_ERROR "${IN}: \"${seconds}\" is no number of seconds")
  endif()
  set(digits "${CMAKE_MATCH_1}${CMAKE_MATCH_2}0000000")
  string(LENGTH "${CMAKE_MATCH_1}0000000" kept)
  string(SUBSTRING ${digits} 0 ${kept} tenths)
  math(EXPR microseconds "(${tenths} + 5) / 10")
  set(${result} ${microseconds} PARENT_SCOPE)
endfunction()

file(STRINGS ${IN} lines)
list(POP_FRONT lines)
list(LENGTH lines samples)
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^([^,]+),([-0-9.]+\\.[0-9]+(,[-0-9.]+\\.[0-9]+)+)$")
    message(FATAL_ERROR "${IN}: \"${line}\" is not seconds and readings")
  endif()
  string(REPLACE "," "F, " readings "${CMAKE_MATCH_2}F")
  to_microseconds(time ${CMAKE_MATCH_1})
  if(NOT DEFINED first)
    set(first ${time})
  endif()
  string(APPEND table "    {${time}U, {${readings}}},\n")
endforeach()

# Samples in 100 seconds, rounded, with a point before the last two digits.
math(EXPR rate "((${samples} - 1) * 200000000 / (${time} - ${first}) + 1) / 2")
string(REGEX REPLACE "(..)$" ".\\1" rate ${rate})

file(WRITE ${OUT} "// Made by make_recording.cmake.
#include \"recording.h\"

const RecordedSample recording[] = {
${table}};
const std::uint32_t recorded_samples = ${samples};
const char recorded_rate_hz[] = \"${rate}\";
")
