# What all Arm Cortex-M toolchain files share. A core's own file sets two variables and includes this one:
#   MICROPARQUET_CPU_FLAGS     the compiler flags that choose the core and its float ABI
#   MICROPARQUET_QEMU_MACHINE  the emulated board that runs its programs; a linker script of that name lies in qemu/
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)

set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)

set(CMAKE_C_FLAGS_INIT "${MICROPARQUET_CPU_FLAGS} -mthumb -Os -g -ffunction-sections -fdata-sections")
set(CMAKE_CXX_FLAGS_INIT "${CMAKE_C_FLAGS_INIT} -fno-unwind-tables -fno-asynchronous-unwind-tables")
set(CMAKE_ASM_FLAGS_INIT "${MICROPARQUET_CPU_FLAGS} -mthumb")

# A bare compiler links no program without a board's startup code and linker script.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

# Packages of the host are of no use on the target.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

set(CMAKE_CROSSCOMPILING_EMULATOR "${CMAKE_CURRENT_LIST_DIR}/qemu/run;${MICROPARQUET_QEMU_MACHINE}")
