# Cortex-M33 with single-precision floating point.
set(MICROPARQUET_TOOLS arm-none-eabi)
set(MICROPARQUET_CPU_FLAGS "-mcpu=cortex-m33 -mthumb -mfpu=fpv5-sp-d16 -mfloat-abi=hard")
set(MICROPARQUET_QEMU_BOARD mps2-an505)
include(${CMAKE_CURRENT_LIST_DIR}/bare-metal-common.cmake)
