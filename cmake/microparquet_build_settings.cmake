# Compiler settings of the project's own targets. They are private properties: a program that links the library
# keeps its own settings, and a project that embeds the library keeps its own warnings.

set(MICROPARQUET_GNU_LIKE "$<CXX_COMPILER_ID:GNU,Clang,AppleClang>")
set(microparquet_gnu_like_cxx "$<AND:$<COMPILE_LANGUAGE:CXX>,${MICROPARQUET_GNU_LIKE}>")

# Warnings, when the project is built by itself; errors stay warnings, so that a newer compiler does not break it.
function(microparquet_warnings target)
  if(NOT microparquet_IS_TOP_LEVEL)
    return()
  endif()
  target_compile_options(
    ${target}
    PRIVATE
      $<${MICROPARQUET_GNU_LIKE}:-Wall;-Wextra;-Wpedantic;-Wconversion;-Wsign-conversion;-Wundef>
      $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>
      # GCC takes the value of an empty std::optional for one that is read.
      $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
      # Casts stay warnings even if other warnings are errors, as in the tests: memory of a caller is aligned by contract.
      $<${MICROPARQUET_GNU_LIKE}:-Wdouble-promotion;-Wvla;-Wcast-align;-Wno-error=cast-align>
      $<${microparquet_gnu_like_cxx}:-Wnon-virtual-dtor;-Woverloaded-virtual>)
endfunction()

# Settings of all code that runs on a device: no exceptions, no type information, and no guards around static objects. Each
# function and object is a section, so that -Wl,--gc-sections of a program's link leaves out what it does not use: files follow
# concepts, not the linker.
function(microparquet_core_settings target)
  target_compile_features(${target} PUBLIC cxx_std_17)
  target_compile_options(
    ${target} PRIVATE $<${microparquet_gnu_like_cxx}:-fno-exceptions;-fno-rtti;-fno-threadsafe-statics>
                      $<${MICROPARQUET_GNU_LIKE}:-ffunction-sections;-fdata-sections>)
  microparquet_warnings(${target})
endfunction()

# A program or library of the desktop: the same warnings, the whole language.
function(microparquet_desktop_settings target)
  target_compile_features(${target} PUBLIC cxx_std_17)
  microparquet_warnings(${target})
endfunction()

# microparquet_one_source(target): with MICROPARQUET_UNITY_PROGRAMS the sources of a program are compiled as one, which takes a
# third of the time where all of them have to be compiled, and more where one has changed.
function(microparquet_one_source target)
  if(MICROPARQUET_UNITY_PROGRAMS)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  endif()
endfunction()

# microparquet_unoptimized(SOURCE...): what runs once at a program's start, and whose templates, as those of CLI11, would take
# longer to optimize than to run ever.
function(microparquet_unoptimized)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "$<${MICROPARQUET_GNU_LIKE}:-O0>")
endfunction()
