# Cortex-M4 with single-precision floating point.
set(MICROPARQUET_TOOLS arm-none-eabi)
set(MICROPARQUET_CPU_FLAGS "-mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard")
set(MICROPARQUET_QEMU_BOARD mps2-an386)
include(${CMAKE_CURRENT_LIST_DIR}/bare-metal-common.cmake)
