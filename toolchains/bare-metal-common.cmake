# Settings that all toolchain files for bare metal share. A core's own file sets these and includes this one:
#   MICROPARQUET_TOOLS       prefix of the GNU tools: arm-none-eabi or riscv64-unknown-elf
#   MICROPARQUET_CPU_FLAGS   what chooses the core and its float ABI, for GCC and clang alike
#   MICROPARQUET_QEMU_BOARD  the emulated board that runs its programs, MACHINE[:CPU]; its linker script is qemu/MACHINE.ld
#
# -DMICROPARQUET_COMPILER=clang compiles with clang, which takes headers and libraries from GCC and links through it.
set(MICROPARQUET_COMPILER gcc CACHE STRING "Compiler for bare metal: gcc or clang")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MICROPARQUET_COMPILER)

set(CMAKE_SYSTEM_NAME Generic)
# A bare compiler links no program without a board's startup code and linker script.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

# Packages of the host are of no use on the target.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# microparquet_header_options(RESULT COMPILER FLAGS [INCLUDE|EXCLUDE REGEX PATTERN]): compiler options that name the
# folders in which a GCC finds the headers of its libraries.
function(microparquet_header_options result compiler flags)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  execute_process(COMMAND ${compiler} ${flags} -x c++ -E -v /dev/null OUTPUT_QUIET ERROR_VARIABLE output)
  string(REGEX REPLACE ".*<...> search starts here:(.*)End of search list.*" "\\1" output "${output}")
  string(REGEX MATCHALL "/[^\n]+" folders "${output}")
  list(FILTER folders EXCLUDE REGEX "/gcc/[^/]+/[^/]+/include(-fixed)?$")
  if(ARGN)
    list(FILTER folders ${ARGN})
  endif()
  list(TRANSFORM folders PREPEND "-isystem ")
  list(JOIN folders " " options)
  set(${result} "${options}" PARENT_SCOPE)
endfunction()

if(MICROPARQUET_TOOLS STREQUAL "arm-none-eabi")
  set(CMAKE_SYSTEM_PROCESSOR arm)
  set(gcc_flags "${MICROPARQUET_CPU_FLAGS} --specs=nano.specs")
  set(cxx_flags "${gcc_flags}")
  set(linker arm-none-eabi-g++)
  # Enums as GCC has them there; an option of the core that only GCC knows is none.
  set(clang_flags "--target=arm-none-eabi -fshort-enums -Wno-ignored-optimization-argument ${MICROPARQUET_CPU_FLAGS}")
else()
  # These tools come without a C++ library: its headers are those of the Arm tools, and nothing of it is linked.
  set(CMAKE_SYSTEM_PROCESSOR riscv32)
  set(gcc_flags "${MICROPARQUET_CPU_FLAGS} --specs=picolibc.specs")
  microparquet_header_options(cxx_headers arm-none-eabi-g++ "" INCLUDE REGEX "/c\\+\\+/")
  set(cxx_flags "${gcc_flags} ${cxx_headers}")
  set(linker riscv64-unknown-elf-gcc)
  set(clang_flags "--target=riscv32-unknown-elf ${MICROPARQUET_CPU_FLAGS}")
endif()

if(MICROPARQUET_COMPILER STREQUAL "clang")
  set(CMAKE_C_COMPILER clang)
  set(CMAKE_CXX_COMPILER clang++)
  find_program(CMAKE_AR ${MICROPARQUET_TOOLS}-ar REQUIRED)
  find_program(CMAKE_RANLIB ${MICROPARQUET_TOOLS}-ranlib REQUIRED)
  microparquet_header_options(headers ${MICROPARQUET_TOOLS}-g++ "${cxx_flags}")
  microparquet_header_options(c_headers ${MICROPARQUET_TOOLS}-g++ "${cxx_flags}" EXCLUDE REGEX "/c\\+\\+/")
  set(c_flags "${clang_flags} ${c_headers}")
  set(cxx_flags "${clang_flags} ${headers}")
  set(link_flags "${gcc_flags}")
else()
  set(CMAKE_C_COMPILER ${MICROPARQUET_TOOLS}-gcc)
  set(CMAKE_CXX_COMPILER ${MICROPARQUET_TOOLS}-g++)
  set(c_flags "${gcc_flags}")
  set(link_flags "<FLAGS>")
endif()

# Programs compiled by clang are only tested: the lines of functions are enough, and half as long to compile.
if(MICROPARQUET_COMPILER STREQUAL "clang")
  set(debug_flags -g1)
else()
  set(debug_flags -g)
endif()
set(size_flags "-Os ${debug_flags} -ffunction-sections -fdata-sections")
set(CMAKE_C_FLAGS_INIT "${c_flags} ${size_flags}")
set(CMAKE_CXX_FLAGS_INIT "${cxx_flags} ${size_flags} -fno-unwind-tables -fno-asynchronous-unwind-tables")
set(CMAKE_ASM_FLAGS_INIT "${c_flags}")
# Whoever compiled, GCC links.
set(CMAKE_C_LINK_EXECUTABLE "${linker} ${link_flags} <LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")
set(CMAKE_CXX_LINK_EXECUTABLE "${CMAKE_C_LINK_EXECUTABLE}")

set(CMAKE_CROSSCOMPILING_EMULATOR "${CMAKE_CURRENT_LIST_DIR}/qemu/run;${MICROPARQUET_QEMU_BOARD}")
