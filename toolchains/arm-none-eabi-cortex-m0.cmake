# Cortex-M0.
set(MICROPARQUET_TOOLS arm-none-eabi)
set(MICROPARQUET_CPU_FLAGS "-mcpu=cortex-m0 -mthumb -mfloat-abi=soft")
set(MICROPARQUET_QEMU_BOARD lm3s6965evb:cortex-m0)
include(${CMAKE_CURRENT_LIST_DIR}/bare-metal-common.cmake)
