# Cortex-M3.
set(MICROPARQUET_TOOLS arm-none-eabi)
set(MICROPARQUET_CPU_FLAGS "-mcpu=cortex-m3 -mthumb -mfloat-abi=soft")
set(MICROPARQUET_QEMU_BOARD mps2-an385)
include(${CMAKE_CURRENT_LIST_DIR}/bare-metal-common.cmake)
