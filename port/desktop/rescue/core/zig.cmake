# Compiles for WebAssembly by the clang of PyPI's ziglang, which has a C library for it, and C++'s. `zig` is its folder.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES zig)
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER ${zig}/zig cc)
set(CMAKE_CXX_COMPILER ${zig}/zig c++)
foreach(language C CXX)
  # It looks for undefined behaviour where nothing optimizes, with a library that is not there.
  set(CMAKE_${language}_FLAGS_INIT "-target wasm32-wasi -fno-sanitize=undefined")
  set(CMAKE_${language}_ARCHIVE_CREATE "\"${zig}/zig\" ar qc <TARGET> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_FINISH "\"${zig}/zig\" ranlib <TARGET>")
endforeach()
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

# Nothing of this machine.
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
