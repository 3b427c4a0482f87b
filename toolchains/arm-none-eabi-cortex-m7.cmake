# Cortex-M7 with double-precision floating point.
set(MICROPARQUET_TOOLS arm-none-eabi)
set(MICROPARQUET_CPU_FLAGS "-mcpu=cortex-m7 -mthumb -mfpu=fpv5-d16 -mfloat-abi=hard")
set(MICROPARQUET_QEMU_BOARD mps2-an500)
include(${CMAKE_CURRENT_LIST_DIR}/bare-metal-common.cmake)
