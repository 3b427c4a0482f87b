# Cortex-M0.
set(MICROPARQUET_TOOLS arm-none-eabi)
set(MICROPARQUET_CPU_FLAGS "-mcpu=cortex-m0 -mthumb -mfloat-abi=soft")
set(MICROPARQUET_QEMU_BOARD microbit-large)
include(${CMAKE_CURRENT_LIST_DIR}/bare-metal-common.cmake)
