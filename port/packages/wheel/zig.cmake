# Compiles by the clang of PyPI's ziglang, which has the C and C++ libraries of other systems: for the platform that
# MICROPARQUET_WHEEL_PLATFORM in the environment names.
set(platform $ENV{MICROPARQUET_WHEEL_PLATFORM})
if(platform MATCHES "^manylinux_([0-9]+)_([0-9]+)_(.*)$")
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_SYSTEM_PROCESSOR ${CMAKE_MATCH_3})
  set(target ${CMAKE_MATCH_3}-linux-gnu.${CMAKE_MATCH_1}.${CMAKE_MATCH_2})
elseif(platform MATCHES "^macosx_([0-9]+)_([0-9]+)_(.*)$")
  set(CMAKE_SYSTEM_NAME Darwin)
  set(CMAKE_SYSTEM_PROCESSOR ${CMAKE_MATCH_3})
  string(REPLACE arm64 aarch64 processor ${CMAKE_MATCH_3})
  set(target ${processor}-macos.${CMAKE_MATCH_1}.${CMAKE_MATCH_2})
elseif(platform STREQUAL "win_amd64")
  set(CMAKE_SYSTEM_NAME Windows)
  set(CMAKE_SYSTEM_PROCESSOR AMD64)
  set(target x86_64-windows-gnu)
else()
  message(FATAL_ERROR "MICROPARQUET_WHEEL_PLATFORM is \"${platform}\", not a platform such as manylinux_2_17_x86_64 or macosx_11_0_arm64")
endif()

execute_process(COMMAND python3 -c "import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), 'zig'))"
                OUTPUT_VARIABLE zig OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(CMAKE_C_COMPILER ${zig} cc)
set(CMAKE_CXX_COMPILER ${zig} c++)
# A compiler of a named target is identified without linking: zig builds a C++ library before it links what is not optimized.
# And where nothing optimizes it looks for undefined behaviour, with a library that is not there.
foreach(language C CXX)
  set(CMAKE_${language}_COMPILER_TARGET ${target})
  set(CMAKE_${language}_FLAGS_INIT "-fno-sanitize=undefined")
  set(CMAKE_${language}_ARCHIVE_CREATE "\"${zig}\" ar qc <TARGET> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_FINISH "\"${zig}\" ranlib <TARGET>")
endforeach()

# Nor do its further trials link.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

# Nothing of this machine.
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
